package mesh

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

// writers are the formats of files by the extensions of their names.
var writers = map[string]func(*bufio.Writer, *Mesh){".off": writeOFF, ".obj": writeOBJ, ".stl": writeSTL,
	".ply": writePLY}

// format returns the extension in small letters of a file name, without one of a packed file.
func format(name string) (extension string, packed bool) {
	name, packed = strings.CutSuffix(strings.ToLower(name), ".gz")
	return path.Ext(name), packed
}

// Write makes or replaces a file in the format that its extension names, .off, .obj, .stl or .ply, packed by
// gzip if .gz follows. STL and PLY are binary. STL rounds to float32 and has no vertices of its own, so that
// vertices in no triangle are lost; the other formats hold the mesh without loss. The file appears whole or
// not at all.
func (m *Mesh) Write(path string) error {
	extension, packed := format(path)
	write, ok := writers[extension]
	if !ok {
		return fmt.Errorf("%s: name a mesh .off, .obj, .stl or .ply, with .gz after it to pack it", path)
	}
	if err := m.Validate(); err != nil {
		return err
	}
	return fileio.Write(path, 0o666, func(w io.Writer) error {
		if !packed {
			return m.encode(w, write)
		}
		z := gzip.NewWriter(w)
		return errors.Join(m.encode(z, write), z.Close())
	})
}

// encode writes the mesh in a format; errors of the writer come when it is flushed.
func (m *Mesh) encode(w io.Writer, write func(*bufio.Writer, *Mesh)) error {
	out := bufio.NewWriterSize(w, 1<<16)
	write(out, m)
	return out.Flush()
}

// writeText writes all vertices and triangles as lines that begin so. Vertices count from first.
func writeText(w *bufio.Writer, m *Mesh, vertex, triangle string, first int) {
	for i := 0; i < len(m.Vertices); i += 3 {
		line := append(w.AvailableBuffer(), vertex...)
		for j, x := range m.Vertices[i : i+3] {
			if j > 0 {
				line = append(line, ' ')
			}
			line = strconv.AppendFloat(line, x, 'g', -1, 64)
		}
		_, _ = w.Write(append(line, '\n'))
	}
	for i := 0; i < len(m.Triangles); i += 3 {
		line := append(w.AvailableBuffer(), triangle...)
		for _, v := range m.Triangles[i : i+3] {
			line = strconv.AppendInt(append(line, ' '), int64(v)+int64(first), 10)
		}
		_, _ = w.Write(append(line, '\n'))
	}
}

func writeOFF(w *bufio.Writer, m *Mesh) {
	vertices, triangles := m.Len()
	fmt.Fprintf(w, "OFF\n%d %d 0\n", vertices, triangles)
	writeText(w, m, "", "3", 0)
}

func writeOBJ(w *bufio.Writer, m *Mesh) {
	fmt.Fprintln(w, "# a triangle mesh")
	writeText(w, m, "v ", "f", 1)
}

func writeSTL(w *bufio.Writer, m *Mesh) {
	_, triangles := m.Len()
	_, _ = w.Write(binary.LittleEndian.AppendUint32(make([]byte, 80, 84), uint32(triangles)))
	for t := range triangles {
		a, b, c := m.corners(t)
		record := w.AvailableBuffer()
		for _, point := range []vector{m.unitNormal(t), a, b, c} {
			for _, x := range point {
				record = binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(x)))
			}
		}
		_, _ = w.Write(append(record, 0, 0))
	}
}

func writePLY(w *bufio.Writer, m *Mesh) {
	vertices, triangles := m.Len()
	fmt.Fprintf(w, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\n"+
		"property double y\nproperty double z\nelement face %d\nproperty list uchar int vertex_indices\n"+
		"end_header\n", vertices, triangles)
	for _, x := range m.Vertices {
		_, _ = w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), math.Float64bits(x)))
	}
	for i := 0; i < len(m.Triangles); i += 3 {
		record := append(w.AvailableBuffer(), 3)
		for _, v := range m.Triangles[i : i+3] {
			record = binary.LittleEndian.AppendUint32(record, uint32(v))
		}
		_, _ = w.Write(record)
	}
}
