package experiments

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Convolution classifies drawings by template 1-forms, one for each class, that are translated over them
// (paper, appendix D). The value of a drawing at translation τ is
//
//	X_τj = K_τ · Σ_σ ∫_{σ-τ} ω_j   over the edges σ within Radius of τ,
//
// where K_τ is the density at τ, by a Gaussian kernel, of the points where edges start; the logit of class j
// is Σ_τ X_τj. Without the density the sum over translations would be the integral of a fixed form, which
// vanishes in the middle of the square.
type Convolution struct {
	Data        synthetic.Templates
	Train, Test int     // drawings of each class
	Grid        int     // translations along each side of the unit square
	Radius      float64 // of the neighborhoods
	Bandwidth   float64 // of the density
	Templates   Network
	Seed        uint32 // of data, weights and orders
}

// NewConvolution returns three shapes in a drawing and forms 2–64–4, as in the paper, which specifies nothing
// more. Other values are chosen here.
func NewConvolution() Convolution {
	return Convolution{
		Data: synthetic.NewTemplates(), Train: 50, Test: 50,
		Grid: 8, Radius: 0.2, Bandwidth: 0.05,
		Templates: Network{
			Hidden: []int{64}, Activation: Tanh, Rule: quadrature.Gauss(2),
			Adam: true, Rate: 1e-2, Epochs: 8, Batch: 5,
		},
		Seed: 1,
	}
}

// ConvolutionResult is the result of Convolution.
type ConvolutionResult struct {
	Origin
	Classes []string       `json:"classes"`
	Forms   Classification `json:"forms"`
	Radius  float64        `json:"radius"` // of the neighborhoods
	Field   Field          `json:"field"`  // the templates in their neighborhood
	// Translations [T, 2] and what they see of each test drawing, [G, T, ℓ].
	Translations []float32 `json:"translations"`
	Seen         []float32 `json:"-"`
}

// Run makes the data, trains the templates and tests them.
func (x Convolution) Run(ctx context.Context, backend compute.Backend, report func(Step)) (
	*ConvolutionResult, error) {
	if x.Grid < 1 || !(x.Radius > 0) || !(x.Bandwidth > 0) {
		return nil, fmt.Errorf("convolution: a grid of %d, radius %g, bandwidth %g: "+
			"use 1 or more, and positive numbers", x.Grid, x.Radius, x.Bandwidth)
	}
	r := &ConvolutionResult{
		Classes: synthetic.TemplateClasses, Radius: x.Radius,
		Field: Field{Low: -x.Radius, High: x.Radius, Side: 15},
	}
	for _, p := range x.grid() {
		r.Translations = append(r.Translations, p...)
	}
	var err error
	r.Origin, err = alone("convolution", x.Seed, backend, func(backend compute.Backend) (err error) {
		r.Forms, err = classifier{
			Network: x.Templates, name: "convolution", seed: x.Seed,
			sample: x.Data.Sample, train: x.Train, test: x.Test, seen: x.seen, items: x.Grid * x.Grid,
		}.run(ctx, backend, report, &r.Field)
		r.Seen = r.Forms.Test.Integrals
		return err
	})
	return r, err
}

// grid returns the translations, the points of a regular grid in the unit
// square; a single one is in its middle.
func (x Convolution) grid() (points [][]float32) {
	at := func(i int) float32 {
		if x.Grid == 1 {
			return 0.5
		}
		return float32(float64(i) / float64(x.Grid-1))
	}
	for i := range x.Grid * x.Grid {
		points = append(points, []float32{at(i / x.Grid), at(i % x.Grid)})
	}
	return points
}

// seen builds X_τj for drawings, [B, T, ℓ].
func (x Convolution) seen(form exterior.Form, drawings *layers.Batch) *Node {
	vertices, edges := drawings.Vertices(), drawings.Corners(1)
	translations := Const(vertices.Graph(), x.grid())
	moves := translations.Shape().Dimensions[0]
	// sum adds up rows of edges, [T, S, columns], for each drawing, [B, T, columns].
	sum := func(rows *Node) *Node {
		rows = Reshape(TransposeAllAxes(rows, 1, 0, 2), rows.Shape().Dimensions[1], -1)
		return Reshape(layers.Readout(layers.Sum, rows, drawings.Of(1), drawings.Complexes()),
			drawings.Complexes(), moves, -1)
	}
	integrals := sum(Translated(form, x.Radius, vertices, edges, translations))
	// Every vertex of a drawing begins an edge or is where edges end: the
	// density of the edges' first ends is that of what was drawn.
	starts := Gather(vertices, SliceAxis(edges, 1, AxisElem(0)))
	squares := ReduceSum(Square(Sub(ExpandAxes(starts, 0), ExpandAxes(translations, 1))), -1) // [T, S]
	kernel := ExpandAxes(Exp(MulScalar(DivScalar(squares, x.Bandwidth*x.Bandwidth), -0.5)), -1)
	density := Div(sum(kernel), MaxScalar(sum(OnesLike(kernel)), 1))
	return Mul(integrals, density)
}

// Translated returns the integrals of translated forms over the simplices near each
// translation τ,
//
//	X_τσj = ∫_{σ-τ} ω_j   if all corners of σ are within radius of τ,
//
// and 0 otherwise: [T, S, ℓ] for vertices [V, n], simplices [S, k+1] and translations [T, n]. The forms are
// defined around the origin. The integrals are invariant under moving complex and translations together.
func Translated(form exterior.Form, radius float64, vertices, simplices, translations *Node) *Node {
	var moved []*Node
	var inside *Node
	for _, corner := range exterior.CornerPoints(vertices, simplices) {
		at := Sub(ExpandAxes(corner, 0), ExpandAxes(translations, 1)) // [T, S, n]
		near := LessOrEqual(ReduceSum(Square(at), -1), Scalar(at.Graph(), at.DType(), radius*radius))
		if inside == nil {
			inside = near
		} else {
			inside = LogicalAnd(inside, near)
		}
		moved = append(moved, Reshape(at, -1, form.Dim))
	}
	d := inside.Shape().Dimensions
	x := Reshape(exterior.IntegrateCorners(form, Stack(moved, 1)), d[0], d[1], form.Count)
	return Where(BroadcastToShape(ExpandAxes(inside, -1), x.Shape()), x, ZerosLike(x))
}
