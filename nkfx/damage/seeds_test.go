package damage_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/mesh"
)

// torus returns a torus of 7 times 5 squares.
func torus() *mesh.Mesh {
	return mesh.Torus(7, 5, func(u, v float64) (x, y, z float64) {
		r, short := 2+math.Cos(v), func(x float64) float64 { return float64(float32(x)) }
		return short(r * math.Cos(u)), short(r * math.Sin(u)), short(math.Sin(v))
	})
}

// encoded returns a mesh in a format of files.
func encoded(t *testing.T, extension string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m"+extension)
	require.NoError(t, torus().Write(path))
	return read(t, path)
}

// textSTL returns the torus as STL in text, textPLY as PLY in text.
func textSTL() []byte {
	m, b := torus(), bytes.NewBufferString("solid torus\n")
	for i := 0; i < len(m.Triangles); i += 3 {
		b.WriteString("facet normal 0 0 0\nouter loop\n")
		for _, v := range m.Triangles[i : i+3] {
			x := m.Vertices[3*v : 3*v+3]
			fmt.Fprintf(b, "vertex %v %v %v\n", x[0], x[1], x[2])
		}
		b.WriteString("endloop\nendfacet\n")
	}
	b.WriteString("endsolid torus\n")
	return b.Bytes()
}

func textPLY() []byte {
	m := torus()
	vertices, triangles := m.Len()
	b := bytes.NewBufferString(fmt.Sprintf("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\n"+
		"property float y\nproperty float z\nelement face %d\nproperty list uchar int vertex_indices\n"+
		"end_header\n", vertices, triangles))
	for v := range vertices {
		fmt.Fprintln(b, strings.Trim(fmt.Sprint(m.Vertices[3*v:3*v+3]), "[]"))
	}
	for i := 0; i < len(m.Triangles); i += 3 {
		fmt.Fprintln(b, 3, strings.Trim(fmt.Sprint(m.Triangles[i:i+3]), "[]"))
	}
	return b.Bytes()
}

// polygons is a mesh of a concave polygon, a square and a triangle.
const polygons = "OFF\n8 3 0\n0 0 0\n2 -1 0\n1 0 0\n2 1 0\n0 1 1\n1 1 1\n1 2 1\n0 2 1\n" +
	"4 0 1 2 3\n4 4 5 6 7\n3 0 4 5\n"

// numbersOf returns n integers below the bound, one a line.
func numbersOf(n, bound int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintln(&b, i%bound)
	}
	return b.Bytes()
}

// graphs are the files of a TU data set.
func graphs() map[string][]byte {
	set := map[string]*bytes.Buffer{}
	for _, kind := range []string{"A", "graph_indicator", "graph_labels", "node_labels", "node_attributes",
		"graph_attributes"} {
		set[kind] = &bytes.Buffer{}
	}
	node := 0
	for g := range 6 {
		fmt.Fprintln(set["graph_labels"], g%2)
		fmt.Fprintln(set["graph_attributes"], 0.5*float64(g))
		for v := range 4 + g {
			fmt.Fprintln(set["graph_indicator"], g+1)
			fmt.Fprintln(set["node_labels"], v%3)
			fmt.Fprintf(set["node_attributes"], "%d.5, %d\n", v, -g)
			if node++; v > 0 {
				fmt.Fprintf(set["A"], "%d, %d\n%d, %d\n", node-1, node, node, node-1)
			}
		}
	}
	files := map[string][]byte{}
	for kind, b := range set {
		files["SET_"+kind+".txt"] = b.Bytes()
	}
	return files
}

const molecules = "id,smiles,active\n1,CCO,0\n2,c1ccccc1C(=O)O,1\n3,C[C@H](N)C(=O)O,0\n4,[Na+].[Cl-],1\n" +
	"5,CC(C)Cc1ccc(cc1)C(C)C(=O)O,0\n6,F/C=C/F,1\n7,O=C1CCCN1,0\n8,C1CC2CCC1C2,1\n"

const series = "# waves\n@problemName Waves\n@timeStamps false\n@missing true\n@univariate false\n" +
	"@dimensions 2\n@equalLength false\n@classLabel true up down\n@data\n" +
	"1,2.5,-3e0:4,?,6:down\n7,8:9,10:up\n0.1,0.2,0.3,0.4:1,2,NaN,4:up\n"

const table = "track;when;lon;lat;kind\r\nb;2020-01-02;-179.5;1;east\r\n" +
	"a;2020-01-01T00:01:00Z;10;46;north\r\n" +
	"a;2020-01-01T00:00:00Z;10;45;north\r\nb;2020-01-01;179.5;0;\r\nc;2020-01-01;0;0;\r\n"

const gpx = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
 <trk><name>b</name><type>east</type>
  <trkseg><trkpt lat="0" lon="179.5"><ele>5</ele><time>2020-01-01T00:00:01Z</time></trkpt></trkseg>
  <trkseg><trkpt lat="1" lon="-179.5"><time>2020-01-01T00:00:02.5Z</time></trkpt></trkseg>
 </trk>
 <trk><name>a</name><type>north</type>
  <trkseg><trkpt lat="46" lon="10"><time>2020-01-01T00:01:00Z</time></trkpt>
  <trkpt lat="45" lon="10"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk>
</gpx>`

const geojson = `{"type": "FeatureCollection", "features": [
 {"type": "Feature", "id": "b", "properties": {"kind": "east",
  "coordTimes": [["2020-01-01"], ["2020-01-02"]]},
  "geometry": {"type": "MultiLineString", "coordinates": [[[179.5, 0, 5]], [[-179.5, 1]]]}},
 {"type": "Feature", "id": 7, "properties": {"kind": "north",
  "coordTimes": ["2020-01-01T00:01:00Z", "2020-01-01T00:00:00Z"]},
  "geometry": {"type": "LineString", "coordinates": [[10, 46], [10, 45]]}}
], "name": "x"}
`

// zipped returns an archive of files, of which one is damaged by change.
func zipped(t *testing.T, files map[string][]byte, r *rand.Rand) []byte {
	t.Helper()
	names := slices.Sorted(maps.Keys(files))
	damaged := ""
	if r != nil {
		damaged = names[r.IntN(len(names))]
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		member, err := w.Create(name)
		require.NoError(t, err)
		data := files[name]
		if name == damaged {
			data = mutate(r, data)
		}
		_, err = member.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}
