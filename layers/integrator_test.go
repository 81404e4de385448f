package layers_test

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/support/exceptions"
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
		x[i] = float32(rng.NormFloat64()) / 8
	}
	for i := range s {
		s[i] = int32(rng.IntN(vertices))
	}
	return x, s
}

// siren returns two 1-forms on the plane whose coefficients are a network with
// sines, built by hand in the scope (Sitzmann et al., Implicit Neural
// Representations with Periodic Activation Functions, 2020).
func siren(scope *model.Scope) exterior.Form {
	uniform := scope.WithInitializer(initializer.RandomUniformFn(scope, -1, 1))
	return exterior.Form{Dim: 2, Degree: 1, Count: 2, Coefficients: func(points *Node) *Node {
		h := points
		for i, width := range []int{8, 8, 2 * 2} {
			if i > 0 {
				h = Sin(h)
			}
			shape := h.Shape().Clone()
			shape.Dimensions[0], shape.Dimensions[1] = shape.Dimensions[1], width
			h = MatMul(h, uniform.At("layer_%d", i).VariableWithShape("weights", shape).NodeValue(h.Graph()))
		}
		return Reshape(h, -1, 2, 2)
	}}
}

// integrated are forms to integrate in chunks: neural ones, and two of one's own.
var integrated = map[string]func(scope *model.Scope) exterior.Form{
	"functions": func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope, 2, 0, 3).Hidden(6, 4).Done()
	},
	"1-forms": func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope, 3, 1, 3).Hidden(6, 4).Done()
	},
	"2-forms": func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope, 3, 2, 2).Hidden(6).Done()
	},
	"siren": siren,
	"exact": func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope, 2, 0, 2).Hidden(6).Done().D()
	},
	"formula": func(*model.Scope) exterior.Form {
		return ones(2, 1)
	},
}

// TestChunksEqualWhole compares values and gradients of chunks that do not
// divide the simplices, and of the size chosen, with those of one graph over all of them, by the coefficients
// alone. A vertex of no simplex does not count, even if it is not a number. The tolerance is that of float32
// in sums of some hundred terms.
func TestChunksEqualWhole(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for name, build := range integrated {
			store := seeded()
			form := build(store.RootScope())
			form.Rule = quadrature.Gauss(6)
			const vertices, simplices = 11, 10
			x, s := mesh(form.Dim, form.Degree, vertices, simplices)
			for i := range s {
				s[i] = max(s[i], 1)
			}
			var want [][]float64
			for _, chunk := range []int{4, 0} {
				it := must(layers.NewChunked(chunk, backend, store, form, nil))
				defer it.Finalize()
				got := must(it.Integrate(x, s))
				// The loss Σ X²/2, whose gradient by X is X.
				gradients := must(it.Gradient(x, s, got))
				require.Equal(t, name != "formula", len(gradients) > 0, name)
				variables := slices.SortedFunc(maps.Keys(gradients), func(a, b *model.Variable) int {
					return cmp.Compare(a.Path(), b.Path())
				})
				if want == nil {
					whole := must(model.CallOnceN(backend, store, func(_ *model.Scope, in []*Node) []*Node {
						y := exterior.Integrate(plain(form), in[0], in[1])
						var by []*Node
						for _, v := range variables {
							by = append(by, v.NodeValue(in[0].Graph()))
						}
						return append([]*Node{y}, Gradient(DivScalar(ReduceAllSum(Square(y)), 2), by...)...)
					}, tensors.FromFlatDataAndDimensions(x, vertices, form.Dim),
						tensors.FromFlatDataAndDimensions(s, simplices, form.Degree+1)))
					for _, x := range whole {
						want = append(want, values(x))
					}
				}
				closeTo(t, want[0], tensors.FromFlatDataAndDimensions(got, len(got)), 2e-5, name)
				for i, v := range variables {
					closeTo(t, want[1+i], gradients[v], 2e-5, name+v.Path())
				}
				x[0], x[1] = float32(math.NaN()), float32(math.Inf(1))
			}
		}
	})
}

// TestSizesOfPrograms: a chunk is filled up by no more than is said.
func TestSizesOfPrograms(t *testing.T) {
	it := must(layers.NewIntegrator(backendtest.Get(t, "go"), seeded(), ones(2, 1), nil))
	defer it.Finalize()
	const chunk = 1<<16 + 16
	sizes := map[int]bool{}
	for count := 1; count <= chunk; count++ {
		size := it.Fit(count)
		sizes[size] = true
		bound := count + chunk/100
		switch {
		case count >= chunk/4:
			bound = count * 113 / 100
		case count >= chunk/16:
			bound = count * 126 / 100
		}
		if size < count || size > min(bound, chunk) {
			t.Fatalf("%d simplices in a program for %d, want at most %d", count, size, bound)
		}
	}
	require.LessOrEqual(t, len(sizes), 32)
}

// TestProgramsOfSizes: complexes of any number of sizes need no more programs than GoMLX keeps.
func TestProgramsOfSizes(t *testing.T) {
	backend, store := backendtest.Get(t, "go"), seeded()
	it := must(layers.NewChunked(57, backend, store, ones(2, 1), nil))
	defer it.Finalize()
	x, s := mesh(2, 1, 11, 57)
	all := must(it.Integrate(x, s))
	for count := range 57 {
		require.Equal(t, all[:count], must(it.Integrate(x, s[:2*count])))
	}
}

// TestKeptInputs: what an earlier, longer chunk left in the inputs does not count. Of 0-forms the points that
// fill up a chunk have integrals.
func TestKeptInputs(t *testing.T) {
	backend, store := backendtest.Get(t, "go"), seeded()
	form := integrated["functions"](store.RootScope())
	x, s := mesh(2, 0, 11, 16)
	of := func(it *layers.Integrator, count int) (out [][]float64) {
		gradients := must(it.Gradient(x, s[:count], slices.Repeat([]float32{1}, count*form.Count)))
		for _, v := range slices.SortedFunc(maps.Keys(gradients), func(a, b *model.Variable) int {
			return cmp.Compare(a.Path(), b.Path())
		}) {
			out = append(out, values(gradients[v]))
		}
		return out
	}
	used, fresh := must(layers.NewChunked(16, backend, store, form, nil)),
		must(layers.NewChunked(16, backend, store, form, nil))
	defer used.Finalize()
	defer fresh.Finalize()
	of(used, 16)
	require.Equal(t, of(fresh, 15), of(used, 15))
}

// TestIntegratorErrors: forms that cannot be, numbers of no vertex, and wrong lengths.
func TestIntegratorErrors(t *testing.T) {
	backend, store := backendtest.Get(t, "go"), seeded()
	for want, form := range map[string]exterior.Form{
		"2-forms in dimension 1": {Dim: 1, Degree: 2, Count: 1},
		"without coefficients":   {Dim: 3, Degree: 2, Count: 1},
	} {
		_, err := layers.NewIntegrator(backend, store, form, nil)
		require.ErrorContains(t, err, want)
	}
	one := exterior.Formula(3, 2, func(x []*Node) []*Node { return []*Node{nil, nil, x[0]} })
	_, err := layers.NewIntegrator(backend, nil, one, nil)
	require.ErrorContains(t, err, "store cannot be nil")
	_, err = layers.NewIntegrator(backend, store, exterior.Formula(1, 0, func([]*Node) []*Node {
		panic("of no use")
	}), nil)
	require.ErrorContains(t, err, "of no use")
	_, err = layers.NewIntegrator(backend, store, one, func(x *Node) *Node { return ReduceAllSum(x) })
	require.ErrorContains(t, err, "f of integrals [4096, 1] is (Float32): want [4096, m]")
	few := must(layers.NewChunked(4, backend, store, exterior.Formula(1, 1, func(x []*Node) []*Node {
		if x[0].Shape().Size() < 100 { // not while it is made
			exceptions.Panicf("too few")
		}
		return x
	}), nil))
	_, err = few.Sum([]float32{0, 1, 2}, []int32{0, 1, 1, 2})
	require.EqualError(t, err, "too few", "without what GoMLX says of itself")
	constant := must(layers.NewIntegrator(backend, store, one, nil))
	it := must(layers.NewChunked(2, backend, store, layers.KForm(store.RootScope(), 3, 2, 1).Done(), nil))
	defer it.Finalize()
	x, s := mesh(3, 2, 5, 4)
	require.Empty(t, must(it.Integrate(x, nil)))
	high, low := slices.Clone(s), slices.Clone(s)
	high[7], low[7] = 5, -1
	for want, in := range map[string]struct {
		x []float32
		s []int32
	}{
		"14 coordinates of vertices in dimension 3": {x[1:], s},
		"corner 0 is vertex":                        {nil, s},
		"the last simplex has 2 of 3":               {x, s[1:]},
		"corner 7 is vertex 5: want 0 to 4":         {x, high},
		"is vertex -1: want 0 to 4":                 {x, low},
	} {
		_, err := it.Integrate(in.x, in.s)
		require.ErrorContains(t, err, want)
	}
	sum, gradients, err := constant.SumGradient(x, s, []float32{1})
	require.NoError(t, err)
	require.Empty(t, gradients)
	require.InDelta(t, must(constant.Sum(x, s))[0], sum, 1e-6)
	_, err = constant.Gradient(x, high, make([]float32, 4))
	require.ErrorContains(t, err, "corner 7 is vertex 5: want 0 to 4")
	constant.Finalize()
	_, _, err = constant.SumGradient(x, s, []float32{1})
	require.ErrorContains(t, err, "finalized")
	_, err = it.Gradient(x, s, make([]float32, 3))
	require.ErrorContains(t, err, "3 gradients by integrals, not 4")
	_, _, err = it.SumGradient(x, s, []float32{1, 2})
	require.ErrorContains(t, err, "2 weights of 1 sums")
	it.Finalize()
	_, err = it.Integrate(x, s)
	require.ErrorContains(t, err, "finalized")
}
