package heat

import (
	"math"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/nn"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// Config is the size of a [Network].
type Config struct {
	Width   int     // channels of functions
	Layers  int     // that functions go through where surfaces are classified
	Local   int     // the same where vertices are
	Degree  int     // highest degree of the forms that layers see, 0 to 2
	Head    int     // hidden width of the classifier
	Dropout float64 // share of channels that a training step does without before each layer
}

// check panics for a network that cannot be.
func (c Config) check() {
	if c.Width < 1 || min(c.Layers, c.Local) < 0 || c.Head < 1 || c.Dropout < 0 || c.Dropout >= 1 ||
		c.Degree < 0 || c.Degree > 2 {
		exceptions.Panicf("heat.Network: %+v: want widths of 1 or more, a share in [0, 1) to drop, and a "+
			"degree of 0 to 2", c)
	}
}

// Network returns the logits [B, outputs] of a network on surfaces of area 1. Vertices of the batch have the
// columns that mesh.Encoder makes with Heat, any number of functions, K eigenfunctions and the area, and
// complexes the eigenvalues [B, K]. The functions, in standard deviations from their means and clipped at ±5,
// are mapped to channels h. In each layer heat flows for a learned time from every channel. The means of h
// and of softplus(h) over the surface, the standard deviations and soft maxima log(∫ exp(4h) dA)/4 of h are
// classified, with the means and standard deviations of the input functions. If vertices have labels, the
// logits are those of the vertices, [V, outputs].
func Network(scope *model.Scope, batch *layers.Batch, config Config, outputs int) *Node {
	config.check()
	s, in := newSurfaces(batch), scope.In
	s.whole()
	x := s.standardize(in("functions"), s.functions())
	x = MaxScalar(MinScalar(x, 5), -5)
	depth := config.Layers
	if s.batch.Labeled() == 0 {
		depth = config.Local
	}
	h := layers.Linear(in("first"), x, config.Width)
	if depth > 0 && scope.IsTraining(x.Graph()) { // on samples
		s.sampled()
	}
	for i := range depth {
		own := in("layer_%d", i)
		h = layer(own, s, gomlx.DropoutStatic(own, h, config.Dropout), config.Degree)
	}
	h = nn.LayerNorm(h, []int{-1}, 1e-5, nil, nil, nil)
	head := in("head")
	classify := func(y *Node) *Node {
		y = layers.SiLU(layers.Linear(head.In("hidden"), y, config.Head))
		return layers.Linear(head.In("last"), gomlx.DropoutStatic(head, y, config.Dropout), outputs)
	}
	if s.batch.Labeled() == 0 {
		return classify(s.atVertices(h))
	}
	mean, deviation := s.moments(h)
	meanX, deviationX := s.moments(x)
	read := []*Node{mean, deviation, s.mean(softplus(h)), s.maximum(h), meanX, deviationX}
	return classify(Concatenate(read, 1))
}

// moments returns the means of functions over each surface, and their standard deviations.
func (s *surfaces) moments(x *Node) (mean, deviation *Node) {
	width := x.Shape().Dimensions[1]
	both := s.mean(Concatenate([]*Node{x, Square(x)}, 1))
	mean = SliceAxis(both, 1, AxisRange(0, width))
	// A root has no gradient at 0.
	return mean, Sqrt(MaxScalar(Sub(SliceAxis(both, 1, AxisRange(width)), Square(mean)), 1e-8))
}

// maximum returns log(∫ exp(4x) dA)/4 of functions over each surface. It is near their maximum, but hardly
// depends on the nodes. Functions are normalized, so that none comes near the bound 15, which keeps
// exponentials finite.
func (s *surfaces) maximum(x *Node) *Node {
	const sharpness, bound = 4, 15
	means := s.mean(Exp(MulScalar(MinScalar(x, bound), sharpness)))
	return MulScalar(Log(MaxScalar(means, 1e-30)), 1./sharpness)
}

// leastDeviation bounds by how much functions are magnified: those that are 0 but for rounding, as some of a
// surface with symmetries, are 1e-5 where roots of them are taken.
const leastDeviation = 0.01

// standardize returns functions less their mean, in units of their standard deviation. Both are means by area
// over the surfaces of all training steps so far, or of about the last 100.
//
// Statistics of single batches would make of a shape what the others in its batch are.
func (s *surfaces) standardize(scope *model.Scope, x *Node) *Node {
	g := x.Graph()
	variable := func(name string, init model.VariableInitializer, columns int) *model.Variable {
		shape := shapes.Make(x.DType(), columns)
		return scope.WithInitializer(init).VariableWithShape(name, shape).SetTrainable(false)
	}
	columns := x.Shape().Dimensions[1]
	means := variable("means", initializer.Zero, columns)
	variances := variable("variances", initializer.One, columns)
	if scope.IsTraining(g) {
		steps := variable("steps", initializer.Zero, 1) // weights that predict are without it
		count := OnePlus(steps.NodeValue(g))
		steps.SetNodeValue(count)
		mask := ConvertDType(s.batch.Mask(), x.DType())
		surfaces := MaxScalar(ReduceAllSum(mask), 1)
		// move moves a mean over steps to that of functions over the batch.
		move := func(to *model.Variable, f *Node) {
			mean := Div(ReduceSum(Mul(s.mean(f), ExpandAxes(mask, -1)), 0), surfaces)
			old := to.NodeValue(g)
			to.SetNodeValue(Add(old, Mul(Sub(mean, old), MaxScalar(Inverse(count), 0.01))))
		}
		move(means, StopGradient(x))
		move(variances, Square(Sub(StopGradient(x), ExpandAxes(means.NodeValue(g), 0))))
	}
	deviation := MaxScalar(Sqrt(variances.NodeValue(g)), leastDeviation)
	return Div(Sub(x, ExpandAxes(means.NodeValue(g), 0)), ExpandAxes(deviation, 0))
}

// softplus returns log(1 + exp(x)) without overflow.
func softplus(x *Node) *Node { return Add(MaxScalar(x, 0), Log1P(Exp(Neg(Abs(x))))) }

// layer returns functions of the same width as h [R, width]: with heat u = exp(-tΔ)h for a learned time t of
// every channel, on surfaces of area 1, and v = Bu for learned linear maps B,
//
//	h + MLP(normalize[h, u, tanh(t⟨du, dv⟩), tanh(√(t²|du ∧ dv|² + 0.01))]),
//
// where forms of degrees above the given one are left out. Heat commutes with d, so du is what heat leaves of
// the 1-form dh.
//
// The variables are "log_times" [width], and weights and biases in the scopes "mix", "hidden" and "last".
func layer(scope *model.Scope, s *surfaces, h *Node, degree int) *Node {
	width := h.Shape().Dimensions[1]
	initial := initializer.RandomUniformFn(scope, math.Log(1e-3), math.Log(0.3))
	times := Exp(scoped.Variable(scope, h, "log_times", initial, width))
	a := s.heat(s.spectrum(h), times)
	both := s.sum(Concatenate([]*Node{a, s.laplacian(a)}, -1))
	u, laplacian := SliceAxis(both, 1, AxisRange(0, width)), SliceAxis(both, 1, AxisRange(width))
	seen := []*Node{h, u}
	if degree > 0 {
		weights, _ := layers.FanInUniform(scope, 0, width)
		mix := scoped.Variable(scope.In("mix"), h, "weights", weights, width, width)
		times := ExpandAxes(times, 0)
		inner, square := s.forms(u, MatMul(u, mix), laplacian, MatMul(laplacian, mix), degree)
		seen = append(seen, Tanh(Mul(inner, times)))
		if degree > 1 {
			const round = 0.01 // so that the size is smooth where it is 0
			seen = append(seen, Tanh(Sqrt(AddScalar(Mul(square, Square(times)), round))))
		}
	}
	x := nn.LayerNorm(Concatenate(seen, 1), []int{-1}, 1e-5, nil, nil, nil)
	x = layers.SiLU(layers.Linear(scope.In("hidden"), x, 2*width))
	return Add(h, layers.Linear(scope.In("last"), x, width))
}
