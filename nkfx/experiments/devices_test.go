package experiments_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestDevices: networks on graphs, paths and meshes, without what they draw at random, take the steps on two
// and four devices that they take on one. Every epoch is one step of 16 complexes here, and each loss is
// that of one device to a share of 1e-4: rounding that Adam makes larger where a gradient is near 0. Of the
// meshes, whose batch norm divides nearly constant features by 0.003, the order of a batch alone changes as
// much as a share of 2e-4 of a loss on one device.
func TestDevices(t *testing.T) {
	backendtest.NeedLong(t) // train.TestDevicesAreOneBatch holds small networks
	backend := backendtest.Get(t, "xla:cpu")
	counts := []int{1, 2, 4}
	for _, c := range []struct {
		model, benchmark string
		data             datasets.Source
		share            float64
	}{
		{model: "nkf", benchmark: "BZR", share: 1e-4},
		{model: "cochain-small:dropout=0", benchmark: "Letter-high", share: 1e-4},
		{model: "path:members=1:dropout=0:thin=0:augment={}", benchmark: "Libras", share: 1e-4},
		{model: "surface:layers=1:dropout=0", data: tori(), share: 1e-3},
	} {
		t.Run(c.model, func(t *testing.T) {
			b := experiments.Benchmark{Protocol: train.Published(16)}
			if c.data == nil {
				var err error
				b, err = experiments.Lookup(c.benchmark)
				require.NoError(t, err)
			}
			x := experiments.NewRun(b, c.model)
			x.Data, x.Folds, x.Seeds, x.Split = c.data, 2, 1, "fold0"
			prepared, err := x.Prepare(t.Context())
			require.NoError(t, err)
			task := prepared.Task()
			ids := task.Folds[0].Train
			task.Folds = []datasets.Fold{{Train: ids[:16], Validation: ids[8:24], Test: ids[4:20]}}
			task.Protocol.Batch, task.Protocol.Epochs, task.Protocol.Validate = 16, 12, 1
			losses := make([][]float64, len(counts))
			for i, devices := range counts {
				task.Protocol.Devices = devices
				out, err := train.CrossValidate(t.Context(), backend, task)
				require.NoError(t, err)
				for _, epoch := range out.Fits[0].History {
					losses[i] = append(losses[i], epoch.TrainLoss)
				}
				losses[i] = append(losses[i], float64(*out.Fits[0].Last.Of("accuracy")))
				t.Logf("%d devices: %.6f", devices, losses[i])
				require.InEpsilonSlice(t, losses[0], losses[i], c.share)
			}
			require.Greater(t, math.Abs(losses[0][11]-losses[0][0]), 1e-3) // the weights have changed
		})
	}
}

// tori are meshes of two kinds, thin and thick.
func tori() *mesh.Set {
	set := &mesh.Set{Info: datasets.Info{Name: "tori", Classes: []string{"thin", "thick"}}}
	for g := range 80 {
		m := mesh.Torus(7, 5, func(a, b float64) (x, y, z float64) {
			radius := 0.2 + 0.2*float64(g%2) + 0.1*math.Sin(2*a+float64(g))
			distance := 1 + radius*math.Cos(b)
			z = radius*math.Sin(b) + 0.1*math.Cos(3*a)
			return distance * math.Cos(a), 1.5 * distance * math.Sin(a), z
		})
		set.Meshes, set.Files = append(set.Meshes, m), append(set.Files, "")
		set.Targets = append(set.Targets, []float64{float64(g % 2)})
	}
	return set
}
