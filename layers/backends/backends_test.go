package backends

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
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
func sumOfSquares(backend compute.Backend) any {
	squares := func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x)) }
	return must(graph.CallOnce(backend, squares, []float64{1, 2, 3})).Value()
}

// TestWithoutXLA: a program that has no XLA in it runs on the Go backend and says why, and XLA by name is an
// error of one sentence.
func TestWithoutXLA(t *testing.T) {
	if xla.Linked {
		t.Skip("XLA is part of this program: CGO_ENABLED=0 makes one without")
	}
	onlyPlugins(t, t.TempDir())
	var said bytes.Buffer
	backend := must(Open("", &said))
	require.Equal(t, "go", Name(backend))
	require.Equal(t, 14.0, sumOfSquares(backend))
	require.Equal(t, "nkf: running on the pure Go backend, about 10 times slower than XLA: "+
		xla.ErrNotLinked.Error()+"\n", said.String())
	for _, config := range []string{"xla:cpu", "xla:cuda", "xla", "xla:/lib/pjrt_c_api_cpu_plugin.so"} {
		_, err := Open(config, nil)
		require.ErrorIs(t, err, xla.ErrNotLinked, config)
		require.ErrorContains(t, err, config)
	}
}

// TestBackendWithoutSoundPlugin: a plug-in that is missing, damaged, or whole and does not start leaves the
// Go backend, which is said once, and neither kills the process nor passes in silence. By name it is an
// error.
func TestBackendWithoutSoundPlugin(t *testing.T) {
	xlatest.NeedLinked(t)
	sound, dir := xlatest.Plugin(t), t.TempDir()
	path := filepath.Join(dir, "pjrt_c_api_cpu_v0.0.1_plugin.so")
	for _, c := range []struct {
		plugin    []byte
		said, err string
		names     []string
	}{
		{nil, "no XLA plug-in found; `nkf setup` installs one", "run `nkf setup`", []string{"xla:cpu"}},
		{sound[:len(sound)/2], path + " is damaged", path, []string{"xla:cpu", "xla", "xla:" + path}},
		{sound, path + " does not start", `the backend "xla:cpu" does not start`, []string{"xla:cpu"}},
	} {
		if c.plugin != nil {
			xlatest.Write(t, dir, filepath.Base(path), c.plugin)
		}
		onlyPlugins(t, dir)
		var said bytes.Buffer
		for range 2 {
			backend := must(Open("", &said))
			require.Equal(t, "go", Name(backend))
			require.Equal(t, 14.0, sumOfSquares(backend))
		}
		require.Regexp(t, "^nkf: running on the pure Go backend, about 10 times slower than XLA: .*"+c.said+
			".*\n$", said.String())
		for _, name := range c.names {
			_, err := Open(name, nil)
			require.ErrorContains(t, err, c.err, name)
		}
	}
	other := xlatest.Write(t, dir, "accounts", []byte("anything")) // which nobody is told to remove
	_, err := Open("xla:"+other, nil)
	require.ErrorContains(t, err, other+" is not a plug-in of XLA")
	require.NotContains(t, err.Error(), "remove")
}

func TestBackendByName(t *testing.T) {
	onlyPlugins(t, t.TempDir())
	t.Setenv("GOMLX_BACKEND", "go")
	var said bytes.Buffer
	require.Equal(t, "go", Name(must(Open("", &said))))
	require.Empty(t, said.String(), "what was asked for needs no comment")

	t.Setenv("GOMLX_BACKEND", "tpu:0")
	_, err := New()
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
		backend := must(Open(config, os.Stderr))
		require.Equal(t, "xla:cpu", Name(backend))
		require.Equal(t, 14.0, sumOfSquares(backend))
		require.EqualValues(t, devices(), backend.NumDevices())
		backend.Finalize()
		require.NotPanics(t, func() { Name(backend) }, "training on a finalized backend is an error")
	}
	_, err := Open("xla:cpu,no_such_option", nil)
	require.ErrorContains(t, err, "no_such_option")
}

// cudaPlugin is the plug-in of CUDA below a folder of plug-ins.
const cudaPlugin = xla.CUDAFolder + "/pjrt_c_api_cuda_plugin.so"

// TestBackendOnCard: where there are a card and a plug-in of CUDA, it is taken without being asked for. The
// card is made up, and the plug-in is that for the CPU under another name.
func TestBackendOnCard(t *testing.T) {
	plugin := xlatest.Real(t)
	dir := t.TempDir()
	onlyPlugins(t, dir)
	xlatest.Card(t, "580.65.06")
	require.NoError(t, os.Mkdir(filepath.Join(dir, xla.CUDAFolder), 0o755))
	require.NoError(t, os.Symlink(plugin.Path, filepath.Join(dir, cudaPlugin)))
	require.NoError(t, os.Symlink(plugin.Path, filepath.Join(dir, filepath.Base(plugin.Path))))
	for _, config := range []string{"", "xla:cuda", "xla:cuda,notf32", "xla:cuda,tf32"} {
		var notice bytes.Buffer
		backend := must(Open(config, &notice))
		full := !strings.HasSuffix(config, ",tf32") // products of 32-bit floats, unless asked otherwise
		require.Equal(t, map[bool]string{true: "xla:cuda", false: "xla:cuda,tf32"}[full], Name(backend))
		require.Equal(t, 14.0, sumOfSquares(backend))
		require.Empty(t, notice.String())
		backend.Finalize()
	}
	taken := func(config string) string {
		backend := must(Open(config, nil))
		defer backend.Finalize()
		return Name(backend)
	}
	require.Equal(t, "xla:cpu", taken("xla:cpu"), "what was asked for")
	t.Setenv("GOMLX_BACKEND", "xla:cpu")
	require.Equal(t, "xla:cpu", taken(""))
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	require.Equal(t, "xla:cpu", taken(""), "the card is hidden")
}

// TestBackendWithoutCard: without a card, or with a driver that is too old, the plug-in of CUDA is not
// loaded, and asking for it is an error of one sentence.
func TestBackendWithoutCard(t *testing.T) {
	plugin := xlatest.Real(t)
	dir := t.TempDir()
	onlyPlugins(t, dir)
	xlatest.Write(t, dir, cudaPlugin, xlatest.Plugin(t)) // loading it would fail
	require.NoError(t, os.Symlink(plugin.Path, filepath.Join(dir, filepath.Base(plugin.Path))))
	for driver, why := range map[string]string{
		"":          "CUDA_VISIBLE_DEVICES hides all NVIDIA cards",
		"550.54.15": "the NVIDIA driver 550.54.15 is older than 580, which CUDA 13 needs",
	} {
		t.Run(driver, func(t *testing.T) { // a card is there until its subtest ends
			if driver != "" {
				xlatest.Card(t, driver)
			}
			var notice bytes.Buffer
			backend := must(Open("", &notice))
			require.Equal(t, "xla:cpu", Name(backend))
			require.Empty(t, notice.String())
			backend.Finalize()
			_, err := Open("xla:cuda", nil)
			require.EqualError(t, err, `the backend "xla:cuda" needs an NVIDIA card: `+why)
		})
	}
}

// TestBackendWithCardThatFails: a plug-in of CUDA that does not start, or is damaged, leaves the CPU, which
// is said once; asked for by name it is an error.
func TestBackendWithCardThatFails(t *testing.T) {
	plugin := xlatest.Real(t)
	for why, content := range map[string][]byte{
		"does not start": xlatest.Plugin(t), "is damaged": xlatest.Plugin(t)[:99],
	} {
		dir := t.TempDir()
		onlyPlugins(t, dir)
		xlatest.Card(t, "580.65.06")
		path := xlatest.Write(t, dir, cudaPlugin, content)
		require.NoError(t, os.Symlink(plugin.Path, filepath.Join(dir, filepath.Base(plugin.Path))))
		var notice bytes.Buffer
		for range 2 {
			backend := must(Open("", &notice))
			require.Equal(t, "xla:cpu", Name(backend))
			backend.Finalize()
		}
		require.Regexp(t, "^nkf: the NVIDIA card is not used: the XLA plug-in "+path+" "+why+".*\n$",
			notice.String())
		_, err := Open("xla:cuda", nil)
		require.ErrorContains(t, err, why[:7])
	}
	onlyPlugins(t, t.TempDir())
	xlatest.Card(t, "580.65.06")
	_, err := Open("xla:cuda", nil)
	require.ErrorContains(t, err, "run `nkf setup --cuda`")
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
