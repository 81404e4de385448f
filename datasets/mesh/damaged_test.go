package mesh

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// damage spoils a file in the way of the given number.
func damage(r *rand.Rand, way int, data []byte) []byte {
	out, at := bytes.Clone(data), r.IntN(len(data))
	switch way {
	case 0: // cut off
		return out[:at]
	case 1: // another byte
		out[at] = byte(r.Uint32())
	case 2: // a hole
		return append(out[:at], out[min(len(out), at+1+r.IntN(40)):]...)
	case 3: // a part twice
		return append(out[:at:at], data[max(0, at-60):]...)
	case 4: // zeros
		for i := at; i < min(len(out), at+20); i++ {
			out[i] = 0
		}
	case 5: // another digit, or ten of them
		for i := at; i < len(out); i++ {
			if out[i] >= '0' && out[i] <= '9' {
				digits := strings.Repeat("9", 1+9*r.IntN(2))
				return append(out[:i:i], append([]byte(digits), data[i+1:]...)...)
			}
		}
	case 6: // text in between
		return append(out[:at:at], append([]byte("\nlorem 1e400 nan -1\n"), data[at:]...)...)
	case 7: // the head, where counts are
		out[r.IntN(min(len(out), 200))] ^= byte(1 << r.IntN(8))
	case 8: // lines swapped or, of binary files, the order of bytes
		half := len(out) / 2
		return append(out[half:len(out):len(out)], out[:half]...)
	case 9: // noise
		for range 1 + len(out)/20 {
			out[r.IntN(len(out))] = byte(r.Uint32())
		}
	}
	return out
}

// sentence is what an error looks like: the file, the place, what is wrong.
var sentence = regexp.MustCompile(`(?s)^\S*mesh\.\w+(, (line|byte) \d+: .{5,}| is .{5,}|: .{5,})$`)

// TestDamaged reads 300 damaged files of all formats: each is a sentence or a mesh that holds together, and
// takes no more memory than a few times the file.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 0))
	want := rounded(torus(40, 25))
	path := t.TempDir()
	refused := 0
	for i := range 300 {
		f := formats[i%len(formats)]
		data := damage(r, i/len(formats)%10, encode(t, want, f.Format))
		name := filepath.Join(path, "mesh"+filepath.Ext(f.name))
		require.NoError(t, os.WriteFile(name, data, 0o666))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := Read(name)
		runtime.ReadMemStats(&after)
		// All that was ever allocated: two buffers of 128 KiB and what a test does beside, 2/3 MiB, and
		// arrays that grow by copying, where 6 bytes of text become the 24 of a vertex.
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2<<20/3+12*len(data)), "file %d", i)
		if err != nil {
			refused++
			require.Regexp(t, sentence, err.Error(), "file %d", i)
			require.NotContains(t, err.Error(), "\n")
			continue
		}
		require.NoError(t, got.Validate(), "file %d", i)
		require.NotPanics(t, func() { got.Inspect() }, "file %d", i)
	}
	t.Logf("%d of 300 were refused, the others are meshes", refused)
	require.Greater(t, refused, 150)
}

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
func fuzz(f *testing.F, name string, format Format, seeds ...Format) {
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
		again, err := parse(encode(t, m, format), name)
		require.NoError(t, err)
		require.Equal(t, m.Triangles, again.Triangles)
		require.Equal(t, len(m.Vertices), len(again.Vertices))
		m.Orient()
		m.Inspect()
	})
}

func FuzzOFF(f *testing.F) { fuzz(f, "x.off", OFF, OFF) }
func FuzzOBJ(f *testing.F) { fuzz(f, "x.obj", OBJ, OBJ) }
func FuzzSTL(f *testing.F) { fuzz(f, "x.stl", STLText, STL, STLText) }
func FuzzPLY(f *testing.F) { fuzz(f, "x.ply", PLY, PLY, PLYBig, PLYText) }
