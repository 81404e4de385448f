package models

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// pathModel returns an ensemble of networks on paths of some kind, with changed options.
func pathModel(name, help string, kind func(scope *model.Scope, b *layers.Batch, config path.Config,
	outputs int) *Node, change func(*path.Config)) Model {
	config := pathConfig
	if change != nil {
		change(&config)
	}
	return onPaths(network(name, help, config, func(config path.Config, in Input) train.Model {
		config.Points = in.Points
		return func(scope *model.Scope, b *layers.Batch) *Node { return kind(scope, b, config, in.Outputs) }
	}))
}

// ridge returns the baseline of ridge regression on the signatures of paths. It is deterministic: the seed
// has no effect.
func ridge(name, help string) Model {
	m := onPaths(Model{Name: name, Help: help, regression: func(in Input) *train.Regression {
		return &train.Regression{Features: func(scope *model.Scope, b *layers.Batch) *Node {
			return path.Entries(scope, b, in.Points)
		}}
	}})
	m.protocol = solved
	return m
}

// integrals returns the model of regression on the integrals of paths, with what is chosen of them within the
// training part.
func integrals(name, help string) Model {
	return Model{Name: name, Help: help, Kind: "paths", features: map[string]string{"paths": "integrals"},
		fixed: true, degree: true, protocol: solved, regression: func(in Input) *train.Regression {
			r := &train.Regression{Views: series.Views,
				Features: func(_ *model.Scope, b *layers.Batch) *Node { return b.Globals() }}
			for _, g := range series.Groups(in.Dim) {
				r.Groups = append(r.Groups, train.Group(g))
			}
			return r
		}}
}

// solved is the protocol of a closed form.
func solved(any, Counts, string) train.Protocol {
	return train.Protocol{Batch: 1, Epochs: 1, Rate: 1, PlateauFactor: 1, StopPatience: never, Cosine: true}
}

// onPaths completes a model that takes prepared paths. All of them are trained in the same way.
func onPaths(m Model) Model {
	m.Kind, m.fixed, m.points = "paths", true, true
	m.protocol = func(options any, n Counts, _ string) train.Protocol {
		batch := min(64, max(8, n.Train/6))
		steps := max(500, 12*n.Train/batch)
		config, _ := options.(path.Config)
		return train.Protocol{
			Batch: batch, Epochs: (steps + n.Train/batch - 1) / max(1, n.Train/batch), Rate: 4e-3,
			PlateauFactor: 1, StopPatience: never, Cosine: true, Warmup: 0.2, Decay: 0.05,
			// The loss is the mean of the members', so that a gradient of each is cut down to the norm 2.
			Clip: 2 / math.Sqrt(float64(max(1, config.Members))), Smoothing: 0.1,
		}
	}
	return m
}
