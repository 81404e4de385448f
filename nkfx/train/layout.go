package train

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
)

// budget is the static shape of a batch. Without distinct simplices,
// distinct is zero.
type budget struct {
	datasets.Budget
	distinct datasets.DistinctBudget
}

// layout is where the parts of a packed batch stand in a row of int32. A
// whole epoch is then one table, one transfer and, on the device, one row per
// step.
type layout struct {
	budget  budget
	corners int  // k+1
	types   bool // whether simplices have kinds
	tasks   int  // values to be learned for each complex
}

// The parts of a row, in order.
const (
	rowPart = iota
	vertexOfPart
	simplexPart
	simplexOfPart
	labelPart
	maskPart
	typePart
	targetPart // bits of float32
	distinctVertexPart
	distinctSimplexPart
	distinctOfPart
	distinctSignPart
	partCount
)

// parts returns the lengths of the parts.
func (l layout) parts() (p [partCount]int) {
	b, d := l.budget, l.budget.distinct
	p[rowPart], p[vertexOfPart] = b.Vertices, b.Vertices
	p[simplexPart], p[simplexOfPart] = b.Simplices*l.corners, b.Simplices
	p[labelPart], p[maskPart], p[targetPart] = b.Complexes, b.Complexes, b.Complexes*l.tasks
	if l.types {
		p[typePart] = b.Simplices
	}
	if d.Simplices > 0 {
		p[distinctVertexPart], p[distinctSimplexPart] = d.Vertices, d.Simplices*l.corners
		p[distinctOfPart], p[distinctSignPart] = b.Simplices, b.Simplices
	}
	return p
}

// width returns the length of a row.
func (l layout) width() int {
	sum := 0
	for _, p := range l.parts() {
		sum += p
	}
	return sum
}

// packer packs batches of a collection. It is for one goroutine at a time.
type packer struct {
	data     *datasets.Collection
	distinct *datasets.Distinct
	simplex  *datasets.DistinctPacker
	mask     []bool
	targets  []float32
}

// newPacker returns a packer for the collection that distinct was made of.
func newPacker(data *datasets.Collection, distinct *datasets.Distinct) *packer {
	return &packer{data: data, distinct: distinct, simplex: distinct.NewPacker(data)}
}

// fits reports whether the complexes fit the budget.
func (p *packer) fits(b budget, ids []int32) bool {
	if !b.Fits(p.data, ids) {
		return false
	}
	if b.distinct.Simplices == 0 {
		return true
	}
	vertices, simplices := p.simplex.Count(ids)
	return vertices < b.distinct.Vertices && simplices <= b.distinct.Simplices
}

// pack writes the batch of the given complexes, which fit, to a row.
func (p *packer) pack(l layout, ids []int32, row []int32) error {
	var views [partCount][]int32
	for i, length := range l.parts() {
		views[i], row = row[:length], row[length:]
	}
	p.mask = resize(p.mask, l.budget.Complexes)
	p.targets = resize(p.targets, len(views[targetPart]))
	batch := datasets.Batch{
		Budget:    l.budget.Budget,
		VertexIDs: views[rowPart], VertexOf: views[vertexOfPart],
		Simplices: views[simplexPart], SimplexOf: views[simplexOfPart], SimplexTypes: views[typePart],
		Labels: views[labelPart], Mask: p.mask, Targets: p.targets,
	}
	if err := batch.Pack(p.data, ids); err != nil {
		return err
	}
	for i, vertex := range batch.VertexIDs {
		if int(vertex) < len(p.distinct.Vertex) {
			batch.VertexIDs[i] = p.distinct.Vertex[vertex]
		} else {
			batch.VertexIDs[i] = int32(len(p.distinct.Coordinates) / p.data.Dim)
		}
	}
	for i, keep := range p.mask {
		views[maskPart][i] = 0
		if keep {
			views[maskPart][i] = 1
		}
	}
	for i, y := range p.targets {
		views[targetPart][i] = int32(math.Float32bits(y))
	}
	if l.budget.distinct.Simplices > 0 {
		p.simplex.Pack(ids, &datasets.DistinctBatch{
			Vertices: views[distinctVertexPart], Simplices: views[distinctSimplexPart],
			Of: views[distinctOfPart], Sign: views[distinctSignPart],
		})
	}
	return nil
}

// resize returns a slice of that length, s if it is long enough.
func resize[T any](s []T, length int) []T {
	if cap(s) < length {
		return make([]T, length)
	}
	return s[:length]
}

// unpack reads a row on the graph; table is the vertex table [rows, n] whose
// last row is zero.
func (l layout) unpack(table, row *Node) *Batch {
	var views [partCount]*Node
	from := 0
	for i, length := range l.parts() {
		if length > 0 {
			views[i] = SliceAxis(row, 0, AxisRange(from, from+length))
		}
		from += length
	}
	simplices := func(part *Node) *Node { return Reshape(part, -1, l.corners) }
	b := &Batch{
		Table: table, Rows: views[rowPart],
		Vertices: Gather(table, ExpandAxes(views[rowPart], -1)), VertexOf: views[vertexOfPart],
		Simplices: simplices(views[simplexPart]), SimplexOf: views[simplexOfPart],
		SimplexTypes: views[typePart],
		Mask:         GreaterThan(views[maskPart], ZerosLike(views[maskPart])), Labels: views[labelPart],
	}
	if l.tasks > 0 {
		b.Targets = Reshape(asFloats(views[targetPart]), l.budget.Complexes, l.tasks)
	}
	if l.budget.distinct.Simplices > 0 {
		b.distinct = &distinct{
			vertices:  Gather(table, ExpandAxes(views[distinctVertexPart], -1)),
			simplices: simplices(views[distinctSimplexPart]),
			of:        views[distinctOfPart], sign: views[distinctSignPart],
		}
	}
	return b
}
