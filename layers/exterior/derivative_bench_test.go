package exterior_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// BenchmarkDerivative times ∫dω over 200 triangles and its gradient by the
// vertices, for two 1-forms in dimension 20: along the edges, and with all
// components of dω.
func BenchmarkDerivative(b *testing.B) {
	const n = 20
	rng := rand.New(rand.NewPCG(1, 2))
	points := exterior.Normals(rng, 100*n)
	var triangles [][]int32
	for i := range int32(200) {
		triangles = append(triangles, []int32{i % 100, (i + 1) % 100, (3*i + 7) % 100})
	}
	network := exterior.RandomNetwork(1, n, 1, 2, 0, "silu", 32, 16)
	for _, c := range []struct {
		name string
		form func(g *Graph) exterior.Form
	}{
		{"along_edges", func(g *Graph) exterior.Form { return network(g).Form().D() }},
		{"by_components", func(g *Graph) exterior.Form { return network(g).Form().D().Scale(1) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			exec, err := NewExec(backendtest.Get(b, "xla:cpu"), func(x *Node) (*Node, *Node) {
				x = Reshape(x, 100, n)
				g := x.Graph()
				y := exterior.Integrate(c.form(g), x, Const(g, triangles), quadrature.Gauss(3))
				loss := ReduceAllSum(Square(y))
				return loss, Gradient(loss, x)[0]
			})
			require.NoError(b, err)
			defer exec.Finalize()
			_, err = exec.Call(points)
			require.NoError(b, err)
			for b.Loop() {
				_, err := exec.Call(points)
				require.NoError(b, err)
			}
		})
	}
}
