package layers_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// graphOf is the graph over the unit cube of dimension k of a sum of sines, in cells^k cubes.
func graphOf(t *testing.T, k, cells int) *simplicial.Complex {
	t.Helper()
	along := make([]int, k)
	for i := range along {
		along[i] = cells
	}
	c, _, err := simplicial.Grid(along...)
	require.NoError(t, err)
	var coords []float64
	for i := range c.Count(0) {
		height := 0.0
		for _, x := range c.Coords()[i*k : (i+1)*k] {
			coords = append(coords, x/float64(cells))
			height += math.Sin(3 * x / float64(cells))
		}
		coords = append(coords, height)
	}
	c, err = c.Embed(k+1, coords)
	require.NoError(t, err)
	return c
}

// waves is the form cos(4 Σ x_i) dx_1 ∧ … ∧ dx_k on R^{k+1}, which changes its sign on the cube.
func waves(k int) exterior.Form {
	form := exterior.Formula(k+1, k, func(x []*Node) []*Node {
		sum := x[0]
		for _, xi := range x[1:k] {
			sum = Add(sum, xi)
		}
		out := []*Node{Cos(MulScalar(sum, 4))}
		for range k { // the other components have dx_{k+1}
			out = append(out, ZerosLike(sum))
		}
		return out
	})
	form.Rule = quadrature.Gauss(3)
	return form
}

// readouts returns the rows of some reductions of a complex whose k-simplices are turned at random.
func readouts(t *testing.T, backend compute.Backend, c *simplicial.Complex, k int, form exterior.Form,
	turn *rand.Rand, reductions ...layers.Reduction) []float64 {
	t.Helper()
	corners := append([]int32{}, c.Simplices(k)...)
	of := make([]int32, c.Count(k))
	for i := range of {
		if turn != nil {
			simplex := corners[i*(k+1) : (i+1)*(k+1)]
			turn.Shuffle(k+1, func(a, b int) { simplex[a], simplex[b] = simplex[b], simplex[a] })
		}
	}
	out, err := CallOnceN(backend, func(in []*Node) []*Node {
		p := layers.Parts{Vertices: in[0], Mask: Const(in[0].Graph(), []bool{true}),
			Corners: make([]*Node, k+1), Of: make([]*Node, k+1)}
		p.Corners[k], p.Of[k] = in[1], in[2]
		b := layers.NewBatch(p)
		var out []*Node
		for _, r := range reductions {
			out = append(out, b.Readout(r, form))
		}
		return out
	}, tensors.FromFlatDataAndDimensions(c.Coords(), c.Count(0), c.Ambient()),
		tensors.FromFlatDataAndDimensions(corners, c.Count(k), k+1),
		tensors.FromFlatDataAndDimensions(of, len(of)))
	require.NoError(t, err)
	var values []float64
	for _, x := range out {
		values = append(values, tensors.MustCopyFlatData[float64](x)...)
	}
	return values
}

// TestMassIgnoresOrientation: however simplices are turned round.
func TestMassIgnoresOrientation(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for k := 1; k <= 3; k++ {
			c := graphOf(t, k, 3)
			// A form of degree 1 is integrated exactly in any order: rounding of some 100 terms remains.
			linear := waves(k)
			linear.Coefficients = func(x *Node) *Node {
				f := ReduceAndKeep(x, ReduceSum, 1)
				zeros := BroadcastToDims(ZerosLike(f), f.Shape().Dimensions[0], k)
				return ExpandAxes(Concatenate([]*Node{f, zeros}, 1), -1)
			}
			want := readouts(t, backend, c, k, linear, nil, layers.Mass)
			got := readouts(t, backend, c, k, linear, rand.New(rand.NewPCG(9, 1)), layers.Mass)
			require.InEpsilonSlice(t, want, got, 1e-12, "k=%d", k)
		}
	})
}

// TestMassConverges measures the order under subdivision against ∫|f| dx over the cube, while the sum of
// squares vanishes with order k.
func TestMassConverges(t *testing.T) {
	const points = 60
	nodes, weights := make([]float64, points), make([]float64, points)
	quad.Legendre{}.FixedLocations(nodes, weights, 0, 1)
	cells := map[int]int{1: 64, 2: 32, 3: 8}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for k := 1; k <= 3; k++ {
			mass := 0.0
			for _, at := range combin.Cartesian([]int{points, points, points}[:k]) {
				w, sum := 1.0, 0.0
				for _, i := range at {
					w *= weights[i]
					sum += nodes[i]
				}
				mass += w * math.Abs(math.Cos(4*sum))
			}
			if k == 1 { // the kinks of |cos 4x| on [0, 1], which Gauss points do not see well
				mass = (2 - math.Sin(4)) / 4
			}
			var off [2][2]float64
			for i, n := range []int{cells[k], 2 * cells[k]} {
				got := readouts(t, backend, graphOf(t, k, n), k, waves(k), nil, layers.Mass, layers.SquaredL2)
				off[i] = [2]float64{math.Abs(got[0] - mass), got[1]}
				// Simplices that the zeros of the form cross err by some h each, of some h/k of the surface.
				require.Less(t, off[i][0], 2/float64(n*n), "mass, k=%d", k)
			}
			order := func(i int) float64 { return math.Log2(off[0][i] / off[1][i]) }
			if k > 1 { // of a curve there are two zeros, and it is chance where they are in their edges
				require.InDelta(t, 2, order(0), 0.35, "mass, k=%d", k)
			}
			require.InDelta(t, float64(k), order(1), 0.1, "squares, k=%d", k)
		}
	})
}
