package exterior

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// both returns the factored and the plain integral of a network with their
// gradients by vertices and weights.
func both(g *Graph, net network, dtype dtypes.DType) []*Node {
	rng := rand.New(rand.NewPCG(3, 3))
	points := normals(rng, 8*net.n)
	indices := randomSimplices(rng, 5, net.k, 8)
	var out []*Node
	for _, factored := range []bool{true, false} {
		m := net.mlp(g, dtype)
		vertices := constant(g, dtype, points, 8, net.n)
		var x *Node
		if factored {
			x = Integrate(by(quadrature.Gauss(2), m.Form()), vertices, integers(g, indices))
		} else {
			x = Integrate(by(quadrature.Gauss(2), plain(m.Form())), vertices, integers(g, indices))
		}
		parameters := []*Node{vertices}
		for _, layer := range m.Layers {
			parameters = append(parameters, layer.W, layer.B)
		}
		if m.Frame != nil {
			parameters = append(parameters, m.Frame)
		}
		out = append(append(out, x), Gradient(ReduceAllSum(Square(x)), parameters...)...)
	}
	return out
}

// compareBoth checks that the two halves of both agree.
func compareBoth(t *testing.T, backend compute.Backend, p precision, nets []network) {
	var sizes []int
	out := run(t, backend, func(g *Graph) []*Node {
		var nodes []*Node
		for _, net := range nets {
			more := both(g, net, p.dtype)
			nodes, sizes = append(nodes, more...), append(sizes, len(more)/2)
		}
		return nodes
	})
	for i, size := range sizes {
		net := nets[i]
		for j := range size {
			closeTo(
				t,
				flat(t, out[size+j]),
				flat(t, out[j]),
				p.tolerance,
				fmt.Sprintf("n=%d k=%d rank=%d widths=%v, output %d", net.n, net.k, net.rank, net.widths, j),
			)
		}
		out = out[2*size:]
	}
}

// TestFactoredEqualsPlain compares values and all gradients for every degree,
// depth and frame, in dimensions where either the mean or the blade is wider.
func TestFactoredEqualsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	depths := [][]int{nil, {3}, {4, 2}, {9, 3, 5}}
	var nets, few []network
	for n := 1; n <= 6; n++ {
		for k := 0; k <= min(n, 4); k++ {
			for rank := 0; rank <= 2; rank++ {
				for _, hidden := range depths {
					nets = append(nets, randomNetwork(rng, n, k, 2, rank, "tanh", hidden...))
				}
			}
		}
	}
	for _, n := range []int{2, 7, 9, 30} {
		for _, hidden := range depths[1:] {
			net := randomNetwork(rng, n, 1, 2, 0, "silu", hidden...)
			nets, few = append(nets, net), append(few, net)
		}
	}
	t.Run("go", func(t *testing.T) {
		for i := range nets {
			compareBoth(t, backendtest.Get(t, "go"), precisions[0], nets[i:i+1])
		}
	})
	t.Run("xla:cpu", func(t *testing.T) {
		some := []network{few[2], few[len(few)-2], nets[51]}
		if !backendtest.Long() {
			some = some[:1]
		}
		compareBoth(t, backendtest.Get(t, "xla:cpu"), precisions[0], some)
	})
}

// TestCornersEqualVertices gives the same simplices by coordinates, as many
// that every panel has many columns, and few.
func TestCornersEqualVertices(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, count := range []int{3, 20} {
			rng := rand.New(rand.NewPCG(4, 4))
			net := randomNetwork(rng, 4, 2, 3, 0, "silu", 5, 2)
			points, indices := normals(rng, 9*net.n), randomSimplices(rng, count, net.k, 9)
			out := run(t, backend, func(g *Graph) []*Node {
				m := net.mlp(g, dtypes.Float64)
				vertices := constant(g, dtypes.Float64, points, 9, net.n)
				corners := Stack(Corners(vertices, integers(g, indices)), 1)
				x := Integrate(by(quadrature.Gauss(2), m.Form()), vertices, integers(g, indices))
				form := by(quadrature.Gauss(2), m.Form())
				coefficients := Integrate(plain(form), vertices, integers(g, indices))
				return []*Node{coefficients, x, IntegrateCorners(form, corners)}
			})
			for _, x := range out[1:] {
				closeTo(t, flat(t, out[0]), flat(t, x), precisions[0].tolerance,
					fmt.Sprint(count, " simplices"))
			}
		}
	})
}
