package exterior_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// TestVolumes compares with √det(DᵀD)/k!, and gradients with differences.
func TestVolumes(t *testing.T) {
	gram := func(x []float64, n, k int) float64 {
		d := mat.NewDense(n, k, nil)
		for i := range n {
			for j := range k {
				d.Set(i, j, x[(j+1)*n+i]-x[i])
			}
		}
		var g mat.Dense
		g.Mul(d.T(), d)
		return math.Sqrt(mat.Det(&g)) / math.Gamma(float64(k)+1)
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := 1; n <= 5; n++ {
			for k := 0; k <= n; k++ {
				x, simplex := make([]float64, (k+1)*n), make([]int32, k+1)
				for i := range x {
					x[i] = rng.NormFloat64()
				}
				for i := range simplex {
					simplex[i] = int32(i)
				}
				out := run(t, backend, func(g *Graph) []*Node {
					vertices := Reshape(Const(g, x), k+1, n)
					v := exterior.Volumes(vertices, Const(g, [][]int32{simplex}))
					return []*Node{v, Gradient(ReduceAllSum(v), vertices)[0]}
				})
				want := 1.0
				if k > 0 {
					want = gram(x, n, k)
				}
				require.InEpsilon(t, want, flat(out[0])[0], 1e-10, "n=%d k=%d", n, k)
				for i := range x {
					const h = 1e-5 // leaves h² and 1e-16/h
					up, down := append([]float64{}, x...), append([]float64{}, x...)
					up[i], down[i] = x[i]+h, x[i]-h
					slope := 0.0
					if k > 0 {
						slope = (gram(up, n, k) - gram(down, n, k)) / (2 * h)
					}
					require.InDelta(t, slope, flat(out[1])[i], 1e-6*(1+math.Abs(slope)),
						"n=%d k=%d", n, k)
				}
			}
		}
	})
}

// TestVolumesOfFlatSimplices: points, slivers without height and more corners than the space has room for.
func TestVolumesOfFlatSimplices(t *testing.T) {
	for name, simplices := range map[string][][]int32{
		"repeated": {{0, 0, 0}, {1, 1, 2}, {1, 2, 1}}, "collinear": {{0, 1, 2}, {2, 0, 1}},
		"too many": {{0, 1, 2, 3}, {3, 1, 0, 2}},
	} {
		backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
			out := run(t, backend, func(g *Graph) []*Node {
				vertices := Const(g, [][]float32{{0.1, 0.7}, {0.2, 1.4}, {0.3, 2.1}, {5, 1}})
				v := exterior.Volumes(vertices, Const(g, simplices))
				gradient := Gradient(ReduceAllSum(v), vertices)[0]
				return []*Node{ConvertDType(v, dtypes.Float64), ConvertDType(gradient, dtypes.Float64)}
			})
			require.Equal(t, make([]float64, len(simplices)), flat(out[0]), name)
			require.Equal(t, make([]float64, 8), flat(out[1]), name)
		})
	}
}
