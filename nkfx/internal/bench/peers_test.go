package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// lookPython returns a Python, and skips the test where there is none.
func lookPython(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine")
	}
	return python
}

// TestScriptsParse: Python reads all programs of peers, and every module that is named is there.
func TestScriptsParse(t *testing.T) {
	for _, names := range modules {
		for _, name := range names {
			must(scripts.Open("peers/" + name + ".py"))
		}
	}
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, scripts))
	files := must(filepath.Glob(filepath.Join(folder, "peers", "*.py")))
	require.NotEmpty(t, files)
	compile := append([]string{"-m", "py_compile"}, files...)
	out, err := exec.Command(lookPython(t), compile...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestServe talks to modules that do nothing, or fail.
func TestServe(t *testing.T) {
	python, folder := lookPython(t), t.TempDir()
	require.NoError(t, os.CopyFS(folder, scripts))
	folder = filepath.Join(folder, "peers")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	write("integrals_none.py", `
def version(device): return "none 1.0 " + device
def names(degree, **_): return ["first", "same", "other", "broken"][:3 + degree]
def make(name, device, degree, dim, simplices, forms, hidden, components, points, weights):
    assert (degree, dim, simplices, forms, hidden, components) == (1, 3, 7, 5, 16, 3)
    assert len(points) == 5 and sum(weights) == 1
    if name == "broken": raise ValueError("cannot\nbe")
    return lambda: {"first": 2.0, "same": 2.000001, "other": 2.1}[name]
`)
	write("integrals_missing.py", "raise ImportError('no such package')")
	ctx := context.Background()
	_, err := startPeer(ctx, python, folder, "integrals_missing", "cpu")
	require.ErrorContains(t, err, "integrals_missing does not start: ImportError: no such package")
	p := must(startPeer(ctx, python, folder, "integrals_none", "cpu"))
	require.Equal(t, "none 1.0 cpu", p.version)
	c := Case{Race: Integrals, Degree: 1, Dim: 3, Simplices: 7}
	results := must(race(ctx, backendtest.Get(t, "go"), []*peer{p}, c, 0.001, map[string]bool{}))
	skipped := map[string]string{}
	for _, r := range results[3:] {
		skipped[r.Program] = r.Skipped
		require.Equal(t, r.Skipped == "", r.Runs > 0)
	}
	require.Equal(t, map[string]string{"none first": "", "none same": "",
		"none other": "its value is 2.1, that of first 2", "none broken": "ValueError: cannot"}, skipped)
}

// TestOwnEpochs: a training waits between its epochs, ends when it is freed, and leaves no arrays.
func TestOwnEpochs(t *testing.T) {
	x := must(newTraining(context.Background(), few[len(few)-1]))
	p := must(x.own(context.Background(), backendtest.Get(t, "go")))
	require.Len(t, must(p.run(0)), 1)
	p.free()
	_, err := p.run(0)
	require.ErrorIs(t, err, context.Canceled)
	x.free()
	require.NoDirExists(t, x.folder)
}

// TestExport: peers read the numbers of a collection, in 32 bits.
func TestExport(t *testing.T) {
	x := training{folder: t.TempDir(), arrays: map[string]any{}}
	x.task = train.Task{Folds: []datasets.Fold{{Train: []int32{1}}}, Data: &datasets.Collection{
		Dim: 2, Vertices: []float64{1, 2, 3, 4.5}, VertexStart: []int32{0, 1, 2}, Labels: []int32{1, 0},
		Simplices: []datasets.Simplices{{Cochain: []float64{0.5, 7}, Width: 1},
			{Corners: []int32{0, 0}, Start: []int32{0, 0, 1}}},
	}}
	require.NoError(t, x.export())
	require.Len(t, x.arrays, 7)
	read := func(name string, into any) {
		text := must(os.ReadFile(filepath.Join(x.folder, name)))
		require.Len(t, text, binary.Size(into))
		require.NoError(t, binary.Read(bytes.NewReader(text), binary.LittleEndian, into))
	}
	vertices, cochain, corners := make([]float32, 4), make([]float32, 2), make([]int32, 2)
	read("vertices", vertices)
	read("cochain0", cochain)
	read("corners1", corners)
	require.Equal(t, []float32{1, 2, 3, 4.5}, vertices)
	require.Equal(t, []float32{0.5, 7}, cochain)
	require.Equal(t, []int32{0, 0}, corners)
	require.Equal(t, []int{-1, 2}, x.arrays["vertices"].(map[string]any)["shape"])
}

// TestRequests: peers find what they read of the configuration of a network.
func TestRequests(t *testing.T) {
	for model, script := range map[string]string{"nkf": "epochs", "cochain": "cochain", "path": "path"} {
		m := must(models.Lookup(model, models.Size{}))
		x := training{model: m, task: train.Task{Data: &datasets.Collection{}}}
		request := must(json.Marshal(x.request()))
		var got struct {
			Network  string
			Config   map[string]any
			Protocol map[string]any
		}
		require.NoError(t, json.Unmarshal(request, &got))
		require.NotEmpty(t, got.Network, model)
		text := must(scripts.ReadFile("peers/" + script + "_torch.py"))
		keys := regexp.MustCompile(`(config|protocol)\["(\w+)"\]`).FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, keys)
		for _, key := range keys {
			of := map[string]map[string]any{"config": got.Config, "protocol": got.Protocol}[key[1]]
			require.Contains(t, of, key[2], script)
		}
	}
}

// TestSameNetworks: where PyTorch is, its networks have as many weights as nkf's, and learn.
func TestSameNetworks(t *testing.T) {
	python := os.Getenv("NKF_PYTHON")
	if python == "" {
		t.Skip("set NKF_PYTHON to a Python with PyTorch")
	}
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, scripts))
	backend := backendtest.Get(t, "go")
	for _, c := range []Case{
		{Race: Epochs, Dataset: "BZR", Model: "nkf"}, {Race: Epochs, Dataset: "BZR", Model: "cochain"},
		{Race: Epochs, Dataset: "BZR", Model: "gin-tuned"}, {Race: Epochs, Dataset: "ERing", Model: "path"},
	} {
		x := must(newTraining(context.Background(), c))
		defer x.free()
		x.task.Protocol.Epochs = 1
		outcome := must(train.CrossValidate(context.Background(), backend, x.task))
		peers := filepath.Join(folder, "peers")
		p := must(startPeer(context.Background(), python, peers, "epochs_torch", "cpu"))
		all := must(p.entries(x.request()))
		for _, e := range all {
			_, err := e.start()
			require.NoError(t, err, "%v %s", c, e.name)
		}
		var weights int
		require.NoError(t, p.ask(map[string]any{"do": "weights", "name": "flat"}, &weights))
		require.Equal(t, outcome.Parameters, weights, c)
		p.close()
	}
}
