package packing

import (
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Packer packs batches of a collection. It is for one goroutine at a time; each further one takes a Clone.
type Packer struct {
	data     *datasets.Collection
	axes     []axis
	distinct *distinct // nil where repetitions are packed like all else
	marks    []marks   // of the distinct vertices and simplices, in turn
	views    [][]int32 // scratch
}

// axis is something of which complexes have rows: vertices, simplices of a degree, their chains, or the terms
// of these.
type axis struct {
	name   string
	degree int
	start  []int32 // [G+1]
}

// count returns the rows of some complexes.
func (a *axis) count(ids []int32) (rows int) {
	for _, id := range ids {
		rows += int(a.start[id+1] - a.start[id])
	}
	return rows
}

// New returns a packer of a collection, which must be valid. It panics for nil.
func New(c *datasets.Collection) *Packer {
	if c == nil {
		panic("packing: the collection is nil: there was an error where it was made")
	}
	p := &Packer{data: c, axes: []axis{{"vertices", 0, c.VertexStart}}}
	for k, s := range c.Simplices {
		if k > 0 {
			p.axes = append(p.axes, axis{fmt.Sprintf("%d-simplices", k), k, s.Start})
		}
		if chains := s.Chains; chains != nil {
			terms := make([]int32, len(chains.Start))
			for g, chain := range chains.Start {
				terms[g] = chains.TermStart[chain]
			}
			p.axes = append(p.axes, axis{fmt.Sprintf("%d-chains", k), k, chains.Start},
				axis{fmt.Sprintf("terms of %d-chains", k), k, terms})
		}
	}
	return p
}

// Clone returns a packer for another goroutine.
func (p *Packer) Clone() *Packer {
	out := *p
	out.views, out.marks = nil, nil
	if p.distinct != nil {
		out.marks = p.distinct.marks()
	}
	return &out
}

// Counted names what Budget.Rows counts.
func (p *Packer) Counted() (names []string) {
	for _, a := range p.axes {
		names = append(names, a.name)
	}
	return names
}

// axis returns the number of the axis of the k-simplices.
func (p *Packer) axis(k int) int {
	for i, a := range p.axes {
		if a.degree == k {
			return i
		}
	}
	panic(fmt.Sprintf("packing: no simplices of degree %d", k))
}

// Coordinates returns the table of vertices that rows refer to, [rows, n], the last of them zero.
func (p *Packer) Coordinates() []float32 {
	if p.distinct != nil {
		return slices.Concat(p.distinct.coordinates, make([]float32, p.data.Dim))
	}
	out := make([]float32, len(p.data.Vertices)+p.data.Dim)
	for i, x := range p.data.Vertices {
		out[i] = float32(x)
	}
	return out
}

// Round returns numbers of a collection in the 32 bits that networks compute in.
func Round(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// Pack writes the batch of the complexes ids, in that order, to a row of the layout's width. It reports
// whether they fit; if not, the row is of no use. It is an error if an id is no complex.
func (p *Packer) Pack(l *Layout, ids, row []int32) (bool, error) {
	if err := CheckIDs(p.data, ids); err != nil {
		return false, err
	}
	if len(row) != l.Width() {
		return false, fmt.Errorf("a row of %d numbers for a layout of %d", len(row), l.Width())
	}
	if !p.fitsRows(l, ids) {
		return false, nil
	}
	p.views = p.views[:0]
	for i := range l.Parts {
		part := &l.Parts[i]
		length := part.Length()
		p.views = append(p.views, row[:length])
		if length > 0 && part.Kind < DistinctRows {
			p.fill(l, part, row[:length], ids)
		}
		row = row[length:]
	}
	if l.Budget.Distinct != nil {
		for i, k := range p.distinct.degrees {
			if l.packsDistinct(k) && !p.packRepeated(l, i, ids) {
				return false, nil
			}
		}
	}
	return true, nil
}

// FitsPacked is like Fits with the layout's budget, but ignores axes that the layout does not pack.
func (p *Packer) FitsPacked(l *Layout, ids []int32) bool {
	if !p.fitsRows(l, ids) {
		return false
	}
	if l.Budget.Distinct != nil {
		for i, k := range p.distinct.degrees {
			if l.packsDistinct(k) && !p.distinctFit(l.Budget, i, ids) {
				return false
			}
		}
	}
	return true
}

// fitsRows is FitsPacked but for distinct simplices.
func (p *Packer) fitsRows(l *Layout, ids []int32) bool {
	if len(ids) > l.Budget.Complexes {
		return false
	}
	for i, a := range p.axes {
		if p.spare(i)+a.count(ids) > l.Budget.Rows[i] && l.packs(i) {
			return false
		}
	}
	return true
}

// packs reports whether the layout packs anything with the rows of an axis, or numbers of these.
func (l *Layout) packs(axis int) bool {
	return slices.ContainsFunc(l.Parts, func(p Part) bool {
		return p.Packed && (p.axis == axis || p.names == axis)
	})
}

// packsDistinct reports whether the layout packs anything of the distinct k-simplices.
func (l *Layout) packsDistinct(k int) bool {
	for i := range l.Parts {
		if p := &l.Parts[i]; p.Packed && p.Degree == k && p.Kind >= DistinctRows {
			return true
		}
	}
	return false
}

// fill writes a part of the batch of the complexes ids.
func (p *Packer) fill(l *Layout, part *Part, view []int32, ids []int32) {
	switch part.Kind {
	case Rows:
		p.each(part, view, ids, p.rows(), func(_, _ int, to []int32, from int) {
			if p.distinct != nil {
				copy(to, p.distinct.vertex[from:])
				return
			}
			for i := range to {
				to[i] = int32(from + i)
			}
		})
	case VertexOf, SimplexOf, ChainOf:
		p.each(part, view, ids, int32(l.Budget.Complexes), func(place, _ int, to []int32, _ int) {
			fill(to, int32(place))
		})
	case Corners:
		p.numbers(l, part, view, ids, p.data.Simplices[part.Degree].Corners)
	case Faces:
		p.numbers(l, part, view, ids, p.data.Simplices[part.Degree].Faces)
	case TermSimplex:
		p.numbers(l, part, view, ids, p.data.Simplices[part.Degree].Chains.Simplex)
	case TermChain:
		chains, before := p.data.Simplices[part.Degree].Chains, int32(0)
		p.each(part, view, ids, int32(l.Budget.Rows[part.names]-1), func(_, id int, to []int32, from int) {
			first := chains.Start[id]
			for chain := first; chain < chains.Start[id+1]; chain++ {
				fill(to[int(chains.TermStart[chain])-from:int(chains.TermStart[chain+1])-from],
					before+chain-first)
			}
			before += chains.Start[id+1] - first
		})
	case Signs:
		signs := p.data.Simplices[part.Degree].Signs
		p.each(part, view, ids, 0, func(_, _ int, to []int32, from int) {
			for i := range to {
				to[i] = int32(signs[from+i])
			}
		})
	case Cochain:
		floats(p, part, view, ids, p.data.Simplices[part.Degree].Cochain)
	case Classes:
		labels := p.data.Simplices[part.Degree].Labels
		p.each(part, view, ids, -1, func(_, _ int, to []int32, from int) {
			copy(to, labels[from:])
		})
	case Coefficients:
		floats(p, part, view, ids, p.data.Simplices[part.Degree].Chains.Coefficients)
	case Labels:
		for place, id := range ids {
			view[place] = p.data.Labels[id]
		}
		clear(view[len(ids):])
	case Mask:
		fill(view[:len(ids)], 1)
		clear(view[len(ids):])
	case Targets:
		wholes(part, view, ids, p.data.Targets, float32(math.NaN()))
	case Globals:
		wholes(part, view, ids, p.data.Globals, 0)
	}
}

// wholes packs the bits of numbers of whole complexes.
func wholes(part *Part, view, ids []int32, values []float32, padding float32) {
	for place, id := range ids {
		for i, x := range values[int(id)*part.Columns : int(id+1)*part.Columns] {
			view[place*part.Columns+i] = int32(math.Float32bits(x))
		}
	}
	fill(view[len(ids)*part.Columns:], int32(math.Float32bits(padding)))
}

// each calls write for the entries to of each complex id in its place, which come from the entries from, … of
// the collection, and pads the rest.
func (p *Packer) each(part *Part, view, ids []int32, padding int32,
	write func(place, id int, to []int32, from int)) {
	start, at := p.axes[part.axis].start, 0
	for place, id := range ids {
		from, to := int(start[id])*part.Columns, int(start[id+1])*part.Columns
		write(place, int(id), view[at:at+to-from], from)
		at += to - from
	}
	fill(view[at:], padding)
}

// numbers packs values that number the rows of another axis, the last of which is for padding.
func (p *Packer) numbers(l *Layout, part *Part, view, ids, values []int32) {
	start, base := p.axes[part.names].start, int32(0)
	p.each(part, view, ids, int32(l.Budget.Rows[part.names]-1), func(_, id int, to []int32, from int) {
		for i, n := range values[from : from+len(to)] {
			to[i] = base + n
		}
		base += start[id+1] - start[id]
	})
}

// floats packs the bits of numbers, rounded to 32.
func floats[T float32 | float64](p *Packer, part *Part, view, ids []int32, values []T) {
	p.each(part, view, ids, 0, func(_, _ int, to []int32, from int) {
		for i, x := range values[from : from+len(to)] {
			to[i] = int32(math.Float32bits(float32(x)))
		}
	})
}

// rows returns the number of rows of the table of vertices, without the last.
func (p *Packer) rows() int32 {
	if p.distinct != nil {
		return int32(len(p.distinct.coordinates) / p.data.Dim)
	}
	return int32(len(p.data.Vertices) / p.data.Dim)
}

func fill(s []int32, x int32) {
	for i := range s {
		s[i] = x
	}
}
