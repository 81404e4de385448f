package models

import (
	"cmp"
	"encoding/json"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// network returns a model whose network is built with options of one type.
func network[O any](name, help string, options O,
	build func(scope *model.Scope, b *layers.Batch, options O, outputs int) *Node) Model {
	return Model{Name: name, Help: help, Options: options,
		build: func(options any, outputs int) train.Model {
			return func(scope *model.Scope, b *layers.Batch) *Node {
				return build(scope, b, options.(O), outputs)
			}
		},
		decode: decoded[O]}
}

// decoded returns options of one type from JSON.
func decoded[O any](text []byte) (any, error) {
	var options O
	err := json.Unmarshal(text, &options)
	return options, err
}

// graphs returns an error unless the data are graphs.
func graphs(data *datasets.Collection) error {
	if k := data.Degree(); k != 1 {
		return fmt.Errorf("graphs, not for simplices of dimension %d: take \"nkf\"", k)
	}
	return nil
}

// never is a patience that outlasts every training.
const never = 1 << 30

// Large is the number of complexes above which a training of a cochain network
// uses larger batches and fewer epochs, and comparisons use one seed: HIV has
// 41,127, all other benchmarks have less than 2,500.
const Large = 10_000

// onKinds completes a cochain network, which takes kinds of vertices.
func onKinds(m Model) Model {
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
	m.fit = func(options any, data *datasets.Collection) (any, error) {
		if options.(cochain.Config).Neighbors {
			return options, graphs(data)
		}
		return options, nil
	}
	return m
}

// onPaths completes a model that takes paths of equally many points. All of them are trained equally
// long, at the same rate.
func onPaths(m Model, unread ...string) Model {
	m.Kind, m.unread = "paths", append(unread, "points") // those of the data
	m.protocol = func(_ any, n Counts, _ string) train.Protocol {
		batch := min(64, max(8, n.Train/6))
		steps := max(500, 12*n.Train/batch)
		return train.Protocol{
			Batch: batch, Epochs: (steps + n.Train/batch - 1) / max(1, n.Train/batch), Rate: 4e-3,
			PlateauFactor: 1, StopPatience: never, Cosine: true, Warmup: 0.2, Decay: 0.05, Clip: 2,
			Smoothing: 0.1, Validate: -1,
		}
	}
	m.fit = func(options any, data *datasets.Collection) (any, error) {
		config := options.(path.Config)
		for g := range data.Len() {
			n := data.Count(0, g)
			if config.Points = cmp.Or(config.Points, n); n < 2 || n != config.Points {
				return nil, fmt.Errorf("paths of equally many points, %d or more: path %d of %s has %d",
					max(2, config.Points), g, data.Name, n)
			}
		}
		if data.Regression { // numbers change where paths are stretched, shifted and cut
			config.Augment = path.Augment{}
		}
		return config, nil
	}
	return m
}
