package mesh

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// TestShift: of a mesh that is shifted by 1e7, networks are given the same.
func TestShift(t *testing.T) {
	var sets [2]*Set
	for i, shift := range []float64{0, 1e7} {
		m := torus(16, 12)
		for j, x := range m.Vertices {
			m.Vertices[j] = float64(int(x*(1<<20)))/(1<<20) + shift // 64 bits hold it exactly
		}
		sets[i] = &Set{Meshes: []*Mesh{m}, Targets: [][]float64{{0}}}
	}
	near, far := must(sets[0].Meshes[0].Heat(12, 0)), must(sets[1].Meshes[0].Heat(12, 0))
	require.InDeltaSlice(t, near.Integrals, far.Integrals, 1e-4) // roots of 2e-9
	for _, o := range []Encoder{{}, {Faces: true}} {
		near, far := must(o.Encode(sets[0])), must(o.Encode(sets[1]))
		require.Equal(t, near.VertexStart, far.VertexStart)
		// The last bit of 1e7 is 2^-29 = 2e-9, and coordinates below 4 are rounded to 2^-22 = 2e-7.
		require.InDeltaSlice(t, packing.Round(near.Vertices), packing.Round(far.Vertices), 1e-6, "%+v", o)
		for k := range near.Simplices {
			require.Equal(t, near.Simplices[k], far.Simplices[k], "%+v", o)
		}
	}
}
