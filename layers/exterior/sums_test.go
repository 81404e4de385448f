package exterior_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// TestLongSums: sums in float32 are those in float64 to a few roundings, however long segments are, whether
// they ascend or not, with gaps between them and at both ends. Equal rows are the worst case: added one by
// one, ten million of them are off by 8 %.
func TestLongSums(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		counts := []int{4096, 4097, 300_000}
		if backendtest.Long() && backend.Name() == "xla" {
			counts = append(counts, 10_000_000)
		}
		for _, count := range counts {
			const segments = 9
			rows, of, want := make([]float32, 2*count), make([]int32, count), make([]float64, 2*segments)
			for i := range of {
				// Segments -1, 0, 2, 3, 7 and 9; more than half of the rows are in 3.
				of[i] = []int32{-1, 0, 2, 3, 3, 3, 3, 3, 7, 9}[10*i/count]
				rows[2*i], rows[2*i+1] = 0.1, float32(i%7)-3.3
				if of[i] >= 0 && of[i] < segments {
					want[2*of[i]] += float64(rows[2*i])
					want[2*of[i]+1] += float64(rows[2*i+1])
				}
			}
			for _, sorted := range []bool{true, false} {
				if !sorted {
					rand.New(rand.NewPCG(1, 2)).Shuffle(count, func(i, j int) {
						of[i], of[j] = of[j], of[i]
						rows[2*i], rows[2*j] = rows[2*j], rows[2*i]
						rows[2*i+1], rows[2*j+1] = rows[2*j+1], rows[2*i+1]
					})
				}
				exec, err := NewExec(backend, func(rows, of *Node) []*Node {
					sums := exterior.SegmentSum(rows, of, segments, sorted)
					return []*Node{sums, Gradient(ReduceAllSum(Square(sums)), rows)[0]}
				})
				require.NoError(t, err)
				out, err := exec.Call(tensors.FromFlatDataAndDimensions(rows, count, 2),
					tensors.FromFlatDataAndDimensions(of, count))
				require.NoError(t, err)
				tolerance := 2e-6 // of blocks of 64 rows
				if count <= 4096 {
					tolerance = 1e-4
				}
				sums := tensors.MustCopyFlatData[float32](out[0])
				for i, sum := range sums {
					require.InDelta(t, want[i], sum, tolerance*math.Abs(want[i]), "%d rows, sorted %t: %d",
						count, sorted, i)
				}
				gradient := tensors.MustCopyFlatData[float32](out[1])
				for i, s := range of {
					by := float32(0)
					if s >= 0 && s < segments {
						by = 2 * sums[2*s]
					}
					if gradient[2*i] != by { // ten million calls of require take minutes
						t.Fatalf("%d rows, sorted %t: gradient by row %d is %g, want %g", count, sorted, i,
							gradient[2*i], by)
					}
				}
				exec.Finalize()
			}
		}
	})
}

// TestSumsDoNotDependOnTheCuts: the integral of (x dy - y dx)/2 along a quarter of the unit circle in more
// and more parts, in float32, is the area of a quarter of the disk. The rounding of coordinates cancels
// between the parts that meet, and the polygon lacks 3e-7 for a thousand parts.
func TestSumsDoNotDependOnTheCuts(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		cuts := []int{1000, 100_000}
		if backendtest.Long() && backend.Name() == "xla" {
			cuts = append(cuts, 1_000_000, 10_000_000)
		}
		for _, n := range cuts {
			points := make([]float32, 0, 2*n+2)
			for i := range n + 1 {
				y, x := math.Sincos(math.Pi / 2 * float64(i) / float64(n))
				points = append(points, float32(x), float32(y))
			}
			edges := make([]int32, 2*n)
			for i := range edges {
				edges[i] = int32((i + 1) / 2)
			}
			form := exterior.Formula(2, 1, func(x []*Node) []*Node {
				return []*Node{MulScalar(x[1], -0.5), MulScalar(x[0], 0.5)}
			})
			exec, err := NewExec(backend, func(points, edges *Node) *Node {
				x := exterior.Integrate(form, points, edges)
				path := ZerosLike(Squeeze(SliceAxis(edges, 1, AxisElem(0)), 1))
				return exterior.SegmentSum(x, path, 1, true)
			})
			require.NoError(t, err)
			out, err := exec.Call(tensors.FromFlatDataAndDimensions(points, n+1, 2),
				tensors.FromFlatDataAndDimensions(edges, n, 2))
			require.NoError(t, err)
			exec.Finalize()
			tolerance := 1e-6
			if n <= 4096 { // rows that are added one by one
				tolerance = 1e-5
			}
			area := tensors.MustCopyFlatData[float32](out[0])[0]
			require.InDelta(t, math.Pi/4, area, tolerance, "%d parts", n)
		}
	})
}
