package mesh

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// writers are the formats of files by the extensions of their names.
var writers = map[string]func(*output, *Mesh){".off": (*output).off, ".obj": (*output).obj,
	".stl": (*output).stl, ".ply": (*output).ply}

// Write makes or replaces a file in the format that its extension names, .off, .obj, .stl or .ply, packed by
// gzip if .gz follows. STL and PLY are binary. STL rounds to float32 and has no vertices of its own, so that
// vertices in no triangle are lost; the other formats hold the mesh without loss. The file appears whole or
// not at all.
func (m *Mesh) Write(path string) error {
	name, packed := strings.CutSuffix(strings.ToLower(path), ".gz")
	write, ok := writers[filepath.Ext(name)]
	if !ok {
		return fmt.Errorf("%s: name a mesh .off, .obj, .stl or .ply, with .gz after it to pack it", path)
	}
	if err := m.Validate(); err != nil {
		return err
	}
	return datasets.WriteFile(path, 0o666, func(w io.Writer) error {
		if !packed {
			return m.encode(w, write)
		}
		z := gzip.NewWriter(w)
		return errors.Join(m.encode(z, write), z.Close())
	})
}

// encode writes the mesh in a format.
func (m *Mesh) encode(w io.Writer, write func(*output, *Mesh)) error {
	out := &output{Writer: bufio.NewWriterSize(w, 1<<16)}
	write(out, m)
	return out.Flush()
}

// output is a file that is written, whose errors come when it is flushed.
type output struct {
	*bufio.Writer
	line []byte
}

func (o *output) send(data []byte) { _, _ = o.Write(data) }

// numbers writes a line of words and numbers.
func (o *output) numbers(before string, x ...float64) {
	o.line = append(o.line[:0], before...)
	for i, v := range x {
		if i > 0 || before != "" {
			o.line = append(o.line, ' ')
		}
		o.line = strconv.AppendFloat(o.line, v, 'g', -1, 64)
	}
	o.send(append(o.line, '\n'))
}

// corners writes a line of a triangle, whose vertices count from first.
func (o *output) corners(before string, first int, t []int32) {
	o.line = append(o.line[:0], before...)
	for _, v := range t {
		o.line = append(o.line, ' ')
		o.line = strconv.AppendInt(o.line, int64(v)+int64(first), 10)
	}
	o.send(append(o.line, '\n'))
}

// text writes all vertices and triangles as lines.
func (o *output) text(m *Mesh, vertex, triangle string, first int) {
	for i := 0; i < len(m.Vertices); i += 3 {
		o.numbers(vertex, m.Vertices[i:i+3]...)
	}
	for i := 0; i < len(m.Triangles); i += 3 {
		o.corners(triangle, first, m.Triangles[i:i+3])
	}
}

func (o *output) off(m *Mesh) {
	vertices, triangles := m.Len()
	o.send(fmt.Appendf(nil, "OFF\n%d %d 0\n", vertices, triangles))
	o.text(m, "", "3", 0)
}

func (o *output) obj(m *Mesh) {
	o.send([]byte("# a triangle mesh\n"))
	o.text(m, "v", "f", 1)
}

func (o *output) stl(m *Mesh) {
	_, triangles := m.Len()
	o.send(le.AppendUint32(make([]byte, 80, 84), uint32(triangles)))
	for t := range triangles {
		normal := m.unitNormal(t)
		record := o.line[:0]
		for _, x := range normal {
			record = le.AppendUint32(record, math.Float32bits(float32(x)))
		}
		for _, v := range m.Triangles[3*t : 3*t+3] {
			for _, x := range m.Vertices[3*v : 3*v+3] {
				record = le.AppendUint32(record, math.Float32bits(float32(x)))
			}
		}
		o.line = append(record, 0, 0)
		o.send(o.line)
	}
}

func (o *output) ply(m *Mesh) {
	vertices, triangles := m.Len()
	o.send(fmt.Appendf(nil, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\n"+
		"property double y\nproperty double z\nelement face %d\nproperty list uchar int vertex_indices\n"+
		"end_header\n", vertices, triangles))
	for _, x := range m.Vertices {
		o.line = le.AppendUint64(o.line[:0], math.Float64bits(x))
		o.send(o.line)
	}
	for i := 0; i < len(m.Triangles); i += 3 {
		o.line = append(o.line[:0], 3)
		for _, v := range m.Triangles[i : i+3] {
			o.line = le.AppendUint32(o.line, uint32(v))
		}
		o.send(o.line)
	}
}
