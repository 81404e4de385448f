package cochain

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/nn"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// messages returns the messages [V, ℓ] of the k-cochains X [S, ℓ] of simplices
// [S, k+1] to the V vertices, independent of orientations. For edges it is the
// boundary, Σ ±X over the edges of a vertex, each directed towards it.
// For points it is X. Triangles and larger simplices have no direction seen from
// a vertex, so their message is |X|.
func messages(x, simplices *Node, vertices int) *Node {
	corners := simplices.Shape().Dimensions[1]
	if corners == 2 {
		// Only the faces of edges are vertices.
		return layers.Edges(simplices, vertices).Boundary(x)
	}
	if corners > 2 {
		x = Abs(x)
	}
	return layers.NewIncidence(simplices, OnesLike(simplices), vertices).Cofaces(x)
}

// update moves the vertices x [V, m] by the messages [V, ℓ] that reach them,
//
//	x ← LayerNorm(x + ψ(x, messages)),
//
// where ψ has one hidden layer with SiLU.
func update(scope *model.Scope, x, messages *Node, hidden int) *Node {
	m := x.Shape().Dimensions[1]
	x = Add(x, perceptron(scope, Concatenate([]*Node{x, messages}, 1), hidden, m))
	return nn.LayerNorm(x, []int{-1}, 1e-5, nil, nil, nil)
}

// perceptron returns SiLU(x·A + a)·B + b, [rows, out], for x [rows, in].
func perceptron(scope *model.Scope, x *Node, hidden, out int) *Node {
	h := layers.SiLU(layers.Linear(scope.In("first"), x, hidden))
	return layers.Linear(scope.In("last"), h, out)
}

// Hodge updates k-cochains x [S, w] by their own differentials and by lower and higher cochains, y below and
// z above:
//
//	x ← x + tanh(x·A + (dδx)·B + (δdx)·C + (dy)·D + (δz)·E),
//
// with (k-1)-cochains y [faces, u] and (k+1)-cochains z [T, v], such as integrals of forms. Such layers are
// those of Ebli, Defferrard and Spreemann, Simplicial neural networks, 2020, and of Roddenberry, Glaze and
// Segarra, ICML 2021, where odd activations are required. down is the incidence of the k-simplices with their
// faces, up that of the (k+1)-simplices with them; a nil incidence, or nil cochains, leave their terms out.
// The maps have no bias and tanh is odd, so that x changes its sign with the orientation of its simplex and
// with that of no other. dδ + δd is the Hodge Laplacian.
func Hodge(scope *model.Scope, x *Node, down, up *layers.Incidence, below, above *Node) *Node {
	width := x.Shape().Dimensions[1]
	term := func(name string, x *Node) *Node {
		in, inputs := scope.In("%s", name), x.Shape().Dimensions[1]
		uniform, _ := layers.FanInUniform(in, 0, inputs)
		return MatMul(x, scoped.Variable(in, x, "weights", uniform, inputs, width))
	}
	sum := term("self", x)
	if down != nil {
		sum = Add(sum, term("down", down.Coboundary(down.Boundary(x))))
		if below != nil {
			sum = Add(sum, term("below", down.Coboundary(below)))
		}
	}
	if up != nil {
		sum = Add(sum, term("up", up.Boundary(up.Coboundary(x))))
		if above != nil {
			sum = Add(sum, term("above", up.Boundary(above)))
		}
	}
	return Add(x, Tanh(sum))
}
