package nkfx

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// onlyPlugins makes dir the one folder with plug-ins, leaves the choice of the backend to nkf, and lets it
// say again why it took the Go backend.
func onlyPlugins(t *testing.T, dir string) {
	t.Helper()
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", dir)
	t.Setenv("GOMLX_BACKEND", "")
	noticed = sync.Once{}
}

func TestBackendWithoutPlugin(t *testing.T) {
	onlyPlugins(t, t.TempDir())
	var said bytes.Buffer
	for range 2 {
		backend, err := Backend(WithNotice(&said))
		require.NoError(t, err)
		require.Equal(t, "go", BackendName(backend))
		require.NoError(t, probe(backend))
	}
	require.Equal(t, "nkf: running on the pure Go backend, about 10 times slower than XLA: "+
		"no XLA plug-in found; `nkf setup` installs one\n", said.String(), "said once")
}

// A damaged plug-in must neither kill the process nor pass in silence.
func TestBackendWithDamagedPlugin(t *testing.T) {
	dir := t.TempDir()
	sound := soundPlugin(t)
	path := write(t, dir, "pjrt_c_api_cpu_v0.0.1_plugin.so", sound[:len(sound)/2])
	onlyPlugins(t, dir)
	var said bytes.Buffer
	backend, err := Backend(WithNotice(&said))
	require.NoError(t, err)
	require.Equal(t, "go", BackendName(backend))
	require.Contains(t, said.String(), path)

	for _, config := range []string{"xla:cpu", "xla:cuda", "xla", "xla:" + path} {
		_, err = Backend(WithConfig(config))
		require.ErrorContains(t, err, path, config)
	}
}

// A library that passes every check but does not load leaves the Go backend.
func TestBackendWithPluginThatDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "pjrt_c_api_cpu_v0.0.1_plugin.so", soundPlugin(t))
	onlyPlugins(t, dir)
	var said bytes.Buffer
	backend, err := Backend(WithNotice(&said))
	require.NoError(t, err)
	require.Equal(t, "go", BackendName(backend))
	require.Contains(t, said.String(), path+" does not start")

	_, err = Backend(WithConfig("xla:cpu"))
	require.ErrorContains(t, err, `the backend "xla:cpu" does not start`)
}

func TestBackendByName(t *testing.T) {
	onlyPlugins(t, t.TempDir())
	t.Setenv("GOMLX_BACKEND", "go")
	var said bytes.Buffer
	backend, err := Backend(WithNotice(&said))
	require.NoError(t, err)
	require.Equal(t, "go", BackendName(backend))
	require.Empty(t, said.String(), "what was asked for needs no comment")

	t.Setenv("GOMLX_BACKEND", "tpu:0")
	_, err = Backend()
	require.ErrorContains(t, err, `there is no backend "tpu:0": set GOMLX_BACKEND to go, xla:cpu or xla:cuda`)

	t.Setenv("GOMLX_BACKEND", "xla:cpu")
	_, err = Backend()
	require.ErrorContains(t, err, "run `nkf setup`", "never replaced by another backend")
}

func TestBackendXLA(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	if _, ok, _ := cpuPlugin(findPlugins(searchPath())); !ok {
		t.Skip("no XLA plug-in on this machine: `nkf setup` installs one")
	}
	for _, config := range []string{"", "xla:cpu", "xla:cpu,shared_buffers=false"} {
		backend, err := Backend(WithConfig(config))
		require.NoError(t, err)
		require.Equal(t, "xla:cpu", BackendName(backend))
		require.NoError(t, probe(backend))
		require.EqualValues(t, min(4, runtime.GOMAXPROCS(0)), backend.NumDevices(), "no more than processors")
		backend.Finalize()
	}
	_, err := Backend(WithConfig("xla:cpu,no_such_option"))
	require.ErrorContains(t, err, "no_such_option")
}

func TestRecoverTo(t *testing.T) {
	cause := errors.New("cause")
	for _, p := range []any{cause, "cause"} {
		err := func() (err error) {
			defer recoverTo(&err)
			panic(p)
		}()
		require.EqualError(t, err, "gave up: cause")
	}
	require.ErrorIs(t, func() (err error) {
		defer recoverTo(&err)
		panic(cause)
	}(), cause)
}
