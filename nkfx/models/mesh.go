package models

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// surfaceConfig is the network of meshes that others are variants of.
var surfaceConfig = cochain.SurfaceConfig{
	Width: 32, Hidden: 64, Layers: 3, Neighbors: true, Forms: 16, Functions: 64, Head: 64, Dropout: 0.2,
	Logs: mesh.Logarithms, Scale: 0.1, Noise: 0.05,
}

// meshModel returns a network on triangle meshes, changed in some way.
func meshModel(name string, epochs int, change func(*cochain.SurfaceConfig)) Model {
	config := surfaceConfig
	change(&config)
	return Model{
		Name: name, Surface: config, meshes: true,
		Size: Size{Hidden: config.Hidden, Forms: max(1, config.Forms), Points: 2,
			Layers: max(1, config.Layers)},
		build: func(_ Model, _, outputs int) train.Model {
			return func(scope *model.Scope, b *layers.Batch) *Node {
				return cochain.Surface(scope, b, config, outputs)
			}
		},
		protocol: func(_ train.Protocol, _ string, _ int) train.Protocol {
			return train.Protocol{
				Batch: 16, Epochs: epochs, Rate: 3e-3, PlateauFactor: 1, StopPatience: never, Cosine: true,
				Warmup: 0.15, Decay: 0.02, Clip: 1, Smoothing: 0.1, Validate: never,
			}
		},
	}
}
