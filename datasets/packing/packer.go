package packing

import (
	"fmt"
	"math"

	"github.com/neuralkforms/nkf/datasets"
)

// Packer packs batches of a collection. Only one goroutine may use it at a time; others use a Clone.
type Packer struct {
	data     *datasets.Collection
	starts   [][]int32 // by degree [G+1]: complex g owns the simplices starts[k][g] to starts[k][g+1]
	further  []int32   // rows of neighbors, see further; nil where they are not listed
	distinct *distinct // nil where repetitions are packed like all else
	share    float64   // of distinct simplices up to which these are packed
	marks    []marks   // of the distinct simplices, by degree
	views    [][]int32 // scratch
}

// New returns a packer of a collection, which must be valid. It panics for nil.
func New(c *datasets.Collection) *Packer {
	if c == nil {
		panic("packing: the collection is nil: there was an error where it was made")
	}
	p := &Packer{data: c, starts: [][]int32{c.VertexStart}, further: further(c)}
	for _, s := range c.Simplices[1:] {
		p.starts = append(p.starts, s.Start)
	}
	return p
}

// Clone returns a packer for another goroutine.
func (p *Packer) Clone() *Packer {
	out := *p
	out.views, out.marks = nil, p.distinct.marks()
	return &out
}

// Coordinates writes the table of vertices that rows refer to, [TableRows, n], over zeros. Its last row stays
// zero.
func (p *Packer) Coordinates(table []float32) {
	if p.distinct != nil {
		copy(table, p.distinct.coordinates)
		return
	}
	for i, x := range p.data.Vertices {
		table[i] = float32(x)
	}
}

// TableRows returns the number of rows of the table of vertices.
func (p *Packer) TableRows() int { return int(p.tableRows()) + 1 }

// Pack writes the batch of the complexes ids, in that order, to a row of the layout's width. It reports
// whether they fit; if not, the row is invalid. It is an error if an id is not a complex.
func (p *Packer) Pack(l *Layout, ids, row []int32) (bool, error) {
	if err := CheckIDs(p.data, ids); err != nil {
		return false, err
	}
	if len(row) != l.Width() {
		return false, fmt.Errorf("a row of %d numbers for a layout of %d", len(row), l.Width())
	}
	if !p.fitsRows(l.Budget, ids, l.packs) {
		return false, nil
	}
	p.views = p.views[:0]
	for i := range l.Parts {
		part := &l.Parts[i]
		view := row[:part.Length()]
		row = row[part.Length():]
		p.views = append(p.views, view)
		if kind := &kinds[part.Kind]; kind.fill != nil && len(view) > 0 {
			kind.fill(filling{p, part, kind, &l.Budget, view, ids})
		}
	}
	for k := range l.Budget.Distinct {
		if l.packsDistinct(k) && !p.packDistinct(l, k, ids) {
			return false, nil
		}
	}
	return true, nil
}

// vertexCount returns the number of vertices of a collection.
func vertexCount(c *datasets.Collection) int {
	if c.Rows != nil {
		return len(c.Rows)
	}
	return len(c.Vertices) / max(1, c.Dim)
}

// rowOf returns the row of coordinates of a vertex of a collection.
func rowOf(c *datasets.Collection, vertex int) int {
	if c.Rows != nil {
		return int(c.Rows[vertex])
	}
	return vertex
}

// tableRows returns the number of rows of the table of vertices, without the last.
func (p *Packer) tableRows() int32 {
	if p.distinct != nil {
		return int32(len(p.distinct.coordinates) / p.data.Dim)
	}
	return int32(len(p.data.Vertices) / p.data.Dim)
}

// filling is a part that is written for the complexes ids.
type filling struct {
	*Packer
	*Part
	kind      *description
	budget    *Budget
	view, ids []int32
}

func (f filling) simplices() *datasets.Simplices { return &f.data.Simplices[f.Degree] }

// each calls write for the entries own of the complex in each place, which come from the entries from, … of
// the collection, and pads the rest.
func (f filling) each(padding int32, write func(place, from int, own []int32)) {
	at, columns, start := 0, f.Columns, []int32(nil)
	if f.kind.row == simplices {
		start = f.starts[f.Degree]
	}
	for place, id := range f.ids {
		from, to := int(id)*columns, int(id+1)*columns
		if start != nil {
			from, to = int(start[id])*columns, int(start[id+1])*columns
		}
		write(place, from, f.view[at:at+to-from])
		at += to - from
	}
	fill(f.view[at:], padding)
}

// rows writes the rows of vertices in the table.
func (f filling) rows() {
	f.each(f.tableRows(), func(_, from int, own []int32) {
		rows := f.data.Rows
		if f.distinct != nil {
			rows = f.distinct.vertex
		}
		if rows != nil {
			copy(own, rows[from:])
			return
		}
		for i := range own {
			own[i] = int32(from + i)
		}
	})
}

// owners writes the places of complexes.
func (f filling) owners() {
	f.each(int32(f.budget.Complexes), func(place, _ int, own []int32) { fill(own, int32(place)) })
}

// indices writes values that number simplices of another degree, the last of which is for padding.
func (f filling) indices(values []int32) {
	k := f.kind.refersTo(f.Degree)
	start, base := f.starts[k], int32(0)
	f.each(int32(f.budget.Rows[k]-1), func(place, from int, own []int32) {
		for i, n := range values[from : from+len(own)] {
			own[i] = base + n
		}
		base += start[f.ids[place]+1] - start[f.ids[place]]
	})
}

// integers writes values of the collection.
func integers[T int8 | int32](f filling, values []T, padding int32) {
	f.each(padding, func(_, from int, own []int32) {
		for i, x := range values[from : from+len(own)] {
			own[i] = int32(x)
		}
	})
}

// floats writes the bits of values of the collection, rounded to 32.
func floats[T float32 | float64](f filling, values []T, padding float64) {
	f.each(int32(math.Float32bits(float32(padding))), func(_, from int, own []int32) {
		for i, x := range values[from : from+len(own)] {
			own[i] = int32(math.Float32bits(float32(x)))
		}
	})
}

func fill(s []int32, x int32) {
	if x == 0 {
		clear(s)
		return
	}
	for i := range s {
		s[i] = x
	}
}
