package layers

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// Unpack returns the batch of the arguments of a GoMLX model function: the spec and the inputs of [Dataset].
// The spec is a *packing.Layout, the inputs are the table of vertices [U, n] that rows refer to, or of a
// layout without rows the vertices themselves, and a row of length layout.Width() that was packed by it.
func Unpack(spec any, inputs []*Node) *Batch {
	layout, ok := spec.(*packing.Layout)
	if !ok || len(inputs) != 2 {
		exceptions.Panicf("layers.Unpack: a spec of type %T and %d inputs: want those of a batch of "+
			"layers.Dataset", spec, len(inputs))
	}
	table, row := inputs[0], inputs[1]
	if row.Rank() != 1 || row.Shape().Dim(0) != layout.Width() || row.DType() != dtypes.Int32 {
		exceptions.Panicf("layers.Unpack: a row of shape %s for a batch of %d int32", row.Shape(),
			layout.Width())
	}
	if table.Rank() != 2 || !table.DType().IsFloat() {
		exceptions.Panicf("layers.Unpack: vertices of shape %s: want floats [rows, n]", table.Shape())
	}
	b := &Batch{graph: row.Graph(), parts: map[name]*part{}, table: table}
	from := 0
	for _, p := range layout.Parts {
		at := from
		from += p.Length()
		b.degree = max(b.degree, p.Degree)
		b.packed = append(b.packed, &part{rows: p.Rows, read: func() *Node { return unpacked(row, at, p) }})
		b.parts[name{p.Kind, p.Degree}] = b.packed[len(b.packed)-1]
	}
	if b.has(packing.Rows, 0) {
		return b
	}
	if want := b.rows(packing.VertexOf, 0); rows(table) != want {
		exceptions.Panicf("layers.Unpack: vertices of shape %s for a batch of %d: want those of its row",
			table.Shape(), want)
	}
	b.table, b.parts[name{packing.Rows, 0}] = nil, &part{rows: rows(table), node: table}
	return b
}

// Unread returns the numbers of the parts of the layout that the model has not read from a batch of [Unpack].
// A model must read the same parts every time it is built.
func (b *Batch) Unread() (parts []int) {
	for i, p := range b.packed {
		if p.node == nil {
			parts = append(parts, i)
		}
	}
	return parts
}

// unpacked returns the part p of a layout from its place in the row on.
func unpacked(row *Node, from int, p packing.Part) *Node {
	if !p.Packed {
		exceptions.Panicf("layers.Batch: the model asks for %s of degree %d, which it did not ask for when "+
			"it was first built, so that it is not packed: build the same model every time",
			p.Kind, p.Degree)
	}
	x := SliceAxis(row, 0, AxisRange(from, from+p.Length()))
	switch {
	case p.Kind.Floats():
		x = Bitcast(x, dtypes.Float32)
	case p.Kind == packing.Mask:
		return GreaterThan(x, ZerosLike(x))
	case p.Kind == packing.Rows: // of the table, which has the other axis
		return x
	}
	if p.Kind.Rank() == 2 {
		return Reshape(x, -1, p.Columns)
	}
	return x
}
