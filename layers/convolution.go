package layers

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/indices"
)

// Convolution convolves complexes with template forms (paper, appendix D): the
// forms are translated over a neighborhood of the radius about every translation
// τ and integrated over the part of the complex in it,
//
//	X_τσj = K(|c_σ - τ|/h) · ∫_{σ-τ} ω_j   if all corners of σ are within radius of τ,
//
// and 0 otherwise, where c_σ is the barycenter of the simplex σ of any degree.
// An infinite radius is no cut. The forms live in one neighborhood about the
// origin: draw them there, with [exterior.Form.At].
type Convolution struct {
	Form   exterior.Form // the templates ω
	Radius float64       // more than 0
	// Kernel is K, the weight of a simplex as a function of u², where u is the distance of its barycenter
	// from the center, divided by the bandwidth; nil is max(0, 1 - u²), Epanechnikov's, and OnesLike none.
	Kernel    func(squared *Node) *Node
	Bandwidth float64 // h, more than 0; 0 is the radius
}

// defaults fills in what is left out, and panics for what cannot be.
func (c *Convolution) defaults() {
	if c.Kernel == nil {
		c.Kernel = func(squared *Node) *Node { return Max(OneMinus(squared), ZerosLike(squared)) }
	}
	if c.Bandwidth == 0 {
		c.Bandwidth = c.Radius
	}
	switch {
	case c.Form.Count == 0:
		exceptions.Panicf("layers.Convolution: no forms: want one or more, such as those of a KForm")
	case !(c.Radius > 0):
		exceptions.Panicf("layers.Convolution: a neighborhood of radius %g: want more than 0", c.Radius)
	case !(c.Bandwidth > 0):
		exceptions.Panicf("layers.Convolution: a kernel of bandwidth %g: want more than 0", c.Bandwidth)
	}
}

// Integrate returns X_τσj, [T, S, ℓ], for vertices [V, n], simplices [S, k+1]
// and translations [T, n]. Its sums over the simplices of a complex, [T, ℓ],
// are the colors of a map of the translations; its sum over the translations,
// [S, ℓ], is the integration matrix of the translated forms together, for
// [Readout] like that of [exterior.Integrate]. Moving the complex and the
// translations together changes nothing. Indices out of range give integrals of
// other simplices, unless NKF_CHECK_INDICES is set.
func (c Convolution) Integrate(vertices, simplices, translations *Node) *Node {
	c.defaults()
	if vertices.Rank() != 2 || translations.Rank() != 2 ||
		translations.Shape().Dimensions[1] != vertices.Shape().Dimensions[1] {
		exceptions.Panicf("layers.Convolution: translations %s for vertices %s: want shapes [T, n], [V, n]",
			translations.Shape(), vertices.Shape())
	}
	if simplices.Rank() != 2 || simplices.Shape().Dimensions[0] == 0 || !simplices.DType().IsInt() {
		exceptions.Panicf("layers.Convolution: simplices of shape %s: want integers [S, k+1], S 1 or more",
			simplices.Shape())
	}
	// Numbers of fewer bits have no room for the copies.
	if simplices.DType().Bits() < 32 {
		simplices = ConvertDType(simplices, dtypes.Int32)
	}
	count, n := simplices.Shape().Dimensions[0], vertices.Shape().Dimensions[1]
	moves, size := translations.Shape().Dimensions[0], vertices.Shape().Dimensions[0]
	if moves == 0 || size == 0 {
		exceptions.Panicf("layers.Convolution: translations %s for vertices %s: want one or more of each",
			translations.Shape(), vertices.Shape())
	}
	// The offsets are of 32 bits, the sums of the simplices' type.
	last := (moves - 1) * size
	if last > math.MaxInt32 || simplices.DType() == dtypes.Int32 && last+size-1 > math.MaxInt32 {
		exceptions.Panicf(
			"layers.Convolution: %d translations of %d vertices: want copies that 32 bits can count",
			moves, size)
	}
	// A number past the last vertex would be a vertex of the next copy.
	check := indices.New("layers.Convolution", "simplices", "vertices", simplices, size)
	simplices = check.Index(simplices)
	// One complex that holds a copy for every translation: translating the
	// complex by -τ is translating the forms by τ.
	moved := Reshape(Sub(ExpandAxes(vertices, 0), ExpandAxes(translations, 1)), -1, n)
	offsets := make([]int32, moves)
	for t := range offsets {
		offsets[t] = int32(t * size)
	}
	offset := ConvertDType(Const(simplices.Graph(), offsets), simplices.DType())
	copies := Reshape(Add(ExpandAxes(simplices, 0), Reshape(offset, -1, 1, 1)), moves*count, -1)
	x := Reshape(exterior.Integrate(c.Form, moved, copies), moves, count, -1)
	return check.Guard(c.weigh(x, exterior.Corners(vertices, simplices), translations))
}

// weigh multiplies x [T, S, ℓ] by the kernel and cuts it to the
// neighborhoods.
func (c Convolution) weigh(x *Node, corners []*Node, translations *Node) *Node {
	// squares returns |p - τ|², [T, S], for points p [S, n].
	squares := func(p *Node) *Node {
		return ReduceSum(Square(Sub(ExpandAxes(p, 0), ExpandAxes(translations, 1))), -1)
	}
	center := corners[0]
	for _, corner := range corners[1:] {
		center = Add(center, corner)
	}
	center = DivScalar(center, float64(len(corners)))
	// Multiplied, not divided: an infinite bandwidth is allowed.
	weight := c.Kernel(MulScalar(squares(center), 1/(c.Bandwidth*c.Bandwidth)))
	x = Mul(x, ExpandAxes(weight, -1))
	if math.IsInf(c.Radius, 1) {
		return x
	}
	var inside *Node
	for _, corner := range corners {
		near := LessOrEqual(squares(corner), Scalar(x.Graph(), x.DType(), c.Radius*c.Radius))
		if inside == nil {
			inside = near
		} else {
			inside = LogicalAnd(inside, near)
		}
	}
	return Where(BroadcastToShape(ExpandAxes(inside, -1), x.Shape()), x, ZerosLike(x))
}
