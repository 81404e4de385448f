package mesh

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnnounced reads files that announce billions and hold nothing.
func TestAnnounced(t *testing.T) {
	for name, text := range map[string]string{
		"a.off": "OFF\n1000000000 1000000000 0\n",
		"b.ply": "ply\nformat ascii 1.0\nelement face 2000000000\n" +
			"property list uint int vertex_indices\nend_header\n2000000000 0\n",
		"c.ply": "ply\nformat binary_little_endian 1.0\nelement face 2000000000\n" +
			"property list uint int vertex_indices\nelement vertex 9\nproperty float x\n" +
			"property float y\nproperty float z\nend_header\n\xff\xff\xff\x7f\x00\x00\x00\x00",
		"d.stl": strings.Repeat("\x00", 80) + "\xff\xff\xff\xff",
		"e.ply": "ply\nformat binary_little_endian 1.0\nelement x 2000000000\n" +
			"property list uint double y\nend_header\n\xff\xff\xff\x7f\x00\x00\x00\x00",
	} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(path)
		runtime.ReadMemStats(&after)
		require.Error(t, err, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), name)
	}
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
