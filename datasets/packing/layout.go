package packing

import (
	"fmt"
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
	unit    unit
	numbers int // degree of the simplices that the values number; -1 if they are no such numbers
}

// Length returns how much of a row the part takes.
func (p *Part) Length() int {
	if !p.Packed {
		return 0
	}
	return p.Rows * p.Columns
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
				part := Part{Kind(kind), k, b.rows(d.unit, k), columns, true, d.unit, -1}
				if d.numbers != nil {
					part.numbers = d.numbers(k)
				}
				l.Parts = append(l.Parts, part)
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
	return slices.ContainsFunc(l.Parts, func(p Part) bool {
		return p.Packed && (p.unit == simplices && p.Degree == k || p.numbers == k)
	})
}

// packsDistinct reports whether the layout packs anything of the distinct k-simplices.
func (l *Layout) packsDistinct(k int) bool {
	return len(l.Budget.Distinct) > 0 && slices.ContainsFunc(l.Parts, func(p Part) bool {
		return p.Packed && p.Degree == k && p.Kind >= DistinctRows
	})
}
