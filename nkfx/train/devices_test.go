package train

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// sure has no dropout, which draws other numbers on several devices.
var sure = by(layers.SquaredL2, true)

// drawing is sure and has random numbers, which change nothing.
func drawing(scope *model.Scope, b *layers.Batch) *graph.Node {
	out := sure(scope, b)
	return graph.Add(out, graph.MulScalar(scope.RandomNormal(out.Graph(), out.Shape()), 0))
}

// several returns a trainer of a model on devices of XLA's CPU, or on the one of the Go backend, which
// compiles nothing, with batches of ten. It is closed with the test.
func several(t *testing.T, devices int, data *datasets.Collection, model Model) *trainer {
	t.Helper()
	backend := backendtest.Get(t, "go")
	if devices > 1 {
		backend = must(xla.Several(backendtest.Get(t, "xla:cpu"), devices))
		t.Cleanup(backend.Finalize)
	}
	protocol := Published(10)
	protocol.Rate, protocol.Clip, protocol.Smoothing, protocol.Devices = 0.01, 1, 0.1, devices
	return trainerFor(t, backend, Task{Data: data, Model: model, Protocol: protocol}, nil)
}

// TestDevicesAreOneBatch: devices that share batches take the steps that one takes with the whole batches,
// and predict the same, also where the parts have different numbers of complexes, classes and known values.
// Losses are sums of 10 float32 of size 1 in another order; predictions are past a batch norm, and of
// weights that Adam moves by the signs of gradients near 0, which is what rounding changes.
func TestDevicesAreOneBatch(t *testing.T) {
	for name, c := range map[string]struct {
		data    *datasets.Collection
		model   Model
		devices int
	}{
		"graphs":  {cycles(43, true), sure, 4},
		"numbers": {radii(40, true), drawing, 3},
		"squares": {squares(radii(40, false)), sure, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var losses, predictions [][]float64
			all := everything(c.data)
			for _, devices := range []int{1, c.devices} {
				e := several(t, devices, c.data, c.model)
				require.Equal(t, name == "squares", e.plan.evaluation.Budget.Distinct != nil)
				require.NoError(t, e.start(1))
				require.NoError(t, e.setUnits(all.Train))
				var own, out []float64
				for i := range 12 {
					loss, _, err := e.steps(all.Train, func(int) float64 { return 0.01 }, i%4, i%4+1)
					require.NoError(t, err)
					own = append(own, loss)
				}
				values := must(e.outputs(e.evaluation, all.Test))
				one, err := e.outputs(e.evaluation, all.Test[:1]) // the other devices have none
				require.NoError(t, err)
				for _, v := range append(values, one...) {
					out = append(out, float64(v))
				}
				losses, predictions = append(losses, own), append(predictions, out)
			}
			require.Less(t, losses[0][11], losses[0][3]) // it learns
			require.InDeltaSlice(t, losses[0], losses[1], 1e-5)
			require.InDeltaSlice(t, predictions[0], predictions[1], 1e-3)
		})
	}
}

// TestFewComplexes: of four graphs, three devices have one each in a batch of three, and two of them none in
// the test part; no device goes without in a batch of one, and a backend has the devices that it has.
func TestFewComplexes(t *testing.T) {
	task := Task{Data: cycles(4, false), Model: sure, Protocol: Published(3),
		Folds: []datasets.Fold{{Train: []int32{0, 1, 2}, Validation: []int32{3}, Test: []int32{3}}}}
	task.Protocol.Epochs = 2
	var losses [2][]float64
	for i, backend := range []string{"go", "xla:cpu"} {
		task.Protocol.Devices = 1 + 2*i
		out := must(CrossValidate(t.Context(), backendtest.Get(t, backend), task))
		for _, epoch := range out.Fits[0].History {
			losses[i] = append(losses[i], epoch.TrainLoss, epoch.ValidationLoss)
		}
	}
	require.Len(t, losses[0], 4)
	require.InDeltaSlice(t, losses[0], losses[1], 1e-5) // as in TestDevicesAreOneBatch
	_, err := CrossValidate(t.Context(), backendtest.Get(t, "go"), task)
	require.ErrorContains(t, err, "3 devices of a backend that has 1")
	task.Protocol.Batch = 1
	_, err = CrossValidate(t.Context(), backendtest.Get(t, "go"), task)
	require.ErrorContains(t, err, "Devices 3: want 0 or more, and no more than Batch")
}

// dumpVariable names the folder for the programs of a child of TestProgramsOfDevices.
const dumpVariable = "NKF_TEST_DUMP"

// TestProgramsOfDevices: the program of an epoch on two devices has a loop in which sums, and the gradients
// of all variables at once, are all-reduced, and nothing else passes between devices; evaluations pass
// nothing. XLA writes programs down for a process that begins with its option, so there is a child.
func TestProgramsOfDevices(t *testing.T) {
	if os.Getenv(dumpVariable) != "" {
		require.NoError(t, several(t, 2, cycles(40, false), sure).prepare())
		return // what is compiled is written down
	}
	backendtest.Get(t, "xla:cpu") // or skip
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestProgramsOfDevices$")
	child.Env = append(os.Environ(), dumpVariable+"="+dir, "NKF_PROGRAMS=off",
		"XLA_FLAGS=--xla_dump_to="+dir+" --xla_dump_hlo_as_text")
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	paths := must(filepath.Glob(filepath.Join(dir, "*after_optimizations.txt")))
	passed := regexp.MustCompile(`(all-gather|all-to-all|collective-\w+|reduce-scatter|send|recv)(-start)?\(`)
	loops := 0
	for _, path := range paths {
		program := string(must(os.ReadFile(path)))
		require.NotRegexp(t, passed, program)
		before, _, _ := strings.Cut(program, "\nENTRY")
		reductions := strings.Count(program, " all-reduce(")
		require.Equal(t, reductions, strings.Count(before, " all-reduce("), "all are within the loop")
		if strings.Contains(program, " while(") && reductions > 0 {
			loops++
			require.Contains(t, program, "replica_count=2")
			require.Regexp(t, `f32\[134\]\S* all-reduce\(`, program) // as many as there are weights
		}
	}
	require.NotZero(t, loops, "%d programs", len(paths))
}
