package simplicial

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

func TestBoundaryOfBoundaryVanishes(t *testing.T) {
	rng := newRand(3)
	for range 20 {
		c := randomComplex(t, rng, 12, 30, 4)
		for k := -1; k <= c.Dim()+2; k++ {
			outer, inner := c.Boundary(k-1), c.Boundary(k)
			rows, cols := inner.Dims()
			require.Equal(t, c.Count(k-1), rows)
			require.Equal(t, c.Count(k), cols)
			for j := range cols {
				require.Zero(t, terms(push(outer, column(inner, j))))
			}
		}
	}
}

// The tables of faces say what the boundary operators do, and the boundary of a boundary is 0 by them
// alone.
func TestFaces(t *testing.T) {
	rng := newRand(20)
	for range 20 {
		c := randomComplex(t, rng, 12, 30, 4)
		for k := -1; k <= c.Dim()+1; k++ {
			faces, signs := c.Faces(k)
			if k <= 0 || k > c.Dim() {
				require.Empty(t, faces)
				require.Empty(t, signs)
				continue
			}
			require.Len(t, faces, c.Count(k)*(k+1))
			require.Len(t, signs, c.Count(k)*(k+1))
			further, furtherSigns := c.Faces(k - 1)
			boundary := c.Boundary(k)
			for j := range c.Count(k) {
				twice := map[int32]int8{}
				for i := range k + 1 {
					p := j*(k+1) + i
					vertices := slices.Delete(slices.Clone(c.at(k, j)), i, i+1)
					require.Equal(t, vertices, c.at(k-1, int(faces[p])))
					require.Equal(t, float64(signs[p]), boundary.At(int(faces[p]), j))
					for l := int(faces[p]) * k; l < (int(faces[p])+1)*k && k > 1; l++ {
						twice[further[l]] += signs[p] * furtherSigns[l]
					}
				}
				require.Equal(t, k+1, terms(column(boundary, j)))
				for _, coefficient := range twice {
					require.Zero(t, coefficient)
				}
			}
		}
	}
}

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
			want, err := c.Chain(k-1, faces, signs)
			require.NoError(t, err)
			simplex, err := c.Chain(k, [][]int{tuple}, nil)
			require.NoError(t, err)
			require.Equal(t, want, push(c.Boundary(k), simplex))
		}
	}
}

// A collection finds the same faces of a complex by itself.
func TestFacesOfCollection(t *testing.T) {
	rng := newRand(21)
	bare := randomComplex(t, rng, 10, 20, 3)
	c, err := bare.Embed(3, randomPoints(rng, bare.Count(0), 3))
	require.NoError(t, err)
	b := datasets.NewBuilder(3)
	b.Faces = true
	b.AddComplex(c)
	collection, err := b.Collection()
	require.NoError(t, err)
	for k := 2; k <= c.Dim(); k++ {
		faces, signs := c.Faces(k)
		require.Equal(t, c.Simplices(k), collection.Simplices[k].Corners)
		require.Equal(t, faces, collection.Simplices[k].Faces)
		require.Equal(t, signs, collection.Simplices[k].Signs)
	}
}
