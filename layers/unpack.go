package layers

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// Unpack returns the batch that a model function of GoMLX is given: the spec
// and the inputs of [Dataset]. The spec is a *packing.Layout, the inputs are
// the table of vertices [U, n] that rows refer to, or of a layout without rows
// the vertices themselves, and a row of length layout.Width() that was packed by it.
func Unpack(spec any, inputs []*Node) *Batch {
	layout, ok := spec.(*packing.Layout)
	if !ok || len(inputs) != 2 {
		exceptions.Panicf("layers.Unpack: a spec of type %T and %d inputs: want those of a batch of "+
			"layers.Dataset", spec, len(inputs))
	}
	table, row := inputs[0], inputs[1]
	if row.Rank() != 1 || rows(row) != layout.Width() || row.DType() != dtypes.Int32 {
		exceptions.Panicf("layers.Unpack: a row of shape %s for a batch of %d int32: want one batch; unpack "+
			"batches that were joined one by one", row.Shape(), layout.Width())
	}
	if table.Rank() != 2 || !table.DType().IsFloat() {
		exceptions.Panicf("layers.Unpack: vertices of shape %s: want floats [rows, n]", table.Shape())
	}
	b := &Batch{nodes: map[part]*Node{}, layout: layout, row: row}
	for _, p := range layout.Parts {
		b.degree = max(b.degree, p.Degree)
	}
	if layout.Find(packing.Rows, 0) >= 0 {
		b.table = table
		return b
	}
	if at := layout.Find(packing.VertexOf, 0); rows(table) != layout.Parts[at].Rows {
		exceptions.Panicf("layers.Unpack: vertices of shape %s for a batch of %d: want one batch; unpack "+
			"batches that were joined one by one", table.Shape(), layout.Parts[at].Rows)
	}
	b.nodes[part{packing.Rows, 0}] = table
	return b
}

// Unread returns the numbers of those parts of its layout that the batch of
// [Unpack] has not been asked for. A model that is built again asks for the same.
func (b *Batch) Unread() (parts []int) {
	if b.layout == nil {
		return nil
	}
	for i, p := range b.layout.Parts {
		if b.nodes[part{p.Kind, p.Degree}] == nil {
			parts = append(parts, i)
		}
	}
	return parts
}

// read returns a part of the row, nil if there is none of the kind.
func (b *Batch) read(kind packing.Kind, degree int) *Node {
	i := b.layout.Find(kind, degree)
	if i < 0 {
		return nil
	}
	from := 0
	for _, before := range b.layout.Parts[:i] {
		from += before.Length()
	}
	p := b.layout.Parts[i]
	if !p.Packed {
		exceptions.Panicf("layers.Batch: the model asks for %s of degree %d, which it did not ask for when "+
			"it was first built, so that it is not packed: build the same model every time",
			kind, degree)
	}
	x := SliceAxis(b.row, 0, AxisRange(from, from+p.Length()))
	switch {
	case kind.Floats():
		x = Bitcast(x, dtypes.Float32)
	case kind == packing.Mask:
		return GreaterThan(x, ZerosLike(x))
	case kind == packing.Rows: // of the table, which has the other axis
		return x
	}
	if kind.Rank() == 2 {
		return Reshape(x, p.Rows, p.Columns)
	}
	return x
}
