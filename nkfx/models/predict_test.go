package models_test

import (
	"context"
	"math"
	"reflect"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestPredictInBulk: many complexes are predicted as few are, and refused for the same reasons.
func TestPredictInBulk(t *testing.T) {
	const count = 3000
	b := datasets.NewBuilder(2)
	b.Info.Classes = []string{"a", "b"}
	for i := range count {
		b.AddPath([]float64{0, 0, 1, float64(i % 7), float64(i % 5), 2}, float64(i%2))
	}
	data := must(b.Collection())
	x := experiments.NewRun(experiments.Own(first(data, 100)), "nkf")
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs = 1 }
	backend := backendtest.Get(t, "go")
	_, m, err := x.Train(t.Context(), backend, nil)
	require.NoError(t, err)
	p := must(m.On(backend))
	few := must(p.Predict(t.Context(), first(data, 100)))
	all := must(p.Predict(t.Context(), data))
	require.Len(t, all, count)
	for g := range few {
		// float32, in sums of another order.
		require.InDeltaSlice(t, few[g].Probabilities, all[g].Probabilities, 1e-5)
	}

	data.Vertices[int(data.VertexStart[2500])*data.Dim] = 1e30
	_, err = p.Predict(t.Context(), data)
	require.ErrorContains(t, err, "complex 2500 (from 0)")
}

// molecules returns a model of the answers, or, of a regression, the numbers of
// molecules, with what it was trained on.
func molecules(t *testing.T, task datasets.Task) (*models.Saved, *moleculenet.Molecules) {
	t.Helper()
	m := must(nkftest.Molecules(task))
	x := experiments.NewRun(experiments.Own(m), "nkf")
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs = 1 }
	_, saved, err := x.Train(t.Context(), backendtest.Get(t, "go"), nil)
	require.NoError(t, err)
	return saved, m
}

// TestPredictSMILES: a molecule alone is what it is in a file.
func TestPredictSMILES(t *testing.T) {
	for _, task := range []datasets.Task{datasets.Classification, datasets.Regression} {
		m, file := molecules(t, task)
		folder := t.TempDir()
		require.NoError(t, m.Save(folder))
		p := must(models.Load(folder, backendtest.Get(t, "go")))
		all := must(p.Predict(t.Context(), file))
		for g, text := range file.SMILES[:7] {
			one := must(p.PredictSMILES(text))
			require.InDeltaMapValues(t, all[g].Values, one.Values, 1e-5)
			require.Zero(t, one.Unseen)
			for i, v := range one.Outputs {
				if task == datasets.Regression {
					require.Equal(t, float64(v), one.Values[m.Tasks[i]])
				} else {
					require.InDelta(t, 1/(1+math.Exp(-float64(v))), one.Values[m.Tasks[i]], 1e-12)
				}
			}
		}
		one := must(p.PredictSMILES("BrCBr"))
		require.Equal(t, 2, one.Unseen)
		_, err := p.PredictSMILES("C(")
		require.Error(t, err)
	}
	p := must(saved(t, "nkf").On(backendtest.Get(t, "go")))
	_, err := p.PredictSMILES("CCO")
	require.ErrorContains(t, err, "trained on the graphs of BZR, and SMILES has molecules")
}

// TestManyAskAtOnce: answers do not depend on who else asks.
func TestManyAskAtOnce(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		m := saved(t, "nkf")
		data := must(m.Encoder.Encode(graphs()))
		alone := must(m.On(backend))
		var want [][]models.Prediction
		parts := make([]*datasets.Collection, 8) // of four shapes
		for i := range parts {
			parts[i] = first(data, i+1)
			p := must(alone.Predict(t.Context(), parts[i]))
			want = append(want, p)
		}
		p := must(m.On(backend))
		var work sync.WaitGroup
		for worker := range 8 {
			work.Go(func() {
				for i := range parts {
					i = (i + worker) % len(parts)
					got, err := p.Predict(t.Context(), parts[i])
					if err != nil {
						t.Error(err)
						return
					}
					if !reflect.DeepEqual(want[i], got) {
						t.Errorf("%v, alone %v", got, want[i])
					}
				}
			})
		}
		work.Wait()
	})
}

// first returns the first complexes of a collection.
func first(c *datasets.Collection, count int) *datasets.Collection {
	out := *c
	out.Labels, out.VertexStart = c.Labels[:count], c.VertexStart[:count+1]
	out.Vertices = c.Vertices[:int(out.VertexStart[count])*c.Dim]
	edges := c.Simplices[1]
	edges.Start = edges.Start[:count+1]
	edges.Corners = edges.Corners[:2*edges.Start[count]]
	out.Simplices = []datasets.Simplices{c.Simplices[0], edges}
	return &out
}

// TestWhatCannotBePredicted: an end of the context, coordinates that are no
// numbers, and complexes of other columns are errors.
func TestWhatCannotBePredicted(t *testing.T) {
	archive := must(tu.Open(excerpt))
	m := saved(t, "nkf")
	p := must(m.On(backendtest.Get(t, "go")))
	data := must(m.Encoder.Encode(archive))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Predict(ctx, data)
	require.ErrorIs(t, err, context.Canceled)
	_, err = p.Predict(t.Context(), nil)
	require.ErrorContains(t, err, "the collection is nil")
	require.Empty(t, must(p.Predict(t.Context(), must(datasets.NewBuilder(data.Dim).Collection()))))

	at := &data.Vertices[int(data.VertexStart[3])*data.Dim]
	*at = math.NaN()
	_, err = p.Predict(t.Context(), data)
	require.ErrorContains(t, err, "not a finite number")
	*at = 1e30
	_, err = p.Predict(t.Context(), data)
	require.ErrorContains(t, err, "complex 3 (from 0)")
	*at = 1
	data.Dim--
	data.Vertices = data.Vertices[:int(data.VertexStart[data.Len()])*data.Dim]
	_, err = p.Predict(t.Context(), data)
	require.ErrorContains(t, err, "BZR has 55 coordinates a vertex and simplices of dimension 1, the model "+
		"of BZR takes 56 coordinates a vertex and dimension 1: it is another kind of data")
	_, err = p.Predict(t.Context(), &moleculenet.Molecules{})
	require.ErrorContains(t, err, "trained on the graphs of BZR, and the data set has molecules")
	_, err = models.Load(t.TempDir(), backendtest.Get(t, "go"))
	require.ErrorContains(t, err, "holds no model")
}
