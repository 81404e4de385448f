package exterior_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// bentGrid is a triangulated cube of the given cells, shaken and embedded in
// one dimension more.
func bentGrid(t *testing.T, cells ...int) *simplicial.Complex {
	t.Helper()
	grid, _, err := simplicial.Grid(cells...)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(5, 6))
	n := grid.Ambient()
	var coords []float64
	for i := range grid.Count(0) {
		height := 0.0
		for _, x := range grid.Coords()[i*n : (i+1)*n] {
			x = (x + 0.2*rng.NormFloat64()) / 4
			height += math.Sin(2 * x)
			coords = append(coords, x)
		}
		coords = append(coords, height/4)
	}
	bent, err := grid.Embed(n+1, coords)
	require.NoError(t, err)
	return bent
}

// onGraph returns the vertices and the k-simplices of a complex.
func onGraph(g *Graph, c *simplicial.Complex, k int) (vertices, simplices *Node) {
	return Reshape(Const(g, c.Coords()), -1, c.Ambient()), Reshape(Const(g, c.Simplices(k)), -1, k+1)
}

// applied returns the integrals over the images of the basis chains.
func applied(op *simplicial.Matrix, x *Node) *Node {
	var simplex, chain []int32
	var coefficients []float64
	op.DoNonZero(func(i, j int, v float64) {
		simplex, chain = append(simplex, int32(i)), append(chain, int32(j))
		coefficients = append(coefficients, v)
	})
	_, columns := op.Dims()
	g := x.Graph()
	return exterior.Chains(x, Const(g, simplex), Const(g, chain), Const(g, coefficients), columns)
}

// TestIntegrationIsACochainMap checks X(∂β, ω) = X(β, dω) over all simplices
// of a complex: integration carries the exterior derivative to the
// coboundary.
func TestIntegrationIsACochainMap(t *testing.T) {
	c := bentGrid(t, 2, 2, 1)
	out := run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
		var nodes []*Node
		for k := range 3 {
			form := neural(uint64(k), 4, k, "tanh")
			vertices, faces := onGraph(g, c, k)
			_, simplices := onGraph(g, c, k+1)
			nodes = append(nodes,
				applied(c.Boundary(k+1), exterior.Integrate(by(quadrature.Gauss(6), form), vertices, faces)),
				exterior.Integrate(by(quadrature.Gauss(6), form.D()), vertices, simplices))
		}
		return nodes
	})
	for k := range 3 {
		// The rule's error, as in TestStokes.
		closeTo(t, flat(out[2*k]), flat(out[2*k+1]), 1e-6, "δX(ω) = X(dω)")
	}
}

// TestSumsOfNothing: without entries, chains or forms there are zeros or
// nothing, on every backend.
func TestSumsOfNothing(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out := run(t, backend, func(g *Graph) []*Node {
			ones := func(dims ...int) *Node { return Ones(g, shapes.Make(dtypes.Float64, dims...)) }
			none, some := Zeros(g, shapes.Make(dtypes.Int32, 0)), Const(g, []int32{0, 0, 1})
			return []*Node{
				exterior.SegmentSum(ones(0, 2), none, 3, true),
				exterior.SegmentSum(ones(3, 0), some, 2, true),
				exterior.SegmentSum(ones(3, 2), some, 0, true),
				exterior.Chains(ones(5, 2), none, none, ones(0), 3),
			}
		})
		for i, dims := range [][]int{{3, 2}, {2, 0}, {0, 2}, {3, 2}} {
			require.Equal(t, dims, out[i].Shape().Dimensions)
			require.Len(t, flat(out[i]), dims[0]*dims[1])
			for _, sum := range flat(out[i]) {
				require.Zero(t, sum)
			}
		}
		_, err := CallOnce(backend, func(g *Graph) *Node {
			rows := Ones(g, shapes.Make(dtypes.Float64, 0, 2))
			return exterior.SegmentSum(rows, Const(g, []int32{0}), 3, true)
		})
		require.ErrorContains(t, err, "updates")
	})
}
