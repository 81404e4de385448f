package layers

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// KFormBuilder configures neural k-forms. Make it with [KForm], finish it
// with Done.
type KFormBuilder struct {
	scope       *model.Scope
	dim, degree int
	count       int
	hidden      []int
	activation  func(*Node) *Node
	rule        quadrature.Rule
	init        Initialization
}

// KForm starts a bundle of ℓ = count neural differential forms of degree k on Rⁿ
// that share one network ψ: Rⁿ → R^(C(n,k)·ℓ) (paper, section 3). Without
// options the coefficients are an MLP with one hidden layer of 16 and [SiLU],
// integrated by quadrature.Cubature(5), with three points on an edge and seven on a
// triangle. SiLU is smooth, so that
// integrals have the accuracy stated in package quadrature and higher derivatives
// do not vanish. The networks of the paper have ReLU.
//
// The variables live in scope, one sub-scope per layer, and are created when
// the forms are first used, in the type of the coordinates, which must be
// floats. Forms may be used any number of times, on any graph of the store.
// Other forms, or an [MLP], need another scope, or one made with Scope.Shared to
// share the weights: like GoMLX layers, Done panics if the scope has been used
// before.
func KForm(scope *model.Scope, n, k, count int) *KFormBuilder {
	scoped.Need("layers.KForm", scope)
	if n < 1 || k < 0 || k > n || count < 1 {
		exceptions.Panicf("layers.KForm: %d forms of degree %d in dimension %d: want one or more, of "+
			"degree 0 to the dimension, which is 1 or more", count, k, n)
	}
	return &KFormBuilder{
		scope: scope, dim: n, degree: k, count: count,
		hidden:     []int{16},
		activation: SiLU,
		rule:       quadrature.Cubature(5),
		init:       scopeDefault,
	}
}

// Hidden sets the widths of the hidden layers; without any, the coefficients are
// affine.
func (b *KFormBuilder) Hidden(widths ...int) *KFormBuilder {
	if len(widths) > 0 && slices.Min(widths) < 1 {
		exceptions.Panicf("layers.KForm: hidden layers of %v: want widths of 1 or more", widths)
	}
	b.hidden = slices.Clone(widths)
	return b
}

// Activation sets the function between the layers, applied element by
// element. Quadrature converges fast if it is smooth; package quadrature has the
// loss of accuracy with ReLU. Second derivatives of a piecewise
// linear function are 0 almost everywhere, and so is [exterior.Form.Codifferential]
// of dω for a network with ReLU. A function that is not element by element, such as
// softmax, panics where the forms are used.
func (b *KFormBuilder) Activation(function func(*Node) *Node) *KFormBuilder {
	if function == nil {
		exceptions.Panicf("layers.KForm: the activation is nil: want a function such as layers.SiLU")
	}
	b.activation = function
	return b
}

// Quadrature sets the rule that integrates over a simplex.
func (b *KFormBuilder) Quadrature(rule quadrature.Rule) *KFormBuilder {
	if rule == nil {
		exceptions.Panicf("layers.KForm: the rule is nil: want one of package quadrature")
	}
	b.rule = rule
	return b
}

// Initialization sets the initial weights; nil, the default, uses the initializer
// of the scope for weights and biases.
func (b *KFormBuilder) Initialization(init Initialization) *KFormBuilder {
	if init != nil {
		b.init = init
	}
	return b
}

// Done returns the forms. It panics if the scope holds other forms or another
// layer.
func (b *KFormBuilder) Done() exterior.Form {
	built := *b
	for i := range len(built.hidden) + 1 {
		built.scope.In("layer_%d", i) // a second layer in the scope panics
	}
	form := exterior.Neural(built.dim, built.degree, built.count, built.activation, built.layers)
	form.Rule = built.rule
	return form
}

// layers returns the affine maps with the variables' values on the graph of x.
func (b *KFormBuilder) layers(x *Node) (maps []exterior.Affine) {
	in := b.dim
	for i, out := range append(slices.Clone(b.hidden), exterior.Components(b.dim, b.degree)*b.count) {
		layer := b.scope.At("layer_%d", i)
		weights, biases := b.init(layer, i, in)
		maps = append(maps, exterior.Affine{
			W: scoped.Variable(layer, x, "weights", weights, in, out),
			B: scoped.Variable(layer, x, "biases", biases, out),
		})
		in = out
	}
	return maps
}
