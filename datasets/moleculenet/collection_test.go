package moleculenet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCollections: the one-hot columns say what the numbers say.
func TestCollections(t *testing.T) {
	m := excerpt(t)
	require.Equal(t, "excerpt", m.Name)
	require.Len(t, m.SHA256, 64)
	require.Len(t, m.Refused, 2)
	numbers, err := m.Collection(Numbers)
	require.NoError(t, err)
	require.NoError(t, numbers.Validate())
	hot, err := m.Collection(OneHot)
	require.NoError(t, err)
	require.NoError(t, hot.Validate())
	require.Equal(t, 9, numbers.Dim)
	require.Equal(t, 177, hot.Dim)
	require.Equal(t, "numbers", numbers.Features)
	require.Equal(t, "one-hot", hot.Features)
	require.Equal(t, 1, numbers.Degree())
	var atoms [][9]int8
	var corners []int32
	for _, graph := range m.Graphs {
		for i := range graph.Atoms {
			atoms = append(atoms, graph.AtomFeatures(i))
		}
		for _, b := range graph.Bonds {
			corners = append(corners, min(b.Begin, b.End), max(b.Begin, b.End))
		}
	}
	require.Equal(t, corners, numbers.Simplices[1].Corners)
	for i, atom := range atoms {
		x := hot.Vertices[177*i : 177*(i+1)]
		for j, w := range widths {
			require.InDelta(t, float64(atom[j]), numbers.Vertices[9*i+j], 0)
			for v := range w {
				want := 0.0
				if int(atom[j]) == v {
					want = 1
				}
				require.Equal(t, want, x[v])
			}
			x = x[w:]
		}
	}
	_, err = m.Collection("two")
	require.ErrorContains(t, err, `no features "two"`)

	large := &Molecules{atoms: maxCoordinates/177 + 1}
	_, err = large.Collection(OneHot)
	require.ErrorContains(t, err, "more than 1 GiB")
}
