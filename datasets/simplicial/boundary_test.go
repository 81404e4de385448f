package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// The boundary of a simplex in any order of its vertices is Σ (-1)^i of the simplex without vertex
// i, in that order.
func TestBoundaryFormula(t *testing.T) {
	rng := newRand(4)
	for k := 1; k <= 5; k++ {
		c := randomComplex(t, rng, 8, 0, k)
		for range 5 {
			tuple := make([]int, k+1)
			for i, p := range rng.Perm(k + 1) {
				tuple[i] = int(c.at(k, 0)[p])
			}
			var faces [][]int
			var signs []float64
			for i := range tuple {
				faces = append(faces, append(append([]int{}, tuple[:i]...), tuple[i+1:]...))
				signs = append(signs, float64(1-2*(i%2)))
			}
			want := must(c.Chain(k-1, faces, signs))
			simplex := must(c.Chain(k, [][]int{tuple}, nil))
			require.Equal(t, want, push(c.Boundary(k), simplex))
		}
	}
}

// A collection finds the same faces of a complex by itself.
func TestFacesOfCollection(t *testing.T) {
	rng := newRand(21)
	bare := randomComplex(t, rng, 10, 20, 3)
	c := must(bare.Embed(3, randomPoints(rng, bare.Count(0), 3)))
	b := datasets.NewBuilder(3)
	b.Faces = true
	b.AddComplex(c)
	collection := must(b.Collection())
	for k := 2; k <= c.Dim(); k++ {
		faces, signs := c.Faces(k)
		require.Equal(t, c.Simplices(k), collection.Simplices[k].Corners)
		require.Equal(t, faces, collection.Simplices[k].Faces)
		require.Equal(t, signs, collection.Simplices[k].Signs)
	}
}
