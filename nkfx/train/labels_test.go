package train

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// ascents returns random paths in the plane, of several lengths, whose edges are to be told apart: those that
// go up from those that go down. Of every third the answer is unknown.
func ascents(count int) *datasets.Collection {
	r, b := rand.New(rand.NewPCG(3, 5)), datasets.NewBuilder(2)
	b.Name, b.Classes = "ascents", []string{"down", "up"}
	for range count {
		var points []float64
		for range 2 * (2 + r.IntN(5)) {
			points = append(points, r.NormFloat64())
		}
		b.AddPath(points)
		var labels []int32
		for i := 3; i < len(points); i += 2 {
			label := int32(0)
			switch {
			case i%3 == 0:
				label = -1
			case points[i] > points[i-2]:
				label = 1
			}
			labels = append(labels, label)
		}
		b.SetLabels(1, labels)
	}
	return must(b.Collection())
}

// edgeForms classifies every edge by the integrals of 1-forms over it.
func edgeForms(scope *model.Scope, b *nkf.Batch) *Node {
	forms := nkf.KForm(scope.In("forms"), b.Dim(), 1, 4).Hidden(8).Done()
	return nkf.MLP(scope.In("head"), b.Integrate(forms), 8, 2)
}

// TestLabels: labels of simplices are learned, those that are unknown take no part, and there are outputs for
// all.
func TestLabels(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		data := ascents(96)
		folds := must(datasets.StratifiedFolds(data.Labels, 3, 42))
		protocol := Published(8)
		protocol.Rate, protocol.Epochs, protocol.Select = 2e-2, 40, "accuracy"
		protocol.Cosine, protocol.FrequencyWeight = true, true
		task := Task{Data: data, Model: edgeForms, Protocol: protocol, Folds: folds[:1], Seeds: []uint32{1}}
		out := must(CrossValidate(context.Background(), backend, task))
		// Of two classes that are as frequent; what is missing is near the border.
		require.Greater(t, out.Fits[0].Last.Accuracy, Score(93))
		require.Greater(t, out.Fits[0].Last.AUROC, Score(97))
		if !backendtest.Interpreted(backend) {
			return // TestRidgeTask compiles what follows
		}
		weights, _, err := FitAll(context.Background(), backend, task, out.Fits)
		require.NoError(t, err)
		outputs := must(Predict(backend, task, weights))
		edges := len(data.Simplices[1].Labels)
		require.Len(t, outputs, 2*edges)
		// What is unknown is predicted as well, row for row.
		right := 0
		for g, edge := 0, 0; g < data.Len(); g++ {
			points := data.Points(g)
			for i := 3; i < len(points); i, edge = i+2, edge+1 {
				if (points[i] > points[i-2]) == (outputs[2*edge+1] > outputs[2*edge]) {
					right++
				}
			}
		}
		require.Greater(t, float64(right), 0.93*float64(edges))
	})
}

// TestFrequencyWeights: of ten million labels nine in ten are of one class, which has the weight 0.9.
func TestFrequencyWeights(t *testing.T) {
	data := &datasets.Collection{Labels: make([]int32, 1e7), Simplices: make([]datasets.Simplices, 1)}
	data.Classes = []string{"frequent", "rare"}
	for i := 0; i < len(data.Labels); i += 10 {
		data.Labels[i] = 1
	}
	weights := Published(16).weights(data)
	require.InEpsilonSlice(t, []float32{0.9, 0.1}, weights, 1e-3) // 65,536 roundings of 2^-25 at most
}

// TestRead: data whose vertices are read for every batch train as those in memory do; of a sample, each step
// sees others, the same in a second training.
func TestRead(t *testing.T) {
	r, b := rand.New(rand.NewPCG(3, 5)), datasets.NewBuilder(2)
	for range 24 {
		var points []float64
		var labels []int32
		for range 4 + r.IntN(9) {
			x := float64(float32(r.NormFloat64()))
			points, labels = append(points, x, 1), append(labels, int32(math.Float64bits(x)>>63))
		}
		b.Add(points, nil)
		b.SetLabels(0, labels)
	}
	data := must(b.Collection())
	read := *data
	read.Vertices, read.Rows = nil, func(g int) (rows []float32, err error) {
		for _, x := range data.Points(g) {
			rows = append(rows, float32(x))
		}
		return rows, nil
	}
	network := func(scope *model.Scope, b *nkf.Batch) *Node { return nkf.MLP(scope, b.Vertices(), 8, 2) }
	fold := datasets.Fold{Train: data.IDs()[:16], Test: data.IDs()[16:]}
	train := func(data *datasets.Collection, sample int) []*Fit {
		protocol := Published(4)
		protocol.Epochs, protocol.Cosine, protocol.Sample, protocol.Rate = 3, true, sample, 1e-2
		out := must(CrossValidate(context.Background(), backendtest.Get(t, "go"), Task{Data: data,
			Model: network, Protocol: protocol, Folds: []datasets.Fold{fold}, Seeds: []uint32{1}}))
		out.Fits[0].Seconds = 0
		return out.Fits
	}
	require.Equal(t, train(data, 0), train(&read, 0))
	sampled := train(&read, 3)
	require.Equal(t, sampled, train(data, 3))
	require.NotEqual(t, sampled[0].History[0].TrainLoss, sampled[0].History[1].TrainLoss)
}

// TestMemoryOfEvaluation: large complexes are evaluated one by one, however many small ones there are beside.
func TestMemoryOfEvaluation(t *testing.T) {
	data := &datasets.Collection{Dim: 1, VertexStart: []int32{0}, Simplices: make([]datasets.Simplices, 1)}
	for g := range 100 {
		count := map[bool]int32{false: 1, true: maxRead/2 + 1}[g < 4]
		data.VertexStart = append(data.VertexStart, data.VertexStart[g]+count)
		data.Labels = append(data.Labels, 0)
	}
	data.Rows = func(int) ([]float32, error) { return nil, nil }
	fold := datasets.Fold{Train: data.IDs()[10:], Test: data.IDs()}
	p := must(newPlan(data, []datasets.Fold{fold}, 4, maxDistinct, 0))
	require.Equal(t, 1, p.evaluation.Budget.Complexes)
	require.Less(t, p.evaluation.Budget.Rows[0], maxRead)
}

// TestLossOfLabels: the loss of a step is the weighted mean over the edges whose labels are known; a
// model that puts out a row for every complex is told so.
func TestLossOfLabels(t *testing.T) {
	backend, data := backendtest.Get(t, "go"), ascents(24)
	flat := func(scope *model.Scope, b *nkf.Batch) *Node {
		labels, _ := b.Classes()
		w := scope.VariableWithValue("w", []float32{0.3, -0.2}).NodeValue(labels.Graph())
		return BroadcastToDims(ExpandAxes(w, 0), labels.Shape().Dimensions[0], 2)
	}
	e := trainerFor(t, backend, Task{Data: data, Model: flat}, nil)
	require.NoError(t, e.start(1))
	loss := must(e.epoch(data.IDs()[:8], steady))
	var frequency [2]float64 // the weights of the published protocol
	for _, label := range data.Simplices[1].Labels {
		if label >= 0 {
			frequency[label]++
		}
	}
	sum, weight := 0.0, 0.0
	for g := range 8 {
		for _, label := range data.LabelsOf(g) {
			if label >= 0 {
				each := math.Log(math.Exp(0.3)+math.Exp(-0.2)) - []float64{0.3, -0.2}[label]
				sum, weight = sum+frequency[label]*each, weight+frequency[label]
			}
		}
	}
	require.InDelta(t, sum/weight, loss, 1e-6) // float32

	_, err := CrossValidate(context.Background(), backend, Task{Data: data,
		Model: func(scope *model.Scope, b *nkf.Batch) *Node {
			return nkf.MLP(scope, ConvertDType(ExpandAxes(b.Mask(), -1), b.Vertices().DType()), 2)
		}})
	require.ErrorContains(t, err, "simplices of degree 1, 2 outputs]")
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
