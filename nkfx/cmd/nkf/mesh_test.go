package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// TestMeshInfo: a tetrahedron with a triangle too many, and a file that is no mesh.
func TestMeshInfo(t *testing.T) {
	workshop(t)
	text := "OFF\n5 5 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n9 9 9\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n3 1 1 2\n"
	put(t, "a.off", text)
	stdout, _ := done(t, "mesh info a.off")
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
	stdout, _ = done(t, "mesh info a.off --json")
	r := rows[mesh.Report](t, stdout)[0]
	require.Equal(t, [3]int{1, 0, 1}, r.Betti)
	require.InDelta(t, 1.0/6, r.Volume, 1e-15)

	put(t, "b.off", text[:21])
	fails(t, "nkf: b.off, line 5: the file ends here: it was cut off, get it again", "mesh info b.off")
	put(t, "bent.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 1\n4 0 1 2 3\n")
	stdout, _ = done(t, "mesh info bent.off")
	require.Contains(t, stdout, "note                   1 polygon not planar: how they are cut is a choice")
}

// boxes writes meshes of two classes, flat boxes and long ones, in folders of their own.
func boxes(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 48 {
		size := [3]float64{1 + 0.1*r.Float64(), 1 + 0.1*r.Float64(), 0.1}
		class := "flat"
		if i%2 == 1 {
			size, class = [3]float64{0.2, 0.2 + 0.1*r.Float64(), 2}, "long"
		}
		m := &mesh.Mesh{Triangles: []int32{0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5,
			2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 7, 3, 1, 5, 7}}
		for v := range 8 {
			for i := range 3 {
				m.Vertices = append(m.Vertices, size[i]*float64(v>>i&1))
			}
		}
		require.NoError(t, m.Write(filepath.Join("boxes", class, fmt.Sprintf("%02d.off", i))))
	}
}

// TestTrainOnMeshes: the whole way on meshes of one's own, with 2-forms.
func TestTrainOnMeshes(t *testing.T) {
	nkftest.EmptyMachine(t)
	t.Setenv("GOMLX_BACKEND", "go")
	boxes(t)
	for model, epochs := range map[string]int{"nkf": 60, "cochain": 8} {
		line := fmt.Sprintf("train meshes boxes --folds 2 --batch 8 --epochs %d --model %s", epochs, model)
		stdout, stderr := done(t, line+" --json")
		require.Contains(t, stderr, "a mesh that is turned, moved or scaled may have another result")
		require.Greater(t, float64(rows[experiments.Result](t, stdout)[0].Mean), 90.0, model)
		predict := "predict meshes --model results/models/boxes-" + model
		stdout, stderr = done(t, predict+" boxes")
		require.Contains(t, stderr, "48 of 48 meshes with a label are right")
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		require.Equal(t, "mesh\tclass\tP(flat)\tP(long)", lines[0])
		require.Len(t, lines, 49)
		stdout, _ = done(t, predict+" boxes/long/01.off --json")
		require.Contains(t, stdout, `"mesh":"01.off","class":"long"`)
	}
	fails(t, "there is nothing to learn", "train meshes boxes/flat")
	for _, model := range []string{"gin", "path", "gin-tuned"} {
		sentence := requireUsage(t, "train meshes boxes --model "+model)
		require.Contains(t, sentence, "want one of cochain, nkf, ")
	}
}
