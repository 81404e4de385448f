package signature

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// BenchmarkSignature times signatures of a batch of paths in float32, and them
// with the gradient of the sum of their squares.
func BenchmarkSignature(b *testing.B) {
	backend := backendtest.Get(b, "xla:cpu")
	for _, c := range []struct{ n, depth, points, batch int }{
		{4, 4, 128, 64}, {8, 3, 128, 64}, {3, 6, 256, 64}, {2, 8, 1000, 16},
	} {
		x := tensors.FromFlatDataAndDimensions(random(c.batch, c.points, c.n), c.batch, c.points, c.n)
		for name, build := range map[string]func(x *Node) []*Node{
			"value": func(x *Node) []*Node { return []*Node{Signature(x, c.depth)} },
			"gradient": func(x *Node) []*Node {
				loss := ReduceAllSum(Square(Signature(x, c.depth)))
				return []*Node{loss, Gradient(loss, x)[0]}
			},
		} {
			b.Run(fmt.Sprintf("dim=%d/depth=%d/points=%d/batch=%d/%s", c.n, c.depth, c.points, c.batch, name),
				func(b *testing.B) {
					exec, err := NewExec(backend, build)
					require.NoError(b, err)
					defer exec.Finalize()
					for b.Loop() {
						out, err := exec.Call(x)
						require.NoError(b, err)
						for _, y := range out {
							y.MustFinalizeAll()
						}
					}
				})
		}
	}
}

// random returns the points of random walks.
func random(batch, points, n int) []float32 {
	rng := rand.New(rand.NewPCG(1, 1))
	var x []float32
	for range batch {
		for t := range points * n {
			step := float32(0.1 * rng.NormFloat64())
			if t >= n {
				step += x[len(x)-n]
			}
			x = append(x, step)
		}
	}
	return x
}
