package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// integrals returns the integrals of a network over random simplices, and the gradients
// of the sum of their squares by vertices and weights.
func (net network) integrals(g *Graph, change func(exterior.Form) exterior.Form) []*Node {
	rng := rand.New(rand.NewPCG(3, 3))
	vertices := constant(g, dtypes.Float64, normals(rng, 8*net.n), 8, net.n)
	layers, parameters := net.layers(g, dtypes.Float64)
	x := exterior.Integrate(change(by(quadrature.Gauss(2), net.with(layers))), vertices,
		Const(g, randomSimplices(rng, 5, net.k, 8)))
	return append([]*Node{x}, Gradient(ReduceAllSum(Square(x)), append(parameters, vertices)...)...)
}

// TestFactoredEqualsPlain compares values and all gradients for every degree
// and depth, in dimensions where either the mean or the blade is wider.
func TestFactoredEqualsPlain(t *testing.T) {
	compare := func(t *testing.T, backend compute.Backend, nets ...network) {
		for _, net := range nets {
			out := run(t, backend, func(g *Graph) []*Node {
				same := func(f exterior.Form) exterior.Form { return f }
				return append(net.integrals(g, same), net.integrals(g, plain)...)
			})
			for i := range len(out) / 2 {
				closeTo(t, flat(out[len(out)/2+i]), flat(out[i]), backendtest.Precisions[0].Tolerance,
					fmt.Sprintf("n=%d k=%d widths=%v, output %d", net.n, net.k, net.widths, i))
			}
		}
	}
	depths := [][]int{nil, {3}, {4, 2}, {30, 3, 5}}
	t.Run("go", func(t *testing.T) {
		for _, hidden := range depths {
			for n := 1; n <= 5; n++ {
				for k := 0; k <= min(n, 4); k++ {
					compare(t, backendtest.Get(t, "go"), randomNetwork(uint64(n), n, k, "tanh", hidden...))
				}
			}
			compare(t, backendtest.Get(t, "go"), randomNetwork(8, 30, 1, "silu", hidden...))
		}
	})
	t.Run("xla:cpu", func(t *testing.T) {
		compare(t, backendtest.Get(t, "xla:cpu"), randomNetwork(8, 2, 1, "silu", 9, 3, 5))
		if backendtest.Long() {
			compare(t, backendtest.Get(t, "xla:cpu"), randomNetwork(8, 30, 1, "silu", 4, 2),
				randomNetwork(8, 4, 2, "tanh", 4, 2))
		}
	})
}

// TestCornersEqualVertices gives the same simplices by coordinates: few, and so many
// that every panel has many columns.
func TestCornersEqualVertices(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, count := range []int{3, 20} {
			rng := rand.New(rand.NewPCG(4, 4))
			form := by(quadrature.Gauss(2), randomNetwork(4, 4, 2, "silu", 5, 2).form())
			points, indices := normals(rng, 9*4), randomSimplices(rng, count, 2, 9)
			out := run(t, backend, func(g *Graph) []*Node {
				vertices, simplices := constant(g, dtypes.Float64, points, 9, 4), Const(g, indices)
				corners := Stack(exterior.Corners(vertices, simplices), 1)
				return []*Node{exterior.Integrate(plain(form), vertices, simplices),
					exterior.Integrate(form, vertices, simplices), exterior.IntegrateCorners(form, corners)}
			})
			for _, x := range out[1:] {
				closeTo(t, flat(out[0]), flat(x), backendtest.Precisions[0].Tolerance,
					fmt.Sprint(count, " simplices"))
			}
		}
	})
}
