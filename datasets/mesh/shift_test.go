package mesh

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// texts write a mesh in the formats that hold 64 bits.
var texts = map[string]func(m *Mesh) string{
	"a.off": func(m *Mesh) string {
		vertices, triangles := m.Len()
		return fmt.Sprintf("OFF\n%d %d 0\n", vertices, triangles) +
			lines(m, "%.17g %.17g %.17g\n", "3 %d %d %d\n", 0)
	},
	"a.obj": func(m *Mesh) string { return lines(m, "v %.17g %.17g %.17g\n", "f %d %d %d\n", 1) },
	"a.ply": func(m *Mesh) string {
		vertices, triangles := m.Len()
		return fmt.Sprintf("ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"+
			"property double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
			vertices, triangles) + lines(m, "%.17g %.17g %.17g\n", "3 %d %d %d\n", 0)
	},
	"a.stl": func(m *Mesh) string {
		var b bytes.Buffer
		b.WriteString("solid a\n")
		for t := range slices.Chunk(m.Triangles, 3) {
			b.WriteString("facet normal 0 0 0\nouter loop\n")
			for _, v := range t {
				x := m.Vertices[3*v:]
				fmt.Fprintf(&b, "vertex %.17g %.17g %.17g\n", x[0], x[1], x[2])
			}
			b.WriteString("endloop\nendfacet\n")
		}
		return b.String() + "endsolid a\n"
	},
}

// lines writes vertices and triangles, numbered from first.
func lines(m *Mesh, vertex, triangle string, first int32) string {
	var b bytes.Buffer
	for v := range slices.Chunk(m.Vertices, 3) {
		fmt.Fprintf(&b, vertex, v[0], v[1], v[2])
	}
	for t := range slices.Chunk(m.Triangles, 3) {
		fmt.Fprintf(&b, triangle, t[0]+first, t[1]+first, t[2]+first)
	}
	return b.String()
}

// TestShift: of a mesh that is shifted by 1e7, networks are given the same: coordinates, invariants,
// descriptors and points drawn from it.
func TestShift(t *testing.T) {
	for name, format := range texts {
		var sets [2]*Set
		for i, shift := range []float64{0, 1e7} {
			m := torus(24, 16)
			for j, x := range m.Vertices {
				m.Vertices[j] = float64(int(x*(1<<20)))/(1<<20) + shift // 64 bits hold it exactly
			}
			read := must(decode(bytes.NewReader([]byte(format(m))), name, -1, -1))
			sets[i] = &Set{Meshes: []*Mesh{read}, Targets: [][]float64{{0}}}
		}
		for _, o := range []Options{
			{}, {Faces: true}, {Invariants: true}, {Vertices: 100, Invariants: true, Descriptor: "moments"},
			{Descriptor: "d2"}, {Points: 64},
		} {
			near := must(sets[0].Collection(o))
			far := must(sets[1].Collection(o))
			require.Equal(t, near.VertexStart, far.VertexStart)
			// The last bit of 1e7 is 2^-29 = 2e-9, and coordinates below 4 are rounded to 2^-22 = 2e-7.
			require.InDeltaSlice(t, packing.Round(near.Vertices), packing.Round(far.Vertices), 1e-6,
				"%s, %+v", name, o)
			for k := range near.Simplices {
				// Invariants are quotients of differences of about 0.1, some of them squared.
				require.InDeltaSlice(t, near.Simplices[k].Cochain, far.Simplices[k].Cochain, 1e-4,
					"%s, %+v, degree %d", name, o, k)
			}
			require.InDeltaSlice(t, near.Globals, far.Globals, 1e-5, "%s, %+v", name, o)
		}
	}
}
