package mesh

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rounded returns the mesh with the coordinates that float32 has for them, which binary STL keeps, and with
// its vertices in the order in which triangles meet them, which welding gives.
func rounded(m *Mesh) *Mesh {
	number, out := map[int32]int32{}, &Mesh{}
	for _, v := range m.Triangles {
		if _, ok := number[v]; !ok {
			number[v] = int32(len(number))
			for _, x := range m.Vertices[3*v : 3*v+3] {
				out.Vertices = append(out.Vertices, float64(float32(x)))
			}
		}
		out.Triangles = append(out.Triangles, number[v])
	}
	return out
}

// TestRoundTrip writes and reads every format, plain and packed: not a bit changes.
func TestRoundTrip(t *testing.T) {
	want := rounded(torus(13, 7))
	for _, f := range formats {
		data := encode(t, want, f.write)
		for _, content := range [][]byte{data, pack(t, data)} {
			for _, name := range []string{f.name, "no extension"} { // the content says what it is
				got, err := parse(content, name)
				if f.name == "mesh.stl" && name != f.name {
					require.ErrorContains(t, err, "is not a mesh in the format OFF, OBJ, STL or PLY", f.name)
					continue
				}
				require.NoError(t, err, f.name)
				require.Equal(t, want, got, f.name)
			}
		}
	}
	for _, name := range []string{"a.off", "b.OBJ", "c.stl.gz", "d.ply", "e.PLY.gz"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, want.Write(path))
		got, err := Read(path)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	require.ErrorContains(t, want.Write("x.vtk"), ".off, .obj, .stl or .ply")
}

// TestDialects reads what programs in the field write.
func TestDialects(t *testing.T) {
	const points = "0 0 0\n1 0 0\n1 1 0\n0 1 .5\n"
	stl := "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 1 1 0\n" +
		" endloop\nendfacet\n" +
		"FACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX -0 0 0\nVERTEX 1 1 0\nVERTEX 0 1 5e-1\nENDLOOP\nENDFACET\n"
	header := "ply\nformat ascii 1.0\ncomment made by hand\nobj_info x\n"
	for name, text := range map[string]string{
		"colors.off": "COFF\n4 1 4\n" + strings.ReplaceAll(points, "\n",
			" 255 0 0 255\n") + "4 0 1 2 3 0 1 0\n",
		"comments.off": "# before\nOFF # here\n\n# counts\n4 2 0\n" + points + "3 0 1 2\n# face\n" +
			"3 0 2 3\n",
		"sameline.off":  "OFF 4 1 0\n" + points + "4 0 1 2 3\n",
		"modelnet.off":  "OFF4 1 0\n" + points + "4 0 1 2 3\n",
		"magicless.off": "4 1 0\n" + points + "4 0 1 2 3\n",
		"noedges.off":   "OFF\n4 1\n" + points + "4  0 1 2 3",
		"lines.off":     "OFF\n4 3 0\n" + points + "2 0 1\n4 0 1 2 3\n1 3\n",
		"crlf.off":      strings.ReplaceAll("OFF\n4 1 0\n"+points+"4 0 1 2 3\n", "\n", "\r\n"),
		"cr.off":        strings.ReplaceAll("OFF\n4 1 0\n"+points+"4 0 1 2 3\n", "\n", "\r"),
		"mark.off":      byteOrderMark + "OFF\n4 1 0\n" + points + "4 0 1 2 3\n",
		"plain.obj":     "v " + strings.ReplaceAll(points, "\n", "\nv ") + "1 2 3\nf 1 2 3 4",
		"slashes.obj": "mtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1\nvt 0 0\nvn 0 0 1\nv 1 1 0\n" +
			"v 0 1 .5\nusemtl red\ns off\nf 1/1/1 2/1/1 3//1 4/1\n",
		"negative.obj":  "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 .5\nf 1 -2 -1\nl 1 2\n",
		"continued.obj": "v 0 0 0\nv 1 0 \\\n0\nv 1 1 0\nv 0 1 .5\nf 1 2\\\n 3 \\\r\n4\n",
		"before.obj":    "f 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 .5\n",
		"two.stl": "solid a b c\n" + strings.Replace(stl, "FACET", "endsolid a\n\nsolid b\nFACET",
			1) + "endsolid",
		"one.stl": "Solid\n" + stl + "endsolid x",
		"plain.ply": header + "element vertex 4\nproperty float x\nproperty float y\n" +
			"property float z\nelement face 1\nproperty list uchar int vertex_index\n" +
			"end_header\n" + points + "4 0 1 2 3\n",
		"faces first.ply": header + "element face 1\nproperty uchar red\n" +
			"property list uint8 uint32 vertex_indices\nproperty list int int other\n" +
			"element vertex 4\nproperty float64 x\nproperty double y\nproperty float z\nend_header\n" +
			"9 4 0 1 2 3 2 7 8\n" + points,
		"order.ply": header + "element camera 2\nproperty int a\nproperty list char float b\n" +
			"element vertex 4\nproperty int z2\nproperty float z\nproperty float y\n" +
			"property list char int w\nproperty float x\n" +
			"element face 2\nproperty list uchar int vertex_index\nelement edge 1\nproperty int v\n" +
			"end_header\n1 2 .5 .6\n3 0\n" +
			"7 0 0 0 0\n7 0 0 1 4 1\n7 0 1 0 1\n7 .5 1 2 3 4 0\n3 0 1 2\n3 0 2 3\n1\n",
		"cr.ply": strings.ReplaceAll(header+"element vertex 4\nproperty float x\nproperty float y\n"+
			"property float z\nelement face 1\nproperty list uchar int vertex_index\n"+
			"end_header\n"+points+"4 0 1 2 3\n", "\n", "\r"),
	} {
		got, err := parse([]byte(text), name)
		require.NoError(t, err, name)
		if name == "plain.obj" {
			got.Vertices = got.Vertices[:12]
		}
		want := *square
		want.left = got.left // as one quadrilateral it is bent
		require.Equal(t, &want, got, name)
	}
	binary := header[:4] + "format binary_big_endian 1.0\nelement vertex 4\nproperty short x\n" +
		"property short y\nproperty float z\n" +
		"property uchar red\nelement face 1\nproperty list uchar ushort vertex_indices\n" +
		"property double area\nend_header\n" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\xff\x00\x01\x00\x00\x00\x00\x00\x00\xff" +
		"\x00\x01\x00\x01\x00\x00\x00\x00\xff\x00\x00\x00\x01\x3f\x00\x00\x00\xff" +
		"\x04\x00\x00\x00\x01\x00\x02\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00"
	got := must(parse([]byte(binary), "mixed.ply"))
	want := *square
	want.left.nonplanar = 1
	require.Equal(t, &want, got)
	negative := strings.Replace(binary, "end_header\n\x00\x00", "end_header\n\xff\xfe", 1)
	got = must(parse([]byte(negative), "a.ply"))
	require.Equal(t, -2.0, got.Vertices[0], "a short is signed")
}

// TestBadMeshes has the sentence, with its place, for each thing that can be wrong. What a file announces
// takes no memory.
func TestBadMeshes(t *testing.T) {
	path := t.TempDir()
	const ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n" +
		"property float z\n" +
		"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
	for _, c := range []struct{ name, text, want string }{
		{"a.off", "", "a.off is empty"},
		{"a.txt", "hello world", "is not a mesh in the format"},
		{"a.off", "OFF\n1 0\n1 2\n", "a.off, line 4: the file ends here"},
		{"a.off", "OFF\n1 0\n1 2 x\n", `line 3: "x" is not a number`},
		{"a.off", "OFF\n1 1\n1 2 nan\n3 0 0 0", "line 3: the vertex (1, 2, NaN) is not within ±1e+30"},
		{"a.off", "OFF\n1 1\n1 2 1e999\n3 0 0 0", "is not within ±1e+30"},
		{"a.off", "OFF\n2 0\n1 2 3\n", "line 4: the file ends here: it was cut off"},
		{"a.off", "OFF\n1 1 0\n1 2 3\n3 0 0 1", "line 4: vertex number 1, but there are 1 vertices"},
		{"a.off", "OFF\n1 1 0\n1 2 3\n3 0 0 -1", "vertex number -1"},
		{"a.off", "OFF\n1 1 0\n1 2 3\n3 0 0", "line 5: the file ends here"},
		{"a.off", "OFF\n1 1 0\n1 2 3\n-3 0 0", `"-3" is not a number of corners`},
		{"a.off", "OFF\n1 0 0\n1 2 3\n4 5 6", "line 4: there is more after the last face"},
		{"a.off", "OFF\n-1 0 0\n", `"-1" is not a number of vertices`},
		{"a.off", "OFF\n1 0 0 1 2 3 4\n", "line 2: there is more after the last vertex"},
		{"a.off", "OFF\n1 1 0\n1 2 3\n700000000 0 0 0", "line 5: the file ends here"},
		{"a.off", "4OFF\n1 0 0\n1 2 3 1", "other than three coordinates"},
		{"a.off", "OFF BINARY\n", "binary OFF is not read"},
		{"a.off", "OFF\n1000000000 0 0\n", "is not a number of vertices"},
		{"a.off", "OFF\n700000000 700000000 0\n", "the file ends here"},
		{"a.off", "OFF\n99999999999 0 0\n", "is not a number of vertices"},
		{"a.obj", "v 1 2\n", "line 1: 2 numbers where 3"},
		{"a.obj", "v 1 2 3\n\nf 1 1 2\n", "line 3: vertex number 2, but there are 1 vertices"},
		{"a.obj", "v 1 2 3\nf 1 1 0\n", "vertex number 0: they count from 1"},
		{"a.obj", "v 1 2 3\nf 1 1 -2\n", "vertex number -2, but only 1 vertices before it"},
		{"a.obj", "v 1 2 3\nf 1 1 a/b\n", `"a" is not a vertex number`},
		{"a.obj", "v 1 2 3\n1 2\n", `line 2: the statement "1" is not read`},
		{"a.obj", "v 1 2 3\nf 1 \\\n1 2", "line 3: vertex number 2"},
		{"a.stl", "solid\nfacet normal 0 0 1\n", "line 3: the file ends here"},
		{"a.stl", "solid\nvertex 0 0 1\n", `line 2: "vertex" here`},
		{"a.stl", "solid\nfacet\nouter loop\nvertex 1 2 3\nendloop\n",
			`line 5: "endloop" here, where "vertex" belongs`},
		{"a.stl", "solid\nfacet\nouter loop\nvertex 1 2\n", "line 4: 2 numbers"},
		{"a.stl", "solid\nfaczt\n", `line 2: "faczt" here, but a solid has facets`},
		{"a.stl", "sollid\n", `begins with "sollid", is not a mesh`},
		{"a.stl", strings.Repeat("\x00", 80) + "\x02\x00\x00\x00" + strings.Repeat("\x00", 50),
			"byte 134: the file ends here"},
		{"a.stl", strings.Repeat("\x00", 84+50), "more after the last triangle"},
		{"a.stl", strings.Repeat("\x00", 80) + "\xff\xff\xff\xff" + strings.Repeat("\x00", 50),
			"the file ends here"},
		{"a.stl", strings.Repeat("\x00", 80) + "\x01\x00\x00\x00" + strings.Repeat("\xff", 50),
			"is not within ±1e+30"},
		{"a.ply", "plyx\n", `begins with "plyx", is not a mesh`},
		{"a.ply", "ply\nformat ascii 1.0\n", `line 2: there is no line "end_header"`},
		{"a.ply", "ply\nformat asci 1.0\nend_header\n", "the format is not ascii,"},
		{"a.ply", "ply\nelement vertex x\nend_header\n", `line 2: "x" is not a number of members`},
		{"a.ply", "ply\nproperty float x\nend_header\n", `line 2: "property float x" does not belong here`},
		{"a.ply", "ply\nelement vertex 3\nproperty real x\nend_header\n", `"real" is not a type`},
		{"a.ply", "ply\nelement vertex 3\nelement vertex 3\nend_header\n", "there twice"},
		{"a.ply", "ply\nelement vertex 3\nproperty list float int x\nend_header\n", "is not a property"},
		{"a.ply", "ply\nformat ascii 1.0\nelement dust 1000000000\nend_header\n", "has no properties"},
		{"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
			"no coordinate y"},
		{"a.ply", strings.Replace(ply, "int vertex_indices", "float vertex_indices", 1),
			"no list \"vertex_indices\" of integers"},
		{"a.ply", "ply\nformat ascii 1.0\nelement tristrips 1\n" +
			"property list int int vertex_indices\nend_header\n1 1\n", "triangle strips"},
		{"a.ply", ply, "line 13: the file ends here"},
		{"a.ply", ply + "3 0 1\n", "line 13: the line ends before its last number"},
		{"a.ply", ply + "3 0 1 3\n", "line 13: vertex number 3, but there are 3"},
		{"a.ply", ply + "3 0 1 2.5\n", `"2.5" is not a whole number`},
		{"a.ply", ply + "-1\n", "a list"},
		{"a.ply", ply + "3 0 1 2 3\n", `goes on with "3"`},
		{"a.ply", ply + "3 0 1 2\n1\n", "there is more after the last element"},
		{"a.ply", strings.Replace(ply, "vertex 3", "vertex 1000000000", 1), "the file ends here"},
		{"a.ply", strings.Replace(ply, "face 1", "face 1000000000", 1) + "3 0 1 2\n", "the file ends here"},
		{"a.ply", strings.Replace(ply, "ascii", "binary_little_endian", 1), "byte 187: the file ends here"},
		{"a.ply", "ply\nformat ascii 1.0\nelement face 2000000000\nproperty list uint int vertex_indices\n" +
			"end_header\n2000000000 0\n", "the line ends before its last number"},
		{"a.ply", "ply\nformat binary_little_endian 1.0\nelement face 2000000000\n" +
			"property list uint int vertex_indices\nelement vertex 9\nproperty float x\nproperty float y\n" +
			"property float z\nend_header\n\xff\xff\xff\x7f\x00\x00\x00\x00", "the file ends here"},
		{"a.ply", "ply\nformat binary_little_endian 1.0\nelement x 2000000000\n" +
			"property list uint int y\nend_header\n\xff\xff\xff\x7f\x00\x00\x00\x00", "the file ends here"},
		{"a.off.gz", "\x1f\x8bnothing", "damaged gzip"},
		{"a.off", string(pack(t, []byte("OFF\n1 0 0\n"))[:20]), "a.off, line 3: the file ends here"},
	} {
		_, err := parse([]byte(c.text), c.name)
		require.ErrorContains(t, err, c.want, "%s: %q", c.name, c.text)
		file := filepath.Join(path, c.name)
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o666))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = Read(file)
		runtime.ReadMemStats(&after)
		require.Error(t, err, "%s: %q", c.name, c.text)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), "%s: %q", c.name, c.text)
	}
	_, err := Read(t.TempDir())
	require.ErrorContains(t, err, "is not a file")
	_, err = Read("/no such file.off")
	require.ErrorContains(t, err, "no such file")
}

// fuzz reads anything as a file of that name, and what is read is written and read again.
func fuzz(f *testing.F, name string, format func(*bufio.Writer, *Mesh), seeds ...func(*bufio.Writer, *Mesh)) {
	for _, seed := range seeds {
		f.Add(encode(f, square, seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(data, name)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), name), err.Error())
			return
		}
		require.NoError(t, m.Validate())
		again := must(parse(encode(t, m, format), name))
		require.Equal(t, m.Triangles, again.Triangles)
		require.Equal(t, len(m.Vertices), len(again.Vertices))
		m.Orient()
		m.Inspect()
	})
}

func FuzzOFF(f *testing.F) { fuzz(f, "x.off", writeOFF, writeOFF) }
func FuzzOBJ(f *testing.F) { fuzz(f, "x.obj", writeOBJ, writeOBJ) }
func FuzzSTL(f *testing.F) { fuzz(f, "x.stl", textSTL, writeSTL, textSTL) }
func FuzzPLY(f *testing.F) { fuzz(f, "x.ply", writePLY, writePLY, bigPLY, textPLY) }

// BenchmarkDecode reads a torus of 10⁶ triangles from memory, in each format.
func BenchmarkDecode(b *testing.B) {
	for _, f := range formats {
		b.Run(f.name, func(b *testing.B) {
			var file bytes.Buffer
			require.NoError(b, torus(708, 708).encode(&file, f.write))
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				must(parse(file.Bytes(), f.name))
			}
		})
	}
}
