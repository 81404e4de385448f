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
// in all. Every model and trainer takes it. [Unpack] makes it from the rows that
// [Dataset] yields, [NewBatch] from nodes of your own graph.
//
// The way of data into a batch: the Encoder of a package, such as mesh.Encoder, adds each complex to a
// datasets.Builder; packing.Packer packs complexes of the collection into one row of int32 on the host;
// Unpack takes the row apart on the graph.
//
// Unpack reads a part of a batch at its first use, so that trainers neither
// pack nor send unused parts, see [Batch.Unread]. Complexes, Count, Degree, Dim
// and Labeled use no part.
type Batch struct {
	graph  *Graph
	degree int
	parts  map[name]*part
	packed []*part // by their numbers in the layout of Unpack

	table    *Node // [U, n]: rows of it are the vertices; nil if there is none
	vertices *Node // gathered from the table
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

// Complexes returns B.
func (b *Batch) Complexes() int { return b.rows(packing.Mask, 0) }

// Labeled returns the degree of the simplices whose classes are learned, or -1
// if the targets belong to complexes.
func (b *Batch) Labeled() int {
	for k := range b.Degree() + 1 {
		if b.has(packing.Classes, k) {
			return k
		}
	}
	return -1
}

// Classes returns the class numbers to learn, of complexes or of the simplices of
// degree Labeled, and a mask [rows] of the known ones. A model returns one row of
// logits for each.
func (b *Batch) Classes() (labels, known *Node) {
	if k := b.Labeled(); k >= 0 {
		labels = b.get(packing.Classes, k)
		return labels, GreaterOrEqual(labels, ZerosLike(labels))
	}
	return b.get(packing.Labels, 0), b.Mask()
}

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

// Globals returns the input data on whole complexes [B, width], 0 for padding,
// or nil for none.
func (b *Batch) Globals() *Node { return b.find(packing.Globals, 0) }

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
// another order, which changes the result of an unsymmetric rule, see
// quadrature.Symmetric, within its error.
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
	if b.table == nil || rows(b.table) >= b.Count(0) {
		return f(b.Vertices())
	}
	return Gather(f(b.table), ExpandAxes(b.get(packing.Rows, 0), -1))
}

func rows(x *Node) int { return x.Shape().Dimensions[0] }
