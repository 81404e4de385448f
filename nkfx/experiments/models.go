package experiments

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Size is how large the models of a benchmark are (paper, appendix E).
type Size struct {
	Hidden int `json:"hidden"` // H: width of the networks
	Forms  int `json:"forms"`  // ℓ: neural k-forms
	Points int `json:"points"` // of the trapezoid rule that integrates them
	Layers int `json:"layers"` // of message-passing networks, which are 2H wide
}

// GraphSize is that of the graph benchmarks (Table 1).
var GraphSize = Size{Hidden: 16, Forms: 5, Points: 5, Layers: 5}

// builder makes a model for complexes with simplices of the given degree.
type builder func(size Size, degree, classes int) train.Model

// builders are the models by name.
var builders = map[string]builder{
	"nkf":  NeuralForms,
	"gcn":  messagePassing(gnn.GCN),
	"gat":  messagePassing(gnn.GAT),
	"gin":  messagePassing(gnn.GIN),
	"egnn": messagePassing(gnn.EGNN),

	"cochain":       cochainNetwork("cochain"),
	"cochain-small": cochainNetwork("cochain-small"),
	"cochain-forms": cochainNetwork("cochain-forms"),
	"gin-tuned":     cochainNetwork("gin-tuned"),
}

// ModelNames returns the names of all models, ascending.
func ModelNames() []string {
	var names []string
	for name := range builders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// NewModel returns the model of that name for complexes with simplices of
// the given degree, which is 1 for all models but neural and cochain ones.
func NewModel(name string, size Size, degree, classes int) (train.Model, error) {
	build, ok := builders[name]
	if !ok {
		return nil, fmt.Errorf("no model %q: there are %s", name, strings.Join(ModelNames(), ", "))
	}
	if config, ok := cochains[name]; name != "nkf" && (!ok || config.Neighbors) && degree != 1 {
		return nil, fmt.Errorf("model %q is for graphs, not for simplices of dimension %d: take \"nkf\"",
			name, degree)
	}
	return build(size, degree, classes), nil
}

// NeuralForms is the model of the paper (section 4 and appendix E): neural
// k-forms with hidden layers of H and H/2 are integrated over the simplices,
// squared and summed up per complex, normalised, and classified by an MLP
// with hidden layers of H and H/2, all with ReLU. It begins as PyTorch's does.
func NeuralForms(size Size, degree, classes int) train.Model {
	return func(scope *model.Scope, b *layers.Batch) *Node {
		forms := layers.KForm(scope.In("forms"), b.Dim(), degree, size.Forms).
			Hidden(size.Hidden, size.Hidden/2).
			Activation(activation.Relu).
			Quadrature(quadrature.Trapezoid(size.Points)).
			Initialization(layers.FanInUniform).Done()
		h := b.Readout(layers.SquaredL2, forms)
		h = layers.BatchNorm(scope.In("norm"), h, b.Mask)
		return layers.MLP(scope.In("head"), h, size.Hidden, size.Hidden/2, classes)
	}
}
