package damage_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
)

// format is a kind of file, with a sound one.
type format struct {
	name    string            // of the file
	members map[string]string // of an archive; "" is all of another file
	pack    func(members map[string]string) []byte
	open    opener
	place   *regexp.Regexp // that errors have
}

type opener func(path string) (datasets.Source, error)

func openMesh(path string) (datasets.Source, error)   { return mesh.Open(path) }
func openGraphs(path string) (datasets.Source, error) { return tu.Open(path) }
func openSeries(path string) (datasets.Source, error) { return series.OpenTS(path) }

func openTable(path string) (datasets.Source, error) {
	columns := series.Columns{ID: "path", Coordinates: []string{"x", "y"}, Order: "when", Label: "kind"}
	return series.OpenTable(columns, path)
}

func openMolecules(path string) (datasets.Source, error) {
	columns := moleculenet.Columns{SMILES: "smiles", Labels: []string{"active"}, ID: "id"}
	return moleculenet.Open(path, columns)
}

// plain is a file that is not packed, gzipped one that is, as only its content says, and zipped an archive.
func plain(members map[string]string) []byte { return []byte(members[""]) }

func gzipped(members map[string]string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(plain(members)) // memory takes all
	_ = w.Close()
	return b.Bytes()
}

func zipped(members map[string]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member, _ := w.Create("SET_" + name + ".txt")
		_, _ = member.Write([]byte(members[name]))
	}
	_ = w.Close()
	return b.Bytes()
}

// Errors have a place, or are about a mesh or a table of paths as a whole.
const (
	place      = `(line|byte|row) \d+|damaged gzip|is empty|`
	wholeMesh  = place + `no mesh in the format|begins with|no triangle`
	wholePaths = place + `no line @data|no series|no path|no column|names the columns`
)

// formats returns all formats.
func formats(t *testing.T) []format {
	t.Helper()
	all := []format{{"SET.zip", graphs, zipped, openGraphs, regexp.MustCompile("")}}
	add := func(name, text, place string, open opener) {
		members, at := map[string]string{"": text}, regexp.MustCompile(place)
		all = append(all, format{name, members, plain, open, at}, format{name, members, gzipped, open, at})
	}
	torus := mesh.Torus(7, 5, func(u, v float64) (x, y, z float64) {
		r, short := 2+math.Cos(v), func(x float64) float64 { return float64(float32(x)) }
		return short(r * math.Cos(u)), short(r * math.Sin(u)), short(math.Sin(v))
	})
	for _, name := range []string{"a.off", "a.obj", "a.ply", "a.stl"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, torus.Write(path))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		add(name, string(text), wholeMesh, openMesh)
	}
	add("polygons.off", polygons, wholeMesh, openMesh)
	add("text.ply", textPLY, wholeMesh, openMesh)
	add("text.stl", textSTL, wholeMesh, openMesh)
	add("molecules.csv", molecules, "", openMolecules)
	add("paths.csv", table, wholePaths, openTable)
	add("a.ts", waves, wholePaths, openSeries)
	return all
}

// graphs are the files of a TU data set: two paths of three vertices and a triangle.
var graphs = map[string]string{
	"A":                "1,2\n2,1\n2,3\n3,2\n4,5\n5,4\n5,6\n6,5\n7,8\n8,7\n8,9\n9,8\n9,7\n7,9\n",
	"graph_indicator":  "1\n1\n1\n2\n2\n2\n3\n3\n3\n",
	"graph_labels":     "0\n1\n0\n",
	"graph_attributes": "0\n0.5\n1\n",
	"node_labels":      "0\n1\n2\n0\n1\n2\n0\n1\n2\n",
	"node_attributes":  "0.5, 0\n1.5, 0\n2.5, 0\n0.5, -1\n1.5, -1\n2.5, -1\n0.5, -2\n1.5, -2\n2.5, -2\n",
}

// Sound files: a concave polygon, a square and a triangle; tetrahedra; molecules; series; paths.
const (
	polygons = "OFF\n8 3 0\n0 0 0\n2 -1 0\n1 0 0\n2 1 0\n0 1 1\n1 1 1\n1 2 1\n0 2 1\n" +
		"4 0 1 2 3\n4 4 5 6 7\n3 0 4 5\n"

	textPLY = "ply\nformat ascii 1.0\n" +
		"element vertex 4\nproperty float x\nproperty float y\nproperty float z\n" +
		"element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1.5 0 0\n0 1 0\n" +
		"0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

	facet   = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1.5 0 "
	textSTL = "solid a\n" + facet + "0\nvertex 0 1 0\nendloop\nendfacet\n" + facet + "0\nvertex 0 0 1\n" +
		"endloop\nendfacet\n" + facet + "1\nvertex 0 1 1\nendloop\nendfacet\nendsolid a\n"

	molecules = "id,smiles,active\n1,CCO,0\n2,c1ccccc1C(=O)O,1\n3,C[C@H](N)C(=O)O,0\n4,[Na+].[Cl-],1\n" +
		"5,CC(C)Cc1ccc(cc1)C(C)C(=O)O,0\n6,F/C=C/F,1\n7,O=C1CCCN1,0\n8,C1CC2CCC1C2,1\n"

	waves = "# waves\n@problemName Waves\n@timeStamps false\n@missing true\n@univariate false\n" +
		"@dimensions 2\n@equalLength false\n@classLabel true up down\n@data\n" +
		"1,2.5,-3e0:4,?,6:down\n7,8:9,10:up\n0.1,0.2,0.3,0.4:1,2,NaN,4:up\n"

	table = "path;when;x;y;kind\r\nb;2.5;-179.5;1;east\r\na;60;10;46;north\r\n" +
		"a;0;10;45;north\r\nb;1;179.5;0;\r\nc;1;0;0;\r\n"
)
