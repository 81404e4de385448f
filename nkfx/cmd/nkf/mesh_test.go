package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/mesh"
)

// TestMeshInfo: a tetrahedron with a triangle too many, and files that are no mesh.
func TestMeshInfo(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "OFF\n5 5 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n9 9 9\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n3 1 1 2\n"
	require.NoError(t, os.WriteFile("a.off", []byte(text), 0o666))
	stdout, _ := done(t, "mesh", "info", "a.off")
	require.Equal(t, `file                   a.off
vertices               5, 1 in no triangle
triangles              5, 1 with a vertex twice
edges                  6
components             1
orientable             yes
consistently oriented  yes
closed                 yes
Euler characteristic   2
Betti numbers          1 component, 0 loops, 1 void
area                   2.3660254 about (0.262892, 0.262892, 0.262892)
volume                 0.166666667 about (0.25, 0.25, 0.25)
`, stdout)
	stdout, _ = done(t, "mesh", "info", "a.off", "--json")
	var r mesh.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.Equal(t, [3]int{1, 0, 1}, r.Betti)
	require.InDelta(t, 1.0/6, r.Volume, 1e-15)

	require.NoError(t, os.WriteFile("b.off", []byte(text[:21]), 0o666))
	for line, want := range map[string]string{
		"b.off": "nkf: b.off, line 5: the file ends here: it was cut off, get it again\n",
		"c.off": "nkf: read a mesh: stat c.off: no such file or directory\n",
	} {
		code, stdout, stderr := nkf(t, "mesh", "info", line)
		require.Equal(t, exitError, code)
		require.Empty(t, stdout)
		require.Equal(t, want, stderr)
	}
	far := "OFF\n3 1 0\n0 0 0\n1e308 0 0\n0 1 0\n3 0 1 2\n"
	require.NoError(t, os.WriteFile("far.off", []byte(far), 0o666))
	for _, line := range [][]string{{"mesh", "info", "far.off"}, {"mesh", "info", "far.off", "--json"}} {
		fails(t, "nkf: far.off, line 4: the vertex (1e+308, 0, 0) is not within ±1e+30", line...)
	}
	bent := "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 1\n4 0 1 2 3\n"
	require.NoError(t, os.WriteFile("bent.off", []byte(bent), 0o666))
	stdout, _ = done(t, "mesh", "info", "bent.off")
	require.Contains(t, stdout, "polygons               1 not planar: how they are cut is a choice")
	for _, line := range [][]string{{"mesh", "info"}, {"mesh", "info", "a", "b"}} {
		code, _, stderr := nkf(t, line...)
		require.Equal(t, exitUsage, code, stderr)
	}
}
