package cochain

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	gomlx "github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/internal/scoped"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Config has the sizes and the parts of a [Network].
type Config struct {
	Width     int     // m: dimension of the space Rᵐ in which the vertices move
	Layers    int     // layers that move the vertices
	Forms     int     // ℓ: k-forms on Rᵐ at each level; 0 for none, with Neighbors or without layers
	Hidden    int     // width of the networks of forms, functions and updates
	Points    int     // p ≥ 1: forms are integrated by quadrature.Cubature(2p-1), Gauss(p) on edges
	Functions int     // zero-forms that are summed up over the vertices at each level; 0 for none
	Head      int     // hidden width of the classifier
	Dropout   float64 // in [0, 1): share of the readout, and of Head, that a training step drops
	// Neighbors sends to each vertex the sum of its neighbors, as graph
	// isomorphism networks do, where the integrals would go.
	Neighbors bool
}

// Check returns an error for sizes that no network has; [Network] and [Levels] panic with it.
func (c Config) Check() error {
	if c.Width < 1 || c.Layers < 0 || c.Forms < 0 || c.Hidden < 1 || c.Functions < 0 || c.Head < 1 ||
		c.Forms == 0 && c.Functions == 0 || c.Dropout < 0 || c.Dropout >= 1 {
		return fmt.Errorf("cochain.Network: %+v: want widths of 1 or more, forms or functions to read out, "+
			"and a share in [0, 1) to drop", c)
	}
	if c.Forms == 0 && c.Layers > 0 && !c.Neighbors {
		return fmt.Errorf("cochain.Network: %d layers without forms, whose integrals are what they send: "+
			"want Forms of 1 or more, Neighbors, or no layers", c.Layers)
	}
	return nil
}

// Level is the state of a network between two of its layers, for ℓ forms and the S simplices of a batch.
type Level struct {
	Vertices  *Node         // x [V, m]
	Form      exterior.Form // on Rᵐ; of Count 0 where the network has none
	Integrals *Node         // X [S, ℓ], or nil
	Messages  *Node         // [V, ℓ] that move the vertices to the next level; nil at the last
}

// Levels returns the levels of a network, one more than its layers: an affine map
// takes the vertices to Rᵐ, and each layer moves them,
//
//	x ← LayerNorm(x + ψ(x, messages)),
//
// where ψ has one hidden layer with SiLU. The message of an edge to an end is its
// integral, directed towards that end; that of a point is its value, and that of a
// simplex of higher degree, which has no direction seen from a vertex, the magnitude
// of its integral. Simplices are those of the highest degree of the batch, in point
// clouds the vertices; chains are ignored.
func Levels(scope *model.Scope, batch *layers.Batch, config Config) []Level {
	if err := config.Check(); err != nil {
		panic(err)
	}
	in := scope.In
	embedding := in("embedding")
	x := batch.PerVertex(func(x *Node) *Node { return layers.Linear(embedding, x, config.Width) })
	k := batch.Degree()
	corners := batch.Corners(k)
	vertices := x.Shape().Dimensions[0]
	levels := make([]Level, config.Layers+1)
	for i := range levels {
		level := &levels[i]
		level.Vertices = x
		if config.Forms > 0 {
			level.Form = newForm(in("forms_%d", i), x, k, config)
			level.Integrals = exterior.Integrate(level.Form, x, corners)
		}
		if i == config.Layers {
			break
		}
		if config.Neighbors {
			level.Messages = batch.Incidence(1).Neighbors(x)
		} else {
			level.Messages = messages(level.Integrals, corners, vertices)
		}
		x = update(in("update_%d", i), x, level.Messages, config.Hidden)
	}
	return levels
}

// newForm returns the k-forms on Rᵐ of a level with vertices x [V, m].
func newForm(scope *model.Scope, x *Node, k int, config Config) exterior.Form {
	m := x.Shape().Dimensions[1]
	form := layers.KForm(scope, m, k, config.Forms).Hidden(config.Hidden).Activation(layers.SiLU).
		Initialization(layers.FanInUniform).Quadrature(quadrature.Cubature(2*config.Points - 1)).Done()
	// A seed draws the biases of a layer before its weights: published results
	// began so.
	in := m
	for i, out := range []int{config.Hidden, exterior.Components(m, k) * config.Forms} {
		layer := scope.At("layer_%d", i)
		weights, biases := layers.FanInUniform(layer, i, in)
		scoped.Variable(layer, x, "biases", biases, out)
		scoped.Variable(layer, x, "weights", weights, in, out)
		in = out
	}
	return form
}

// Network returns the logits [B, classes] of a cochain network. At every level
// the squares and the magnitudes of the integrals are summed up over the
// simplices of a complex, and functions over its vertices; all of these are
// normalized over the batch and classified by a network with one hidden layer. For
// other outputs, such as numbers, classes is the number of these.
func Network(scope *model.Scope, batch *layers.Batch, config Config, classes int) *Node {
	in := scope.In
	complexes := batch.Complexes()
	var simplices, vertices []*Node
	for i, level := range Levels(scope, batch, config) {
		if level.Integrals != nil {
			simplices = append(simplices, Square(level.Integrals), Abs(level.Integrals))
		}
		if config.Functions > 0 {
			functions := perceptron(in("functions_%d", i), level.Vertices, config.Hidden, config.Functions)
			vertices = append(vertices, functions)
		}
	}
	// One sum for all levels.
	var rows []*Node
	if simplices != nil {
		x := Concatenate(simplices, 1)
		rows = append(rows, layers.Readout(layers.Sum, x, batch.Of(batch.Degree()), complexes))
	}
	if vertices != nil {
		rows = append(rows, layers.Readout(layers.Sum, Concatenate(vertices, 1), batch.Of(0), complexes))
	}
	h := layers.BatchNorm(in("norm"), Concatenate(rows, 1), batch.Mask())
	head := in("head")
	h = gomlx.DropoutStatic(head, h, config.Dropout)
	h = layers.SiLU(layers.Linear(head.In("first"), h, config.Head))
	return layers.Linear(head.In("last"), gomlx.DropoutStatic(head, h, config.Dropout), classes)
}
