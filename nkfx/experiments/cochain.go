package experiments

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// cochains are the networks of package cochain by name: the cochain networks
// (the recipe, a small one, one with one-forms and nothing else), and the
// opponent that is trained as they are and sends sums over neighbours in place
// of integrals. What was tried beyond the prototype was judged by validation
// parts alone; the log is testdata/cochain-search.jsonl.
var cochains = map[string]cochain.Config{
	"cochain": {
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Functions: 16, Head: 32, Dropout: 0.3,
	},
	"cochain-small": {
		Width: 6, Layers: 2, Forms: 6, Hidden: 16, Points: 2, Head: 16, Dropout: 0.1,
	},
	"cochain-forms": {
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Head: 32, Dropout: 0.3,
	},
	"gin-tuned": {
		Width: 24, Layers: 3, Hidden: 48, Functions: 24, Head: 32, Dropout: 0.3, Neighbors: true,
	},
}

// Cochain reports whether the model of that name is a network of package
// cochain, which the paper does not have, and which brings its own protocol.
func Cochain(model string) bool {
	_, ok := cochains[model]
	return ok
}

// sizeOf returns the size of a model of which the benchmark has that size:
// that of a network of package cochain is its own.
func sizeOf(model string, size Size) Size {
	config, ok := cochains[model]
	if !ok {
		return size
	}
	return Size{
		Hidden: config.Hidden, Layers: config.Layers,
		Forms: max(1, config.Forms), Points: max(2, config.Points),
	}
}

// cochainNetwork returns a builder of the network of that name.
func cochainNetwork(name string) builder {
	return func(_ Size, _, classes int) train.Model {
		config := cochains[name]
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return cochain.Network(scope, b, config, classes)
		}
	}
}

// large is the number of complexes past which a training takes larger batches
// and fewer epochs: HIV has 41,127, all other benchmarks less than 2,500.
const large = 10_000

// cochainProtocol returns how the networks of package cochain are trained on
// so many complexes; the published protocol is for others. What a caller has
// changed about that stays: its number of epochs, or all of it.
func cochainProtocol(model string, asked, published train.Protocol, complexes int,
	selected train.Select) train.Protocol {
	if !Cochain(model) {
		return asked
	}
	p := train.Protocol{
		Batch: 32, Epochs: 100, Rate: 3e-3, PlateauFactor: 1, StopPatience: never,
		Cosine: true, Warmup: 0.05, Decay: 1e-2, Clip: 2, Validate: 4, Select: selected,
	}
	if model == "cochain-small" {
		p.Epochs = 60
	}
	if complexes > large {
		p.Batch, p.Epochs, p.Validate = 128, 15, 3
	}
	epochs := asked.Epochs
	asked.Epochs = published.Epochs
	if asked != published {
		asked.Epochs = epochs
		return asked
	}
	if epochs != published.Epochs {
		p.Epochs = epochs
	}
	return p
}

// never is a patience that outlasts every training.
const never = 1 << 30

// cochainFeatures returns the features of nodes for a model: networks of
// package cochain that are not told otherwise take labels where there are any.
func cochainFeatures(model string, features tu.Features, archive *tu.Archive) tu.Features {
	if Cochain(model) && features == tu.Automatic && archive.NodeLabels.Columns > 0 {
		return tu.Labels
	}
	return features
}

// AtomFeatures returns the features of atoms that a model takes where those are
// asked for: networks of package cochain take them one-hot.
func AtomFeatures(model string, features moleculenet.Features) moleculenet.Features {
	if Cochain(model) {
		return moleculenet.OneHot
	}
	return features
}
