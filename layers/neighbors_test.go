package layers_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestNeighborsOfLargeGraphs: sums over listed neighbors, their gradients and gradients of gradients are
// products with the adjacency matrix, and do not read the edges. A hub has a seventh of these. Padding has
// values other than 0, which count nowhere.
func TestNeighborsOfLargeGraphs(t *testing.T) {
	const vertices, edges, dim = 20_000, 70_000, 2
	r, b := rand.New(rand.NewPCG(1, 2)), datasets.NewBuilder(dim)
	draw := func(vertices, edges int) []int32 {
		corners := []int32{1, 1, 1, 2, 2, 1, 2, 1} // a loop, and the same edge three times
		for i := range edges {
			from := int32(r.IntN(vertices))
			if i%7 == 0 {
				from = 0
			}
			corners = append(corners, from, int32(r.IntN(vertices-1))) // the last vertex is alone
		}
		b.Add(slices.Concat(normals(uint64(edges), vertices, dim)...), [][]int32{1: corners}, 0)
		return corners
	}
	first := draw(vertices, edges)
	all := append(draw(100, 300), first...)
	for i := range first {
		all[len(all)-len(first)+i] += 100
	}
	c := must(b.Collection())
	batches, _ := epoch(t, dataset(c, []int32{1, 0}, 2, nil))
	layout := batches[0].Spec.(*packing.Layout)

	total := layout.Budget.Rows[0]
	adjacency := func(x []float64) []float64 {
		sums := make([]float64, total*dim)
		for i, v := range all {
			for j := range dim {
				sums[int(v)*dim+j] += x[int(all[i^1])*dim+j]
			}
		}
		return sums
	}
	x, weights := make([]float64, total*dim), slices.Concat(normals(7, total*dim, 1)...)
	copy(x, append(c.Points(1), c.Points(0)...))
	for i, y := range x {
		x[i] = float64(float32(y) + 1)
	}
	sizes := func(x []float64) (sizes []float64) {
		for _, y := range x {
			sizes = append(sizes, math.Abs(y))
		}
		return sizes
	}
	half, most := adjacency(weights), adjacency(sizes(weights))
	wants := [][]float64{adjacency(x), half, adjacency(half)}
	bounds := [][]float64{adjacency(sizes(x)), most, adjacency(most)}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		batch := must(batches[0].Clone())
		out := run(t, backend, seeded(), batch.Inputs, func(_ *model.Scope, in []*Node) []*Node {
			batch := layers.Unpack(layout, in)
			x := OnePlus(ConvertDType(batch.Vertices(), dtypes.Float32))
			weights := constant(x.Graph(), x.DType(), weights, total, dim)
			sums := batch.Neighbors(x)
			require.Contains(t, batch.Unread(), layout.Find(packing.Corners, 1))
			gradient := Gradient(ReduceAllSum(Mul(sums, weights)), x)[0]
			square := Gradient(MulScalar(ReduceAllSum(Square(sums)), 0.5), x)[0]
			return []*Node{sums, gradient, Gradient(ReduceAllSum(Mul(square, weights)), x)[0]}
		})
		for i, want := range wants {
			for j, y := range want[:(vertices+100)*dim] {
				if math.Abs(float64(out[i][j])-y) > 2e-6*bounds[i][j] {
					t.Fatalf("result %d: %g at %d, want %g", i, out[i][j], j, y)
				}
			}
		}
	})
}
