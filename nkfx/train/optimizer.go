package train

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/support/exceptions"
)

// adam does what GoMLX's Adam does, on all variables joined to one vector: an
// epoch on the device then moves two moments through its loop instead of two
// for every variable, and a step has a fraction of the operations, which are
// what small models spend their time on.
type adam struct{ Protocol }

// The constants of Adam in PyTorch. var, not const: Go would compute 1-β exactly, PyTorch in float64.
var beta1, beta2, epsilon = 0.9, 0.999, 1e-8

// adamScope holds the variables of the optimizer.
const adamScope = "adam"

// UpdateGraph updates the trainable variables in use by one step, see
// Protocol.Optimizer.
func (a adam) UpdateGraph(scope *model.Scope, _ *Graph, loss *Node) {
	a.UpdateGraphWithGradients(scope, scope.BuildTrainableVariablesGradientsGraph(loss), loss.DType())
}

// UpdateGraphWithGradients is UpdateGraph with the gradients of the trainable variables.
func (a adam) UpdateGraphWithGradients(scope *model.Scope, gradients []*Node, lossDType dtypes.DType) {
	if len(gradients) == 0 {
		exceptions.Panicf("Adam: the loss has no trainable variables")
	}
	g := gradients[0].Graph()
	var variables []*model.Variable
	var values, flat []*Node
	for v := range scope.IterVariables() {
		if v.Trainable && v.InUseByGraph(g) {
			variables = append(variables, v)
			values = append(values, v.NodeValue(g))
		}
	}
	size := 0
	for i, gradient := range gradients {
		if gradient.DType() != lossDType {
			exceptions.Panicf("Adam: variable %s is %s and the loss %s: use one type for all",
				variables[i].Path(), gradient.DType(), lossDType)
		}
		flat = append(flat, Reshape(gradient, -1))
		size += gradient.Shape().Size()
	}
	gradient := Concatenate(flat, 0)
	dtype := gradient.DType()
	if a.Clip > 0 {
		norm := AddScalar(Sqrt(ReduceAllSum(Square(gradient))), clipEpsilon)
		gradient = Mul(gradient, MinScalar(Div(ConstAs(norm, a.Clip), norm), 1))
	}
	zeros := scope.At(adamScope).WithInitializer(initializer.Zero)
	moments := [2]*model.Variable{
		zeros.VariableWithShape("first_moment", shapes.Make(dtype, size)).SetTrainable(false),
		zeros.VariableWithShape("second_moment", shapes.Make(dtype, size)).SetTrainable(false),
	}
	steps := zeros.VariableWithShape("step", shapes.Make(dtype)).SetTrainable(false)
	rate := optimizer.LearningRateVar(scope, dtype, a.Rate).NodeValue(g)

	t := OnePlus(steps.NodeValue(g))
	steps.SetNodeValue(t)
	m := Add(MulScalar(moments[0].NodeValue(g), beta1), MulScalar(gradient, 1-beta1))
	v := Add(MulScalar(moments[1].NodeValue(g), beta2), MulScalar(Square(gradient), 1-beta2))
	moments[0].SetNodeValue(m)
	moments[1].SetNodeValue(v)
	// 1-βᵗ, as exp: a power would be an operation of its own.
	bias := func(beta float64) *Node { return OneMinus(Exp(MulScalar(t, math.Log(beta)))) }
	update := Div(Mul(Div(rate, bias(beta1)), m),
		AddScalar(Div(Sqrt(v), Sqrt(bias(beta2))), epsilon))
	keep := OneMinus(MulScalar(rate, a.Decay))
	from := 0
	for i, v := range variables {
		to := from + v.Shape().Size()
		old := values[i]
		if a.Decay != 0 {
			old = Mul(keep, old)
		}
		v.SetNodeValue(Sub(old, Reshape(SliceAxis(update, 0, AxisRange(from, to)), v.Shape().Dimensions...)))
		from = to
	}
}

// clipEpsilon keeps the gradient 0 from dividing by its norm.
const clipEpsilon = 1e-9

// Clear deletes the moments and the number of steps.
func (a adam) Clear(scope *model.Scope) error {
	return scope.At(adamScope).DeleteVariablesInScope()
}

// schedule returns the rates of a training with that many steps an epoch: what
// gives a step of an epoch, both from 0, its rate, and what takes the
// validation loss of the epoch that has ended.
func (t Task) schedule(steps int) (rate func(epoch, step int) float64, observe func(loss float64)) {
	p := t.Protocol
	if fixed := t.fixed(); fixed != nil {
		rate := func(epoch, step int) float64 { return fixed(epoch*steps+step, steps*p.Epochs) }
		return rate, func(float64) {}
	}
	s := plateau{rate: p.Rate, factor: p.PlateauFactor, patience: p.PlateauPatience, best: math.Inf(1)}
	return func(int, int) float64 { return s.rate }, s.step
}

// fixed returns the schedule that does not depend on losses, nil for that of plateaus.
func (t Task) fixed() func(step, steps int) float64 {
	if t.Schedule == nil && t.Protocol.Cosine {
		return t.Protocol.cosine
	}
	return t.Schedule
}

// cosine returns the rate of a step: a linear rise and a fall along half a period of the cosine, which
// multiply each other.
func (p Protocol) cosine(step, steps int) float64 {
	t, total := float64(step), float64(steps)
	rise := math.Min(1, (t+1)/math.Max(1, math.Floor(p.Warmup*total)))
	return p.Rate * rise * (1 + math.Cos(math.Pi*t/total)) / 2
}

// plateau lowers a learning rate when a loss stops falling, as PyTorch's
// ReduceLROnPlateau does with its defaults (mode min, relative threshold).
type plateau struct {
	rate     float64 // the rate now
	factor   float64 // what the rate is multiplied by
	patience int     // epochs without progress before the rate is cut
	best     float64 // lowest loss that counted as progress; begin with +Inf
	bad      int     // epochs without progress since then or since the last cut
}

const (
	// plateauThreshold is the least relative improvement that counts as progress.
	plateauThreshold = 1e-4
	// plateauLeast is the smallest cut of the rate; smaller ones are ignored (eps of PyTorch).
	plateauLeast = 1e-8
)

// step takes the loss of an epoch and sets the rate for the next.
func (p *plateau) step(loss float64) {
	if loss < p.best-plateauThreshold*math.Abs(p.best) || math.IsInf(p.best, 1) && !math.IsNaN(loss) {
		p.best, p.bad = loss, 0
	} else {
		p.bad++
	}
	if p.bad > p.patience {
		p.bad = 0
		if next := p.rate * p.factor; p.rate-next > plateauLeast {
			p.rate = next
		}
	}
}

// earlyStopping ends a training whose loss does not fall any more, as PyTorch
// Lightning's EarlyStopping does (mode min, no minimal change).
type earlyStopping struct {
	patience int     // epochs without progress after which it stops
	best     float64 // lowest loss; begin with +Inf
	wait     int     // epochs since
}

// step takes the loss of an epoch and reports whether that epoch was the
// last. A loss that is not finite stops at once.
func (s *earlyStopping) step(loss float64) (stop bool) {
	switch {
	case math.IsNaN(loss) || math.IsInf(loss, 0):
		return true
	case loss < s.best:
		s.best, s.wait = loss, 0
	default:
		s.wait++
	}
	return s.wait >= s.patience
}

// selection finds the best epoch.
type selection struct {
	metric string  // of the validation part; "" for the loss
	any    bool    // whether there is a best epoch
	score  float64 // of the best so far
}

// better reports whether an epoch with that loss and those scores of the validation part is the best so far.
// One whose loss is not finite is not.
func (s *selection) better(loss float64, scores Scores) bool {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return false
	}
	score := -loss
	if m, ok := metricOf(s.metric); ok {
		if score = float64(*m.of(&scores)); m.error {
			score = -score
		}
	}
	if s.any && (score < s.score || score == s.score && s.metric == "") {
		return false
	}
	s.any, s.score = true, score
	return true
}
