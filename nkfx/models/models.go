// Package models has the networks of nkf by name, and trained models: any Go
// program can load a model that `nkf train` saved and predict graphs, molecules
// and complexes with it. It needs neither plotting nor notebooks.
//
//	backend, err := backends.New()
//	model, err := models.Load("results/models/BACE-nkf", backend)
//	p, err := model.PredictSMILES("CCO")
//	fmt.Println(p.Class, p.Probabilities)
package models

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/layers/gnn"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Size is how large a model is (paper, appendix E).
type Size struct {
	Hidden int `json:"hidden"` // H: width of the networks
	Forms  int `json:"forms"`  // ℓ: neural k-forms
	Points int `json:"points"` // of the rule that integrates them
	Layers int `json:"layers"` // of message-passing networks, which are 2H wide
}

// Model is a network with a name, its options, and how it is trained.
type Model struct {
	Name string
	// Options are those of the network: the benchmark's Size for models of the paper; for other models their
	// own cochain.Config, path.Config, cochain.SurfaceConfig or gnn.PointNetConfig, or nil.
	Options any

	anyDegree bool          // works for simplices of any dimension, not only graphs
	paths     bool          // for paths prepared by series.Preparation
	meshes    *mesh.Options // how meshes are encoded; nil: not a mesh model
	build     func(options any, in Input) train.Model
	features  func(in Input) train.Model // of a ridge regression; nil for others
	protocol  func(benchmark train.Protocol, best string, complexes int) train.Protocol
}

// Input says what a network is built for.
type Input struct {
	Degree      int                 // of the simplices
	Outputs     int                 // classes or tasks
	Preparation *series.Preparation // of paths; nil for other data
}

// network returns a model whose network is built with options of one type.
func network[O any](name string, options O, build func(options O, in Input) train.Model) Model {
	return Model{Name: name, Options: options, build: func(options any, in Input) train.Model {
		return build(options.(O), in)
	}}
}

// registry holds the models.
var registry = []Model{
	ofAnyDegree(network("nkf", Size{}, neuralForms)),
	network("gcn", Size{}, messagePassing(gnn.GCN)),
	network("gat", Size{}, messagePassing(gnn.GAT)),
	network("gin", Size{}, messagePassing(gnn.GIN)),
	network("egnn", Size{}, messagePassing(gnn.EGNN)),
	cochainModel("cochain", 100, cochain.Config{
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Functions: 16, Head: 32, Dropout: 0.3,
	}),
	cochainModel("cochain-small", 60, cochain.Config{
		Width: 6, Layers: 2, Forms: 6, Hidden: 16, Points: 2, Head: 16, Dropout: 0.1,
	}),
	cochainModel("cochain-forms", 100, cochain.Config{
		Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Head: 32, Dropout: 0.3,
	}),
	cochainModel("gin-tuned", 100, cochain.Config{
		Width: 24, Layers: 3, Hidden: 48, Functions: 24, Head: 32, Dropout: 0.3, Neighbors: true,
	}),
	pathModel("path", func(c *path.Config) { c.Members = members }),
	pathModel("path-small", func(*path.Config) {}),
	// About as many weights as cnn.
	pathModel("path-large", func(c *path.Config) {
		c.Members, c.Width, c.Forms, c.Hidden = members, 48, 40, 96
	}),
	pathModel("path-constant", func(c *path.Config) { c.Members, c.Kind = members, path.Constant }),
	pathModel("path-differences", func(c *path.Config) { c.Members, c.Kind = members, path.Differences }),
	logistic("mesh-d2", mesh.D2),
	logistic("mesh-moments", mesh.Moments),
	pointNet("mesh-pointnet", 256, 60, gnn.PointNetConfig{
		Members: members, Hidden: 64, Features: 128, Head: 64, Dropout: 0.2, Scale: 0.1, Noise: 0.02,
	}),
	meshModel("mesh-forms", func(*cochain.SurfaceConfig) {}),
	meshModel("mesh-masses", func(c *cochain.SurfaceConfig) { c.Tensors = 0 }),
	meshModel("mesh-gin", func(c *cochain.SurfaceConfig) { c.Forms, c.Tensors = 0, 0 }),
	meshModel("mesh-cochain", func(c *cochain.SurfaceConfig) {
		c.Neighbors, c.Currents, c.Masses = false, 16, 16
	}),
	meshModel("mesh-alone", func(c *cochain.SurfaceConfig) { c.Layers = 0 }),
	ensemble("cnn", path.CNN, func(c *path.Config) { c.Members, c.Width, c.Forms = members, 40, 0 }),
	ensemble("inception", path.Inception, func(c *path.Config) {
		c.Members, c.Width, c.Layers, c.Forms = members, 32, 6, 0
	}),
	ensemble("gru", path.GRU, func(c *path.Config) {
		c.Members, c.Width, c.Layers, c.Forms = members, 24, 2, 0
	}),
	ensemble("signature", path.Signature, func(*path.Config) {}),
	ridge("signature-ridge"),
}

// Names returns the names of the models of graphs and other complexes,
// ascending.
func Names() []string { return names(func(m Model) bool { return !m.paths && m.meshes == nil }) }

// PathNames returns the names of the models of time series and tracks,
// ascending.
func PathNames() []string { return names(Model.Paths) }

// MeshNames returns the names of the models of triangle meshes, ascending.
func MeshNames() []string { return names(func(m Model) bool { return m.meshes != nil }) }

func names(of func(Model) bool) (names []string) {
	for _, m := range registry {
		if of(m) {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Lookup returns the model of that name, of the given size unless it has options
// of its own.
func Lookup(name string, size Size) (Model, error) {
	for _, m := range registry {
		if m.Name == name {
			if _, sized := m.Options.(Size); sized {
				m.Options = size
			}
			return m, nil
		}
	}
	return Model{}, fmt.Errorf("no model %q: there are %s, for paths %s, and for meshes %s", name,
		strings.Join(Names(), ", "), strings.Join(PathNames(), ", "), strings.Join(MeshNames(), ", "))
}

// Features returns the features of a ridge regression, for whose weights a
// training solves; nil of other models.
func (m Model) Features(in Input) train.Model {
	if m.features == nil {
		return nil
	}
	return m.features(in)
}

// Build returns the network for some input. It is an error if the model is for
// graphs alone and the degree is not 1, or if it takes paths and these were not
// prepared.
func (m Model) Build(in Input) (train.Model, error) {
	if !m.anyDegree && m.meshes == nil && in.Degree != 1 {
		return nil, fmt.Errorf("model %q is for graphs, not for simplices of dimension %d: take \"nkf\"",
			m.Name, in.Degree)
	}
	if m.paths && in.Preparation == nil {
		return nil, fmt.Errorf("model %q is for time series and tracks that were prepared", m.Name)
	}
	return m.build(m.Options, in), nil
}

// Protocol returns how the model is trained on that many complexes of a
// benchmark with that protocol, whose best epoch is chosen so by models that
// bring a protocol of their own.
func (m Model) Protocol(benchmark train.Protocol, best string, complexes int) train.Protocol {
	if m.protocol == nil {
		return benchmark
	}
	return m.protocol(benchmark, best, complexes)
}

// Published reports whether the paper has the model. Other models have their own
// protocol and take one-hot features of vertices.
func (m Model) Published() bool { return m.protocol == nil }

// Paths reports whether the model is for time series and tracks, prepared by a
// series.Preparation.
func (m Model) Paths() bool { return m.paths }

// Meshes returns the encoding of triangle meshes for the model, nil if it is not a
// mesh model.
func (m Model) Meshes() *mesh.Options { return m.meshes }

// Elements reports whether the model has outputs for vertices and triangles of
// meshes, too.
func (m Model) Elements() bool {
	_, surface := m.Options.(cochain.SurfaceConfig)
	return surface
}

// ofAnyDegree makes a model one of simplices of any dimension.
func ofAnyDegree(m Model) Model {
	m.anyDegree = true
	return m
}

// neuralForms is the model of the paper (section 4 and appendix E): neural
// k-forms with hidden layers of H and H/2 are integrated over the simplices,
// squared and summed up per complex, normalized, and classified by an MLP
// with hidden layers of H and H/2, all with ReLU. It begins as PyTorch's does.
func neuralForms(size Size, in Input) train.Model {
	return func(scope *model.Scope, b *layers.Batch) *Node {
		forms := layers.KForm(scope.In("forms"), b.Dim(), in.Degree, size.Forms).
			Hidden(size.Hidden, size.Hidden/2).
			Activation(activation.Relu).
			Quadrature(quadrature.Trapezoid(size.Points)).
			Initialization(layers.FanInUniform).Done()
		h := b.Readout(layers.SquaredL2, forms)
		h = layers.BatchNorm(scope.In("norm"), h, b.Mask())
		return layers.MLP(scope.In("head"), h, size.Hidden, size.Hidden/2, in.Outputs)
	}
}

// messagePassing is a baseline of the paper (appendix E): twice as wide as
// the neural forms, sums over the vertices, no normalization.
func messagePassing(network func(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node,
) func(size Size, in Input) train.Model {
	return func(size Size, in Input) train.Model {
		return func(scope *model.Scope, b *layers.Batch) *Node {
			return network(scope, b, 2*size.Hidden, size.Layers, in.Outputs)
		}
	}
}
