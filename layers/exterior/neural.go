package exterior

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Affine is the map x ↦ x·W + B on rows: W is [in, out] and B is [out], or
// nil for none.
type Affine struct{ W, B *Node }

// Apply returns x·W + B for x [..., in].
func (a Affine) Apply(x *Node) *Node {
	dims := slices.Clone(x.Shape().Dimensions)
	last := len(dims) - 1
	if last < 0 {
		exceptions.Panicf("exterior.Affine: x of shape %s: want [..., in]", x.Shape())
	}
	a.check("exterior.Affine", dims[last])
	if last != 1 {
		x = Reshape(x, -1, dims[last])
	}
	x = Dot(x, a.W).Product()
	if a.B != nil {
		x = Add(x, ExpandLeftToRank(a.B, 2))
	}
	dims[last] = a.W.Shape().Dimensions[1]
	return Reshape(x, dims...)
}

// check panics unless the map takes in numbers, and its bias fits.
func (a Affine) check(what string, in int) {
	if a.W == nil || a.W.Rank() != 2 || a.W.Shape().Dimensions[0] != in || a.B != nil &&
		(a.B.Rank() != 1 || a.B.Shape().Dimensions[0] != a.W.Shape().Dimensions[1]) {
		shape := func(x *Node) string {
			if x == nil {
				return "nil"
			}
			return x.Shape().String()
		}
		exceptions.Panicf("%s: weights W of shape %s, bias B of %s: want [%d, out] and [out], or no bias",
			what, shape(a.W), shape(a.B), in)
	}
}

// network is the multilayer perceptron ψ of [Neural] on a graph.
type network struct {
	layers             []Affine
	activation         func(*Node) *Node
	dim, degree, count int // n, k and ℓ
}

// elements returns C(n,k).
func (m network) elements() int { return Components(m.dim, m.degree) }

// check panics where the parts of the network do not fit.
func (m network) check() {
	if len(m.layers) == 0 || m.activation == nil && len(m.layers) > 1 {
		exceptions.Panicf("exterior.Neural: %d layers: want one or more, and an activation between them",
			len(m.layers))
	}
	in := m.dim
	for i, layer := range m.layers {
		layer.check(fmt.Sprintf("exterior.Neural: layer %d", i), in)
		in = layer.W.Shape().Dimensions[1]
	}
	if in != m.elements()*m.count {
		exceptions.Panicf("exterior.Neural: %d outputs, want %d components times %d forms",
			in, m.elements(), m.count)
	}
}

// Neural returns count k-forms on Rⁿ whose coefficients are a multilayer
// perceptron, affine maps with an activation, element by element, between them:
//
//	ψ = A_L ∘ a ∘ A_{L-1} ∘ … ∘ a ∘ A_1 : Rⁿ → R^(C(n,k)·ℓ).
//
// Entry I·ℓ + j of the output is the coefficient of form j on dx_I. The function
// layers returns A_1 to A_L where the forms are used, from the points [P, n] or the
// first corners [S, n] of simplices, on whose graph and in whose type its
// weights have to be. The integral of the forms, and that of their derivative, are
// computed fast: the affine maps commute with the integral.
func Neural(n, k, count int, activation func(*Node) *Node, layers func(x *Node) []Affine) Form {
	if k < 0 || k > n || count < 1 || layers == nil {
		exceptions.Panicf("exterior.Neural: %d %d-forms in dimension %d: want one or more, 0 ≤ k ≤ n, and a "+
			"function of layers", count, k, n)
	}
	activation = elementwise("exterior.Neural", activation)
	at := func(x *Node) network {
		m := network{layers(x), activation, n, k, count}
		m.check()
		return m
	}
	return Form{Dim: n, Degree: k, Count: count,
		Coefficients: func(points *Node) *Node { return at(points).coefficients(points) },
		own:          func(x *Node) steps { return at(x).steps() }}
}

// hidden returns the number of hidden layers.
func (m network) hidden() int { return len(m.layers) - 1 }

// coefficients returns ψ at points [P, n] as [P, C(n,k), ℓ].
func (m network) coefficients(points *Node) *Node {
	h := points
	for _, layer := range m.layers[:m.hidden()] {
		h = m.activation(layer.Apply(h))
	}
	h = m.layers[m.hidden()].Apply(h)
	return Reshape(h, points.Shape().Dimensions[0], m.elements(), m.count)
}
