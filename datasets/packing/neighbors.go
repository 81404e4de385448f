package packing

import "github.com/neuralkforms/nkf/datasets"

// manyEdges is the number of edges of a complex from which batches list the neighbors of vertices. Sums over
// these lists are gathers, while XLA adds up scattered rows one by one. It is a variable for tests.
var manyEdges = 1 << 16

// perRow is the number of neighbors in a row: few vertices of sparse graphs have more.
const perRow = 8

// further counts rows of neighbors beyond the first of a vertex: those before each vertex of the collection
// and of all, [V+1]. It is nil if no complex has many edges.
func further(c *datasets.Collection) []int32 {
	if len(c.Simplices) < 2 {
		return nil
	}
	many := false
	for g := range c.Len() {
		many = many || c.Count(1, g) >= manyEdges
	}
	if !many {
		return nil
	}
	rows := make([]int32, c.VertexStart[c.Len()]+1)
	edges := &c.Simplices[1]
	for g := range c.Len() {
		first := c.VertexStart[g]
		for _, v := range edges.Corners[2*edges.Start[g] : 2*edges.Start[g+1]] {
			rows[first+v+1]++
		}
	}
	for v, neighbors := range rows[1:] {
		rows[v+1] = rows[v] + max(0, neighbors-1)/perRow
	}
	return rows
}

// furtherOf returns the number of further rows of complex g.
func (p *Packer) furtherOf(g int) int {
	return int(p.further[p.starts[0][g+1]] - p.further[p.starts[0][g]])
}

// furtherIn returns the number of further rows of some complexes.
func (p *Packer) furtherIn(ids []int32) (rows int) {
	if p.further != nil {
		for _, id := range ids {
			rows += p.furtherOf(int(id))
		}
	}
	return rows
}

// neighbors writes the neighbors of the vertices, eight in a row: first a row for each vertex, then further
// rows, vertex after vertex. It fills rows with the last vertex. The first column numbers the vertices with
// further rows from 0; other vertices and padding have R. While neighbors are written, it counts them.
func (f filling) neighbors() {
	const columns = 1 + perRow
	vertices, none := f.budget.Rows[0], int32(f.budget.Further)
	fill(f.view, int32(vertices-1))
	for row := range len(f.view) / columns {
		f.view[row*columns] = 0
	}
	base, next, group := 0, vertices, int32(0)
	edges := f.simplices()
	for _, id := range f.ids {
		first, end := f.starts[0][id], f.starts[0][id+1]
		corners := edges.Corners[2*edges.Start[id] : 2*edges.Start[id+1]]
		for i, v := range corners {
			row := base + int(v)
			n := int(f.view[row*columns])
			f.view[row*columns]++
			if n >= perRow {
				row = next + int(f.further[first+v]-f.further[first]) + n/perRow - 1
			}
			f.view[row*columns+1+n%perRow] = int32(base) + corners[i^1]
		}
		for v := first; v < end; v++ {
			further := int(f.further[v+1] - f.further[v])
			of := none
			if further > 0 {
				of = group
				group++
			}
			f.view[base*columns] = of
			for range further {
				f.view[next*columns] = of
				next++
			}
			base++
		}
	}
	for ; base < vertices; base++ {
		f.view[base*columns] = none
	}
	for ; next < vertices+f.budget.Further; next++ {
		f.view[next*columns] = none
	}
}
