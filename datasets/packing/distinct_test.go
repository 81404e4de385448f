package packing

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/simplex"
)

// requireDistinct: the corners of every k-simplex have the coordinates of its distinct simplex, up to an
// order whose parity is that of the sign; counts and chains say how often; and no two distinct ones are the
// same.
func requireDistinct(t *testing.T, p *Packer, l *Layout, k int, views [][]int32) {
	t.Helper()
	c, view := p.data, func(kind Kind) []int32 { return views[l.Find(kind, k)] }
	rows, corners := view(DistinctRows), view(DistinctCorners)
	of, signs := view(DistinctOf), view(DistinctSign)
	vertices := views[l.Find(Rows, 0)]
	width, padding := len(corners)/(k+1), int32(len(rows)-1)
	counts, chains := make([]int32, len(view(DistinctCounts))), make([]int32, len(view(DistinctChains)))
	used := 0
	for s, place := range views[l.Find(SimplexOf, k)] {
		if int(place) == l.Budget.Complexes {
			require.Zero(t, signs[s])
			require.Zero(t, of[s])
			continue
		}
		counts[int(place)*width+int(of[s])]++
		chains[int(place)*width+int(of[s])] += signs[s]
		used = max(used, int(of[s])+1)
		var own, same []int32
		for i := range k + 1 {
			own = append(own, vertices[views[l.Find(Corners, k)][s*(k+1)+i]])
			same = append(same, rows[corners[int(of[s])*(k+1)+i]])
		}
		sign := simplex.Sort(own)
		require.Equal(t, own, same)
		require.EqualValues(t, sign, signs[s])
	}
	require.Equal(t, counts, view(DistinctCounts))
	require.Equal(t, chains, view(DistinctChains))
	require.EqualValues(t, len(p.Coordinates())/c.Dim-1, rows[padding], "the last vertex is padding")
	seen := map[string]bool{}
	for number, simplex := range slices.Collect(slices.Chunk(corners, k+1)) {
		if number >= used {
			require.Equal(t, slices.Repeat([]int32{padding}, k+1), simplex)
			continue
		}
		require.False(t, seen[fmt.Sprint(simplex)])
		seen[fmt.Sprint(simplex)] = true
	}
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(rows[:slices.Index(rows, rows[padding])]))),
		slices.Index(rows, rows[padding]), "vertices are distinct")
}

// TestDistinctBudgets: they are refused where too little repeats itself, the bound holds every batch, and one
// row less than a batch needs does not hold it.
func TestDistinctBudgets(t *testing.T) {
	for degree := 1; degree < 4; degree++ {
		c := rich(t, uint64(degree), 60, degree)
		usual, bound, err := Distinct(c, 0.001).Budgets(8)
		require.NoError(t, err)
		require.Nil(t, usual.Distinct)
		require.Nil(t, bound.Distinct)
		p := Distinct(c, 100)
		usual, bound, err = p.Budgets(8)
		require.NoError(t, err)
		require.Len(t, usual.Distinct, degree+1)
		for k := range usual.Distinct {
			require.LessOrEqual(t, usual.Distinct[k].Vertices, bound.Distinct[k].Vertices)
			require.LessOrEqual(t, usual.Distinct[k].Simplices, bound.Distinct[k].Simplices)
		}
		for _, ids := range batches(c, 4, 8) {
			require.True(t, p.fits(bound, ids))
			exact := bound
			exact.Distinct = make([]Repeated, degree+1)
			for k := 1; k <= degree; k++ {
				n := p.countDistinct(k, ids)
				exact.Distinct[k] = Repeated{n.Vertices + 1, n.Simplices}
			}
			require.True(t, p.fits(exact, ids))
			for k := 1; k <= degree; k++ {
				for _, rows := range []*int{&exact.Distinct[k].Vertices, &exact.Distinct[k].Simplices} {
					if *rows == 0 {
						continue
					}
					*rows--
					require.False(t, p.fits(exact, ids))
					l := p.Layout(exact)
					ok, err := p.Pack(l, ids, garbage(l))
					require.NoError(t, err)
					require.False(t, ok)
					*rows++
				}
			}
		}
	}
}

// TestDistinctMarks: a packer that has packed very many batches begins anew.
func TestDistinctMarks(t *testing.T) {
	m := places{place: make([]int32, 3)}
	m.base = math.MaxInt32/2 - 1
	for range 4 {
		m.next()
		for number := range int32(3) {
			place, fresh := m.put(2 - number)
			require.True(t, fresh)
			require.Equal(t, number, place)
		}
		place, fresh := m.put(1)
		require.False(t, fresh)
		require.EqualValues(t, 1, place)
	}
	require.Less(t, m.base, int32(100))
}
