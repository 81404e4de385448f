package damage_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	tracks "github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/tu"
)

// format is a kind of file, with a sound one.
type format struct {
	name, file string // of the format and of the file
	// write makes a file in a folder and returns its path: a sound one without random numbers, else a damaged
	// one.
	write func(t *testing.T, folder string, r *rand.Rand) string
	// read reads a file; data that it accepts must hold together.
	read  func(path string) (err, nonsense error)
	place *regexp.Regexp // that errors have; nil: none but the file
}

// plain returns a format of files that are damaged as they are.
func plain(name, file string, data []byte, read func(string) (error, error)) format {
	return format{name: name, file: file, read: read, write: func(t *testing.T, folder string,
		r *rand.Rand) string {
		out := data
		if r != nil {
			out = mutate(r, data)
		}
		return put(t, folder, file, out)
	}}
}

func put(t *testing.T, folder, file string, data []byte) string {
	t.Helper()
	path := filepath.Join(folder, file)
	require.NoError(t, os.WriteFile(path, data, 0o666))
	return path
}

// packed returns the format packed by gzip, with the fault in the content or in the packed file. The content
// says that it is packed, not the name.
func packed(f format) format {
	write := f.write
	f.name += " packed"
	f.write = func(t *testing.T, folder string, r *rand.Rand) string {
		inner := r
		if r != nil && r.IntN(2) == 0 {
			inner = nil
		}
		path := write(t, folder, inner)
		data := gzipped(t, read(t, path))
		require.NoError(t, os.Remove(path))
		if r != nil && inner == nil {
			data = mutate(r, data)
		}
		return put(t, folder, f.file, data)
	}
	return f
}

// readMesh reads a mesh, whose numbers must be those that the head of a plain file announces.
func readMesh(path string) (err, nonsense error) {
	m, err := mesh.Read(path)
	if err != nil {
		return err, nil
	}
	if nonsense = m.Validate(); nonsense != nil {
		return nil, nonsense
	}
	r := m.Inspect()
	if _, nonsense = json.Marshal(r); nonsense != nil {
		return nil, nonsense
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	vertices, triangles := m.Len()
	want := -1
	switch filepath.Ext(path) {
	case ".off":
		if head := regexp.MustCompile(`^OFF\n(\d+) \d+ \d+\n`).FindSubmatch(data); head != nil {
			want, _ = strconv.Atoi(string(head[1]))
		}
	case ".ply":
		if head := regexp.MustCompile(`\nelement vertex (\d+)\n`).FindSubmatch(data); head != nil {
			want, _ = strconv.Atoi(string(head[1]))
		}
	case ".stl":
		if bytes.IndexByte(data[:min(len(data), 80)], 0) >= 0 && len(data) >= 84 {
			if count := binary.LittleEndian.Uint32(data[80:]); int(count) != triangles {
				return nil, fmt.Errorf("%d triangles announced, %d read", count, triangles)
			}
		}
	}
	if want >= 0 && want != vertices {
		return nil, fmt.Errorf("%d vertices announced, %d read", want, vertices)
	}
	return nil, nil
}

// readSet reads a set of meshes with classes of triangles.
func readSet(path string) (err, nonsense error) {
	s, err := mesh.Open(filepath.Dir(path), mesh.Faces)
	if err != nil {
		return err, nil
	}
	c, nonsense := mesh.Encoder{Labels: mesh.Faces}.Encode(s)
	if nonsense == nil {
		nonsense = c.Validate()
	}
	return nil, nonsense
}

// readTable reads a list of meshes.
func readTable(path string) (err, nonsense error) {
	s, err := mesh.Open(path, mesh.Whole)
	if err != nil {
		return err, nil
	}
	c, nonsense := mesh.Encoder{}.Encode(s)
	return nil, valid(c, nonsense)
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
	if err != nil {
		return err, nil
	}
	for g := range a.Graphs() {
		for _, v := range a.Edges[2*a.EdgeStart[g] : 2*a.EdgeStart[g+1]] {
			if v < 0 || v >= a.NodeStart[g+1]-a.NodeStart[g] {
				return nil, fmt.Errorf("graph %d: node %d", g, v)
			}
		}
	}
	if a.GraphLabels == nil {
		return nil, nil
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
	c, nonsense := m.Collection(moleculenet.Numbers)
	return nil, valid(c, nonsense)
}

// readPaths reads time series or tracks.
func readPaths(columns tracks.Columns) func(path string) (err, nonsense error) {
	return func(path string) (err, nonsense error) {
		var s *tracks.Set
		if filepath.Ext(strings.TrimSuffix(path, ".gz")) == ".ts" {
			s, err = tracks.OpenTS(path)
		} else {
			s, err = tracks.OpenTracks(columns, path)
		}
		if err != nil {
			return err, nil
		}
		if len(s.Split.Train) != s.Len() {
			nonsense = fmt.Errorf("%d of %d paths are to be trained on", len(s.Split.Train), s.Len())
		}
		return nil, valid(s.Collection, cmp.Or(nonsense, asDeclared(s, path)))
	}
}

// asDeclared returns an error unless series have the dimensions that their file declares, and tracks lie on
// the earth.
func asDeclared(s *tracks.Set, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch filepath.Ext(path) {
	case ".ts":
		head := regexp.MustCompile(`(?m)^@dimensions (\d+)$`).FindSubmatch(data)
		if head != nil && string(head[1]) != "0" && string(head[1]) != strconv.Itoa(s.Dim) { // 0: unknown
			return fmt.Errorf("%d dimensions of %s declared", s.Dim, head[1])
		}
	case ".gpx", ".geojson":
		for g := range s.Len() {
			for i, x := range s.Points(g) {
				if i%s.Dim == 1 && math.Abs(float64(x)) > 90 {
					return fmt.Errorf("path %d has the latitude %v", g, x)
				}
			}
		}
	}
	return nil
}

// placed are errors with a line or byte, or about the file as a whole.
func placed(whole string) *regexp.Regexp {
	return regexp.MustCompile(`(line|byte|row) \d+|damaged gzip|` + whole)
}

// formats returns all formats.
func formats(t *testing.T) []format {
	off, obj, ply := encoded(t, ".off"), encoded(t, ".obj"), encoded(t, ".ply")
	meshes := []format{
		plain("OFF", "a.off", off, readMesh), plain("polygons", "a.off", []byte(polygons), readMesh),
		plain("OBJ", "a.obj", obj, readMesh), plain("PLY", "a.ply", ply, readMesh),
		plain("text PLY", "a.ply", textPLY(), readMesh), plain("text STL", "a.stl", textSTL(), readMesh),
		plain("STL", "a.stl", encoded(t, ".stl"), readMesh),
	}
	for i := range meshes {
		meshes[i].place = placed(`is empty|no mesh in the format|begins with`)
	}
	labels := plain("SEG", "a.seg", numbersOf(70, 4), readSet)
	labels.write = func(t *testing.T, folder string, r *rand.Rand) string {
		folder, err := os.MkdirTemp(folder, "set-")
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(folder, "c"), 0o777))
		put(t, filepath.Join(folder, "c"), "a.off", off)
		data := numbersOf(70, 4)
		if r != nil {
			data = mutate(r, data)
		}
		return put(t, filepath.Join(folder, "c"), "a.seg", data)
	}
	labels.read = func(path string) (err, nonsense error) { return readSet(filepath.Dir(path)) }
	list := plain("mesh table", "a.csv", []byte("file,x,y\na.off,1,0.5\na.off,0,1.5\n"), readTable)
	writeList := list.write
	list.write = func(t *testing.T, folder string, r *rand.Rand) string {
		put(t, folder, "a.off", off)
		return writeList(t, folder, r)
	}
	zips := format{name: "TU", file: "SET.zip", read: readGraphs, write: func(t *testing.T,
		folder string,
		r *rand.Rand) string {
		if r == nil || r.IntN(2) == 0 {
			return put(t, folder, "SET.zip", zipped(t, graphs(), r))
		}
		return put(t, folder, "SET.zip", mutate(r, zipped(t, graphs(), nil)))
	}}
	csv := plain("molecules", "a.csv", []byte(molecules), readMolecules)
	usual := tracks.Columns{ID: "track", Coordinates: []string{"lon", "lat"}, Time: "when", Label: "kind"}
	paths := []format{
		plain("series", "a.ts", []byte(series), readPaths(tracks.Columns{})),
		plain("track table", "a.csv", []byte(table), readPaths(usual)),
		plain("GPX", "a.gpx", []byte(gpx), readPaths(tracks.Columns{Label: "type"})),
		plain("GeoJSON", "a.geojson", []byte(geojson), readPaths(tracks.Columns{Label: "kind"})),
	}
	for i := range paths {
		paths[i].place = placed(`no line @data|no series|no track|is empty|no column|names the columns`)
	}
	all := append(meshes, labels, list, zips, csv)
	all = append(all, paths...)
	return append(all, packed(meshes[0]), packed(meshes[3]), packed(csv), packed(paths[0]), packed(paths[2]))
}
