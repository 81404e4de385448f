package mesh

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// TestShift: of meshes that are all shifted by 1e7, networks are given the same; of one that is shifted
// against the others, they are not.
func TestShift(t *testing.T) {
	near, far := torus(16, 12), torus(16, 12)
	for i, x := range near.Vertices {
		near.Vertices[i] = float64(int(x*(1<<20))) / (1 << 20)
		far.Vertices[i] = near.Vertices[i] + 1e7 // 64 bits hold it exactly
	}
	set := func(meshes ...*Mesh) *Set { return &Set{Meshes: meshes, Targets: make([][]float64, len(meshes))} }
	a := must(must(set(near, near).Encoder("", nil)).Encode(set(near, near)))
	b := must(must(set(far, far).Encoder("", nil)).Encode(set(far, far)))
	// The last bit of 1e7 is 2^-29 = 2e-9, and coordinates below 4 are rounded to 2^-22 = 2e-7.
	require.InDeltaSlice(t, packing.Round(a.Vertices), packing.Round(b.Vertices), 1e-6)
	require.Equal(t, a.Simplices, b.Simplices)
	c := must(must(set(near).Encoder("", nil)).Encode(set(near, far)))
	require.Equal(t, a.Points(0), c.Points(0))
	require.InDelta(t, 1e7, c.Points(1)[0]-c.Points(0)[0], 1e-6)
}
