package datasets_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
)

// skeleton returns random simplices of degree top on so many vertices with all of their faces, in random
// order and orientation.
func skeleton(r *rand.Rand, vertices, top int) [][]int32 {
	var all [][]int
	for range 1 + r.IntN(4) {
		all = append(all, r.Perm(vertices)[:top+1])
	}
	x := must(simplicial.New(vertices, all))
	simplices := make([][]int32, top+1)
	for k := 1; k <= top; k++ {
		rows := slices.Collect(slices.Chunk(x.Simplices(k), k+1))
		for _, i := range r.Perm(len(rows)) {
			r.Shuffle(k+1, func(a, b int) { rows[i][a], rows[i][b] = rows[i][b], rows[i][a] })
			simplices[k] = append(simplices[k], rows[i]...)
		}
	}
	return simplices
}

// TestBoundaryOfBoundary: facet i lacks vertex i, and ∂∂ = 0 for simplices listed in any order and
// orientation, where the boundary of an edge is its end minus its start. Were a sign wrong, the boundary of
// some simplex would have a boundary.
func TestBoundaryOfBoundary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := datasets.NewBuilder(1)
	b.Faces = true
	const complexes, vertices = 60, 6
	for g := range complexes {
		b.Add(make([]float64, vertices), skeleton(r, vertices, 1+g%4))
	}
	c := must(b.Collection())
	checked := map[int]int{}
	for k := 2; k <= c.Degree(); k++ {
		s, below := c.Simplices[k], c.Simplices[k-1]
		for g := range complexes {
			for i := int(s.Start[g]); i < int(s.Start[g+1]); i++ {
				corners := s.Corners[i*(k+1) : (i+1)*(k+1)]
				boundary := map[int32]int{}
				for j := range k + 1 {
					face, sign := s.Faces[i*(k+1)+j], s.Signs[i*(k+1)+j]
					at := int(below.Start[g] + face)
					want := slices.Sorted(slices.Values(slices.Concat(corners[:j], corners[j+1:])))
					own := below.Corners[at*k : (at+1)*k]
					require.Equal(t, want, slices.Sorted(slices.Values(own)))
					for l := range k {
						if k == 2 {
							boundary[own[l]] += int(sign) * (2*l - 1)
						} else {
							boundary[below.Faces[at*k+l]] += int(sign) * int(below.Signs[at*k+l])
						}
					}
				}
				require.Len(t, boundary, (k+1)*k/2)
				for _, coefficient := range boundary {
					require.Zero(t, coefficient)
				}
				checked[k]++
			}
		}
	}
	for k := 2; k <= 4; k++ {
		require.Greater(t, checked[k], 15)
	}
}

func TestFacesErrors(t *testing.T) {
	for want, simplices := range map[string][][]int32{
		"complex 1, simplex 0 of degree 2: its facet [0 2] is not listed": {1: {0, 1, 1, 2}, 2: {0, 1, 2}},
		"complex 1, simplex 3 of degree 1: [2 1] is listed twice": {
			1: {0, 1, 1, 2, 0, 2, 2, 1}, 2: {0, 1, 2}},
		"complex 1, simplex 0 of degree 3: its facet [1 2 3] is not listed": {
			1: {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3}, 2: {0, 1, 2}, 3: {0, 1, 2, 3}},
	} {
		b := datasets.NewBuilder(1)
		b.Name, b.Faces = "wrong", true
		b.Add(make([]float64, 3), [][]int32{1: {0, 1, 1, 2, 0, 2}, 2: {0, 1, 2}})
		b.Add(make([]float64, 4), simplices)
		c, err := b.Collection()
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, `collection "wrong"`)
		require.Nil(t, c)
	}
}
