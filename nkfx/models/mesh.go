package models

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// meshVertices is the most vertices of a mesh that networks take: larger meshes
// are coarsened.
const meshVertices = 300

// surfaceConfig is the network of meshes that others are variants of. What was
// tried was judged by validation parts alone; the log is mesh-search.jsonl in
// testdata of the experiments.
var surfaceConfig = cochain.SurfaceConfig{
	Members: 1, Width: 32, Hidden: 64, Layers: 3, Neighbors: true, Forms: 16, Functions: 64,
	Tensors: 16, Head: 64, Dropout: 0.2, Logs: mesh.Logarithms, Scale: 0.1, Noise: 0.05,
}

// meshEpochs is how long networks of meshes are trained.
const meshEpochs = 60

// meshModel returns a network on triangle meshes, changed in some way.
func meshModel(name string, change func(*cochain.SurfaceConfig)) Model {
	config := surfaceConfig
	change(&config)
	m := network(name, config, func(config cochain.SurfaceConfig, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return cochain.Surface(scope, b, config, in.Outputs)
		}
	})
	m.meshes = &mesh.Options{Vertices: meshVertices, Invariants: true, Descriptor: mesh.Moments}
	m.protocol = meshProtocol(meshEpochs, 3e-3, 0.02, config.Members)
	return m
}

// Densities returns a mesh as the network has it, coarsened if it is large, and
// the densities |ω|/|T| of the learned 2-forms on its triangles, [T, forms], the
// forms of all members of an ensemble one after another: what the energies that
// are read out are integrals of. Neither motions of the mesh nor orientations of
// its triangles change them. It is an error if the model has no 2-forms.
func (p *Predictor) Densities(m *mesh.Mesh) (*mesh.Mesh, [][]float32, error) {
	config, _ := p.model.Options.(cochain.SurfaceConfig)
	if config.Forms == 0 {
		return nil, nil, fmt.Errorf("the model %q has no 2-forms on triangles: take %q", p.Saved.Model,
			"mesh-forms")
	}
	set := &mesh.Set{Files: []string{""}, Meshes: []*mesh.Mesh{m}, Targets: make([][]float64, 1)}
	set.Info = datasets.Info{Name: "mesh", Classes: []string{""}}
	data, err := set.Collection(p.Mesh)
	if err != nil {
		return nil, nil, err
	}
	triangles := data.Count(2, 0)
	if triangles == 0 {
		return nil, nil, fmt.Errorf("a mesh without triangles: there is nothing to integrate over")
	}
	var compiled *program
	values, err := p.values(data, packing.New(data), []int32{0}, func(l *packing.Layout) (*program, error) {
		var err error
		compiled, err = p.compile(l, p.densities)
		return compiled, err
	})
	if compiled != nil {
		compiled.exec.Finalize()
	}
	if err != nil {
		return nil, nil, err
	}
	coarse := &mesh.Mesh{Triangles: data.Simplices[2].Corners}
	_, centroid := m.Area()
	for i, x := range data.Points(0) {
		coarse.Vertices = append(coarse.Vertices, x+centroid[i%3])
	}
	columns := config.Forms * max(1, config.Members)
	rows := make([][]float32, triangles)
	for t := range rows {
		rows[t] = values[t*columns : (t+1)*columns]
	}
	return coarse, rows, nil
}

// densities builds those of a batch, with the weights as constants.
func (p *Predictor) densities(batch *layers.Batch) *Node {
	store, err := p.Store()
	if err != nil {
		panic(err)
	}
	store.WithVariableAsConst(true)
	return cochain.Densities(store.RootScope(), batch, p.model.Options.(cochain.SurfaceConfig))
}

// pointNet returns the baseline that sees nothing but points of the surface, by
// their coordinates. Every mesh lies in a random orientation, in training in a
// new one every time.
func pointNet(name string, points, epochs int, config gnn.PointNetConfig) Model {
	m := network(name, config, func(config gnn.PointNetConfig, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return gnn.PointNet(scope, b, config, in.Outputs)
		}
	})
	m.meshes, m.protocol = &mesh.Options{Points: points}, meshProtocol(epochs, 3e-3, 0.02, config.Members)
	return m
}

// meshProtocol trains members networks side by side for the given number of epochs.
func meshProtocol(epochs int, rate, decay float64, members int) func(train.Protocol, string,
	int) train.Protocol {
	const batch, leastSteps = 16, 400 // of a training: few meshes are seen more often
	return func(_ train.Protocol, _ string, complexes int) train.Protocol {
		return train.Protocol{
			Batch: batch, Epochs: max(epochs, leastSteps/max(1, complexes/batch)), Rate: rate,
			PlateauFactor: 1, StopPatience: never, Cosine: true,
			Warmup: 0.15, Decay: decay, Smoothing: 0.1, Validate: never,
			// The loss is the mean of the members', so that a gradient of each is cut down to the norm 1.
			Clip: 1 / math.Sqrt(float64(max(1, members))),
		}
	}
}

// logistic returns the baseline of logistic regression on a descriptor of
// meshes, normalized over the batch.
func logistic(name string, d mesh.Descriptor) Model {
	return Model{
		Name: name, meshes: &mesh.Options{Descriptor: d},
		build: func(_ any, in Input) train.Model {
			return func(scope *model.Scope, b *layers.Batch) *Node {
				x := layers.BatchNorm(scope.In("norm"), b.Globals(), b.Mask())
				return layers.MLP(scope.In("head"), x, in.Outputs)
			}
		},
		protocol: meshProtocol(300, 1e-2, 0.1, 1),
	}
}
