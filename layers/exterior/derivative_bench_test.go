package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// BenchmarkStokes times both sides of Stokes' theorem on 10⁵ triangles, for
// neural forms as the paper has them: ∫dω of 1-forms beside the integral
// of 2-forms, alone and with the gradient by vertices and weights.
func BenchmarkStokes(b *testing.B) {
	const count = 100_000
	for _, n := range []int{3, 16} {
		rng := rand.New(rand.NewPCG(1, 2))
		points := make([]float32, count/2*n)
		for i := range points {
			points[i] = float32(rng.NormFloat64())
		}
		indices := make([]int32, 3*count)
		for i := range indices {
			indices[i] = int32((i/3 + i%3*(1+i/3%7)) % (count / 2))
		}
		for _, degree := range []int{1, 2} {
			for _, gradient := range []bool{false, true} {
				forms := []string{"", "d_of_1-forms", "2-forms"}[degree]
				name := fmt.Sprintf("n=%d/%s/gradient=%v", n, forms, gradient)
				net := randomNetwork(1, n, degree, "silu", 16, 8)
				b.Run(name, func(b *testing.B) {
					exec, err := NewExec(backendtest.Get(b, "xla:cpu"), func(x, triangles *Node) *Node {
						return net.energy(Reshape(x, -1, n), Reshape(triangles, -1, 3), gradient)
					})
					require.NoError(b, err)
					defer exec.Finalize()
					_, err = exec.Call(points, indices)
					require.NoError(b, err)
					for b.Loop() {
						_, err := exec.Call(points, indices)
						require.NoError(b, err)
					}
				})
			}
		}
	}
}

// energy returns the sum of squares of the integrals over triangles, of 2-forms or of the derivatives of
// 1-forms, and with the gradient the squares of that as well.
func (net network) energy(x, triangles *Node, gradient bool) *Node {
	layers, parameters := net.layers(x.Graph(), dtypes.Float32)
	form := net.with(layers)
	if net.k == 1 {
		form = form.D()
	}
	loss := ReduceAllSum(Square(exterior.Integrate(by(quadrature.Gauss(3), form), x, triangles)))
	if gradient {
		for _, gradient := range Gradient(loss, append(parameters, x)...) {
			loss = Add(loss, ReduceAllSum(Square(gradient)))
		}
	}
	return loss
}
