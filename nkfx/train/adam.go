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

// The constants of Adam in PyTorch. They are variables and not
// constants: Go would compute 1-β of constants exactly, and PyTorch computes it in float64.
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
