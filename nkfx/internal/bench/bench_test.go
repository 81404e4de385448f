package bench

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestRun runs all programs of nkf on small cases, of which none is skipped, and finds them in the
// table.
func TestRun(t *testing.T) {
	o := Options{Seconds: 0.001, Progress: io.Discard, Folder: t.TempDir(),
		Cases:      []Case{{Degree: 1, Dim: 3, Simplices: 20}, {Degree: 2, Dim: 4, Simplices: 5}},
		Signatures: []Paths{{Dim: 2, Depth: 3, Points: 4, Batch: 2}}}
	report, err := Run(context.Background(), backendtest.Get(t, "go"), "go", o)
	require.NoError(t, err)
	require.Len(t, report.Missing, 4, "the peers are not there")
	require.Len(t, report.Signatures, 2)
	for _, r := range report.Signatures {
		require.Empty(t, r.Skipped)
		require.Greater(t, r.Least, 0.0)
	}
	require.Len(t, report.Results, 6)
	for _, r := range report.Results {
		require.Empty(t, r.Skipped, r.Program)
		require.GreaterOrEqual(t, r.Runs, 3)
		require.Greater(t, r.Least, 0.0)
		require.LessOrEqual(t, r.Least, r.Seconds)
	}
	report.Mesh = []Mesh{{Triangles: 8, Seconds: 0.5}}
	var out strings.Builder
	require.NoError(t, report.Print(&out))
	parts := []string{"nkf corners", "nkf vertices", "nkf chunks", "24/20", "48/28", "triangles",
		"value and gradient"}
	for _, part := range parts {
		require.Contains(t, out.String(), part)
	}
}

// TestPeers talks to a program of two peers that do nothing.
func TestPeers(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine")
	}
	folder := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	// A jax that is not JAX, but has what the script calls for k = 1.
	write("jax.py", `
class config: pass
__version__ = "none"
def default_backend(): return "nowhere"
def jit(f): return f
def value_and_grad(f): return f
def block_until_ready(x): return x
class random:
    PRNGKey = lambda seed: seed
    normal = lambda key, shape, dtype: shape
`)
	require.NoError(t, os.Mkdir(filepath.Join(folder, "jax"), 0o777))
	module := filepath.Join(folder, "jax", "__init__.py")
	require.NoError(t, os.Rename(filepath.Join(folder, "jax.py"), module))
	write("jax/numpy.py", "float32 = None\ndef sum(x): return x\n")
	write("jax_1form.py", `
def make_params(key, n, h, l): return None
class Square:
    def __pow__(self, k): return self
def integrate_plain(params, x, d, l): assert x == (7, 2, 3) and d == l == 5; return Square()
integrate_vmap = integrate_plain
`)
	o := Options{Seconds: 0.001, Progress: io.Discard, Python: python, Folder: folder,
		Cases: []Case{{Degree: 1, Dim: 3, Simplices: 7}}}
	report, err := Run(context.Background(), backendtest.Get(t, "go"), "go", o)
	require.NoError(t, err)
	require.Equal(t, []string{"jax none nowhere"}, report.Peers)
	skipped := map[string]string{}
	for _, r := range report.Results {
		skipped[r.Program] = r.Skipped
	}
	require.Empty(t, skipped["jax plain"])
	require.Empty(t, skipped["jax vmap"])
	require.Contains(t, skipped["jax lastlayer"], "AttributeError", "a variant that fails is reported")
	var out strings.Builder
	require.NoError(t, report.Print(&out))
	require.Contains(t, out.String(), "jax vmap")

	write("torch_1form.py", "")
	write("torch.py", "raise ImportError('no such package')")
	_, err = startPeer(context.Background(), python, "torch", folder)
	require.ErrorContains(t, err, "torch does not start: ImportError: no such package")
}

// TestMeshes integrates small meshes, whose triangles are those of a square.
func TestMeshes(t *testing.T) {
	vertices, faces := surface(20)
	require.Len(t, vertices, 3*16)
	require.Len(t, faces, 3*18)
	meshes, err := Meshes(context.Background(), backendtest.Get(t, "go"), []int{2, 20})
	require.NoError(t, err)
	require.Equal(t, 2, meshes[0].Triangles)
	require.Equal(t, 18, meshes[1].Triangles)
	require.Greater(t, meshes[1].PerTriangle, 0.0)
}
