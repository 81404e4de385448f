package smiles

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMatchingIsTheFirst compares matchings of small random graphs with those of a search through all.
func TestMatchingIsTheFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	covered := 0
	for range 3000 {
		n := 1 + r.IntN(9)
		p := &parser{work: workLimit}
		m := newMatching(p, make([][]arc, n+1))
		for a := 1; a <= n; a++ {
			m.optional[a] = r.IntN(4) == 0
			for b := a + 1; b <= n; b++ {
				if r.IntN(n) < 3 {
					m.neighbors[a] = append(m.neighbors[a], arc{atom: int32(b)})
					m.neighbors[b] = append(m.neighbors[b], arc{atom: int32(a)})
				}
			}
		}
		for a := range m.neighbors {
			r.Shuffle(len(m.neighbors[a]), func(i, j int) {
				e := m.neighbors[a]
				e[i], e[j] = e[j], e[i]
			})
		}
		want := make([]int32, n+1)
		has := searched(m, want, 1)
		all, full := m.cover(nil)
		require.Equal(t, has, all)
		if !all {
			continue
		}
		covered++
		require.Equal(t, want, m.mate)
		wantFull := true
		for a := int32(1); int(a) <= n; a++ {
			for _, e := range m.neighbors[a] {
				free := m.mate[e.atom] == 0 || min(e.atom, m.mate[e.atom]) > a
				wantFull = wantFull && (m.mate[a] != 0 || e.atom < a || !free)
			}
		}
		require.Equal(t, wantFull, full)
	}
	require.Greater(t, covered, 1000)
}

// searched fills in the first matching of the vertices from a on, and reports whether there is one.
func searched(m *matching, mate []int32, a int32) bool {
	if int(a) == len(mate) {
		return true
	}
	if mate[a] != 0 {
		return searched(m, mate, a+1)
	}
	for _, e := range m.neighbors[a] {
		if e.atom > a && mate[e.atom] == 0 {
			mate[a], mate[e.atom] = e.atom, a
			if searched(m, mate, a+1) {
				return true
			}
			mate[a], mate[e.atom] = 0, 0
		}
	}
	return m.optional[a] && searched(m, mate, a+1)
}
