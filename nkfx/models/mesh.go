package models

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// meshEpochs is how long networks of meshes are trained.
const meshEpochs = 60

// onMeshes completes a model that takes some features of meshes, and is trained for the given number of
// epochs.
func onMeshes(m Model, features string, epochs int, rate, decay float64) Model {
	const batch, leastSteps = 16, 400 // of a training: few meshes are seen more often
	m.Kind, m.fixed, m.degree, m.features = "meshes", true, true, map[string]string{"meshes": features}
	m.protocol = func(options any, n Counts, _ string) train.Protocol {
		members := 1
		switch config := options.(type) {
		case cochain.SurfaceConfig:
			members = config.Members
		case gnn.PointNetConfig:
			members = config.Members
		}
		return train.Protocol{
			Batch: batch, Epochs: max(epochs, leastSteps/max(1, n.All/batch)), Rate: rate,
			PlateauFactor: 1, StopPatience: never, Cosine: true,
			Warmup: 0.15, Decay: decay, Smoothing: 0.1, Validate: never,
			// The loss is the mean of the members', so that a gradient of each is cut down to the norm 1.
			Clip: 1 / math.Sqrt(float64(max(1, members))),
		}
	}
	return m
}

// surfaceModel returns a network on triangle meshes.
func surfaceModel(name, help string, config cochain.SurfaceConfig) Model {
	return onMeshes(network(name, help, config, func(config cochain.SurfaceConfig, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return cochain.Surface(scope, b, config, in.Outputs)
		}
	}), "invariants", meshEpochs, 3e-3, 0.02)
}

// pointNet returns the baseline that sees nothing but points of the surface, by their coordinates. Every mesh
// lies in a random orientation, in training in a new one every time.
func pointNet(name, help string, config gnn.PointNetConfig) Model {
	return onMeshes(network(name, help, config, func(config gnn.PointNetConfig, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return gnn.PointNet(scope, b, config, in.Outputs)
		}
	}), "points", meshEpochs, 3e-3, 0.02)
}

// logistic returns the baseline of logistic regression on a descriptor of meshes, normalized over the batch.
func logistic(name, help, descriptor string) Model {
	return onMeshes(Model{Name: name, Help: help, build: func(_ any, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			x := layers.BatchNorm(scope.In("norm"), b.Globals(), b.Mask())
			return layers.MLP(scope.In("head"), x, in.Outputs)
		}
	}}, descriptor, 300, 1e-2, 0.1)
}
