package layers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// graphs returns random complexes of one degree with up to most vertices and simplices, some of them bare;
// the first has twenty times as many vertices.
func graphs(complexes, degree, most int) *datasets.Collection {
	r, b := rand.New(rand.NewPCG(4, 4)), datasets.NewBuilder(3)
	b.Name, b.Classes = "random", []string{"a", "b"}
	for g := range complexes {
		vertices := r.IntN(most + 1)
		if g == 0 {
			vertices = 20 * most
		}
		simplices := make([][]int32, degree+1)
		if vertices > 0 {
			for range r.IntN(most+1) * (degree + 1) {
				simplices[degree] = append(simplices[degree], int32(r.IntN(vertices)))
			}
		}
		var x []float64
		for range vertices * 3 {
			x = append(x, 3*r.NormFloat64())
		}
		b.Add(x, simplices, float64(r.IntN(2)))
	}
	return must(b.Collection())
}

// dataset returns the batches of some complexes.
func dataset(c *datasets.Collection, ids []int32, batch int,
	random *datasets.Random) *layers.Dataset {
	return must(layers.NewDataset(c, ids, batch, random))
}

// epoch returns the batches of an epoch and how many complexes they mask in.
func epoch(t *testing.T, d *layers.Dataset) (batches []train.Batch, count int) {
	t.Helper()
	for batch, err := range d.Iter() {
		require.NoError(t, err)
		batches = append(batches, batch)
		for _, in := range tensors.MustCopyFlatData[bool](batch.Labels[1]) {
			if in {
				count++
			}
		}
	}
	return batches, count
}

// TestDatasetBatches: every complex comes once, in order, with its vertices and class, in one of two layouts.
func TestDatasetBatches(t *testing.T) {
	c := graphs(50, 2, 12)
	ids := datasets.NewRandom(1).Permutation(50)[:45]
	d := dataset(c, ids, 8, nil)
	require.Equal(t, "random", d.Name())
	packer := packing.New(c)
	layouts := must(packer.Layouts(8))
	for i, layout := range layouts {
		layouts[i] = layout.WithoutTable()
	}

	batches, count := epoch(t, d)
	require.Len(t, batches, 6)
	require.Equal(t, 45, count)
	place := 0
	for _, batch := range batches {
		layout := batch.Spec.(*packing.Layout)
		require.True(t, slices.Contains(layouts, layout), "the pointer, not an equal one")
		require.Equal(t, []int{layout.Budget.Rows[0], 3}, batch.Inputs[0].Shape().Dimensions)
		require.Equal(t, []int{layout.Width()}, batch.Inputs[1].Shape().Dimensions)
		require.Equal(t, []int{8, 1}, batch.Labels[0].Shape().Dimensions)
		require.Equal(t, []int{8}, batch.Labels[1].Shape().Dimensions)
		labels := tensors.MustCopyFlatData[int32](batch.Labels[0])
		vertices := tensors.MustCopyFlatData[float32](batch.Inputs[0])
		row := 0
		for i, in := range tensors.MustCopyFlatData[bool](batch.Labels[1]) {
			if !in {
				continue
			}
			require.Equal(t, c.Labels[ids[place]], labels[i])
			want := datasets.Float32s(c.Points(int(ids[place])))
			require.Equal(t, want, vertices[row:row+len(want)])
			row += len(want)
			place++
		}
		require.Equal(t, make([]float32, len(vertices)-row), vertices[row:])
		require.NoError(t, batch.Finalize())
	}
}

// onlyBatch builds a collection of three complexes, and returns a batch of the last, the first and the second
// with place for four.
func onlyBatch(t *testing.T, b *datasets.Builder) train.Batch {
	t.Helper()
	batches, _ := epoch(t, dataset(must(b.Collection()), []int32{2, 0, 1}, 4, nil))
	require.Len(t, batches, 1)
	return batches[0]
}

// TestDatasetTargets: values that are unknown are 0 and masked out, as all padding.
func TestDatasetTargets(t *testing.T) {
	b := datasets.NewBuilder(1)
	b.Name, b.Tasks, b.Regression = "values", []string{"x", "y"}, true
	b.AddPath([]float64{1, 2}, 2.5, math.NaN())
	b.AddPath([]float64{1, 2}, math.NaN(), -1)
	b.AddPath([]float64{1, 2})
	batch := onlyBatch(t, b)
	require.Equal(t, []int{4, 2}, batch.Labels[0].Shape().Dimensions)
	require.Equal(t, []float32{0, 0, 2.5, 0, 0, -1, 0, 0}, tensors.MustCopyFlatData[float32](batch.Labels[0]))
	require.Equal(t, []bool{false, false, true, false, false, true, false, false},
		tensors.MustCopyFlatData[bool](batch.Labels[1]))
	out := run(t, backendtest.Get(t, "go"), seeded(), batch.Inputs, func(_ *model.Scope, in []*Node) []*Node {
		b := layers.Unpack(batch.Spec, in)
		return []*Node{b.Targets(), ConvertDType(b.Mask(), b.Targets().DType())}
	})
	require.Equal(t, "[NaN NaN 2.5 NaN NaN -1 NaN NaN]", fmt.Sprint(out[0]))
	require.Equal(t, []float32{1, 1, 1, 0}, out[1])
}

// TestDatasetClasses: classes of padding are masked out.
func TestDatasetClasses(t *testing.T) {
	b := datasets.NewBuilder(1)
	b.Name, b.Classes = "labels", []string{"x", "y", "z"}
	for i := range 3 {
		b.AddPath(make([]float64, i+1), float64(2-i))
	}
	batch := onlyBatch(t, b)
	require.Equal(t, []int{4, 1}, batch.Labels[0].Shape().Dimensions)
	require.Equal(t, []int32{0, 2, 1, 0}, tensors.MustCopyFlatData[int32](batch.Labels[0]))
	require.Equal(t, []bool{true, true, true, false}, tensors.MustCopyFlatData[bool](batch.Labels[1]))
	out := run(t, backendtest.Get(t, "go"), seeded(), batch.Inputs, func(_ *model.Scope, in []*Node) []*Node {
		b := layers.Unpack(batch.Spec, in)
		return []*Node{ConvertDType(b.Labels(), b.Vertices().DType())}
	})
	require.Equal(t, []float32{0, 2, 1, 0}, out[0])
}

// TestDatasetShuffles: every epoch has a new order and the seed determines all of them.
func TestDatasetShuffles(t *testing.T) {
	c := graphs(30, 1, 6)
	orders := func(seed uint32) (orders [2]string) {
		d := dataset(c, nil, 4, datasets.NewRandom(seed))
		for e := range orders {
			batches, count := epoch(t, d)
			require.Equal(t, 30, count)
			for _, batch := range batches {
				orders[e] += fmt.Sprint(tensors.MustCopyFlatData[float32](batch.Inputs[0]))
			}
		}
		return orders
	}
	first := orders(9)
	require.Equal(t, first, orders(9))
	require.NotEqual(t, first[0], first[1])
	require.NotEqual(t, first, orders(10))
}

// TestDatasetSharesItself runs epochs at the same time; the race detector watches.
func TestDatasetSharesItself(t *testing.T) {
	d := dataset(graphs(30, 1, 6), nil, 4, datasets.NewRandom(1))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, err := range d.Iter() {
				if err != nil {
					t.Error(err)
				}
				break // an epoch may end early
			}
			batches := 0
			for range d.Iter() {
				batches++
			}
			if batches != 8 {
				t.Errorf("%d batches of 4 out of 30", batches)
			}
		})
	}
	group.Wait()
}

func TestDatasetErrors(t *testing.T) {
	c := graphs(30, 1, 6)
	_, err := layers.NewDataset(c, nil, 0, nil)
	require.ErrorContains(t, err, "at least one")
	_, err = layers.NewDataset(c, []int32{99}, 4, nil)
	require.ErrorContains(t, err, "complex number 99")
	c.Simplices[1].Corners[0] = 777
	_, err = layers.NewDataset(c, nil, 2, nil)
	require.ErrorContains(t, err, "simplex 0 of degree 1: number 777")
	d := dataset(graphs(50, 2, 12), []int32{0, 0, 0, 0, 0, 0, 0, 1}, 8, nil)
	for _, err = range d.Iter() {
	}
	require.ErrorContains(t, err, "the batch of the complexes [0 0 0")
}

// TestTrainerTakesBatches trains a classifier of vertex sums for some epochs with GoMLX's own trainer: it
// consumes the tensors, learns from them, and compiles one program per shape, two at most.
func TestTrainerTakesBatches(t *testing.T) {
	c := graphs(60, 1, 40)
	for g := range c.Len() { // the class says whether the first coordinates sum to more than 0
		sum := 0.0
		for i, x := range c.Points(g) {
			if i%3 == 0 {
				sum += x
			}
		}
		if c.Labels[g] = 0; sum > 0 {
			c.Labels[g] = 1
		}
	}
	d := dataset(c, nil, 4, datasets.NewRandom(1))
	classify := func(scope *model.Scope, spec any, inputs []*Node) []*Node {
		b := layers.Unpack(spec, inputs)
		sums := layers.Readout(layers.Sum, b.Vertices(), b.Of(0), b.Complexes())
		return []*Node{layers.Linear(scope, sums, 2)}
	}
	trainer := train.NewTrainer(backendtest.Get(t, "go"), seeded(), classify,
		loss.SparseCategoricalCrossEntropyLogits, optimizer.Adam().LearningRate(0.01).Done(), nil, nil)
	programs := map[train.GraphType]int{}
	trainer.OnExecCreation(func(_ *model.Exec, kind train.GraphType) { programs[kind]++ })
	loop := train.NewLoop(trainer)
	mean := func() float32 { return tensors.ToScalar[float32](must(trainer.Eval(d))[0]) }
	must(loop.RunEpochs(d, 1))
	before := mean()
	must(loop.RunEpochs(d, 20))
	require.Less(t, mean(), before/2)
	for kind, count := range programs {
		require.LessOrEqual(t, count, 2, "programs of kind %v", kind)
	}
	require.Equal(t, 2, programs[train.TrainType])
}
