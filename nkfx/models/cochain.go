package models

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/cochain"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Cochain is a cochain network, see [cochain.Network].
type Cochain struct {
	cochain.Config
	Epochs int `json:"-"` // of at most Large complexes; more take 15
}

// newCochain returns the network that validation parts chose, with a change; the logs are in testdata of
// package experiments.
func newCochain(change func(*Cochain)) func(Size) Model {
	return func(Size) Model {
		m := &Cochain{cochain.Config{Width: 8, Layers: 3, Forms: 8, Hidden: 32, Points: 2, Functions: 16,
			Head: 32, Dropout: 0.3}, 100}
		change(m)
		return m
	}
}

// Features returns "one-hot" for graphs and molecules: a coordinate for every kind of vertex.
func (m *Cochain) Features(kind string) string {
	if kind == "graphs" || kind == "molecules" {
		return "one-hot"
	}
	return ""
}

// For returns the model as it is. With Neighbors it is an error unless the data are graphs.
func (m *Cochain) For(data *datasets.Collection) (Model, error) {
	if m.Neighbors {
		return m, graphs(data)
	}
	return m, nil
}

// Large is the number of complexes above which a training of a cochain network
// uses larger batches and fewer epochs, and comparisons use one seed: HIV has
// 41,127, all other benchmarks have less than 2,500.
const Large = 10_000

// never is a patience that outlasts every training.
const never = 1 << 30

// Protocol returns a protocol of its own: a rate that rises and falls along a cosine, weight decay, and the
// best epoch by the metric best.
func (m *Cochain) Protocol(_ train.Protocol, n Counts, best string) train.Protocol {
	p := train.Protocol{
		Batch: 32, Epochs: m.Epochs, Rate: 3e-3, PlateauFactor: 1, StopPatience: never,
		Cosine: true, Warmup: 0.05, Decay: 1e-2, Clip: 2, Validate: 4, Select: best,
	}
	if n.All > Large {
		p.Batch, p.Epochs, p.Validate = 128, 15, 3
	}
	return p
}

// Build returns the network.
func (m *Cochain) Build(outputs int) train.Model {
	return func(scope *model.Scope, b *layers.Batch) *Node {
		return cochain.Network(scope, b, m.Config, outputs)
	}
}
