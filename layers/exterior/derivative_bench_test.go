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
// five neural forms as the paper has them: ∫dω of 1-forms beside the integral
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
				b.Run(name, func(b *testing.B) {
					benchmarkTriangles(b, n, degree, gradient, points, indices)
				})
			}
		}
	}
}

// benchmarkTriangles times integrals of five neural forms over triangles: of
// 2-forms, or of the derivatives of 1-forms.
func benchmarkTriangles(b *testing.B, n, degree int, gradient bool, points []float32, indices []int32) {
	network := exterior.RandomNetworkOf(dtypes.Float32, 1, n, degree, 5, 0, "silu", 16, 8)
	exec, err := NewExec(backendtest.Get(b, "xla:cpu"), func(x, triangles *Node) *Node {
		x, triangles = Reshape(x, -1, n), Reshape(triangles, -1, 3)
		form := network(x.Graph())
		var y *Node
		if degree == 1 {
			y = exterior.Integrate(by(quadrature.Gauss(3), form.Form().D()), x, triangles)
		} else {
			y = exterior.Integrate(by(quadrature.Gauss(3), form.Form()), x, triangles)
		}
		loss := ReduceAllSum(Square(y))
		if !gradient {
			return loss
		}
		by := []*Node{x}
		for _, layer := range form.Layers {
			by = append(by, layer.W, layer.B)
		}
		for _, gradient := range Gradient(loss, by...) {
			loss = Add(loss, ReduceAllSum(Square(gradient)))
		}
		return loss
	})
	require.NoError(b, err)
	defer exec.Finalize()
	_, err = exec.Call(points, indices)
	require.NoError(b, err)
	for b.Loop() {
		_, err := exec.Call(points, indices)
		require.NoError(b, err)
	}
}
