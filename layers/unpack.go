package layers

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// Unpack returns the batch of the arguments of a GoMLX model function: the spec and the inputs of [Dataset].
// The spec is a *packing.Layout, the inputs are the table of vertices [U, n] that rows refer to, or of a
// layout without rows the vertices themselves, and a row of length layout.Width() that was packed by it.
//
// From R rows [R, layout.Width()], with the vertices of all, it makes one batch of R·(B+1) complexes: those
// of each row are followed by one that has the padding of the row, which the mask drops.
func Unpack(spec any, inputs []*Node) *Batch {
	layout, ok := spec.(*packing.Layout)
	if !ok || len(inputs) != 2 {
		exceptions.Panicf("layers.Unpack: a spec of type %T and %d inputs: want those of a batch of "+
			"layers.Dataset", spec, len(inputs))
	}
	table, row := inputs[0], inputs[1]
	if row.Rank() < 1 || row.Rank() > 2 || row.Shape().Dim(-1) != layout.Width() ||
		row.DType() != dtypes.Int32 {
		exceptions.Panicf("layers.Unpack: a row of shape %s for a batch of %d int32: want one axis, or rows "+
			"of one batch", row.Shape(), layout.Width())
	}
	if table.Rank() != 2 || !table.DType().IsFloat() {
		exceptions.Panicf("layers.Unpack: vertices of shape %s: want floats [rows, n]", table.Shape())
	}
	b := &Batch{graph: row.Graph(), parts: map[name]*part{}, table: table}
	if row.Rank() == 2 && len(layout.Budget.Distinct) > 0 {
		exceptions.Panicf("layers.Unpack: rows %s of a layout that lists distinct simplices: want one row",
			row.Shape())
	}
	from := 0
	for _, p := range layout.Parts {
		at := from
		from += p.Length()
		b.degree = max(b.degree, p.Degree)
		count := p.Rows
		if row.Rank() == 2 {
			count = rows(row) * (p.Rows + len(ofDummy(p))/p.Columns)
		}
		b.packed = append(b.packed, &part{rows: count, read: func() *Node {
			return unpacked(layout, row, at, p)
		}})
		b.parts[name{p.Kind, p.Degree}] = b.packed[len(b.packed)-1]
	}
	if b.has(packing.Rows, 0) {
		return b
	}
	if want := b.rows(packing.VertexOf, 0); rows(table) != want {
		exceptions.Panicf("layers.Unpack: vertices of shape %s for a batch of %d: want those of all rows",
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

// unpacked returns the part p of a layout from its place in the row, or the rows, on.
func unpacked(layout *packing.Layout, row *Node, from int, p packing.Part) *Node {
	if !p.Packed {
		exceptions.Panicf("layers.Batch: the model asks for %s of degree %d, which it did not ask for when "+
			"it was first built, so that it is not packed: build the same model every time",
			p.Kind, p.Degree)
	}
	x := SliceAxis(row, -1, AxisRange(from, from+p.Length()))
	if row.Rank() == 2 {
		x = join(x, layout.Numbered(p), ofDummy(p))
	}
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

// join returns a part of several rows [R, length] as that of one batch: numbers of things, as many as
// numbered in each row, go on from row to row, and a dummy complex, if any, follows the others.
func join(x *Node, numbered int, dummy []int32) *Node {
	g, count := x.Graph(), rows(x)
	if numbered > 0 {
		x = Add(x, MulScalar(Iota(g, shapes.Make(dtypes.Int32, count, 1), 0), numbered))
	}
	if len(dummy) > 0 {
		x = Concatenate([]*Node{x, BroadcastToDims(Const(g, [][]int32{dummy}), count, len(dummy))}, 1)
	}
	return Reshape(x, -1)
}

// ofDummy returns what a part with a row for each complex has for the dummy: padding; else nil.
func ofDummy(p packing.Part) []int32 {
	switch p.Kind {
	case packing.Labels, packing.Mask, packing.Globals:
		return make([]int32, p.Columns)
	case packing.Targets:
		return slices.Repeat([]int32{int32(math.Float32bits(float32(math.NaN())))}, p.Columns)
	}
	return nil
}
