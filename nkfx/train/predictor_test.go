package train

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// fitted returns the weights of a task after an epoch on all of its data, and its predictions for them.
func fitted(t *testing.T, backend compute.Backend, task Task) (*model.Store, []float32) {
	t.Helper()
	e, all := trainerFor(t, backend, task, nil), task.Data.IDs()
	require.NoError(t, e.prepare(t.Context()))
	require.NoError(t, e.start(1))
	require.NoError(t, e.setUnits(all))
	must(e.training.Run(all, steady))
	return must(e.weights()), must(e.predict(all)).Values
}

// TestPredictorIsTheEvaluation: a predictor says what the evaluation of a training says, but for the rounding
// of sums in another order, also for more complexes than a batch has, and for a large one among them.
func TestPredictorIsTheEvaluation(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, data := range []*datasets.Collection{cycles(40, true), radii(70, true), radii(10, false)} {
			task := Task{Data: data, Model: forms}
			weights, want := fitted(t, backend, task)
			got := must(Predict(backend, task, weights))
			require.Len(t, got, len(want))
			for i, x := range want {
				require.InDelta(t, x, got[i], 1e-5*math.Max(1, math.Abs(float64(x))))
			}
		}
	})
}

// TestPredictorOfMany: of many complexes, equal simplices are integrated once, in the programs of any other
// question of that size; what is predicted for each is what it is alone.
func TestPredictorOfMany(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		few := cycles(20, false)
		weights, _ := fitted(t, backend, Task{Data: few, Model: forms})
		p := must(NewPredictor(backend, forms, few.Info, weights))
		want := must(p.Predict(t.Context(), few))
		b := datasets.NewBuilder(2)
		for i := range 2*maxEvaluation + 7 {
			b.Add(few.Points(i%20), [][]int32{1: few.Corners(1, i%20)})
		}
		many := must(b.Collection())
		q := must(p.question(t.Context(), many))
		require.NotNil(t, q.table)
		q.free()
		programs := len(p.programs)
		got := must(p.Predict(t.Context(), many))
		require.Len(t, p.programs, programs)
		for i, x := range got {
			require.InDelta(t, want[i%len(want)], x, 1e-5*math.Max(1, math.Abs(float64(x))))
		}
		for i := range many.Points(300) {
			many.Points(300)[i] = 3e38
		}
		p = must(NewPredictor(backend, func(_ *model.Scope, b *nkf.Batch) *Node {
			return nkf.Readout(nkf.Sum, b.Vertices(), b.Of(0), b.Complexes())
		}, few.Info, weights))
		_, err := p.Predict(t.Context(), many)
		require.ErrorContains(t, err, "complex 300 (from 0)")
	})
}

// TestPredictorInParts: more complexes than a part are predicted as each is alone, and errors name a complex
// by its number among all.
func TestPredictorInParts(t *testing.T) {
	backend, few := backendtest.Get(t, "go"), cycles(20, false)
	weights, _ := fitted(t, backend, Task{Data: few, Model: forms})
	p := must(NewPredictor(backend, forms, few.Info, weights))
	want := must(p.Predict(t.Context(), few))
	b := datasets.NewBuilder(2)
	for i := range maxPart + minMany {
		b.Add(few.Points(i%20), [][]int32{1: few.Corners(1, i%20)})
	}
	many := must(b.Collection())
	got := must(p.Predict(t.Context(), many))
	require.Len(t, got, 2*many.Len())
	for i, x := range got {
		require.InDelta(t, want[i%len(want)], x, 1e-5*math.Max(1, math.Abs(float64(x))))
	}
	batches := 0
	for _, err := range p.Batches(t.Context(), many) {
		require.NoError(t, err)
		if batches++; batches == 2 {
			break
		}
	}
	for i := range many.Points(maxPart + 100) {
		many.Points(maxPart + 100)[i] = 3e38
	}
	p = must(NewPredictor(backend, func(_ *model.Scope, b *nkf.Batch) *Node {
		return nkf.Readout(nkf.Sum, b.Vertices(), b.Of(0), b.Complexes())
	}, few.Info, weights))
	_, err := p.Predict(t.Context(), many)
	require.ErrorContains(t, err, fmt.Sprintf("complex %d (from 0)", maxPart+100))
}

// TestBatches: a batch has 64 complexes at most, and not too many rows unless of a single one.
func TestBatches(t *testing.T) {
	sizes := func(points ...int) (all []int) {
		b := datasets.NewBuilder(1)
		for _, n := range points {
			b.AddPath(make([]float64, n))
		}
		for _, ids := range batches(must(b.Collection()), maxFew) {
			all = append(all, len(ids))
		}
		return all
	}
	require.Empty(t, sizes())
	require.Equal(t, []int{64, 64, 2}, sizes(slices.Repeat([]int{2}, 130)...))
	require.Equal(t, []int{1, 1, 2, 1}, sizes(5000, 5000, 2000, 2000, 3000))
}

// TestManyAskAPredictor: fifty goroutines get the answers to 1,000 requests that one alone gets, of a
// predictor that was saved and loaded, for data without classes.
func TestManyAskAPredictor(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		data := cycles(40, false)
		weights, _ := fitted(t, backend, Task{Data: data, Model: forms})
		first := must(NewPredictor(backend, forms, data.Info, weights))
		folder := t.TempDir()
		require.NoError(t, first.Save(folder))
		second := must(Load(folder, backend, forms))
		require.Equal(t, data.Info, second.Info())
		var asked []*datasets.Collection
		var want [][]float32
		for count := range 10 {
			b := datasets.NewBuilder(2)
			for g := range count {
				b.Add(data.Points(g), [][]int32{1: data.Corners(1, g)})
			}
			asked = append(asked, must(b.Collection()))
			want = append(want, must(first.Predict(t.Context(), asked[count])))
			require.Len(t, want[count], 2*count)
		}
		var work sync.WaitGroup
		for worker := range 50 {
			work.Go(func() {
				for i := range 20 {
					i = (i + worker) % len(asked)
					got, err := second.Predict(t.Context(), asked[i])
					if err != nil || !slices.Equal(want[i], got) {
						t.Errorf("%v %v, alone %v", got, err, want[i])
					}
				}
			})
		}
		work.Wait()
		require.Less(t, len(second.programs), 8, "of sizes that are powers of two")
	})
}

// TestPredictorRefuses: what cannot be predicted is an error that says why.
func TestPredictorRefuses(t *testing.T) {
	backend, data := backendtest.Get(t, "go"), cycles(20, false)
	weights, _ := fitted(t, backend, Task{Data: data, Model: forms})
	_, err := NewPredictor(backend, nil, data.Info, weights)
	require.ErrorContains(t, err, "a backend, a model and its weights")
	p := must(NewPredictor(backend, forms, data.Info, weights))
	_, err = p.Predict(t.Context(), nil)
	require.ErrorContains(t, err, "the collection is nil")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.Predict(ctx, data)
	require.ErrorIs(t, err, context.Canceled)
	p = must(NewPredictor(backend, func(_ *model.Scope, b *nkf.Batch) *Node {
		return ReduceSum(b.Vertices(), 7)
	}, data.Info, weights))
	_, err = p.Predict(t.Context(), data)
	require.ErrorContains(t, err, "(predictor_test.go:")

	own := must(backends.Open("go", nil))
	p = must(NewPredictor(own, forms, data.Info, weights))
	own.Finalize()
	_, err = p.Predict(t.Context(), data)
	require.EqualError(t, err, "the backend of the predictor was finalized: it has to stay open")

	_, err = Load(t.TempDir(), backend, forms)
	require.ErrorContains(t, err, "holds no model")
	folder := t.TempDir()
	require.NoError(t, p.Save(folder))
	file := filepath.Join(folder, predictorFile)
	text := must(os.ReadFile(file))
	require.NoError(t, os.WriteFile(file, bytes.Replace(text, []byte("large"), []byte("small"), 1), 0o666))
	_, err = Load(folder, backend, forms)
	require.ErrorContains(t, err, "it does not match its checksum")
}
