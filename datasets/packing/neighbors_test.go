package packing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestNeighbors: rows list the neighbors of each vertex in the order of the edges, first up to eight of each
// vertex and then the others. The bound is proven, and none are listed where no complex has many edges.
func TestNeighbors(t *testing.T) {
	few := New(plain(3, 20, 1, 60))
	_, bound := must2(few.Budgets(4))
	require.Zero(t, bound.Further)
	require.Equal(t, -1, few.Layout(bound).Find(Neighbors, 1))

	defer func(edges int) { manyEdges = edges }(manyEdges)
	manyEdges = 1
	further := 0
	for _, c := range append(everything(), plain(3, 60, 1, 60)) {
		all, layouts := packers(c, 7)
		for i, p := range all {
			l := layouts[i][1]
			part := l.Find(Neighbors, 1)
			if c.Degree() == 0 || len(c.Simplices[1].Corners) == 0 {
				require.Equal(t, -1, part)
				continue
			}
			for _, ids := range append(batches(c, 5, 7), nil) {
				require.True(t, p.fits(l.Budget, ids))
				row := garbage(l)
				require.True(t, must(p.Pack(l, ids, row)))
				want, rows := expectedNeighbors(c, l, ids)
				require.Equal(t, want, l.View(part, row))
				require.Zero(t, testing.AllocsPerRun(3, func() { _, _ = p.Pack(l, ids, row) }))

				exact := l.Budget
				exact.Further = rows
				require.True(t, p.fits(exact, ids))
				require.Equal(t, roundUp(rows), p.Holding(Budget{}, ids).Further)
				if exact.Further--; rows > 0 {
					require.False(t, p.fits(exact, ids))
				}
				further += rows
			}
		}
	}
	require.Positive(t, further)
}

// expectedNeighbors returns the rows of neighbors of a batch, and the number of further rows.
func expectedNeighbors(c *datasets.Collection, l *Layout, ids []int32) (out []int32, further int) {
	neighbors := make([][]int32, l.Budget.Rows[0])
	base, last := int32(0), int32(len(neighbors)-1)
	for _, id := range ids {
		s := &c.Simplices[1]
		for edge := range slices.Chunk(s.Corners[2*s.Start[id]:2*s.Start[id+1]], 2) {
			v, w := base+edge[0], base+edge[1]
			neighbors[v] = append(neighbors[v], w)
			neighbors[w] = append(neighbors[w], v)
		}
		base += int32(c.Count(0, int(id)))
	}
	add := func(number int, some []int32) {
		out = append(append(out, int32(number)), some...)
		out = append(out, slices.Repeat([]int32{last}, 8-len(some))...)
	}
	none := l.Budget.Further
	numbers, many := make([]int, len(neighbors)), 0
	for v, all := range neighbors {
		if numbers[v] = none; len(all) > 8 {
			numbers[v] = many
			many++
		}
		add(numbers[v], all[:min(8, len(all))])
	}
	for v, all := range neighbors {
		for some := range slices.Chunk(all[min(8, len(all)):], 8) {
			add(numbers[v], some)
			further++
		}
	}
	for range l.Budget.Further - further {
		add(none, nil)
	}
	return out, further
}
