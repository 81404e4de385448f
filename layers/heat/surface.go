package heat

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// block is the number of nodes of a block: enough for products to be fast, few enough for padding to be
// cheap.
const block = 128

// surfaces is a batch of B surfaces. Functions on them are rows [R, channels], R = rows(), one for
// each node; the nodes of a surface are in blocks of their own, filled up with rows without area, so that
// sums over a surface are products of matrices.
type surfaces struct {
	batch   *layers.Batch
	inputs  *Node // [R, columns]
	inside  *Node // [R] bool: rows that are nodes
	vectors *Node // [blocks, block, K]
	areas   *Node // [blocks, block, 1]
	values  *Node // [B+1, K, 1]
	of      *Node // [blocks]: surface of each block, B for padding
	place   *Node // [V]: row of each vertex of the batch
	inverse *Node // [B+1, K, K]: see sampled; nil where the batch has all nodes
}

// newSurfaces returns the surfaces of a batch whose vertices have the columns of mesh.Encoder.Heat, with
// eigenvalues [B, K] on complexes: any number of functions, K eigenfunctions and the area.
func newSurfaces(batch *layers.Batch) *surfaces {
	values := batch.Globals()
	if values == nil || batch.Dim() < values.Shape().Dimensions[1]+1 {
		exceptions.Panicf("heat.Network: vertices of %d columns: want eigenvalues on complexes, and "+
			"functions, as many eigenfunctions and an area on vertices, see mesh.Encoder", batch.Dim())
	}
	k := values.Shape().Dimensions[1]
	s := &surfaces{batch: batch}
	index := s.layOut(batch.Of(0), batch.Complexes())
	x := Gather(batch.Vertices(), ExpandAxes(index, -1))
	x = Where(s.inside, x, ZerosLike(x))
	columns := batch.Dim() - k - 1
	s.inputs = SliceAxis(x, 1, AxisRange(0, columns))
	s.vectors = Reshape(SliceAxis(x, 1, AxisRange(columns, columns+k)), -1, block, k)
	s.areas = Reshape(SliceAxis(x, 1, AxisElem(-1)), -1, block, 1)
	padding := Zeros(x.Graph(), shapes.Make(x.DType(), 1, k))
	s.values = ExpandAxes(Concatenate([]*Node{ConvertDType(values, x.DType()), padding}, 0), -1)
	return s
}

// layOut finds the blocks of vertices that belong to surfaces [V], ascending, and returns the vertex of each
// row.
func (s *surfaces) layOut(of *Node, surfaces int) (index *Node) {
	g, vertices := of.Graph(), of.Shape().Dimensions[0]
	of = ConvertDType(of, dtypes.Int32)
	iota := func(n, axis int, dims ...int) *Node { return Iota(g, shapes.Make(dtypes.Int32, dims...), axis) }
	blocks := vertices/block + surfaces
	// Sums over the surfaces before each, [B+1]: vertices, and blocks.
	own := ConvertDType(LessThan(ExpandAxes(of, 0), iota(0, 0, surfaces+1, 1)), dtypes.Int32)
	first := ReduceSum(own, 1)
	count := Sub(SliceAxis(first, 0, AxisRange(1)), SliceAxis(first, 0, AxisRange(0, surfaces)))
	needs := Div(AddScalar(count, block-1), Scalar(g, dtypes.Int32, block))
	before := LessThan(iota(0, 1, surfaces+1, surfaces), iota(0, 0, surfaces+1, surfaces))
	start := ReduceSum(Mul(ConvertDType(before, dtypes.Int32), ExpandAxes(needs, 0)), 1)
	count = Concatenate([]*Node{count, Zeros(g, shapes.Make(dtypes.Int32, 1))}, 0)

	at := iota(0, 0, blocks, 1)
	ends := ExpandAxes(SliceAxis(start, 0, AxisRange(1)), 0)
	s.of = ReduceSum(ConvertDType(GreaterOrEqual(at, ends), dtypes.Int32), 1)
	pick := func(x, of *Node) *Node { return Gather(x, ExpandAxes(of, -1)) }
	within := Add(MulScalar(Sub(Squeeze(at, 1), pick(start, s.of)), block), iota(0, 0, 1))
	within = Add(ExpandAxes(within, -1), iota(0, 1, 1, block)) // [blocks, block]: in its surface
	inside := LessThan(within, ExpandAxes(pick(count, s.of), -1))
	index = Where(inside, Add(within, ExpandAxes(pick(first, s.of), -1)), ZerosLike(within))
	s.inside = Reshape(inside, -1)

	own0 := Sub(iota(0, 0, vertices), pick(first, of)) // of each vertex in its surface
	s.place = MinScalar(Add(MulScalar(pick(start, of), block), own0), blocks*block-1)
	return Reshape(index, -1)
}

// whole divides areas by their sum: of a sample of the nodes of a surface of area 1 it is less.
func (s *surfaces) whole() {
	surfaces := s.batch.Complexes() + 1
	total := exterior.SegmentSum(ReduceSum(s.areas, 1), s.of, surfaces, true)
	total = Where(GreaterThan(total, ZerosLike(total)), total, OnesLike(total))
	s.areas = Div(s.areas, Reshape(Gather(total, ExpandAxes(s.of, -1)), -1, 1, 1))
}

// rows returns R.
func (s *surfaces) rows() int { return s.inside.Shape().Dimensions[0] }

// functions returns the input functions on the vertices of the batch, without the basis, [R, columns].
func (s *surfaces) functions() *Node { return s.inputs }

// atVertices returns the values of functions x [R, channels] at the vertices of the batch, [V, channels].
func (s *surfaces) atVertices(x *Node) *Node { return Gather(x, ExpandAxes(s.place, -1)) }

// mean returns the means of functions x [R, channels] over each surface, [B, channels]; zeros where there is
// no surface.
func (s *surfaces) mean(x *Node) *Node {
	sums := ReduceSum(Mul(s.inBlocks(x), s.areas), 1)
	sums = exterior.SegmentSum(sums, s.of, s.batch.Complexes()+1, true)
	return SliceAxis(sums, 0, AxisRangeFromStart(s.batch.Complexes()))
}

func (s *surfaces) inBlocks(x *Node) *Node {
	if x.Rank() != 2 || x.Shape().Dimensions[0] != s.rows() {
		exceptions.Panicf("heat.Network: functions of shape %s: want [%d, channels]", x.Shape(), s.rows())
	}
	return Reshape(x, -1, block, x.Shape().Dimensions[1])
}

// spectrum returns the coefficients ⟨φ_j, x⟩ of functions x [R, channels], [B+1, K, channels].
func (s *surfaces) spectrum(x *Node) *Node {
	x = Mul(s.inBlocks(x), s.areas)
	sums := Dot(s.vectors, x).General([]int{1}, []int{0}, []int{1}, []int{0})
	a := exterior.SegmentSum(sums, s.of, s.batch.Complexes()+1, true)
	if s.inverse == nil {
		return a
	}
	return times(s.inverse, a)
}

// sampled prepares a surface of which the batch has a sample of the nodes, as in training. In a sample
// eigenfunctions φ are not orthogonal: with G_ij = Σ A φ_i φ_j over its nodes, the coefficients DG⁻¹ΣAφx are
// those that a function x of the span has on the whole surface, without the noise of ΣAφx. There G is D = 1 -
// (λ/Λ)⁴, see mesh.Mesh.Heat, where Λ follows from the last λ by Weyl's law. The inverse of the correlations
// D^-½ G D^-½ takes a fixed number of Newton's steps X(2 - NX), so that directions of which the sample knows
// little are not magnified beyond all bounds. Where the last λ is 0, since a small surface has no more
// functions, none is left out, and D is 1.
func (s *surfaces) sampled() {
	const newton, least = 7, 1e-3
	k := s.values.Shape().Dimensions[1]
	last := MulScalar(SliceAxis(s.values, 1, AxisElem(-1)), float64(k+1)/float64(k))
	last = Where(GreaterThan(last, ZerosLike(last)), last, AddScalar(last, math.Inf(1)))
	share := Div(s.values, last)
	norms := Sqrt(MaxScalar(OneMinus(Square(Square(share))), least)) // [B+1, K, 1]
	across := Transpose(norms, 1, 2)
	gram := Dot(s.vectors, Mul(s.vectors, s.areas)).General([]int{1}, []int{0}, []int{1}, []int{0})
	gram = exterior.SegmentSum(gram, s.of, s.batch.Complexes()+1, true)
	gram = Div(Div(gram, norms), across)
	one := ExpandAxes(ConvertDType(Diagonal(gram.Graph(), k), gram.DType()), 0)
	bound := MaxScalar(ReduceAndKeep(ReduceAndKeep(Abs(gram), ReduceSum, 2), ReduceMax, 1), 1)
	x := Div(one, bound)
	for range newton {
		x = times(x, Sub(MulScalar(one, 2), times(gram, x)))
	}
	s.inverse = StopGradient(Div(Mul(x, norms), across))
}

// times returns the products of matrices, those of a [B, rows, n] with those of b [B, n, columns].
func times(a, b *Node) *Node { return Dot(a, b).General([]int{2}, []int{0}, []int{1}, []int{0}) }

// sum returns the functions Σ_j a_j φ_j of coefficients [B+1, K, channels], [R, channels].
func (s *surfaces) sum(a *Node) *Node {
	a = Gather(a, ExpandAxes(s.of, -1))
	return Reshape(times(s.vectors, a), s.rows(), -1)
}

// laplacian returns the coefficients of Δx from those of x.
func (s *surfaces) laplacian(a *Node) *Node { return Mul(a, s.values) }

// heat returns the coefficients of exp(-tΔ)x from those of x [B+1, K, channels], for the times t [channels].
func (s *surfaces) heat(a, times *Node) *Node {
	return Mul(a, Exp(Neg(Mul(s.values, Reshape(times, 1, 1, -1)))))
}

// gradients returns ⟨dx, dy⟩ of functions [R, channels] with their Laplacians. It uses the projection of xy
// on the span of the basis, so it is exact in the limit of a complete basis.
func (s *surfaces) gradients(x, y, laplacianX, laplacianY *Node) *Node {
	both := s.sum(s.laplacian(s.spectrum(Mul(x, y))))
	return MulScalar(Sub(Add(Mul(x, laplacianY), Mul(y, laplacianX)), both), 0.5)
}

// forms returns the products ⟨du, dv⟩ of 1-forms of functions [R, channels] with their Laplacians and, if the
// degree is 2, the squares |du ∧ dv|² of 2-forms, Gram's determinants |du|²|dv|² - ⟨du, dv⟩².
func (s *surfaces) forms(u, v, laplacianU, laplacianV *Node, degree int) (inner, square *Node) {
	if degree < 2 {
		return s.gradients(u, v, laplacianU, laplacianV), nil
	}
	join := func(x ...*Node) *Node { return Concatenate(x, 1) }
	all := Split(s.gradients(join(u, u, v), join(v, u, v), join(laplacianU, laplacianU, laplacianV),
		join(laplacianV, laplacianU, laplacianV)), 1, 3)
	return all[0], MaxScalar(Sub(Mul(all[1], all[2]), Square(all[0])), 0)
}
