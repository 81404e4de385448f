package datasets

import (
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"
)

// TestTrainerTakesBatches trains a classifier of vertex sums for some epochs: the trainer consumes the
// tensors, learns from them, and compiles one program per shape.
func TestTrainerTakesBatches(t *testing.T) {
	backend, err := gobackend.New("")
	require.NoError(t, err)
	c := randomCollection(6, 60, 1, 40)
	for g := range c.Len() { // the class says whether the first coordinates sum to more than 0
		vertices, _ := c.Complex(g)
		sum := float32(0)
		for i := 0; i < len(vertices); i += c.Dim {
			sum += vertices[i]
		}
		if c.Labels[g] = 0; sum > 0 {
			c.Labels[g] = 1
		}
	}
	d, err := NewDataset(c, nil, Options{Batch: 12, Shuffle: true, Seed: 1})
	require.NoError(t, err)
	require.NotEqual(t, d.options.Usual, d.options.Bound)

	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(42))
	classify := func(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node {
		vertices, vertexOf := inputs[0], inputs[3]
		complexes := spec.(Budget).Complexes
		sums := graph.Scatter(graph.InsertAxes(vertexOf, -1), vertices,
			shapes.Make(vertices.DType(), complexes+1, c.Dim), true, false)
		sums = graph.Slice(sums, graph.AxisRange(0, complexes))
		// A product and a sum instead of a matrix product: that of the Go backend makes pointers past its
		// operands, which the checks that come with the race detector refuse.
		shape := shapes.Make(sums.DType(), 1, c.Dim, 2)
		weights := scope.VariableWithShape("weights", shape).NodeValue(sums.Graph())
		return []*graph.Node{graph.ReduceSum(graph.Mul(graph.InsertAxes(sums, -1), weights), 1)}
	}
	trainer := train.NewTrainer(backend, store, classify, loss.SparseCategoricalCrossEntropyLogits,
		optimizer.Adam().LearningRate(0.05).Done(), nil, nil)
	programs := 0
	trainer.OnExecCreation(func(*model.Exec, train.GraphType) { programs++ })
	loop := train.NewLoop(trainer)
	mean := func() float32 {
		metrics, err := trainer.Eval(d)
		require.NoError(t, err)
		return tensors.ToScalar[float32](metrics[0])
	}
	_, err = loop.RunEpochs(d, 1)
	require.NoError(t, err)
	before := mean()
	_, err = loop.RunEpochs(d, 20)
	require.NoError(t, err)
	require.Less(t, mean(), before/2)
	require.LessOrEqual(t, programs, 4, "two shapes, for training and for evaluation")
}
