package models

import (
	"encoding/json"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/layers/signature"
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
	m.protocol = func(options any, n Counts, _ string) train.Protocol {
		batch := min(64, max(8, n.Train/6))
		// The loss is the mean of those of the members, each of which has a gradient of norm 2 at most.
		members := max(1, options.(path.Config).Members)
		steps := max(500, 12*n.Train/batch)
		return train.Protocol{
			Batch: batch, Epochs: (steps + n.Train/batch - 1) / max(1, n.Train/batch), Rate: 4e-3,
			PlateauFactor: 1, StopPatience: never, Cosine: true, Warmup: 0.2, Decay: 0.05,
			Clip: 2 / math.Sqrt(float64(members)), Smoothing: 0.1,
		}
	}
	return m
}

// ofPath returns an ensemble of networks on paths of some kind, with changed options.
func ofPath(name, help string, kind func(*model.Scope, *layers.Batch, path.Config, int) *Node,
	change func(*path.Config)) Model {
	config := pathConfig
	change(&config)
	return onPaths(network(name, help, config, func(scope *model.Scope, b *layers.Batch, config path.Config,
		in Input) *Node {
		config.Points = in.Points
		if in.Regression {
			config.Augment = path.Augment{}
		}
		return kind(scope, b, config, in.Outputs)
	}))
}

// closed completes a model that is solved in closed form. The seed has no effect.
func closed(m Model, form func(options any, in Input) *train.ClosedForm) Model {
	m.Kind, m.fixed, m.closedForm = "paths", true, form
	m.protocol = func(any, Counts, string) train.Protocol {
		return train.Protocol{Batch: 1, Epochs: 1, Rate: 1, PlateauFactor: 1, StopPatience: never,
			Cosine: true}
	}
	return m
}

// signatures is a ridge regression on the signature of a path.
func signatures(_ any, in Input) *train.ClosedForm {
	return &train.ClosedForm{Features: func(scope *model.Scope, b *layers.Batch) *Node {
		return path.Entries(scope, b, in.Points)
	}}
}

// points is a ridge regression on the coordinates of all points of a path.
func points(_ any, in Input) *train.ClosedForm {
	return &train.ClosedForm{Features: func(_ *model.Scope, b *layers.Batch) *Node {
		paths := signature.FromVertices(b.Vertices(), b.Of(0), b.Complexes(), in.Points)
		return Reshape(paths, -1, in.Points*in.Dim)
	}}
}
