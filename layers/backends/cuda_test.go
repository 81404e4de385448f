package backends

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

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
	for _, config := range []string{"", "xla:cuda", "xla:cuda,notf32"} {
		var notice bytes.Buffer
		backend, err := Open(config, &notice)
		require.NoError(t, err)
		require.Equal(t, "xla:cuda", Name(backend))
		require.Equal(t, 14.0, sumOfSquares(t, backend))
		require.Empty(t, notice.String())
		client, _ := xla.Of(backend)
		require.Contains(t, client.Config, "tf32", "products of 32-bit floats in full")
		backend.Finalize()
	}
	taken := func(config string) string {
		backend, err := Open(config, nil)
		require.NoError(t, err)
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
			backend, err := Open("", &notice)
			require.NoError(t, err)
			require.Equal(t, "xla:cpu", Name(backend))
			require.Empty(t, notice.String())
			backend.Finalize()
			_, err = Open("xla:cuda", nil)
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
			backend, err := Open("", &notice)
			require.NoError(t, err)
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
