package mesh

import (
	"testing"

	"github.com/stretchr/testify/require"
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
	// 1e7 is a multiple of 16, the step of origins here.
	require.Equal(t, a.Vertices, b.Vertices)
	require.Equal(t, a.Simplices, b.Simplices)
	mixed := set(near, far)
	c := must(must(mixed.Encoder("", []int32{0})).Encode(mixed))
	require.Equal(t, near.Vertices, c.Points(0))
	require.Equal(t, far.Vertices, c.Points(1))
	require.Equal(t, vector{}, origin(nil))
}
