package experiments

import (
	"context"
	"fmt"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Convolution classifies drawings by template 1-forms, one for each class,
// that are translated over them (paper, appendix D). What translation τ sees
// of a drawing is
//
//	X_τj = K_τ · Σ_σ ∫_{σ-τ} ω_j   over the edges σ within Radius of τ,
//
// where K_τ is the density of the drawing's vertices at τ, by a Gaussian
// kernel; the logit of class j is Σ_τ X_τj. Without the density the sum over
// translations would be the integral of one form, the same everywhere, and
// see nothing in the middle of the square.
type Convolution struct {
	Data        synthetic.Templates
	Train, Test int     // drawings of each class
	Grid        int     // translations along each side of the unit square
	Radius      float64 // of the neighbourhoods
	Bandwidth   float64 // of the density
	Templates   Network
	Seed        uint32 // of data, weights and orders
}

// NewConvolution returns three shapes in a drawing and forms 2–64–4, as the
// paper has them. It has no further figures: the rest is chosen here.
func NewConvolution() Convolution {
	return Convolution{
		Data: synthetic.NewTemplates(), Train: 50, Test: 50,
		Grid: 8, Radius: 0.2, Bandwidth: 0.05,
		Templates: Network{
			Hidden: []int{64}, Activation: "tanh", Rule: quadrature.Gauss(2),
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
	Radius  float64        `json:"radius"` // of the neighbourhoods
	Field   Field          `json:"field"`  // the templates in their neighbourhood
	// Translations [T, 2] and what they see of each test drawing, [G, T, ℓ].
	Translations []float32 `json:"translations"`
	Seen         []float32 `json:"-"`
}

// Run makes the data, trains the templates and tests them.
func (x Convolution) Run(ctx context.Context, backend compute.Backend, report func(Step)) (
	*ConvolutionResult, error) {
	begin := time.Now()
	// The same bits on any number of processors.
	backend, release, err := train.OneThread(backend)
	if err != nil {
		return nil, err
	}
	defer release()
	if x.Grid < 1 || !(x.Radius > 0) || !(x.Bandwidth > 0) {
		return nil, fmt.Errorf("convolution: a grid of %d, radius %g, bandwidth %g: "+
			"use 1 or more, and positive numbers", x.Grid, x.Radius, x.Bandwidth)
	}
	if err := x.Templates.check(); err != nil {
		return nil, fmt.Errorf("convolution: %w", err)
	}
	trainData, err := x.Data.Sample(x.Train, uint64(x.Seed), synthetic.Train)
	if err != nil {
		return nil, err
	}
	testData, err := x.Data.Sample(x.Test, uint64(x.Seed), synthetic.Test)
	if err != nil {
		return nil, err
	}
	r := &ConvolutionResult{
		Classes: synthetic.TemplateClasses, Radius: x.Radius,
		Field: Field{Low: -x.Radius, High: x.Radius, Side: 15},
	}
	loss := func(scope *model.Scope, tables []*Node, rows *Node) *Node {
		batch := make([]*Node, len(tables))
		for i, t := range tables {
			batch[i] = Gather(t, ExpandAxes(rows, -1))
		}
		logits := ReduceSum(x.seen(scope, batch, len(r.Classes)), 1)
		return layers.CrossEntropy(logits, batch[3], Equal(rows, rows), nil)
	}
	l, err := newLearner(backend, x.Seed, x.Templates.optimizer(), trainData.Len(), tables(trainData), loss)
	if err != nil {
		return nil, fmt.Errorf("convolution: %w", err)
	}
	defer l.close()
	if r.Forms.Losses, err = l.train(ctx, "convolution", x.Templates, report); err != nil {
		return nil, err
	}
	r.Forms.Parameters = l.parameters()
	if _, r.Forms.Train, err = x.embed(backend, l, trainData); err != nil {
		return nil, err
	}
	if r.Seen, r.Forms.Test, err = x.embed(backend, l, testData); err != nil {
		return nil, err
	}
	r.Forms.score()
	for _, p := range x.grid() {
		r.Translations = append(r.Translations, p...)
	}
	err = r.Field.fill(backend, l, func(scope *model.Scope) exterior.Form {
		return x.Templates.forms(scope, 2, 1, len(r.Classes))
	})
	if err != nil {
		return nil, fmt.Errorf("convolution: %w", err)
	}
	r.Origin = origin("convolution", x.Seed, backend, begin)
	return r, nil
}

// grid returns the translations.
func (x Convolution) grid() [][]float32 {
	var out [][]float32
	for _, p := range layers.TranslationGrid(2, x.Grid, 0, 1) {
		out = append(out, []float32{float32(p[0]), float32(p[1])})
	}
	return out
}

// seen builds X_τj for drawings in tables, [G, T, ℓ].
func (x Convolution) seen(scope *model.Scope, tables []*Node, count int) *Node {
	vertices, simplices, present := tables[0], tables[1], tables[2]
	d := vertices.Shape().Dimensions
	drawings, v, n := d[0], d[1], d[2]
	edges := simplices.Shape().Dimensions[1]
	first := MulScalar(Iota(simplices.Graph(), simplices.Shape(), 0), v)
	points := Reshape(vertices, drawings*v, n)
	translations := Const(vertices.Graph(), x.grid())
	templates := layers.Convolution{
		Form: x.Templates.forms(scope, n, 1, count), Radius: x.Radius, Kernel: layers.Uniform,
	}
	flat := Reshape(Add(simplices, first), drawings*edges, -1)
	integrals := templates.PerTranslation(points, flat, translations) // [T, G·S, ℓ]
	integrals = Mul(integrals, Reshape(present, 1, drawings*edges, 1))
	moves := translations.Shape().Dimensions[0]
	integrals = ReduceSum(Reshape(integrals, moves, drawings, edges, count), 2) // [T, G, ℓ]
	// Every vertex of a drawing begins an edge or is where edges end: the
	// density of the edges' first ends is that of what was drawn.
	starts := Reshape(Gather(points, SliceAxis(flat, 1, AxisElem(0))), 1, drawings, edges, n)
	squares := ReduceSum(Square(Sub(starts, Reshape(translations, moves, 1, 1, n))), -1)
	kernel := layers.Gaussian(DivScalar(squares, x.Bandwidth*x.Bandwidth))
	kernel = Mul(kernel, Reshape(present, 1, drawings, edges))
	density := Div(ReduceSum(kernel, 2), ReduceSum(Reshape(present, 1, drawings, edges), 2)) // [T, G]
	return TransposeAllAxes(Mul(integrals, ExpandAxes(density, -1)), 1, 0, 2)
}

// embed returns what every translation sees of the drawings, and its sums.
func (x Convolution) embed(backend compute.Backend, l *learner, data *datasets.Collection) (
	[]float32, Embedding, error) {
	e := Embedding{Labels: data.Labels, Data: data}
	count := len(data.Classes)
	all := tables(data)
	var seen []float32
	// One drawing at a time: the translated copies of all would fill memory.
	program := func(scope *model.Scope, in []*Node) *Node {
		batch := make([]*Node, 3)
		for i := range batch {
			batch[i] = Gather(in[i], Reshape(in[3], 1, 1))
		}
		return x.seen(scope, batch, count)
	}
	exec, err := model.NewExec(backend, l.store, func(_ *model.Scope, in []*Node) *Node {
		return program(l.store.RootScope(), in)
	})
	if err != nil {
		return nil, e, fmt.Errorf("convolution: %w", err)
	}
	defer exec.Finalize()
	for g := range data.Len() {
		out, err := exec.Call(all[0], all[1], all[2], tensors.FromScalar(int32(g)))
		if err != nil {
			return nil, e, fmt.Errorf("convolution: drawing %d: %w", g, err)
		}
		row, err := tensors.CopyFlatData[float32](out[0])
		if err != nil {
			return nil, e, fmt.Errorf("convolution: drawing %d: %w", g, err)
		}
		seen = append(seen, row...)
		sums := make([]float32, count)
		for i, v := range row {
			sums[i%count] += v
		}
		e.Points = append(e.Points, sums...)
	}
	return seen, e, nil
}
