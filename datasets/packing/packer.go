package packing

import (
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Packer packs batches of a collection. Only one goroutine may use it at a time; others use a Clone.
type Packer struct {
	data     *datasets.Collection
	starts   [][]int32 // by degree [G+1]: complex g owns the simplices starts[k][g] to starts[k][g+1]
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
	p := &Packer{data: c, starts: [][]int32{c.VertexStart}}
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

// Coordinates returns the table of vertices that rows refer to, [rows, n], the last of them zero.
func (p *Packer) Coordinates() []float32 {
	if p.distinct != nil {
		return slices.Concat(p.distinct.coordinates, make([]float32, p.data.Dim))
	}
	return append(Round(p.data.Vertices), make([]float32, p.data.Dim)...)
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
		if write := kinds[part.Kind].fill; write != nil && len(view) > 0 {
			write(filling{p, part, &l.Budget, view, ids})
		}
	}
	for k := range l.Budget.Distinct {
		if l.packsDistinct(k) && !p.packDistinct(l, k, ids) {
			return false, nil
		}
	}
	return true, nil
}

// tableRows returns the number of rows of the table of vertices, without the last.
func (p *Packer) tableRows() int32 {
	if p.distinct != nil {
		return int32(len(p.distinct.coordinates) / p.data.Dim)
	}
	return int32(len(p.data.Vertices) / p.data.Dim)
}
