package layers

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// Incidence is the boundary matrix of the k-simplices of a batch: the faces,
// (k-1)-simplices, of each k-simplex and their signs, k+1 entries per column.
type Incidence struct {
	faces *Node // [S·F, 1], simplex after simplex
	signs *Node // [S or 1, F, 1], +1, -1 or 0
	each  int   // F
	count int   // of faces in all
}

// NewIncidence returns the incidence of simplices with their faces. faces [S,
// F] are integer numbers below count, and signs [S, F] are the orientations of
// the stored faces in the boundary of the simplex: +1 or -1, or 0 for padding.
// If the F = k+1 faces are ordered by the vertex that they leave out, and store
// their vertices in the same order, signs are +1, -1, +1, … Numbers out of range
// silently give wrong cochains.
func NewIncidence(faces, signs *Node, count int) *Incidence {
	if !faces.Shape().EqualDimensions(signs.Shape()) {
		exceptions.Panicf("layers.NewIncidence: faces of shape %s with signs of shape %s", faces.Shape(),
			signs.Shape())
	}
	return incidence("NewIncidence", "faces", "faces", faces, ExpandAxes(signs, -1), count)
}

// Edges returns the incidence of edges [S, 2] with their end points, integer
// indices of vertices: the boundary of [v₀, v₁] is v₁ - v₀.
func Edges(edges *Node, vertices int) *Incidence {
	signs := Const(edges.Graph(), [][][]float32{{{-1}, {1}}})
	return incidence("Edges", "edges", "vertices", edges, signs, vertices)
}

// incidence makes that of a function, from an array of the numbers of things.
func incidence(function, array, things string, faces, signs *Node, count int) *Incidence {
	if faces.Rank() != 2 || !faces.DType().IsInt() || faces.Shape().Size() == 0 || count < 1 ||
		faces.Shape().Dimensions[1] != signs.Shape().Dimensions[1] {
		exceptions.Panicf("layers.%s: %s of shape %s, %d %s in all: want integers [S, F], one or more",
			function, array, faces.Shape(), count, things)
	}
	return &Incidence{faces: Reshape(faces, -1, 1), signs: signs, each: faces.Shape().Dimensions[1],
		count: count}
}

// Incidence returns the incidence of the k-simplices of the batch with their
// faces. Edges need no table of faces, since their vertices are listed anyway;
// others do, and a datasets.Builder can make it.
func (b *Batch) Incidence(k int) *Incidence {
	if k == 0 {
		exceptions.Panicf("layers.Batch.Incidence: no faces of 0-simplices: vertices have none")
	}
	b.exist("Incidence", k)
	if k == 1 {
		return Edges(b.Corners(k), b.Count(0))
	}
	if !b.has(packing.Faces, k) || !b.has(packing.Signs, k) {
		exceptions.Panicf("layers.Batch.Incidence: no faces of %d-simplices: set Faces of the "+
			"datasets.Builder", k)
	}
	b.exist("Incidence", k-1)
	return NewIncidence(b.get(packing.Faces, k), b.get(packing.Signs, k), b.Count(k-1))
}

// simplices returns the number of k-simplices.
func (i *Incidence) simplices() int { return i.faces.Shape().Dimensions[0] / i.each }

// Coboundary returns the k-cochains dx [S, ℓ] of (k-1)-cochains x [faces, ℓ],
// their differences along the boundaries. A function on the vertices becomes
// its difference along each edge.
func (i *Incidence) Coboundary(x *Node) *Node {
	i.rows("Coboundary", x, i.count)
	rows := Reshape(Gather(x, i.faces), i.simplices(), i.each, -1)
	return ReduceSum(Mul(rows, i.signed(x)), 1)
}

// Boundary returns the (k-1)-cochains δX [faces, ℓ] of k-cochains X [S, ℓ]: the
// flow into each face, the boundary of X as a chain. It is the adjoint of the
// coboundary, ⟨dx, X⟩ = ⟨x, δX⟩: the codifferential if all simplices weigh the same.
func (i *Incidence) Boundary(x *Node) *Node {
	i.rows("Boundary", x, i.simplices())
	return i.sum(Mul(ExpandAxes(x, 1), i.signed(x)))
}

// Cofaces returns for each face the sums of the rows of x [S, ℓ], without signs,
// over its cofaces, the simplices that it bounds: [faces, ℓ]. Sums of quantities
// that do not depend on orientations, such as |X|, do not depend on them either.
func (i *Incidence) Cofaces(x *Node) *Node {
	i.rows("Cofaces", x, i.simplices())
	return i.sum(Mul(ExpandAxes(x, 1), Abs(i.signed(x))))
}

// Neighbors returns for each face the sums of the rows of x [faces, ℓ] at the
// other faces of the simplices that it bounds: [faces, ℓ], for edges the sums
// over adjacent vertices. Padding edges are loops, which send the row of their
// vertex to itself: it must be a padding vertex.
func (i *Incidence) Neighbors(x *Node) *Node {
	i.rows("Neighbors", x, i.count)
	rows := Mul(Reshape(Gather(x, i.faces), i.simplices(), i.each, -1), Abs(i.signed(x)))
	return i.sum(Mul(Sub(ReduceAndKeep(rows, ReduceSum, 1), rows), Abs(i.signed(x))))
}

// sum returns the sums at each face of rows [S, F, ℓ].
func (i *Incidence) sum(rows *Node) *Node {
	rows = BroadcastToDims(rows, i.simplices(), i.each, rows.Shape().Dimensions[2])
	return exterior.SegmentSum(Reshape(rows, i.simplices()*i.each, -1), Squeeze(i.faces, 1), i.count, false)
}

// signed returns the signs in the type of x.
func (i *Incidence) signed(x *Node) *Node { return ConvertDType(i.signs, x.DType()) }

// rows panics unless x has the given number of rows.
func (i *Incidence) rows(method string, x *Node, rows int) {
	if x.Rank() != 2 || x.Shape().Dimensions[0] != rows {
		exceptions.Panicf("layers.Incidence.%s: cochains of shape %s: want [%d, ℓ]", method, x.Shape(), rows)
	}
}
