package path

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// BenchmarkNetwork times a step of three path networks side by side, the loss
// and its gradients, on a batch of 48 paths, and what it takes to compile it,
// in seconds of processors.
func BenchmarkNetwork(b *testing.B) {
	for _, points := range []int{33, 129} {
		b.Run(fmt.Sprint(points), func(b *testing.B) {
			config := Config{
				Members: 3, Points: points, Width: 20, Forms: 20, Hidden: 40, Layers: 3,
				Windows: []int{1, 2, 4, 8, 0}, Dropout: 0.2,
				Augment: Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2},
			}
			store := model.NewStore()
			store.SetParam(model.ParamInitialSeed, int64(1))
			exec, err := model.NewExec(backendtest.Get(b, "xla:cpu"), store,
				func(scope *model.Scope, x *Node) *Node {
					store.SetTraining(x.Graph(), true)
					logits := Network(scope, flat(x, 0), config, 6)
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
			before := processors(b)
			_, err = exec.Call(x)
			require.NoError(b, err)
			compiled := processors(b)
			for b.Loop() {
				_, err := exec.Call(x)
				require.NoError(b, err)
			}
			b.ReportMetric((compiled - before).Seconds(), "compile-s")
			b.ReportMetric((processors(b)-compiled).Seconds()*1e3/float64(b.N), "cpu-ms/op")
		})
	}
}

// processors returns the time of processors that the process has had.
func processors(b *testing.B) time.Duration {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
