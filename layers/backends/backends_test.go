package backends

import (
	"bytes"
	"os"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

// onlyPlugins makes dir the one folder with plug-ins, leaves the choice of the backend to nkf, and lets it
// say again why it took the Go backend.
func onlyPlugins(t *testing.T, dir string) {
	t.Helper()
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", dir)
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("CUDA_VISIBLE_DEVICES", "") // a card is not used
	said.Clear()
}

// sumOfSquares returns that of 1, 2 and 3 as a backend computes it.
func sumOfSquares(t *testing.T, backend compute.Backend) any {
	t.Helper()
	squares := func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x)) }
	sum, err := graph.CallOnce(backend, squares, []float64{1, 2, 3})
	require.NoError(t, err)
	return sum.Value()
}

// TestWithoutXLA: a program that has no XLA in it runs on the Go backend and says why, and XLA by name is an
// error of one sentence.
func TestWithoutXLA(t *testing.T) {
	if xla.Linked {
		t.Skip("XLA is part of this program: CGO_ENABLED=0 makes one without")
	}
	onlyPlugins(t, t.TempDir())
	var said bytes.Buffer
	backend, err := Open("", &said)
	require.NoError(t, err)
	require.Equal(t, "go", Name(backend))
	require.Equal(t, 14.0, sumOfSquares(t, backend))
	require.Equal(t, "nkf: running on the pure Go backend, about 10 times slower than XLA: "+
		xla.ErrNotLinked.Error()+"\n", said.String())
	for _, config := range []string{"xla:cpu", "xla:cuda", "xla", "xla:/lib/pjrt_c_api_cpu_plugin.so"} {
		_, err = Open(config, nil)
		require.ErrorIs(t, err, xla.ErrNotLinked, config)
		require.ErrorContains(t, err, config)
	}
}

func TestBackendWithoutPlugin(t *testing.T) {
	xlatest.NeedLinked(t)
	onlyPlugins(t, t.TempDir())
	var said bytes.Buffer
	for range 2 {
		backend, err := Open("", &said)
		require.NoError(t, err)
		require.Equal(t, "go", Name(backend))
		require.Equal(t, 14.0, sumOfSquares(t, backend))
	}
	require.Equal(t, "nkf: running on the pure Go backend, about 10 times slower than XLA: "+
		"no XLA plug-in found; `nkf setup` installs one\n", said.String(), "said once")
}

// A damaged plug-in must neither kill the process nor pass in silence.
func TestBackendWithDamagedPlugin(t *testing.T) {
	xlatest.NeedLinked(t)
	dir := t.TempDir()
	sound := xlatest.Plugin(t)
	path := xlatest.Write(t, dir, "pjrt_c_api_cpu_v0.0.1_plugin.so", sound[:len(sound)/2])
	onlyPlugins(t, dir)
	var said bytes.Buffer
	backend, err := Open("", &said)
	require.NoError(t, err)
	require.Equal(t, "go", Name(backend))
	require.Contains(t, said.String(), path)

	for _, config := range []string{"xla:cpu", "xla", "xla:" + path} {
		_, err = Open(config, nil)
		require.ErrorContains(t, err, path, config)
	}
}

// A library that passes every check but does not load leaves the Go backend.
func TestBackendWithPluginThatDoesNotStart(t *testing.T) {
	xlatest.NeedLinked(t)
	dir := t.TempDir()
	path := xlatest.Write(t, dir, "pjrt_c_api_cpu_v0.0.1_plugin.so", xlatest.Plugin(t))
	onlyPlugins(t, dir)
	var said bytes.Buffer
	backend, err := Open("", &said)
	require.NoError(t, err)
	require.Equal(t, "go", Name(backend))
	require.Contains(t, said.String(), path+" does not start")

	_, err = Open("xla:cpu", nil)
	require.ErrorContains(t, err, `the backend "xla:cpu" does not start`)
}

func TestBackendByName(t *testing.T) {
	onlyPlugins(t, t.TempDir())
	t.Setenv("GOMLX_BACKEND", "go")
	var said bytes.Buffer
	backend, err := Open("", &said)
	require.NoError(t, err)
	require.Equal(t, "go", Name(backend))
	require.Empty(t, said.String(), "what was asked for needs no comment")

	t.Setenv("GOMLX_BACKEND", "tpu:0")
	_, err = New()
	require.ErrorContains(t, err, `there is no backend "tpu:0": set GOMLX_BACKEND to go, xla:cpu or xla:cuda`)

	xlatest.NeedLinked(t)
	t.Setenv("GOMLX_BACKEND", "xla:cpu")
	_, err = New()
	require.ErrorContains(t, err, "run `nkf setup`", "never replaced by another backend")
}

func TestBackendXLA(t *testing.T) {
	xlatest.Real(t)
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	for _, config := range []string{"", "xla:cpu", "xla:cpu,shared_buffers=false"} {
		backend, err := Open(config, os.Stderr)
		require.NoError(t, err)
		require.Equal(t, "xla:cpu", Name(backend))
		require.Equal(t, 14.0, sumOfSquares(t, backend))
		require.EqualValues(t, devices(), backend.NumDevices())
		backend.Finalize()
	}
	_, err := Open("xla:cpu,no_such_option", nil)
	require.ErrorContains(t, err, "no_such_option")
}
