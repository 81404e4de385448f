package train

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestSmoothedLoss: the cross-entropy with labels of which a share goes to all
// classes alike, over the complexes and not the padding.
func TestSmoothedLoss(t *testing.T) {
	logits := [][]float32{{1, 2}, {0, -1}, {5, 5}}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, smoothing := range []float64{0, 0.1, 0.5} {
			e := &trainer{Task: Task{
				Data:     &datasets.Collection{Info: datasets.Info{Classes: []string{"a", "b"}}},
				Protocol: Protocol{Smoothing: smoothing},
				Model:    func(_ *model.Scope, b *nkf.Batch) *Node { return Const(b.Mask().Graph(), logits) },
			}, store: model.NewStore()}
			got := must(model.CallOnce(backend, e.store, func(_ *model.Scope, g *Graph) *Node {
				return e.loss(nkf.NewBatch(nkf.Parts{Mask: Const(g, []bool{true, true, false}),
					Labels: Const(g, []int32{1, 0, 0})}))
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
