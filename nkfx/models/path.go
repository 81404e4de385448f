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
func ensemble(name string, network func(scope *model.Scope, b *layers.Batch, config path.Config,
	outputs int) *Node, change func(*path.Config)) Model {
	config := pathConfig
	change(&config)
	m := Model{Name: name, Size: Size{Hidden: config.Hidden, Forms: config.Forms, Points: 2,
		Layers: config.Layers}, Path: config}
	return onPaths(m, func(m Model, outputs int) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node { return network(scope, b, m.Path, outputs) }
	})
}

// ridge returns the baseline of ridge regression on the signatures of paths. It has no chance in it: all
// seeds are alike.
func ridge(name string) Model {
	m := Model{Name: name, Size: Size{Hidden: 2, Forms: 1, Points: 2, Layers: 1}}
	m.features = func(m Model) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return path.Entries(scope, b, m.Path.Points)
		}
	}
	m = onPaths(m, func(m Model, outputs int) train.Model { return train.Ridge(m.features(m), outputs) })
	m.protocol = func(train.Protocol, string, int) train.Protocol {
		return train.Protocol{
			Batch: 1, Epochs: 1, Rate: 1, PlateauFactor: 1, StopPatience: never, Cosine: true,
		}
	}
	return m
}

// onPaths completes a model that takes prepared paths, and all that do are
// trained alike.
func onPaths(m Model, network func(m Model, outputs int) train.Model) Model {
	m.paths = true
	m.build = func(m Model, _, outputs int) train.Model { return network(m, outputs) }
	members := m.Path.Members
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
