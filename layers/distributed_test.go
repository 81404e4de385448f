package layers_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/devices"
)

// classify is a network with a batch norm, for batches in one row or several.
func classify(scope *model.Scope, spec any, inputs []*Node) []*Node {
	b := layers.Unpack(spec, inputs)
	form := layers.KForm(scope.In("forms"), 3, b.Degree(), 4).Hidden(8).Done()
	h := layers.BatchNorm(scope.In("norm"), b.Readout(layers.SquaredL2, form), b.Mask())
	return []*Node{layers.Linear(scope.In("head"), h, 2)}
}

// TestRowsAreOneBatch: a batch in three rows has the values of the same batch in one, complex by complex and
// simplex by simplex, also where a row has no complex of its own.
func TestRowsAreOneBatch(t *testing.T) {
	c, _ := tetrahedra(t, 8)
	for g := range c.Len() {
		c.GlobalWidth, c.Globals = 1, append(c.Globals, float32(g))
	}
	require.NoError(t, c.Validate())
	var outputs [2][][]float32
	for i, rows := range []int{1, 3} {
		d := dataset(t, c, []int32{4, 1, 7, 3, 0, 2}, layers.DatasetOptions{Batch: 4, Devices: rows})
		for batch, err := range d.Iter() { // of four and of two complexes
			require.NoError(t, err)
			known := tensors.MustCopyFlatData[bool](batch.Labels[1])
			labels := tensors.MustCopyFlatData[int32](batch.Labels[0])
			out := run(t, backendtest.Get(t, "go"), seeded(), batch.Inputs,
				func(scope *model.Scope, in []*Node) []*Node {
					b := layers.Unpack(batch.Spec, in)
					require.Equal(t, len(known), b.Complexes())
					of := func(k int, x *Node) *Node { // by complex
						return layers.Readout(layers.Sum, x, b.Of(k), b.Complexes())
					}
					form := layers.KForm(scope.In("forms"), 3, 2, 2).Done()
					integrals := b.Integrate(form)
					boundary := b.Incidence(3).Codifferential(Square(b.Incidence(3).Coboundary(integrals)))
					classes, mask := b.Classes()
					columns := []*Node{of(2, integrals), of(2, Square(boundary)), of(1, b.Cochain(1)),
						of(0, Square(b.Vertices())), b.Globals(), ExpandAxes(classes, -1),
						ExpandAxes(mask, -1)}
					for i, x := range columns {
						columns[i] = ConvertDType(x, dtypes.Float64)
					}
					return []*Node{Concatenate(columns, 1)}
				})[0]
			for g, in := range known {
				if width := len(out) / len(known); in {
					require.EqualValues(t, labels[g], out[(g+1)*width-2])
					outputs[i] = append(outputs[i], out[g*width:(g+1)*width])
				} else {
					require.Zero(t, out[(g+1)*width-1], "masked out")
				}
			}
		}
	}
	require.Len(t, outputs[0], 6)
	for g := range outputs[0] {
		require.InDeltaSlice(t, outputs[0][g], outputs[1][g], 1e-4)
	}
}

// initialized returns the variables of classify, for several devices, with initial values of the Go backend.
func initialized(t *testing.T, d *layers.Dataset) *model.Store {
	t.Helper()
	store := seeded()
	require.NoError(t, devices.Prepare(store))
	for batch, err := range d.Iter() {
		require.NoError(t, err)
		run(t, backendtest.Get(t, "go"), store, batch.Inputs, func(scope *model.Scope, in []*Node) []*Node {
			in[0] = ConvertDType(in[0], dtypes.Float32)
			return classify(scope, batch.Spec, in)
		})
		break
	}
	for v := range store.IterVariables() {
		local, err := v.MustValue().LocalClone()
		require.NoError(t, err)
		require.NoError(t, v.SetValue(local))
	}
	return store
}

// TestDistributedDataset: GoMLX's own trainer, with its loss and Adam, takes the steps on two devices, and
// has the mean losses, that it takes and has on one with the same batches, in two rows and in one. The last
// batch of an epoch has three complexes.
func TestDistributedDataset(t *testing.T) {
	c := graphs(t, 45, 1, 12)
	for g := range c.Len() { // the class says whether there are many edges
		c.Labels[g] = int32(min(1, c.Count(1, g)/6))
	}
	two, err := xla.Several(backendtest.Get(t, "xla:cpu"), 2)
	require.NoError(t, err)
	defer two.Finalize()
	one := backendtest.Get(t, "go")
	var all [][]float64
	for _, way := range []struct {
		rows    int
		backend compute.Backend
	}{{1, one}, {2, one}, {2, two}} {
		d := dataset(t, c, c.IDs()[1:44], // the first is large
			layers.DatasetOptions{Batch: 8, Shuffle: true, Seed: 1, Devices: way.rows})
		trainer := train.NewTrainer(way.backend, initialized(t, d), classify,
			loss.SparseCategoricalCrossEntropyLogits, optimizer.Adam().LearningRate(0.01).Done(), nil, nil)
		var batches train.Dataset = d
		if way.backend == two {
			batches = d.Distributed()
		}
		var losses []float64
		loop := train.NewLoop(trainer)
		loop.OnStep("losses", 0, func(_ *train.Loop, metrics []*tensors.Tensor) error {
			losses = append(losses, float64(tensors.ToScalar[float32](metrics[0])))
			return nil
		})
		mean := func() {
			metrics, err := trainer.Eval(batches)
			require.NoError(t, err)
			losses = append(losses, float64(tensors.ToScalar[float32](metrics[0])))
		}
		mean()
		for range 3 {
			_, err := loop.RunSteps(batches, 6)
			require.NoError(t, err)
		}
		mean()
		all = append(all, losses)
	}
	require.Greater(t, math.Abs(all[0][19]-all[0][0]), 0.01, "the weights have changed")
	require.InDeltaSlice(t, all[0], all[1], 1e-5)
	require.InDeltaSlice(t, all[0], all[2], 1e-4) // Adam enlarges rounding where gradients are near 0
}
