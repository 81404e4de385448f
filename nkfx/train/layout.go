package train

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
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

	unread [partCount]bool // parts that the model does not look at: they are not packed
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
	distinctCountPart
	distinctChainPart
	partCount
)

// parts returns the lengths of the parts in a row.
func (l layout) parts() [partCount]int {
	p := l.lengths()
	for i, unread := range l.unread {
		if unread {
			p[i] = 0
		}
	}
	return p
}

// lengths returns the lengths of all parts.
func (l layout) lengths() (p [partCount]int) {
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
		p[distinctCountPart], p[distinctChainPart] = b.Complexes*d.Simplices, b.Complexes*d.Simplices
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

// room returns the shape that complexes have to fit, which is not bounded by
// what is not in a row.
func (l layout) room() datasets.Budget {
	b, p := l.budget.Budget, l.parts()
	if p[rowPart]+p[vertexOfPart]+p[simplexPart] == 0 {
		b.Vertices = math.MaxInt32
	}
	if p[simplexPart]+p[simplexOfPart]+p[typePart]+p[distinctOfPart]+p[distinctSignPart] == 0 {
		b.Simplices = math.MaxInt32
	}
	return b
}

// fits reports whether the complexes fit a row.
func (p *packer) fits(l layout, ids []int32) bool {
	if !l.room().Fits(p.data, ids) {
		return false
	}
	if l.parts()[distinctSimplexPart] == 0 {
		return true
	}
	vertices, simplices := p.simplex.Count(ids)
	return vertices < l.budget.distinct.Vertices && simplices <= l.budget.distinct.Simplices
}

// pack writes the batch of the given complexes to a row. It reports whether
// they fit; if not, the row is of no use.
func (p *packer) pack(l layout, ids []int32, row []int32) (ok bool, err error) {
	room := l.room()
	if !room.Fits(p.data, ids) {
		return false, nil
	}
	var views [partCount][]int32
	for i, length := range l.parts() {
		if length > 0 {
			views[i], row = row[:length], row[length:]
		}
	}
	batch := datasets.Batch{
		Budget:    room,
		VertexIDs: views[rowPart], VertexOf: views[vertexOfPart],
		Simplices: views[simplexPart], SimplexOf: views[simplexOfPart], SimplexTypes: views[typePart],
		Labels: views[labelPart],
	}
	if mask := views[maskPart]; mask != nil {
		p.mask = resize(p.mask, len(mask))
		batch.Mask = p.mask
	}
	if targets := views[targetPart]; targets != nil {
		p.targets = resize(p.targets, len(targets))
		batch.Targets = p.targets
	}
	if err := batch.Pack(p.data, ids); err != nil {
		return false, err
	}
	for i, vertex := range batch.VertexIDs {
		if int(vertex) < len(p.distinct.Vertex) {
			batch.VertexIDs[i] = p.distinct.Vertex[vertex]
		} else {
			batch.VertexIDs[i] = int32(len(p.distinct.Coordinates) / p.data.Dim)
		}
	}
	for i, keep := range batch.Mask {
		views[maskPart][i] = 0
		if keep {
			views[maskPart][i] = 1
		}
	}
	for i, y := range batch.Targets {
		views[targetPart][i] = int32(math.Float32bits(y))
	}
	if views[distinctSimplexPart] != nil {
		return p.simplex.Pack(ids, &datasets.DistinctBatch{
			Vertices: views[distinctVertexPart], Simplices: views[distinctSimplexPart],
			Of: views[distinctOfPart], Sign: views[distinctSignPart],
			Counts: views[distinctCountPart], Chains: views[distinctChainPart],
		}), nil
	}
	return true, nil
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
func (l layout) unpack(table, row *Node) *Batch { return l.batch(table, l.views(row)) }

// views returns the parts of a row. Those that are not in it are zeros, since
// their shapes may count; those that no row has are nil.
func (l layout) views(row *Node) (views [partCount]*Node) {
	from := 0
	for i, length := range l.lengths() {
		switch {
		case length == 0:
		case l.unread[i]:
			views[i] = Zeros(row.Graph(), shapes.Make(row.DType(), length))
		default:
			views[i] = SliceAxis(row, 0, AxisRange(from, from+length))
			from += length
		}
	}
	return views
}

// batch makes a batch of the parts of a row.
func (l layout) batch(table *Node, views [partCount]*Node) *Batch {
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
			counts: Reshape(views[distinctCountPart], l.budget.Complexes, -1),
			chains: Reshape(views[distinctChainPart], l.budget.Complexes, -1),
		}
	}
	return b
}

// look marks the parts that what read builds on a graph with a batch, and
// returns, is made of.
func (l layout) look(g *Graph, table *Node, seen *[partCount]bool, read func(*Batch) *Node) {
	views := l.views(Parameter(g, "row", shapes.Make(dtypes.Int32, l.width())))
	batch := l.batch(table, views)
	before := len(g.Nodes())
	out := read(batch)
	// The parts that every node is made of, as bits. Nodes come after their inputs.
	nodes := g.Nodes()
	of := make([]uint, len(nodes))
	for part, view := range views {
		if view != nil {
			of[view.Id()] = 1 << part
		}
	}
	parts := uint(0)
	for i, node := range nodes {
		for _, input := range node.Inputs() {
			of[i] |= of[input.Id()]
		}
		if i < before && node != out {
			continue
		}
		parts |= of[i]
		if closes[node.Type()] { // whatever its functions return is no input of a node
			parts = 1<<partCount - 1
		}
	}
	for part := range seen {
		seen[part] = seen[part] || parts&(1<<part) != 0
	}
}

// closes are the operations with functions of their own.
var closes = map[NodeType]bool{NodeTypeWhile: true, NodeTypeIf: true, NodeTypeCall: true}
