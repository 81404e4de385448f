package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
	require.Contains(t, stdout, "polygons               1 not planar: how they are cut is a choice")
}

// boxes writes meshes of two classes, flat boxes and long ones, in folders of their own, and a table.
func boxes(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	table := "file,kind\n"
	for i := range 20 {
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
		name := filepath.Join("boxes", class, fmt.Sprintf("%02d.off", i))
		require.NoError(t, m.Write(name))
		table += filepath.ToSlash(name) + "," + class + "\n"
	}
	put(t, "boxes.csv", table)
}

// TestTrainOnMeshes: the whole way on meshes of one's own, and then on their faces.
func TestTrainOnMeshes(t *testing.T) {
	nkftest.EmptyMachine(t)
	t.Setenv("GOMLX_BACKEND", "go")
	boxes(t)
	stdout, _ := done(t, "train --mesh boxes --folds 2 --epochs 30 --json")
	result := rows[experiments.Result](t, stdout)[0]
	require.Equal(t, "surface", result.Model)
	require.Greater(t, float64(result.Mean), 90.0)
	predict := "predict --model results/models/boxes-surface"
	stdout, _ = done(t, predict+" --mesh boxes.csv")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Equal(t, "mesh\tclass\tP(flat)\tP(long)", lines[0])
	require.Len(t, lines, 21)
	right := 0
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		if strings.Contains(fields[0], fields[1]) {
			right++
		}
	}
	require.Greater(t, right, 18)
	stdout, _ = done(t, predict+" --mesh boxes/long/01.off --json")
	require.Contains(t, stdout, `"mesh":"boxes/long/01.off","class":"long"`)

	// The large faces of a box are told from the small ones.
	files := sure(filepath.Glob("boxes/*/*.off"))
	for _, name := range files {
		areas := sure(mesh.Read(name)).Areas()
		var labels []string
		for _, area := range areas {
			if area < 0.3*slices.Max(areas) {
				labels = append(labels, "4")
			} else {
				labels = append(labels, "2")
			}
		}
		put(t, strings.TrimSuffix(name, ".off")+".seg", strings.Join(labels, "\n"))
	}
	stdout, _ = done(t, "train --mesh boxes --labels faces --folds 2 --epochs 10 --model surface:local=0 "+
		"--name faces --json")
	kept, err := os.ReadDir(filepath.Join(sure(os.UserCacheDir()), "nkf", "surfaces"))
	require.NoError(t, err, "the surfaces of a training are in memory")
	require.Len(t, kept, 2*20, "for the meshes, and for their faces")
	mean := float64(rows[experiments.Result](t, stdout)[0].Mean)
	require.Greater(t, mean, 85.0, "who knows the class of a mesh alone is right in 67")
	predict = "predict --model results/models/faces --mesh "
	stdout, _ = done(t, predict+"boxes")
	lines = strings.Split(strings.TrimSpace(stdout), "\n")
	require.Equal(t, "mesh\tface\tclass\tP(2)\tP(4)", lines[0])
	require.Len(t, lines, 1+20*12)
	require.Contains(t, lines[14], "flat/02.off\t1\t")
	stdout, _ = done(t, predict+"boxes/long/01.off --json")
	require.Contains(t, stdout, `{"mesh":"boxes/long/01.off","number":0,"class":"`)
	for line, want := range map[string]string{
		"train --mesh boxes --labels faces --model gin": `"gin" has no outputs for vertices`,
		"train --mesh boxes --labels vertices":          "12 labels, but the mesh has 8 vertices",
		"train --mesh boxes --test boxes/flat":          "boxes/flat: 00.off lies in no folder",
		"train --mesh boxes.csv --model gin":            `model "gin" is for graphs`,
	} {
		fails(t, want, line)
	}
}
