package layers

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// Batch is a flat, padded batch of B complexes on the graph, with V vertices
// in all. Every model takes it. [Unpack] makes it from the rows that
// [Dataset] yields, [NewBatch] from nodes of your own graph.
//
// The way of data into a batch: the Encoder of a package, such as that of tu, adds each complex to a
// datasets.Builder; packing.Packer packs complexes of the collection into one row of int32 on the host;
// Unpack takes the row apart on the graph.
//
// Unpack reads a part of a batch at its first use, so that trainers neither
// pack nor send unused parts, see [Batch.Unread]. Complexes, Count, Degree and
// Dim use no part.
type Batch struct {
	graph  *Graph
	degree int
	parts  map[name]*part
	packed []*part // by their numbers in the layout of Unpack

	table    *Node // [U, n]: rows of it are the vertices; nil if there is none
	vertices *Node // gathered from the table
	from, to *Node // caches of Directed
}

// name names a part of a batch.
type name struct {
	kind   packing.Kind
	degree int
}

// part is a part of a batch.
type part struct {
	rows int
	node *Node // nil until it is read
	read func() *Node
}

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

// has reports whether the batch has a part.
func (b *Batch) has(kind packing.Kind, degree int) bool { return b.parts[name{kind, degree}] != nil }

// find returns a part of the batch, nil if it has none of the kind.
func (b *Batch) find(kind packing.Kind, degree int) *Node {
	p := b.parts[name{kind, degree}]
	if p == nil {
		return nil
	}
	if p.node == nil {
		p.node = p.read()
	}
	return p.node
}

// get returns a part of the batch, and panics if it has none.
func (b *Batch) get(kind packing.Kind, degree int) *Node {
	x := b.find(kind, degree)
	if x == nil {
		exceptions.Panicf("layers.Batch: %s is nil: set it, since the model reads it", kind)
	}
	return x
}

// rows returns the number of rows of a part without asking for it.
func (b *Batch) rows(kind packing.Kind, degree int) int {
	if p := b.parts[name{kind, degree}]; p != nil {
		return p.rows
	}
	return rows(b.get(kind, degree))
}

// Complexes returns B.
func (b *Batch) Complexes() int { return b.rows(packing.Mask, 0) }

// Labels returns the class numbers [B] to learn.
func (b *Batch) Labels() *Node { return b.get(packing.Labels, 0) }

// Dim returns n, the dimension of the space.
func (b *Batch) Dim() int {
	if b.table != nil {
		return b.table.Shape().Dimensions[1]
	}
	return b.Vertices().Shape().Dimensions[1]
}

// Degree returns the highest degree of the simplices, 0 if there are only
// vertices.
func (b *Batch) Degree() int { return b.degree }

// Count returns S, the number of k-simplices including padding: V for k = 0.
func (b *Batch) Count(k int) int {
	if k == 0 {
		return b.rows(packing.Rows, 0)
	}
	b.exist("Count", k)
	return b.rows(packing.Corners, k)
}

// Vertices returns the coordinates [V, n] of the vertices; zeros for padding.
func (b *Batch) Vertices() *Node {
	if b.table == nil {
		return b.get(packing.Rows, 0)
	}
	if b.vertices == nil {
		b.vertices = Gather(b.table, ExpandAxes(b.get(packing.Rows, 0), -1))
	}
	return b.vertices
}

// Corners returns the vertex numbers [S, k+1] of the k-simplices, in the order
// that orients them.
func (b *Batch) Corners(k int) *Node {
	b.exist("Corners", k)
	if k == 0 {
		return Iota(b.graph, shapes.Make(dtypes.Int32, b.Count(0), 1), 0)
	}
	return b.get(packing.Corners, k)
}

// Of returns the place [S] of the complex of each k-simplex in the batch,
// ascending; B, or a complex that the mask drops, for padding.
func (b *Batch) Of(k int) *Node {
	b.exist("Of", k)
	if k == 0 {
		return b.get(packing.VertexOf, 0)
	}
	return b.get(packing.SimplexOf, k)
}

// Mask returns [B] bool: true for complexes, false for padding.
func (b *Batch) Mask() *Node { return b.get(packing.Mask, 0) }

// Targets returns the values to learn [B, tasks], NaN where unknown, or nil if
// classes are learned.
func (b *Batch) Targets() *Node { return b.find(packing.Targets, 0) }

// Cochain returns the input data on k-simplices [S, width], or nil for none.
func (b *Batch) Cochain(k int) *Node { return b.find(packing.Cochain, k) }

// exist panics for a method where there are no k-simplices.
func (b *Batch) exist(method string, k int) {
	if k < 0 || k > b.degree || k > 0 && !b.has(packing.Corners, k) {
		exceptions.Panicf("layers.Batch.%s: no simplices of degree %d in a batch of degree %d", method, k,
			b.degree)
	}
}

// Integrate returns the integration matrix [S, ℓ] of forms over the simplices of
// their degree (paper, section 3), for k = 0 over the vertices. In a
// collection with repeated simplices, such as molecules, simplices whose corners
// have the same coordinates are integrated once. Their corners may then be in
// another order, which changes the result of a rule that is not symmetric, such as
// quadrature.Gauss on triangles, within its error.
//
// Integrals over chains β_i = Σ_σ λ_{σ,i} σ are linear in these: sums of its rows,
// by exterior.Chains or with the coefficients λ as a cochain of the collection.
func (b *Batch) Integrate(form exterior.Form) *Node {
	k := form.Degree
	b.exist("Integrate", k)
	if !b.repeats(k) {
		return exterior.Integrate(form, b.Vertices(), b.Corners(k))
	}
	x := exterior.Integrate(form, b.distinct(k), b.get(packing.DistinctCorners, k))
	sign := ConvertDType(ExpandAxes(b.get(packing.DistinctSign, k), -1), x.DType())
	return Mul(sign, Gather(x, ExpandAxes(b.get(packing.DistinctOf, k), -1)))
}

// Readout returns the readout [B, ℓ] of the integration matrix of forms over
// the complexes of the batch. In a collection with repeated simplices it has no array with a row per simplex.
func (b *Batch) Readout(reduction Reduction, form exterior.Form) *Node {
	k := form.Degree
	b.exist("Readout", k)
	if b.repeats(k) {
		counts := packing.DistinctCounts
		if reduction == Sum {
			counts = packing.DistinctChains
		}
		x := exterior.Integrate(form, b.distinct(k), b.get(packing.DistinctCorners, k))
		return readoutCounts(reduction, x, b.get(counts, k))
	}
	return Readout(reduction, b.Integrate(form), b.Of(k), b.Complexes())
}

// repeats reports whether distinct k-simplices are listed separately: the integral
// over simplex i of the batch is ± that over one of them.
func (b *Batch) repeats(k int) bool { return b.has(packing.DistinctRows, k) }

// distinct returns the vertices of the distinct k-simplices.
func (b *Batch) distinct(k int) *Node {
	return Gather(b.table, ExpandAxes(b.get(packing.DistinctRows, k), -1))
}

// PerVertex returns f of the coordinates of all vertices, [V, width], where f
// computes each row of its result from the same row of its argument. In a
// collection with repeated vertices each distinct vertex is computed once.
func (b *Batch) PerVertex(f func(coordinates *Node) *Node) *Node {
	if f == nil {
		exceptions.Panicf("layers.Batch.PerVertex: the function is nil: want one of coordinates [V, n]")
	}
	if b.table == nil || rows(b.table) >= b.Count(0) {
		return f(b.Vertices())
	}
	return Gather(f(b.table), ExpandAxes(b.get(packing.Rows, 0), -1))
}

func rows(x *Node) int { return x.Shape().Dimensions[0] }
