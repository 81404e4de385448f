package models

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// members is the number of networks of an ensemble.
const members = 3

// pathConfig is the network of paths that was chosen by validation parts.
var pathConfig = path.Config{
	Width: 20, Forms: 20, Hidden: 40, Layers: 3, Windows: []int{1, 2, 4, 8, 0}, Dropout: 0.2,
	Augment: path.Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2},
}

// pathModel returns a network on paths, changed in some way.
func pathModel(name string, change func(*path.Config)) Model {
	return ensemble(name, path.Network, change)
}

// ensemble returns networks on paths of some kind.
func ensemble(name string, kind func(scope *model.Scope, b *layers.Batch, config path.Config,
	outputs int) *Node, change func(*path.Config)) Model {
	config := pathConfig
	change(&config)
	return onPaths(network(name, config, func(config path.Config, in Input) train.Model {
		config.Points = in.Preparation.Points
		return func(scope *model.Scope, b *layers.Batch) *Node { return kind(scope, b, config, in.Outputs) }
	}), config.Members)
}

// ridge returns the baseline of ridge regression on the signatures of paths. It is deterministic: the seed
// has no effect.
func ridge(name string) Model {
	features := func(in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return path.Entries(scope, b, in.Preparation.Points)
		}
	}
	m := onPaths(Model{Name: name, features: features, build: func(_ any, in Input) train.Model {
		return train.Ridge(features(in), in.Outputs)
	}}, 1)
	m.protocol = func(train.Protocol, string, int) train.Protocol {
		return train.Protocol{} // of a closed form
	}
	return m
}

// onPaths completes a model of some members that takes prepared paths. All of
// them are trained in the same way.
func onPaths(m Model, members int) Model {
	m.paths = true
	m.protocol = func(_ train.Protocol, _ string, complexes int) train.Protocol {
		batch := min(64, max(8, complexes/6))
		steps := max(500, 12*complexes/batch)
		return train.Protocol{
			Batch: batch, Epochs: (steps + complexes/batch - 1) / max(1, complexes/batch), Rate: 4e-3,
			PlateauFactor: 1, StopPatience: never, Cosine: true, Warmup: 0.2, Decay: 0.05,
			// The loss is the mean of the members', so that a gradient of each is cut down to the norm 2.
			Clip: 2 / math.Sqrt(float64(max(1, members))), Smoothing: 0.1,
		}
	}
	return m
}
