package packing

import (
	"fmt"
	"iter"

	"github.com/neuralkforms/nkf/datasets"
)

// Batch is a packed batch.
type Batch struct {
	IDs    []int32 // its complexes
	Layout *Layout
	Row    []int32 // [Layout.Width()]
}

// Batches yields the batches of the complexes that ids yields, each in the first of the layouts that it fits.
// Rows are valid until the next batch. It ends with an error at a batch that fits none, or with a number that
// is not a complex.
func (p *Packer) Batches(ids iter.Seq[[]int32], layouts ...*Layout) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		rows := make([][]int32, len(layouts))
		for some := range ids {
			batch, err := p.batch(some, layouts, rows)
			if !yield(batch, err) || err != nil {
				return
			}
		}
	}
}

// batch packs a batch into a row of the first layout that it fits.
func (p *Packer) batch(ids []int32, layouts []*Layout, rows [][]int32) (Batch, error) {
	for i, l := range layouts {
		if rows[i] == nil {
			rows[i] = make([]int32, l.Width())
		}
		if fits, err := p.Pack(l, ids, rows[i]); fits || err != nil {
			return Batch{ids, l, rows[i]}, err
		}
	}
	return Batch{}, fmt.Errorf("collection %q: the batch of the complexes %d is larger than any of as many "+
		"different ones", p.data.Name, ids)
}

// Vertices returns the coordinates of the vertices of a batch, [V, n], zeros for padding: for batches of a
// layout without a table.
func (p *Packer) Vertices(b Batch) []float32 {
	size := b.Layout.Budget.Rows[0] * p.data.Dim
	vertices := make([]float32, 0, size)
	for _, id := range b.IDs {
		vertices = append(vertices, datasets.Float32s(p.data.Points(int(id)))...)
	}
	return vertices[:size]
}

// minLarge is the size of the bound, in usual budgets, from which a budget between them is worth a program.
// The bound of HIV has five times the simplices of its usual budget, and eleven times the distinct ones.
const minLarge = 4

// Layouts returns the layouts for batches of that many different complexes, ascending: nearly all batches fit
// the first, see [Packer.Budgets], and all fit the last.
func (p *Packer) Layouts(batch int) ([]*Layout, error) {
	usual, bound, err := p.Budgets(batch)
	if err != nil {
		return nil, err
	}
	var layouts []*Layout
	for _, b := range ascending(usual, bound) {
		layouts = append(layouts, p.Layout(b))
	}
	return layouts, nil
}

// ascending returns the budgets from the usual one to the bound.
func ascending(usual, bound Budget) []Budget {
	if usual.Equal(bound) {
		return []Budget{bound}
	}
	last := len(usual.Rows) - 1
	if bound.Rows[last] < minLarge*usual.Rows[last] {
		return []Budget{usual, bound}
	}
	large := usual.Combine(bound, func(few, most int) int { return min(2*few, most) })
	return []Budget{usual, large, bound}
}

// CheckIDs returns an error that names the first of ids that is not a complex of c.
func CheckIDs(c *datasets.Collection, ids []int32) error {
	for i, id := range ids {
		if id < 0 || int(id) >= c.Len() {
			return fmt.Errorf("collection %q: complex number %d at place %d, but there are %d complexes",
				c.Name, id, i, c.Len())
		}
	}
	return nil
}
