package train

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestSmoothedLoss: the cross-entropy with labels of which a share goes to all
// classes alike, over the complexes and not the padding.
func TestSmoothedLoss(t *testing.T) {
	logits := [][]float32{{1, 2}, {0, -1}, {5, 5}}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, smoothing := range []float64{0, 0.1, 0.5} {
			objective := Classes{Count: 2, Smoothing: smoothing}
			got := must(model.CallOnce(backend, model.NewStore(), func(scope *model.Scope, g *Graph) *Node {
				return objective.Loss(scope, Const(g, logits), nkf.NewBatch(nkf.Parts{
					Mask: Const(g, []bool{true, true, false}), Labels: Const(g, []int32{1, 0, 0})}))
			}))
			want := 0.0
			for b, label := range []int{1, 0} {
				for c := range 2 {
					share := smoothing / 2
					if c == label {
						share += 1 - smoothing
					}
					odds := float64(logits[b][1-c] - logits[b][c])
					want += share * math.Log1p(math.Exp(odds)) / 2
				}
			}
			require.InDelta(t, want, float64(tensors.ToScalar[float32](got)), 1e-6)
		}
	})
}

// twice is the cross-entropy, twice.
type twice struct{ Objective }

func (o twice) Loss(scope *model.Scope, out *Node, batch *nkf.Batch) *Node {
	return MulScalar(o.Objective.Loss(scope, out, batch), 2)
}

// TestTaskOfYourOwn: class weights, an optimizer and a schedule that are given are those of the protocol if
// they are the same, and a loss of one's own is lowered: twice the loss at half the rate is the same descent.
func TestTaskOfYourOwn(t *testing.T) {
	backend, usual := backendtest.Get(t, "go"), task(t, cycles(40, false), 3)
	usual.Protocol.Cosine = true
	_, want := outcome(t, backend, usual)
	own := usual
	own.Protocol.Cosine, own.Protocol.FrequencyWeight = false, false
	own.Objective = Classes{Count: 2, Weights: usual.Protocol.weights(usual.Data)}
	own.Optimizer, own.Schedule = usual.Protocol.Optimizer(), usual.Protocol.cosine
	_, got := outcome(t, backend, own)
	require.Equal(t, want, got)

	own.Optimizer = optimizer.StochasticGradientDescent().WithDecay(false).Done()
	own.Schedule = func(step, steps int) float64 {
		require.Less(t, step, steps)
		return 0.125
	}
	_, want = outcome(t, backend, own)
	require.Less(t, want[0].History[2].TrainLoss, want[0].History[0].TrainLoss)
	own.Objective, own.Schedule = twice{own.Objective}, func(int, int) float64 { return 0.0625 }
	_, got = outcome(t, backend, own)
	for i := range got { // powers of two round nothing
		require.Equal(t, want[i].Last, got[i].Last)
		for epoch, h := range got[i].History {
			require.Equal(t, 2*want[i].History[epoch].TrainLoss, h.TrainLoss)
			require.Equal(t, want[i].History[epoch].ValidationLoss, h.ValidationLoss)
		}
	}
}

// TestNoNumbers: logits that are no numbers have a loss that is none, and no right answer.
func TestNoNumbers(t *testing.T) {
	nan := float32(math.NaN())
	values := []float32{nan, nan, 0, 1}
	loss, s := Classes{Count: 2}.Evaluate(Predictions{Labels: []int32{0, 1}, Values: values})
	require.True(t, math.IsNaN(loss))
	require.Equal(t, Score(50), s.Accuracy)
}
