package layers

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// KFormBuilder configures neural k-forms. Make it with [KForm], finish it
// with Done.
type KFormBuilder struct{ forms Forms }

// KForm starts a bundle of count neural differential forms of the given
// degree k. The dimension n of the space is that of the vertices it meets
// first. Without options the coefficients are an MLP with one hidden layer of
// 16 and [SiLU], integrated with three Gauss points per direction: smooth, so
// that integrals are as good as package quadrature says, and that derivatives
// beyond the first are not lost. The networks of the paper have ReLU.
//
// The variables live in scope, one sub-scope per layer, and are created when
// the forms are first used. Forms may be used as often as one likes; other
// forms, or an [MLP], need a scope of their own, or one made with Scope.Shared
// to share the weights: Done panics where the scope has been used before, as
// the layers of GoMLX do.
func KForm(scope *model.Scope, degree, count int) *KFormBuilder {
	if degree < 0 || count < 1 {
		exceptions.Panicf(
			"layers.KForm: %d forms of degree %d: want one or more, of degree 0 or more",
			count,
			degree,
		)
	}
	return &KFormBuilder{Forms{
		scope: scope, degree: degree, count: count,
		hidden:     []int{16},
		activation: SiLU,
		rule:       quadrature.Gauss(3),
		init:       ScopeDefault,
	}}
}

// Hidden sets the widths of the hidden layers; none make the coefficients
// affine.
func (b *KFormBuilder) Hidden(widths ...int) *KFormBuilder {
	for _, width := range widths {
		if width < 1 {
			exceptions.Panicf("layers.KForm: hidden layers of %v: want widths of 1 or more", widths)
		}
	}
	b.forms.hidden = append([]int(nil), widths...)
	return b
}

// Activation sets the function between the layers, applied element by
// element. Quadrature converges fast where it is smooth: see package
// quadrature for how much is lost with ReLU. Second derivatives of a piecewise
// linear function are 0 almost everywhere: [exterior.Form.Codifferential]
// refuses dω of a network with ReLU.
func (b *KFormBuilder) Activation(function func(*Node) *Node) *KFormBuilder {
	if function == nil {
		exceptions.Panicf("layers.KForm: no activation: want a function, such as layers.SiLU")
	}
	b.forms.activation = function
	return b
}

// Quadrature sets the rule that integrates over a simplex.
func (b *KFormBuilder) Quadrature(rule quadrature.Rule) *KFormBuilder {
	if rule == nil {
		exceptions.Panicf("layers.KForm: no quadrature rule: want one, such as quadrature.Gauss(3)")
	}
	b.forms.rule = rule
	return b
}

// Rank makes the forms decomposable with r terms,
//
//	ω_j = Σ_r g_{r,j}(x) · a_{r,1} ∧ … ∧ a_{r,k},
//
// with learned covectors a in Rⁿ that the bundle shares. The cost is then
// r·k·n instead of the C(n,k) components of general forms, which is the
// default, r = 0. Any k-form is decomposable with r = C(n,k) terms.
func (b *KFormBuilder) Rank(r int) *KFormBuilder {
	if r < 0 {
		exceptions.Panicf("layers.KForm: rank %d: want rank 0 or more", r)
	}
	b.forms.rank = r
	return b
}

// Initialization sets how the weights begin.
func (b *KFormBuilder) Initialization(init Initialization) *KFormBuilder {
	if init == nil {
		exceptions.Panicf("layers.KForm: no initialization: want one, such as layers.FanInUniform")
	}
	b.forms.init = init
	return b
}

// Done returns the forms. It panics where the scope holds other forms, or
// another layer.
func (b *KFormBuilder) Done() *Forms {
	forms := b.forms
	for i := range len(forms.hidden) + 1 {
		scoped.Own("layers.KForm", forms.scope, fmt.Sprintf("layer_%d", i))
	}
	if forms.decomposable() {
		scoped.Own("layers.KForm", forms.scope, "frame")
	}
	return &forms
}

// Forms is a bundle of ℓ neural k-forms that share one network
// ψ: Rⁿ → R^(C(n,k)·ℓ) (paper, section 4.1).
type Forms struct {
	scope         *model.Scope
	degree, count int
	rank          int
	hidden        []int
	activation    func(*Node) *Node
	rule          quadrature.Rule
	init          Initialization
}

// decomposable reports whether the forms have learned covectors. Functions,
// k = 0, have one coefficient and none to learn.
func (f *Forms) decomposable() bool { return f.rank > 0 && f.degree > 0 }

// Integrate returns the integration matrix [S, ℓ] with entries ∫_σ ω_j
// (paper, section 4.2), for vertices [V, n] and simplices [S, k+1], integer
// vertex numbers in the order that orients the simplex. A number that is no
// vertex counts as the nearest that is, without a word: package indices finds
// it.
func (f *Forms) Integrate(vertices, simplices *Node) *Node {
	return f.network(vertices).Integrate(vertices, simplices, f.rule)
}

// IntegrateCorners is Integrate for simplices that are given by the coordinates
// of their corners, [S, k+1, n].
func (f *Forms) IntegrateCorners(corners *Node) *Node {
	return f.network(corners).IntegrateCorners(corners, f.rule)
}

// Coefficients returns the coefficients f_{I,j} at points [P, n], as
// [P, C(n,k), ℓ] with multi-indices I in lexicographic order: the vector
// fields (for k = 1) that one draws.
func (f *Forms) Coefficients(points *Node) *Node {
	return f.network(points).Form().At(points)
}

// Exterior returns the forms as package exterior sees them, on the graph of
// points [P, n], whose number of columns is the dimension. It is the way to
// their exterior derivative, wedge product and pull-back.
func (f *Forms) Exterior(points *Node) exterior.Form {
	return f.network(points).Form()
}

// network returns the MLP with the variables' values on the graph of x.
func (f *Forms) network(x *Node) exterior.MLP {
	// An axis of length 0 has no coordinates; integers would make weights that
	// are integers, all of them 0.
	if x.Rank() == 0 || x.Shape().Dimensions[x.Rank()-1] == 0 || !x.DType().IsFloat() {
		exceptions.Panicf("layers.KForm: coordinates of shape %s: want floats [..., n], n 1 or more",
			x.Shape())
	}
	n := x.Shape().Dimensions[x.Rank()-1]
	if f.degree > n {
		exceptions.Panicf("layers.KForm: no forms of degree %d on vertices of dimension %d", f.degree, n)
	}
	m := exterior.MLP{Dim: n, Degree: f.degree, Count: f.count, Activation: f.activation}
	elements := exterior.Components(n, f.degree)
	if f.decomposable() {
		elements = f.rank
		m.Frame = affine(f.scope.At("frame"), x, n, f.rank*f.degree, false, f.init).W
	}
	in := n
	for i, out := range append(append([]int(nil), f.hidden...), elements*f.count) {
		m.Layers = append(m.Layers, affine(f.scope.At("layer_%d", i), x, in, out, true, f.init))
		in = out
	}
	return m
}
