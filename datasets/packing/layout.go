package packing

import (
	"fmt"
	"slices"
	"sync"
)

// Kind says what a part of a batch is.
type Kind int

// The parts of a batch with B complexes, and for each degree S simplices. Values are those of padding.
const (
	Rows     Kind = iota // [V]: rows of the vertices in a table of coordinates; the last, which is zero
	VertexOf             // [V], ascending: place in the batch of the vertex's complex; B
	Labels               // [B]: class numbers; 0
	Mask                 // [B]: 1 for complexes; 0
	Targets              // [B, tasks]: bits of float32, the values to be learned; NaN, as where unknown
	Globals              // [B, width]: bits of float32, data on whole complexes; 0

	Corners      // [S, k+1]: vertex numbers within the batch; the last vertex
	SimplexOf    // [S], ascending: place of the simplex's complex; B
	Faces        // [S, k+1]: numbers of facets within the batch; the last
	Signs        // [S, k+1]: their signs; 0
	Cochain      // [S, width]: bits of float32; 0
	Classes      // [S]: class numbers of simplices that are learned; -1, as where unknown
	ChainOf      // [M], ascending: place of the chain's complex; B
	TermSimplex  // [T]: simplex of each term; the last
	TermChain    // [T]: chain of each term; the last
	Coefficients // [T]: bits of float32; 0

	DistinctRows    // [W]: table rows of the vertices of distinct simplices; the last, which is zero
	DistinctCorners // [D, k+1]: places in DistinctRows; the last
	DistinctOf      // [S]: distinct simplex of every simplex; 0
	DistinctSign    // [S]: 1, or -1 for the other orientation; 0
	DistinctCounts  // [B, D]: how often each complex has each distinct simplex; 0
	DistinctChains  // [B, D]: the same, but the sums of the signs; 0
)

// Part is a part of a batch.
type Part struct {
	Kind    Kind
	Degree  int // of the simplices it belongs to
	Rows    int
	Columns int
	Packed  bool // whether rows of int32 hold it
	axis    int  // of Budget.Rows that gives Rows; -1 for others
	names   int  // axis that the values index; -1 if they are no indices
}

// Layout says which parts a padded batch has and where they stand in a row of int32. Equal layouts are the
// same pointer, as a GoMLX trainer expects of its Spec.
type Layout struct {
	Budget Budget
	Parts  []Part
}

// layouts holds all layouts, shared by pointer and never freed.
var layouts sync.Map

// intern returns the layout that equals l.
func (l Layout) intern() *Layout {
	known, _ := layouts.LoadOrStore(fmt.Sprintf("%+v", l), &l)
	return known.(*Layout)
}

// Width returns the length of a row.
func (l *Layout) Width() (width int) {
	for i := range l.Parts {
		width += l.Parts[i].Length()
	}
	return width
}

// Length returns how much of a row the part takes.
func (p *Part) Length() int {
	if !p.Packed {
		return 0
	}
	return p.Rows * p.Columns
}

// Without returns the layout whose rows lack the parts of the given numbers.
func (l *Layout) Without(parts ...int) *Layout {
	out := Layout{Budget: l.Budget, Parts: slices.Clone(l.Parts)}
	for _, i := range parts {
		out.Parts[i].Packed = false
	}
	return out.intern()
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

// View returns the part in a row of the layout's width, nil if it has none of the kind.
func (l *Layout) View(kind Kind, degree int, row []int32) []int32 {
	for i := range l.Parts {
		p := &l.Parts[i]
		if p.Kind == kind && p.Degree == degree {
			return row[:p.Length()]
		}
		row = row[p.Length():]
	}
	return nil
}

// Layout returns the layout of batches of the packer's collection with that budget.
func (p *Packer) Layout(b Budget) *Layout {
	l := Layout{Budget: b}
	add := func(kind Kind, degree, rows, columns, axis, names int) {
		if columns > 0 {
			l.Parts = append(l.Parts, Part{kind, degree, rows, columns, true, axis, names})
		}
	}
	axis := 0 // of what parts are added for
	on := func(kind Kind, degree, columns, names int) {
		add(kind, degree, b.Rows[axis], columns, axis, names)
	}
	on(Rows, 0, 1, -1)
	on(VertexOf, 0, 1, -1)
	for k, s := range p.data.Simplices {
		if k > 0 {
			axis++
			on(Corners, k, k+1, 0)
			on(SimplexOf, k, 1, -1)
		}
		if s.Faces != nil {
			on(Faces, k, k+1, p.axis(k-1))
			on(Signs, k, k+1, -1)
		}
		on(Cochain, k, s.Width, -1)
		if s.Labels != nil {
			on(Classes, k, 1, -1)
		}
		if s.Chains != nil {
			axis++
			on(ChainOf, k, 1, -1)
			axis++
			on(TermSimplex, k, 1, p.axis(k))
			on(TermChain, k, 1, axis-1)
			on(Coefficients, k, 1, -1)
		}
	}
	add(Labels, 0, b.Complexes, 1, -1, -1)
	add(Mask, 0, b.Complexes, 1, -1, -1)
	add(Targets, 0, b.Complexes, len(p.data.Tasks), -1, -1)
	add(Globals, 0, b.Complexes, p.data.GlobalWidth, -1, -1)
	if b.Distinct == nil {
		return l.intern()
	}
	for i, k := range p.distinct.degrees {
		vertices, simplices := b.Distinct[2*i], b.Distinct[2*i+1]
		add(DistinctRows, k, vertices, 1, -1, -1)
		add(DistinctCorners, k, simplices, k+1, -1, -1)
		axis = p.axis(k)
		on(DistinctOf, k, 1, -1)
		on(DistinctSign, k, 1, -1)
		add(DistinctCounts, k, b.Complexes, simplices, -1, -1)
		add(DistinctChains, k, b.Complexes, simplices, -1, -1)
	}
	return l.intern()
}

// WithoutTable returns the layout for batches that come with their vertices instead of rows of a table, which
// are the first part.
func (l *Layout) WithoutTable() *Layout {
	return Layout{Budget: l.Budget, Parts: l.Parts[1:]}.intern()
}
