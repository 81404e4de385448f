package models

import (
	"encoding/json"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// network returns a model whose network is built with options of one type.
func network[O any](name, help string, options O,
	build func(scope *model.Scope, b *layers.Batch, options O, in Input) *Node) Model {
	return Model{Name: name, Help: help, Options: options,
		build: func(options any, in Input) train.Model {
			return func(scope *model.Scope, b *layers.Batch) *Node { return build(scope, b, options.(O), in) }
		},
		decode: decoded[O]}
}

// decoded returns options of one type from JSON.
func decoded[O any](text []byte) (any, error) {
	var options O
	err := json.Unmarshal(text, &options)
	return options, err
}

// sized adapts the constructor of a network with a number of outputs to one with an Input.
func sized[O any](build func(*model.Scope, *layers.Batch, O, int) *Node,
) func(*model.Scope, *layers.Batch, O, Input) *Node {
	return func(scope *model.Scope, b *layers.Batch, options O, in Input) *Node {
		return build(scope, b, options, in.Outputs)
	}
}

// never is a patience that outlasts every training.
const never = 1 << 30

// Large is the number of complexes above which a training of a cochain network
// uses larger batches and fewer epochs, and comparisons use one seed: HIV has
// 41,127, all other benchmarks have less than 2,500.
const Large = 10_000

// onKinds completes a cochain network, which takes kinds of vertices.
func onKinds(m Model) Model {
	m.degree = true
	m.features = map[string]string{"graphs": "one-hot", "molecules": "one-hot"}
	m.protocol = func(_ any, n Counts, best string) train.Protocol {
		p := train.Protocol{
			Batch: 32, Epochs: 100, Rate: 3e-3, PlateauFactor: 1, StopPatience: never,
			Cosine: true, Warmup: 0.05, Decay: 1e-2, Clip: 2, Validate: 4, Select: best,
		}
		if n.All > Large {
			p.Batch, p.Epochs, p.Validate = 128, 15, 3
		}
		return p
	}
	return m
}

// onPaths completes a model that takes paths of equally many points. All of them are trained equally
// long, at the same rate.
func onPaths(m Model) Model {
	m.Kind, m.fixed, m.points, m.unread = "paths", true, true, []string{"points"} // those of the data
	m.protocol = func(_ any, n Counts, _ string) train.Protocol {
		batch := min(64, max(8, n.Train/6))
		steps := max(500, 12*n.Train/batch)
		return train.Protocol{
			Batch: batch, Epochs: (steps + n.Train/batch - 1) / max(1, n.Train/batch), Rate: 4e-3,
			PlateauFactor: 1, StopPatience: never, Cosine: true, Warmup: 0.2, Decay: 0.05, Clip: 2,
			Smoothing: 0.1,
		}
	}
	return m
}

// ofPath returns a network on paths of some kind.
func ofPath(name, help string, kind func(*model.Scope, *layers.Batch, path.Config, int) *Node,
	config path.Config) Model {
	return onPaths(network(name, help, config, func(scope *model.Scope, b *layers.Batch, config path.Config,
		in Input) *Node {
		config.Points = in.Points
		if in.Regression {
			config.Augment = path.Augment{}
		}
		return kind(scope, b, config, in.Outputs)
	}))
}
