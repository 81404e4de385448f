package simplicial

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

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
