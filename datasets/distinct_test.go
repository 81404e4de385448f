package datasets

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// coarse rounds coordinates so that vertices and simplices repeat themselves.
func coarse(c *Collection) *Collection {
	for i, x := range c.Vertices {
		c.Vertices[i] = float32(math.Round(float64(x)))
	}
	return c
}

// TestDistinct: the corners of every simplex have the coordinates of its distinct simplex, up to an order
// whose parity is that of the sign; and no two distinct ones are the same.
func TestDistinct(t *testing.T) {
	for degree := range 4 {
		c := coarse(randomCollection(uint32(degree), 60, degree, 9))
		d := NewDistinct(c)
		packer := d.NewPacker(c)
		_, bound, err := Budgets(c, nil, 8)
		require.NoError(t, err)
		usual, most := packer.Budgets(8, bound)
		require.LessOrEqual(t, usual.Simplices, most.Simplices)
		batch := NewBatch(c, bound)
		for range 3 { // the packer is used again and again
			for ids := range slices.Chunk(NewRandom(7).Permutation(c.Len()), 8) {
				require.NoError(t, batch.Pack(c, ids))
				vertices, simplices := packer.Count(ids)
				b := roomFor(DistinctBudget{}.Holding(vertices, simplices), bound, degree)
				require.True(t, packer.Pack(ids, b))
				checkDistinct(t, c, d, batch, b)
				few := *b
				few.Of, few.Sign, few.Counts, few.Chains = nil, nil, slices.Clone(b.Counts), nil
				require.True(t, packer.Pack(ids, &few))
				require.Equal(t, b.Counts, few.Counts)
				few.Counts = few.Counts[1:]
				require.Equal(t, len(ids) < 8, packer.Pack(ids, &few), "a row short")
				if simplices > 0 {
					tight := roomFor(DistinctBudget{vertices, simplices}, bound, degree)
					require.False(t, packer.Pack(ids, tight), "no padding vertex is left")
					tight = roomFor(DistinctBudget{vertices + 1, simplices - 1}, bound, degree)
					require.False(t, packer.Pack(ids, tight))
				}
				require.True(t, packer.Pack(ids, roomFor(most, bound, degree)), "the bound is proven")
			}
		}
	}
}

// roomFor returns an empty batch.
func roomFor(d DistinctBudget, b Budget, degree int) *DistinctBatch {
	return &DistinctBatch{
		make([]int32, d.Vertices), make([]int32, d.Simplices*(degree+1)),
		make([]int32, b.Simplices), make([]int32, b.Simplices),
		make([]int32, b.Complexes*d.Simplices), make([]int32, b.Complexes*d.Simplices),
	}
}

func checkDistinct(t *testing.T, c *Collection, d *Distinct, batch *Batch, b *DistinctBatch) {
	t.Helper()
	corners, dummy := c.Degree+1, int32(len(b.Vertices)-1)
	width := len(b.Simplices) / corners
	counts, chains := make([]int32, len(b.Counts)), make([]int32, len(b.Chains))
	for s, place := range batch.SimplexOf {
		if int(place) < batch.Budget.Complexes {
			counts[int(place)*width+int(b.Of[s])]++
			chains[int(place)*width+int(b.Of[s])] += b.Sign[s]
		}
	}
	require.Equal(t, counts, b.Counts)
	require.Equal(t, chains, b.Chains)
	require.EqualValues(t, len(d.Coordinates)/c.Dim, b.Vertices[dummy], "the last vertex is padding")
	for s, place := range batch.SimplexOf {
		if int(place) == batch.Budget.Complexes {
			require.Zero(t, b.Sign[s])
			continue
		}
		var own, same []int32
		for i := range corners {
			own = append(own, d.Vertex[batch.VertexIDs[batch.Simplices[s*corners+i]]])
			same = append(same, b.Vertices[b.Simplices[int(b.Of[s])*corners+i]])
		}
		odd := sortOdd(own)
		require.Equal(t, own, same)
		require.Equal(t, map[bool]int32{false: 1, true: -1}[odd], b.Sign[s])
	}
	seen := map[string]bool{}
	for simplex := range slices.Chunk(b.Simplices, corners) {
		if simplex[0] != dummy {
			require.False(t, seen[fmt.Sprint(simplex)])
			seen[fmt.Sprint(simplex)] = true
		}
	}
	for v, row := range d.Vertex {
		require.Equal(t, c.Vertices[v*c.Dim:(v+1)*c.Dim], d.Coordinates[int(row)*c.Dim:(int(row)+1)*c.Dim])
	}
}

// TestDistinctMarks: a packer that has packed very many batches begins anew.
func TestDistinctMarks(t *testing.T) {
	m := marks{place: make([]int32, 3)}
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

func ExampleNewDistinct() {
	// Two water molecules and a hydrogen peroxide, whose atoms are described by their elements.
	c := &Collection{
		Name: "molecules", Dim: 1, Degree: 1,
		Vertices:     []float32{1, 8, 1 /**/, 8, 1, 1 /**/, 1, 8, 8, 1},
		VertexStart:  []int32{0, 3, 6, 10},
		Simplices:    []int32{0, 1, 1, 2 /**/, 0, 1, 0, 2 /**/, 0, 1, 1, 2, 2, 3},
		SimplexStart: []int32{0, 2, 4, 7},
		Labels:       []int32{0, 0, 1}, Classes: []string{"water", "peroxide"},
	}
	d := NewDistinct(c)
	fmt.Println("coordinates", d.Coordinates)
	fmt.Println("bonds", d.Corners)
	fmt.Println("of each", d.Simplex)
	// Output:
	// coordinates [1 8]
	// bonds [0 1 1 1]
	// of each [0 0 0 0 0 1 0]
}
