package packing

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// Part is a part of a batch.
type Part struct {
	Kind    Kind
	Degree  int // of the simplices it belongs to
	Rows    int
	Columns int
	Packed  bool // whether rows of int32 hold it
}

// Length returns how much of a row the part takes.
func (p *Part) Length() int {
	if !p.Packed {
		return 0
	}
	return p.Rows * p.Columns
}

// bounds reports whether the part limits the k-simplices of a batch: it is packed, and has a row for each of
// them or refers to them.
func (p *Part) bounds(k int) bool {
	d := &kinds[p.Kind]
	return p.Packed && (d.row == simplices && p.Degree == k || d.refersTo != nil && d.refersTo(p.Degree) == k)
}

// Layout lists the parts of a padded batch and their positions in a row of int32. Equal layouts are the same
// pointer, as a GoMLX trainer expects of its Spec.
type Layout struct {
	Budget Budget
	Parts  []Part
}

// layouts holds the layouts in use by their text, as weak pointers.
var layouts sync.Map

// intern returns the layout in use that equals l.
func (l Layout) intern() *Layout {
	key, own := fmt.Sprint(l), &l
	for {
		known, loaded := layouts.LoadOrStore(key, weak.Make(own))
		if !loaded {
			runtime.AddCleanup(own, func(p weak.Pointer[Layout]) { layouts.CompareAndDelete(key, p) },
				known.(weak.Pointer[Layout]))
			return own
		}
		if shared := known.(weak.Pointer[Layout]).Value(); shared != nil {
			return shared
		}
		layouts.CompareAndDelete(key, known)
	}
}

// Layout returns the layout of batches of the packer's collection with that budget.
func (p *Packer) Layout(b Budget) *Layout {
	l := Layout{Budget: b.Combine(b, func(x, _ int) int { return x })} // a copy
	for kind, d := range kinds {
		if kind >= int(DistinctRows) && len(b.Distinct) == 0 {
			break
		}
		for k := range p.data.Simplices {
			if columns := d.columns(p, b, k); columns > 0 {
				l.Parts = append(l.Parts, Part{Kind(kind), k, b.rows(d.row, k), columns, true})
			}
		}
	}
	return l.intern()
}

// Without returns the layout whose rows lack the parts of the given numbers.
func (l *Layout) Without(parts ...int) *Layout {
	out := Layout{Budget: l.Budget, Parts: slices.Clone(l.Parts)}
	for _, i := range parts {
		out.Parts[i].Packed = false
	}
	return out.intern()
}

// WithoutTable returns the layout for batches that come with their vertices instead of rows of a table, which
// are the first part.
func (l *Layout) WithoutTable() *Layout {
	return Layout{Budget: l.Budget, Parts: l.Parts[1:]}.intern()
}

// Width returns the length of a row.
func (l *Layout) Width() (width int) {
	for i := range l.Parts {
		width += l.Parts[i].Length()
	}
	return width
}

// Find returns the number of the part, -1 if the batch has none of the kind.
func (l *Layout) Find(kind Kind, degree int) int {
	for i := range l.Parts {
		if p := &l.Parts[i]; p.Kind == kind && p.Degree == degree {
			return i
		}
	}
	return -1
}

// View returns the part of that number in a row of the layout's width.
func (l *Layout) View(part int, row []int32) []int32 {
	for i := range l.Parts[:part] {
		row = row[l.Parts[i].Length():]
	}
	return row[:l.Parts[part].Length()]
}

// packs reports whether the layout packs anything with a row for each k-simplex, or numbers of these.
func (l *Layout) packs(k int) bool {
	return slices.ContainsFunc(l.Parts, func(p Part) bool { return p.bounds(k) })
}

// packsDistinct reports whether the layout packs anything of the distinct k-simplices.
func (l *Layout) packsDistinct(k int) bool {
	return len(l.Budget.Distinct) > 0 && slices.ContainsFunc(l.Parts, func(p Part) bool {
		return p.Packed && p.Degree == k && p.Kind >= DistinctRows
	})
}

// Kind says what a part of a batch is.
type Kind int

// The parts of a batch with B complexes and, for each degree k, S simplices. Values are those of padding.
const (
	Rows     Kind = iota // [V]: rows of the vertices in a table of coordinates; the last, which is zero
	VertexOf             // [V], ascending: place in the batch of the vertex's complex; B

	Corners   // [S, k+1]: vertex numbers within the batch; the last vertex
	SimplexOf // [S], ascending: place of the simplex's complex; B
	Faces     // [S, k+1]: numbers of facets within the batch; the last
	Signs     // [S, k+1]: their signs; 0
	Cochain   // [S, width]: bits of float32; 0
	Neighbors // [V+R, 1+8]: a row for each vertex, R rows for further neighbors, see filling.neighbors

	Labels  // [B]: class numbers; 0
	Mask    // [B]: 1 for complexes; 0
	Targets // [B, tasks]: bits of float32, the values to be learned; NaN, as where unknown

	DistinctRows    // [W]: table rows of the vertices of distinct simplices; the last, which is zero
	DistinctCorners // [D, k+1]: places in DistinctRows; the last
	DistinctOf      // [S]: distinct simplex of every simplex; 0
	DistinctSign    // [S]: 1, or -1 for the other orientation; 0
	DistinctCounts  // [B, D]: how often each complex has each distinct simplex; 0
	DistinctChains  // [B, D]: the same, but the sums of the signs; 0
)

// String names what a batch has of the kind, as the fields of layers.Parts are called.
func (k Kind) String() string { return kinds[k].name }

// Rank returns the number of axes of the part on the graph.
func (k Kind) Rank() int { return kinds[k].rank }

// Floats reports whether the numbers of the part are bits of float32.
func (k Kind) Floats() bool { return kinds[k].floats }

// unit is what a part has a row for.
type unit int

const (
	complexes unit = iota
	simplices      // of the part's degree; vertices have degree 0
	distinctVertices
	distinctSimplices
	neighborRows
)

// description says what parts of a kind hold.
type description struct {
	name     string
	rank     int                                  // number of axes on the graph
	floats   bool                                 // whether the numbers are bits of float32
	row      unit                                 // what a row is for
	columns  func(p *Packer, b Budget, k int) int // 0 where there is no such part
	refersTo func(k int) int                      // degree of the simplices that the values number; or nil
	fill     func(f filling)                      // nil for parts that are filled together
}

// kinds is the table of all parts.
var kinds = [...]description{
	Rows:     {name: "Vertices", rank: 2, row: simplices, columns: onVertices, fill: filling.rows},
	VertexOf: {name: "VertexOf", rank: 1, row: simplices, columns: onVertices, fill: filling.owners},

	Corners: {name: "Corners", rank: 2, row: simplices, columns: perCorner, refersTo: vertices,
		fill: func(f filling) { f.indices(f.simplices().Corners) }},
	SimplexOf: {name: "Of", rank: 1, row: simplices, columns: onSimplices, fill: filling.owners},
	Faces: {name: "Faces", rank: 2, row: simplices, columns: perFace, refersTo: below,
		fill: func(f filling) { f.indices(f.simplices().Faces) }},
	Signs: {name: "Signs", rank: 2, row: simplices, columns: perFace,
		fill: func(f filling) { integers(f, f.simplices().Signs, 0) }},
	Cochain: {name: "Cochain", rank: 2, floats: true, row: simplices, columns: perValue,
		fill: func(f filling) { floats(f, f.simplices().Cochain, 0) }},
	Neighbors: {name: "neighbors", rank: 2, row: neighborRows, columns: perNeighbor, refersTo: vertices,
		fill: filling.neighbors},

	Labels: {name: "Labels", rank: 1, row: complexes, columns: onVertices,
		fill: func(f filling) { integers(f, f.data.Labels, 0) }},
	Mask: {name: "Mask", rank: 1, row: complexes, columns: onVertices,
		fill: func(f filling) {
			fill(f.view[:len(f.ids)], 1)
			fill(f.view[len(f.ids):], 0)
		}},
	Targets: {name: "Targets", rank: 2, floats: true, row: complexes, columns: perTask,
		fill: func(f filling) { floats(f, f.data.Targets, math.NaN()) }},

	DistinctRows:    {name: "distinct vertices", rank: 1, row: distinctVertices, columns: repeating},
	DistinctCorners: {name: "distinct corners", rank: 2, row: distinctSimplices, columns: repeatingCorners},
	DistinctOf:      {name: "distinct simplices", rank: 1, row: simplices, columns: repeating},
	DistinctSign:    {name: "signs of distinct simplices", rank: 1, row: simplices, columns: repeating},
	DistinctCounts:  {name: "counts of distinct simplices", rank: 2, row: complexes, columns: perRepeated},
	DistinctChains: {name: "signed counts of distinct simplices", rank: 2, row: complexes,
		columns: perRepeated},
}

// Degrees of the simplices that values of a part of degree k number.

func vertices(int) int { return 0 }
func below(k int) int  { return k - 1 }

// Numbers of columns.

func onVertices(_ *Packer, _ Budget, k int) int  { return one(k == 0) }
func onSimplices(_ *Packer, _ Budget, k int) int { return one(k > 0) }
func perCorner(_ *Packer, _ Budget, k int) int   { return one(k > 0) * (k + 1) }
func perFace(p *Packer, _ Budget, k int) int     { return one(p.data.Simplices[k].Faces != nil) * (k + 1) }
func perValue(p *Packer, _ Budget, k int) int    { return p.data.Simplices[k].Width }
func perTask(p *Packer, _ Budget, k int) int     { return one(k == 0) * len(p.data.Tasks) }
func repeating(p *Packer, _ Budget, k int) int   { return one(p.distinct.repeats(k)) }
func perRepeated(p *Packer, b Budget, k int) int { return repeating(p, b, k) * b.Distinct[k].Simplices }

func perNeighbor(p *Packer, _ Budget, k int) int {
	return one(k == 1 && p.further != nil) * (1 + perRow)
}

func repeatingCorners(p *Packer, b Budget, k int) int { return repeating(p, b, k) * (k + 1) }

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
