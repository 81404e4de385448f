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
	features := func(in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node { return path.Entries(scope, b, in.Points) }
	}
	m := onPaths(Model{Name: name, Help: help, ridge: features, build: func(_ any, in Input) train.Model {
		return train.Ridge(features(in), in.Outputs)
	}})
	m.protocol = solved
	return m
}

// integrals returns the model of regression on the integrals of paths, with what is chosen of them within the
// training part.
func integrals(name, help string) Model {
	features := func(Input) train.Model {
		return func(_ *model.Scope, b *layers.Batch) *Node { return b.Globals() }
	}
	choice := func(in Input) train.Choice {
		c := train.Choice{Views: series.Views}
		for _, g := range series.Groups(in.Dim) {
			c.Groups, c.Widths = append(c.Groups, g.Name), append(c.Widths, g.Width)
		}
		return c
	}
	m := Model{Name: name, Help: help, Kind: "paths", features: map[string]string{"paths": "integrals"},
		fixed: true, degree: true, ridge: features, choice: choice,
		build: func(_ any, in Input) train.Model {
			return train.Regression(features(in), choice(in), in.Outputs)
		}}
	m.protocol = solved
	return m
}

// solved is the protocol of a closed form.
func solved(any, Counts, string) train.Protocol {
	return train.Protocol{Batch: 1, Epochs: 1, Rate: 1, PlateauFactor: 1, StopPatience: never, Cosine: true}
}

// onPaths completes a model that takes prepared paths. All of them are trained in the same way.
func onPaths(m Model) Model {
	m.Kind, m.fixed = "paths", true
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
