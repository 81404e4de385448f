package devices_test

import (
	"fmt"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/devices"
)

// BenchmarkSum times a thousand sums over two devices of a CPU, one after the other in a program, of as many
// numbers as weights: what communication takes of a step.
func BenchmarkSum(b *testing.B) {
	const times = 1000
	backend, err := xla.Several(backendtest.Get(b, "xla:cpu"), 2)
	require.NoError(b, err)
	defer backend.Finalize()
	for _, size := range []int{1, 1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			program, err := devices.NewProgram(backend, model.NewStore(), 2, func(_ *model.Scope,
				inputs []*Node) []*Node {
				left := NewClosure(inputs[0].Graph(), func(g *Graph) []*Node {
					Parameter(g, "x", inputs[0].Shape())
					return []*Node{LessThan(Parameter(g, "i", inputs[1].Shape()), Const(g, int32(times)))}
				})
				body := NewClosure(inputs[0].Graph(), func(g *Graph) []*Node {
					x, i := Parameter(g, "x", inputs[0].Shape()), Parameter(g, "i", inputs[1].Shape())
					return []*Node{MulScalar(devices.Mean(x)[0], 0.5), OnePlus(i)}
				})
				return While(left, body, inputs...)
			})
			require.NoError(b, err)
			defer program.Finalize()
			in := []any{make([]float32, size), int32(0)}
			for b.Loop() {
				out, err := program.Call(in, in)
				require.NoError(b, err)
				for _, own := range out {
					own[0].MustFinalizeAll()
					own[1].MustFinalizeAll()
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*times), "µs/sum")
		})
	}
}
