package mesh

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// TestShift: of a mesh that is shifted by 1e7, networks are given the same.
func TestShift(t *testing.T) {
	near := torus(16, 12)
	far := &Mesh{Triangles: near.Triangles}
	for i, x := range near.Vertices {
		near.Vertices[i] = float64(int(x*(1<<20))) / (1 << 20)
		far.Vertices = append(far.Vertices, near.Vertices[i]+1e7) // 64 bits hold it exactly
	}
	h, other := must(near.Heat(12, 0)), must(far.Heat(12, 0))
	require.InDeltaSlice(t, h.Integrals, other.Integrals, 1e-4) // roots of 2e-9
	for _, e := range []Encoder{{}, {Faces: true}} {
		a := must(e.Encode(&Set{Meshes: []*Mesh{near}, Targets: [][]float64{{0}}}))
		b := must(e.Encode(&Set{Meshes: []*Mesh{far}, Targets: [][]float64{{0}}}))
		// The last bit of 1e7 is 2^-29 = 2e-9, and coordinates below 4 are rounded to 2^-22 = 2e-7.
		require.InDeltaSlice(t, packing.Round(a.Vertices), packing.Round(b.Vertices), 1e-6, "%+v", e)
		a.Vertices, b.Vertices = nil, nil
		require.Equal(t, a, b)
	}
}

// TestDecimateShifted: a mesh that is far away loses the same vertices. At 1e7 a torus of 400 triangles had
// 5 % less volume than it has at the origin.
func TestDecimateShifted(t *testing.T) {
	near := torus(32, 24)
	far := &Mesh{Triangles: near.Triangles}
	for i, x := range near.Vertices {
		near.Vertices[i] = float64(int(x*(1<<20))) / (1 << 20)
		far.Vertices = append(far.Vertices, near.Vertices[i]+(1<<23))
	}
	want, got := near.Decimate(400), far.Decimate(400)
	require.True(t, slices.Equal(want.Triangles, got.Triangles))
	for i, x := range want.Vertices {
		require.InDelta(t, x, got.Vertices[i]-(1<<23), 1e-8) // the last bit of 2^23 is 2^-29
	}
}
