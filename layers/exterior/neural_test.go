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
