package path

import (
	"fmt"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// BenchmarkNetwork times a step of three path networks side by side, the loss
// and its gradients, on a batch of 48 paths, and what it takes to compile it.
func BenchmarkNetwork(b *testing.B) { benchmark(b, Network, 20) }

// BenchmarkCNN times a step of three convolutional networks as BenchmarkNetwork does.
func BenchmarkCNN(b *testing.B) { benchmark(b, CNN, 40) }

func benchmark(b *testing.B, network func(*model.Scope, *layers.Batch, Config, int) *Node, width int) {
	for _, points := range []int{33, 129} {
		b.Run(fmt.Sprint(points), func(b *testing.B) {
			config := Config{
				Members: 3, Points: points, Width: width, Forms: 20, Hidden: 40, Layers: 3,
				Windows: []int{1, 2, 4, 8, 0}, Dropout: 0.2,
				Augment: Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2},
			}
			store := model.NewStore()
			store.SetParam(model.ParamInitialSeed, int64(1))
			exec, err := model.NewExec(backendtest.Get(b, "xla:cpu"), store,
				func(scope *model.Scope, x *Node) *Node {
					store.SetTraining(x.Graph(), true)
					logits := network(scope, flat(x, 0), config, 6)
					loss := ReduceAllSum(Square(logits))
					return Add(loss, ReduceAllSum(Square(gradients(store, loss))))
				})
			require.NoError(b, err)
			defer exec.Finalize()
			x := make([][][]float32, 48)
			for i, path := range walks(48, points, 6) {
				for _, p := range path {
					row := make([]float32, 6)
					for j := range row {
						row[j] = float32(p[j])
					}
					x[i] = append(x[i], row)
				}
			}
			before := time.Now()
			_, err = exec.Call(x)
			require.NoError(b, err)
			compiled := time.Now()
			least := time.Hour
			for b.Loop() {
				before := time.Now()
				_, err := exec.Call(x)
				require.NoError(b, err)
				least = min(least, time.Since(before))
			}
			b.ReportMetric(float64(least.Microseconds()), "least-us")
			b.ReportMetric(compiled.Sub(before).Seconds(), "compile-s")
		})
	}
}
