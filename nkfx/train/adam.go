package train

import (
	"math"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Adam is the optimizer of Kingma and Ba (2015) with the constants of
// PyTorch. It does what GoMLX's Adam does, on all variables joined to one
// vector: an epoch on the device then moves two moments through its loop
// instead of two for every variable, and a step has a fraction of the
// operations, which are what small models spend their time on.
type Adam struct {
	Rate                  float64 // learning rate at the start
	Beta1, Beta2, Epsilon float64
}

// NewAdam returns Adam with β 0.9 and 0.999 and ε 1e-8.
func NewAdam(rate float64) *Adam { return &Adam{rate, 0.9, 0.999, 1e-8} }

var _ optimizer.Interface = (*Adam)(nil)

// adamScope holds the variables of the optimizer.
const adamScope = "adam"

// UpdateGraph updates the trainable variables in use by one step,
//
//	w ← w - rate/(1-β₁ᵗ) · m / (√v/√(1-β₂ᵗ) + ε),
//
// with the moments m ← β₁m + (1-β₁)g and v ← β₂v + (1-β₂)g² of the gradient g
// of the loss. The rate is the variable of that name that all optimizers of
// GoMLX have.
func (a *Adam) UpdateGraph(scope *model.Scope, g *Graph, loss *Node) {
	var variables []*model.Variable
	var values, flat []*Node
	for v := range scope.IterVariables() {
		if v.Trainable && v.InUseByGraph(g) {
			variables = append(variables, v)
			values = append(values, v.NodeValue(g))
		}
	}
	if len(variables) == 0 {
		exceptions.Panicf("train.Adam: the loss has no trainable variables")
	}
	size := 0
	for i, gradient := range Gradient(loss, values...) {
		if gradient.DType() != loss.DType() {
			exceptions.Panicf("train.Adam: variable %s is %s and the loss %s: use one type for all",
				variables[i].Path(), gradient.DType(), loss.DType())
		}
		flat = append(flat, Reshape(gradient, -1))
		size += gradient.Shape().Size()
	}
	gradient := Concatenate(flat, 0)
	dtype := gradient.DType()
	zeros := scope.At(adamScope).WithInitializer(initializer.Zero)
	moments := [2]*model.Variable{
		zeros.VariableWithShape("first_moment", shapes.Make(dtype, size)).SetTrainable(false),
		zeros.VariableWithShape("second_moment", shapes.Make(dtype, size)).SetTrainable(false),
	}
	steps := zeros.VariableWithShape("step", shapes.Make(dtype)).SetTrainable(false)
	rate := optimizer.LearningRateVar(scope, dtype, a.Rate).NodeValue(g)

	t := OnePlus(steps.NodeValue(g))
	steps.SetNodeValue(t)
	m := Add(MulScalar(moments[0].NodeValue(g), a.Beta1), MulScalar(gradient, 1-a.Beta1))
	v := Add(MulScalar(moments[1].NodeValue(g), a.Beta2), MulScalar(Square(gradient), 1-a.Beta2))
	moments[0].SetNodeValue(m)
	moments[1].SetNodeValue(v)
	// 1-βᵗ, as exp: a power would be an operation of its own.
	bias := func(beta float64) *Node { return OneMinus(Exp(MulScalar(t, math.Log(beta)))) }
	update := Div(Mul(Div(rate, bias(a.Beta1)), m),
		AddScalar(Div(Sqrt(v), Sqrt(bias(a.Beta2))), a.Epsilon))
	from := 0
	for i, v := range variables {
		to := from + v.Shape().Size()
		v.SetNodeValue(
			Sub(values[i], Reshape(SliceAxis(update, 0, AxisRange(from, to)), v.Shape().Dimensions...)),
		)
		from = to
	}
}

// Clear deletes the moments and the number of steps.
func (a *Adam) Clear(scope *model.Scope) error {
	return scope.At(adamScope).DeleteVariablesInScope()
}
