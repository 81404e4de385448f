package damage_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	paths "github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
)

// format is a kind of file, with a sound one.
type format struct {
	name, file string                                  // of the format and of the file
	members    map[string][]byte                       // by name; "" is all of a plain file
	pack       func(members map[string][]byte) []byte  // nil for plain files
	read       func(path string) (err, nonsense error) // data that it accepts must hold together
	place      *regexp.Regexp                          // that errors have; nil: none but the file
}

// write makes a file and returns its path: a sound one without random numbers, else a damaged one, with the
// fault in the content or in the packed file.
func (f format) write(t *testing.T, r *rand.Rand) string {
	t.Helper()
	folder, members := t.TempDir(), maps.Clone(f.members)
	inside := r != nil && (f.pack == nil || r.IntN(2) == 0)
	if inside {
		names := slices.Sorted(maps.Keys(members))
		name := names[r.IntN(len(names))]
		members[name] = mutate(r, members[name])
	}
	data := members[""]
	if f.pack != nil {
		data = f.pack(members)
	}
	if r != nil && !inside {
		data = mutate(r, data)
	}
	path := filepath.Join(folder, f.file)
	require.NoError(t, os.WriteFile(path, data, 0o666))
	return path
}

// zipped packs files as an archive, and gzipped one file; the content says that it is packed, not the name.
func zipped(members map[string][]byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member, _ := w.Create(name) // memory takes all
		_, _ = member.Write(members[name])
	}
	_ = w.Close()
	return b.Bytes()
}

func gzipped(members map[string][]byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(members[""])
	_ = w.Close()
	return b.Bytes()
}

// announced finds in the head of a file the number of vertices of a mesh, or of dimensions of series.
var announced = map[string]*regexp.Regexp{
	".off": regexp.MustCompile(`^OFF\n(\d+) \d+ \d+\n`),
	".ply": regexp.MustCompile(`\nelement vertex (\d+)\n`),
	".ts":  regexp.MustCompile(`(?m)^@dimensions ([1-9]\d*)$`), // 0: unknown
}

// asAnnounced returns an error unless a plain file announces that number, or none.
func asAnnounced(path string, number int) error {
	data, err := os.ReadFile(path)
	if head := announced[filepath.Ext(path)]; err == nil && head != nil {
		if found := head.FindSubmatch(data); found != nil && string(found[1]) != fmt.Sprint(number) {
			err = fmt.Errorf("%s announced, %d read", found[1], number)
		}
	}
	return err
}

// readMesh reads a mesh.
func readMesh(path string) (err, nonsense error) {
	m, err := mesh.Read(path)
	if err != nil {
		return err, nil
	}
	_, unwritten := json.Marshal(m.Inspect())
	return nil, cmp.Or(m.Validate(), unwritten, asAnnounced(path, len(m.Vertices)/3))
}

func valid(c *datasets.Collection, err error) error {
	if err == nil {
		err = c.Validate()
	}
	return err
}

// readGraphs reads a TU data set.
func readGraphs(path string) (err, nonsense error) {
	a, err := tu.Open(path)
	if err != nil || a.GraphLabels == nil {
		return err, nil
	}
	c, err := a.Collection(tu.Automatic)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err), nil
	}
	return nil, c.Validate()
}

func readMolecules(path string) (err, nonsense error) {
	columns := moleculenet.Columns{SMILES: "smiles", Labels: []string{"active"}, ID: "id"}
	m, err := moleculenet.Open(path, columns)
	if err != nil {
		return err, nil
	}
	return nil, valid(m.Collection(moleculenet.Numbers))
}

// readPaths reads time series, or a table of paths.
func readPaths(columns paths.Columns) func(path string) (err, nonsense error) {
	return func(path string) (err, nonsense error) {
		var s *paths.Set
		if filepath.Ext(path) == ".ts" {
			s, err = paths.OpenTS(path)
		} else {
			s, err = paths.OpenTable(columns, path)
		}
		if err != nil {
			return err, nil
		}
		if len(s.Split.Train) != s.Len() {
			nonsense = fmt.Errorf("%d of %d paths are to be trained on", len(s.Split.Train), s.Len())
		}
		return nil, valid(s.Collection, cmp.Or(nonsense, asAnnounced(path, s.Dim)))
	}
}

// formats returns all formats.
func formats(t *testing.T) (all []format) {
	add := func(name, file string, data []byte, place string, read func(string) (error, error)) *format {
		f := format{name: name, file: file, members: map[string][]byte{"": data}, read: read}
		if place != "" { // errors have a line or byte, or are about the file as a whole
			f.place = regexp.MustCompile(`(line|byte|row) \d+|damaged gzip|` + place)
		}
		all = append(all, f)
		return &all[len(all)-1]
	}
	packed := func(f format) {
		f.name, f.pack = f.name+" packed", gzipped
		all = append(all, f)
	}
	torus := mesh.Torus(7, 5, func(u, v float64) (x, y, z float64) {
		r, short := 2+math.Cos(v), func(x float64) float64 { return float64(float32(x)) }
		return short(r * math.Cos(u)), short(r * math.Sin(u)), short(math.Sin(v))
	})
	meshes := map[string][]byte{"polygons.off": []byte(polygons), "text.ply": []byte(textPLY),
		"text.stl": []byte(textSTL)}
	for _, ext := range []string{".off", ".obj", ".ply", ".stl"} {
		path := filepath.Join(t.TempDir(), "m"+ext)
		require.NoError(t, torus.Write(path))
		var err error
		meshes["a"+ext], err = os.ReadFile(path)
		require.NoError(t, err)
	}
	for _, file := range slices.Sorted(maps.Keys(meshes)) {
		f := *add(file, file, meshes[file], `is empty|no mesh in the format|begins with`, readMesh)
		if file == "a.off" || file == "a.ply" {
			packed(f)
		}
	}
	archive := add("TU", "SET.zip", nil, "", readGraphs)
	archive.members, archive.pack = graphs(), zipped
	packed(*add("molecules", "a.csv", []byte(molecules), "", readMolecules))
	const whole = `no line @data|no series|no path|is empty|no column|names the columns`
	usual := paths.Columns{ID: "path", Coordinates: []string{"x", "y"}, Order: "when", Label: "kind"}
	packed(*add("series", "a.ts", []byte(series), whole, readPaths(paths.Columns{})))
	add("table of paths", "a.csv", []byte(table), whole, readPaths(usual))
	return all
}

// graphs are the files of a TU data set.
func graphs() map[string][]byte {
	files, node := map[string][]byte{}, 0
	write := func(kind, format string, values ...any) {
		name := "SET_" + kind + ".txt"
		files[name] = fmt.Appendf(files[name], format+"\n", values...)
	}
	for g := range 6 {
		write("graph_labels", "%d", g%2)
		write("graph_attributes", "%v", 0.5*float64(g))
		for v := range 4 + g {
			write("graph_indicator", "%d", g+1)
			write("node_labels", "%d", v%3)
			write("node_attributes", "%d.5, %d", v, -g)
			if node++; v > 0 {
				write("A", "%d, %d\n%d, %d", node-1, node, node, node-1)
			}
		}
	}
	return files
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

	series = "# waves\n@problemName Waves\n@timeStamps false\n@missing true\n@univariate false\n" +
		"@dimensions 2\n@equalLength false\n@classLabel true up down\n@data\n" +
		"1,2.5,-3e0:4,?,6:down\n7,8:9,10:up\n0.1,0.2,0.3,0.4:1,2,NaN,4:up\n"

	table = "path;when;x;y;kind\r\nb;2.5;-179.5;1;east\r\na;60;10;46;north\r\n" +
		"a;0;10;45;north\r\nb;1;179.5;0;\r\nc;1;0;0;\r\n"
)
