package train

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestEpochs: each step is gradient descent on its batch at its own rate, in batches of several sizes, and a
// Predictor takes the store.
func TestEpochs(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		b := datasets.NewBuilder(1)
		b.Tasks, b.Regression = []string{"length"}, true
		for g := range 60 {
			points := make([]float64, 2+200*max(0, 1-(g-8)*(g-8))) // complex 8 does not fit the usual batch
			points[len(points)-1] = float64(g + 1)
			b.AddPath(points, 2*float64(g+1))
		}
		data := must(b.Collection())
		length := func(scope *model.Scope, batch *nkf.Batch) *Node {
			w := scope.VariableWithValue("w", float32(0)).NodeValue(batch.Mask().Graph())
			ends := Gather(batch.Vertices(), SliceAxis(batch.Corners(1), 1, AxisElem(1)))
			starts := Gather(batch.Vertices(), SliceAxis(batch.Corners(1), 1, AxisElem(0)))
			return Mul(w, nkf.Readout(nkf.Sum, Sub(ends, starts), batch.Of(1), batch.Complexes()))
		}
		store := model.NewStore()
		descent := optimizer.StochasticGradientDescent().WithDecay(false).Done()
		epochs := must(NewEpochs(backend, store, descent, data, 2,
			func(scope *model.Scope, batch *nkf.Batch) *Node {
				return meanOfKnown(batch.Targets(), length(scope, batch),
					func(y *Node) *Node { return Square(Sub(length(scope, batch), y)) })
			}))
		defer epochs.Close()
		require.Greater(t, len(epochs.layouts), 1)
		order := []int32{0, 3, 8, 1, 2, 5, 7, 6, 4} // the last has no batch
		w, want := 0.0, 0.0
		for range 2 {
			want = 0
			for step, ids := range slices.Collect(slices.Chunk(order[:8], 2)) {
				gradient := 0.0
				for _, g := range ids {
					x := float64(g + 1)
					want += (w*x - 2*x) * (w*x - 2*x) / 8
					gradient += (w*x - 2*x) * x
				}
				w -= 0.002 * float64(step) * gradient
			}
			var shares []float64 // of the steps of sizes before
			got, err := epochs.Run(order, func(step int) float64 {
				shares = append(shares, epochs.share())
				return 0.002 * float64(step)
			})
			require.NoError(t, err)
			require.Equal(t, []float64{0, 0.25, 0.5, 0.5}, shares)
			require.InDelta(t, want, got, 1e-4)
		}
		require.Equal(t, 2, epochs.compiled, "sizes of batches")
		p := must(NewPredictor(backend, length, data.Info, store))
		p.Objective = Answers{1} // as they are
		for g, x := range must(p.Predict(t.Context(), data)) {
			require.InDelta(t, w*float64(g+1), x, 1e-5)
		}
	})
}

// TestTableIsHeldOnce: the table of vertices is written where XLA's CPU reads it, without copies on the heap.
func TestTableIsHeldOnce(t *testing.T) {
	backend := backendtest.Get(t, "xla")
	b := datasets.NewBuilder(1)
	b.AddPath(make([]float64, 1<<20))
	data := must(b.Collection())
	packer := packing.New(data)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table := must(newPacked(backend, data, packer)).table
	runtime.ReadMemStats(&after)
	defer table.MustFinalizeAll()
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), "bytes, of 4 MiB")
}

func TestEpochsRefuse(t *testing.T) {
	backend, data := backendtest.Get(t, "go"), cycles(4, false)
	of := func(batch int, loss func(*model.Scope, *nkf.Batch) *Node) (*Epochs, error) {
		return NewEpochs(backend, model.NewStore(), Published(1).Optimizer(), data, batch, loss)
	}
	_, err := of(5, nil)
	require.ErrorContains(t, err, "batches of 5 complexes: there are only 4")
	_, err = of(0, nil)
	require.ErrorContains(t, err, "at least one")
	_, err = of(2, func(*model.Scope, *nkf.Batch) *Node { panic("no loss") })
	require.ErrorContains(t, err, "no loss")
	epochs := must(of(2, func(scope *model.Scope, b *nkf.Batch) *Node {
		return Classes{Count: 2}.Loss(scope, forms(scope, b), b)
	}))
	defer epochs.Close()
	_, err = epochs.Run([]int32{0, 4}, steady)
	require.ErrorContains(t, err, "complex number 4")
	loss, err := epochs.Run(nil, steady)
	require.NoError(t, err)
	require.False(t, math.IsNaN(loss))
	data.VertexStart[1] = -1
	_, err = of(2, nil)
	require.Error(t, err)
}
