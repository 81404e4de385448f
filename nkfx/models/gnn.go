package models

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// GNN is a message-passing network, a baseline of the paper (appendix E): layers of width 2H, sums over the
// vertices, no normalization.
type GNN struct {
	Hidden int `json:"hidden"` // H
	Layers int `json:"layers"`

	network network
}

// network is a network of package gnn.
type network func(scope *model.Scope, batch *layers.Batch, hidden, depth, outputs int) *Node

func newGNN(n network) func(Size) Model {
	return func(s Size) Model { return &GNN{s.Hidden, s.Layers, n} }
}

// Features returns "".
func (m *GNN) Features(string) string { return "" }

// For returns the model as it is, or an error unless the data are graphs.
func (m *GNN) For(data *datasets.Collection) (Model, error) { return m, graphs(data) }

// Protocol returns that of the benchmark.
func (m *GNN) Protocol(benchmark train.Protocol, _ Counts, _ string) train.Protocol { return benchmark }

// Build returns the network.
func (m *GNN) Build(outputs int) train.Model {
	return func(scope *model.Scope, b *layers.Batch) *Node {
		return m.network(scope, b, 2*m.Hidden, m.Layers, outputs)
	}
}

// graphs returns an error unless the data are graphs.
func graphs(data *datasets.Collection) error {
	if k := data.Degree(); k != 1 {
		return fmt.Errorf("graphs, not for simplices of dimension %d: take \"nkf\"", k)
	}
	return nil
}
