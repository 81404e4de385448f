package packing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestBatches: every batch is packed as alone, in the first layout that it fits. One that fits none, or has a
// complex that does not exist, ends all.
func TestBatches(t *testing.T) {
	for _, c := range everything() {
		all, layouts := packers(c, 4)
		for i, p := range all {
			want, seen := batches(c, 1, 4), 0
			for b, err := range p.Batches(slices.Values(want), layouts[i]...) {
				require.NoError(t, err)
				require.Equal(t, want[seen], b.IDs)
				first := layouts[i][0]
				if !p.fits(first.Budget, b.IDs) {
					first = layouts[i][1]
				}
				require.Same(t, first, b.Layout)
				row := garbage(first)
				require.True(t, must(p.Pack(first, b.IDs, row)))
				require.Equal(t, row, b.Row)
				vertices := p.Vertices(b)
				require.Len(t, vertices, first.Budget.Rows[0]*c.Dim)
				for _, id := range b.IDs {
					own := datasets.Float32s(c.Points(int(id)))
					require.Equal(t, own, vertices[:len(own)])
					vertices = vertices[len(own):]
				}
				require.Equal(t, make([]float32, len(vertices)), vertices)
				seen++
			}
			require.Len(t, want, seen)
			for text, ids := range map[string][]int32{"is larger than any": slices.Repeat([]int32{0}, 5),
				"complex number -1 at place 1": {0, -1}} {
				count := 0
				for _, err := range p.Batches(slices.Values([][]int32{{0}, ids, {0}}), layouts[i]...) {
					if count++; count == 2 {
						require.ErrorContains(t, err, text)
					}
				}
				require.Equal(t, 2, count)
			}
		}
	}
}

// TestLayouts: between budgets that are far apart stands a third.
func TestLayouts(t *testing.T) {
	of := func(rows, distinct int) Budget {
		return Budget{Complexes: 4, Rows: []int{rows, rows}, Distinct: []Repeated{{}, {distinct, distinct}}}
	}
	all := func(budgets ...Budget) []Budget { return budgets }
	require.Equal(t, all(of(8, 0)), ascending(of(8, 0), of(8, 0)))
	require.Equal(t, all(of(8, 8), of(24, 16)), ascending(of(8, 8), of(24, 16)))
	require.Equal(t, all(of(8, 8), of(16, 16), of(40, 32)), ascending(of(8, 8), of(40, 32)))
	require.Equal(t, all(of(8, 8), of(16, 10), of(40, 10)), ascending(of(8, 8), of(40, 10)))
	require.Equal(t, all(of(8, 0), of(16, 0), of(32, 0)), ascending(of(8, 0), of(32, 0)))
	few, many, between := of(24, 0), of(96, 0), of(48, 0)
	many.Rows[0], between.Rows[0] = 40, 40
	require.Equal(t, all(few, between, many), ascending(few, many))
}
