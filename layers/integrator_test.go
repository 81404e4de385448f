package layers_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// mesh returns random vertices in dimension n and random k-simplices.
func mesh(n, k, vertices, simplices int) ([]float32, []int32) {
	rng := rand.New(rand.NewPCG(1, uint64(n*10+k)))
	x, s := make([]float32, n*vertices), make([]int32, (k+1)*simplices)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	for i := range s {
		s[i] = int32(rng.IntN(vertices))
	}
	return x, s
}

// near asks that got equals want up to the rounding of float32 in sums of
// some hundred terms, relative to the largest value.
func near(t *testing.T, want, got []float32, about string) {
	t.Helper()
	require.Len(t, got, len(want), about)
	scale := 0.0
	for _, w := range want {
		scale = math.Max(scale, math.Abs(float64(w)))
	}
	for i := range want {
		if !(math.Abs(float64(want[i]-got[i])) <= 2e-5*scale) {
			t.Fatalf("%s: entry %d is %g, want %g", about, i, got[i], want[i])
		}
	}
}

// TestChunksEqualWhole compares values and gradients of chunks that do not
// divide the simplices, and of the size chosen, with those of one graph over all of them.
func TestChunksEqualWhole(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, c := range []struct{ n, k int }{{3, 1}, {3, 2}, {2, 0}} {
			const vertices, simplices = 11, 10
			x, s := mesh(c.n, c.k, vertices, simplices)
			store := model.NewStore()
			store.SetParam(model.ParamInitialSeed, int64(5))
			forms := layers.KForm(store.RootScope().In("forms"), c.n, c.k, 3).Hidden(6, 4).
				Quadrature(quadrature.Gauss(2)).Done()
			for _, chunk := range []int{4, 0} {
				it, err := layers.NewIntegrator(backend, store, forms, chunk)
				require.NoError(t, err)
				defer it.Finalize()
				got, err := it.Integrate(x, s)
				require.NoError(t, err)
				// The loss Σ X²/2, whose gradient by X is X.
				gradients, err := it.Gradient(x, s, got)
				require.NoError(t, err)
				require.NotEmpty(t, gradients)
				whole, err := model.CallOnceN(backend, store, func(_ *model.Scope, in []*Node) []*Node {
					y := exterior.Integrate(forms, in[0], in[1])
					by := make([]*Node, len(gradients))
					for i, v := range ordered(gradients) {
						by[i] = v.NodeValue(in[0].Graph())
					}
					return append([]*Node{y}, Gradient(DivScalar(ReduceAllSum(Square(y)), 2), by...)...)
				}, tensors.FromFlatDataAndDimensions(x, vertices, c.n),
					tensors.FromFlatDataAndDimensions(s, simplices, c.k+1))
				require.NoError(t, err)
				about := fmt.Sprintf("n=%d k=%d chunks of %d", c.n, c.k, chunk)
				near(t, tensors.MustCopyFlatData[float32](whole[0]), got, about)
				for i, v := range ordered(gradients) {
					near(t, tensors.MustCopyFlatData[float32](whole[1+i]),
						tensors.MustCopyFlatData[float32](gradients[v]), about+", "+v.Path())
				}
			}
		}
	})
}

// TestVerticesOfNoSimplexDoNotCount: the last chunk is not full, and the first
// vertex is not a number.
func TestVerticesOfNoSimplexDoNotCount(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for k := range 3 {
			store := model.NewStore()
			store.SetParam(model.ParamInitialSeed, int64(5))
			forms := layers.KForm(store.RootScope().In("forms"), 3, k, 2).Hidden(4).Done()
			x, s := mesh(3, k, 9, 7)
			for i := range s {
				s[i] = max(s[i], 1)
			}
			by := make([]float32, 14)
			for i := range by {
				by[i] = 1
			}
			var want map[*model.Variable]*tensors.Tensor
			for _, first := range []float64{0, math.NaN(), math.Inf(1)} {
				x[0], x[1], x[2] = float32(first), float32(first), float32(first)
				it, err := layers.NewIntegrator(backend, store, forms, 4)
				require.NoError(t, err)
				defer it.Finalize()
				got, err := it.Gradient(x, s, by)
				require.NoError(t, err)
				if want == nil {
					want = got
				}
				for _, v := range ordered(want) {
					require.Equal(t, tensors.MustCopyFlatData[float32](want[v]),
						tensors.MustCopyFlatData[float32](got[v]), "k = %d, vertex 0 at %g", k, first)
				}
			}
		}
	})
}

// TestIntegrateCorners gives the same edges by vertices and by coordinates.
func TestIntegrateCorners(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		out := compute64(t, backend, func(scope *model.Scope, g *Graph) []*Node {
			forms := layers.KForm(scope.In("forms"), 2, 1, 2).Hidden(4).Done()
			return []*Node{
				exterior.Integrate(forms, Const(g, [][]float64{{1, 2}, {3, 5}, {0, 1}}),
					Const(g, [][]int32{{0, 1}, {2, 1}})),
				exterior.IntegrateCorners(forms, Const(g, [][][]float64{{{1, 2}, {3, 5}}, {{0, 1}, {3, 5}}})),
			}
		})
		require.Equal(t, out[0], out[1])
	})
}

// TestIntegratorErrors states what does not fit.
func TestIntegratorErrors(t *testing.T) {
	backend := backendtest.Get(t, "go")
	store := model.NewStore()
	forms := layers.KForm(store.RootScope(), 3, 2, 1).Hidden(3).Done()
	_, err := layers.NewIntegrator(backend, store, exterior.Form{Dim: 1, Degree: 2, Count: 1}, 0)
	require.ErrorContains(t, err, "2-forms in dimension 1")
	_, err = layers.NewIntegrator(backend, store, exterior.Form{Dim: 3, Degree: 2, Count: 1}, 0)
	require.ErrorContains(t, err, "without coefficients")
	_, err = layers.NewIntegrator(backend, store, forms, -1)
	require.ErrorContains(t, err, "chunks of -1")
	it, err := layers.NewIntegrator(backend, store, forms, 2)
	require.NoError(t, err)
	defer it.Finalize()
	x, s := mesh(3, 2, 5, 4)
	none, err := it.Integrate(x, nil)
	require.NoError(t, err)
	require.Empty(t, none)
	integrate := func(x []float32, s []int32) error { _, err := it.Integrate(x, s); return err }
	require.ErrorContains(t, integrate(x[1:], s), "14 coordinates of vertices in dimension 3")
	require.ErrorContains(t, integrate(nil, s), "0 coordinates")
	require.ErrorContains(t, integrate(x, s[1:]), "11 corners of simplices of dimension 2")
	_, err = it.Gradient(x, s, make([]float32, 3))
	require.ErrorContains(t, err, "3 gradients by integrals, not 4")
	s[7] = 5
	require.ErrorContains(t, integrate(x, s), "corner 1 of simplex 2 is vertex 5: want 0 to 4")
	s[7] = -1
	_, err = it.Gradient(x, s, make([]float32, 4))
	require.ErrorContains(t, err, "is vertex -1: want 0 to 4")
}

// ordered returns the variables of gradients, by their paths.
func ordered(gradients map[*model.Variable]*tensors.Tensor) []*model.Variable {
	return slices.SortedFunc(maps.Keys(gradients), func(a, b *model.Variable) int {
		return cmp.Compare(a.Path(), b.Path())
	})
}
