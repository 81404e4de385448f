package exterior

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Affine is the map x ↦ x·W + B on rows: W is [in, out] and B is [out], or
// nil for none. Maps side by side, one for each member of the first axis of x, have
// W [members, in, out] and B [members, 1, out].
type Affine struct{ W, B *Node }

// Apply returns x·W + B for x [..., in], or [members, ..., in] for maps side by side.
func (a Affine) Apply(x *Node) *Node {
	dims := slices.Clone(x.Shape().Dimensions)
	in, last := dims[len(dims)-1], a.W.Rank()-1
	switch {
	case last == 1 && len(dims) == 2:
		x = Dot(x, a.W).Product()
	case last == 1:
		x = Dot(Reshape(x, -1, in), a.W).Product()
	default:
		// One product for all members: it compiles in half the time of one for each.
		x = Dot(Reshape(x, dims[0], -1, in), a.W).General([]int{2}, []int{0}, []int{1}, []int{0})
	}
	if a.B != nil {
		x = Add(x, ExpandLeftToRank(a.B, x.Rank()))
	}
	dims[len(dims)-1] = a.W.Shape().Dimensions[last]
	return Reshape(x, dims...)
}

// MLP is the multilayer perceptron ψ of a neural k-form: affine maps with an
// activation between them,
//
//	ψ = A_L ∘ a ∘ A_{L-1} ∘ … ∘ a ∘ A_1 : Rⁿ → R^(R·ℓ).
//
// Entry r·ℓ + j of the output is the coefficient g_{r,j} of form j on frame
// element r. Without a frame (nil) the frame elements are the dx_I, and R is
// C(n,k).
type MLP struct {
	// Layers holds at least one affine map.
	Layers []Affine
	// Activation is applied element by element between the layers.
	Activation func(*Node) *Node
	// Frame holds R·k covectors as columns, [n, R·k]: those of element r are
	// columns r·k, …, r·k+k-1. Then the forms are sums of R decomposable ones
	//
	//	ω_j = Σ_r g_{r,j}(x) · a_{r,1} ∧ … ∧ a_{r,k},
	//
	// whose cost grows with R·k·n instead of C(n,k). Without degree there
	// are no covectors: Frame has to be nil for k = 0.
	Frame *Node

	dim, degree, count int // n, k and ℓ, which Neural sets
}

// elements returns R, the number of frame elements.
func (m MLP) elements() int {
	if m.Frame == nil {
		return Components(m.dim, m.degree)
	}
	return m.Frame.Shape().Dimensions[1] / m.degree
}

// check panics where the parts of the network do not fit.
func (m MLP) check() {
	if len(m.Layers) == 0 {
		exceptions.Panicf("exterior.MLP: no layers")
	}
	if m.Activation == nil && len(m.Layers) > 1 {
		exceptions.Panicf("exterior.MLP: %d layers without an Activation between them", len(m.Layers))
	}
	if m.Frame != nil && (m.degree == 0 || m.Frame.Rank() != 2 || m.Frame.Shape().Dimensions[0] != m.dim ||
		m.Frame.Shape().Dimensions[1]%m.degree != 0) {
		exceptions.Panicf("exterior.MLP: frame of shape %s is not [n = %d, elements · (k = %d)]",
			m.Frame.Shape(), m.dim, m.degree)
	}
	in := m.dim
	for i, layer := range m.Layers {
		if layer.W.Rank() != 2 || layer.W.Shape().Dimensions[0] != in {
			exceptions.Panicf("exterior.MLP: weights of layer %d have shape %s, want [%d, out]",
				i, layer.W.Shape(), in)
		}
		in = layer.W.Shape().Dimensions[1]
	}
	if in != m.elements()*m.count {
		exceptions.Panicf("exterior.MLP: %d outputs, want %d frame elements times %d forms",
			in, m.elements(), m.count)
	}
}

// Neural returns count k-forms on Rⁿ whose coefficients are a network. The
// network is built where the forms are used, from the points [P, n] or the
// first corners [S, n] of simplices, on whose graph and in whose type its
// weights have to be. Its integral, and that of its derivative, are computed
// fast: the affine maps of the network commute with the integral.
func Neural(n, k, count int, network func(x *Node) MLP) Form {
	if k < 0 || k > n {
		exceptions.Panicf("exterior.Neural: no %d-forms in dimension %d", k, n)
	}
	at := func(x *Node) MLP {
		m := network(x)
		m.dim, m.degree, m.count = n, k, count
		m.check()
		return m
	}
	return Form{Dim: n, Degree: k, Count: count,
		Coefficients: func(points *Node) *Node { return at(points).coefficients(points) },
		own:          func(x *Node) steps { return at(x).steps() }}
}

// hidden returns the number of hidden layers.
func (m MLP) hidden() int { return len(m.Layers) - 1 }

// coefficients returns ψ at points [P, n] as [P, C(n,k), ℓ]: the dx_I components
// of the frame are multiplied out.
func (m MLP) coefficients(points *Node) *Node {
	h := m.Layers[m.hidden()].Apply(m.lastHidden(points))
	h = Reshape(h, points.Shape().Dimensions[0], m.elements(), m.count)
	if m.Frame == nil {
		return h
	}
	// frame[r, I]: component I of a_{r,1} ∧ … ∧ a_{r,k}.
	frame := blade(m.covectors(Transpose(m.Frame, 0, 1))...)
	return Einsum("prj,ri->pij", h, frame)
}

// lastHidden returns the input of the last affine map at points [P, n].
func (m MLP) lastHidden(points *Node) *Node {
	h := points
	for _, layer := range m.Layers[:m.hidden()] {
		h = m.Activation(layer.Apply(h))
	}
	return h
}

// covectors splits rows that run over frame elements and, within them, over
// k into k nodes with a row per element.
func (m MLP) covectors(rows *Node) []*Node {
	width := rows.Shape().Dimensions[1]
	byElement := Reshape(rows, m.elements(), m.degree, width)
	out := make([]*Node, m.degree)
	for i := range out {
		out[i] = Squeeze(SliceAxis(byElement, 1, AxisElem(i)), 1)
	}
	return out
}
