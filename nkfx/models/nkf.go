package models

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// NKF is the model of the paper (section 4 and appendix E): neural k-forms with hidden layers of H and H/2
// are integrated over the simplices, reduced per complex, normalized, and classified by an MLP with hidden
// layers of H and H/2, all with ReLU. Initialization is PyTorch's.
type NKF struct {
	Hidden int `json:"hidden"` // H
	Forms  int `json:"forms"`  // ℓ
	Points int `json:"points"` // of the trapezoidal rule
	// Text selects what the paper's text has in place of its code: L2 norms rather than their squares, no
	// batch norm, and equal weights of all classes in the loss.
	Text bool `json:"-"`
}

func newNKF(text bool) func(Size) Model {
	return func(s Size) Model { return &NKF{s.Hidden, s.Forms, s.Points, text} }
}

// Features returns "".
func (m *NKF) Features(string) string { return "" }

// For returns the model as it is.
func (m *NKF) For(*datasets.Collection) (Model, error) { return m, nil }

// Protocol returns that of the benchmark.
func (m *NKF) Protocol(benchmark train.Protocol, _ Counts, _ string) train.Protocol {
	benchmark.FrequencyWeight = benchmark.FrequencyWeight && !m.Text
	return benchmark
}

// Build returns the network.
func (m *NKF) Build(outputs int) train.Model {
	return func(scope *model.Scope, b *layers.Batch) *Node {
		forms := layers.KForm(scope.In("forms"), b.Dim(), b.Degree(), m.Forms).
			Hidden(m.Hidden, m.Hidden/2).
			Activation(activation.Relu).
			Quadrature(quadrature.Trapezoid(m.Points)).
			Initialization(layers.FanInUniform).Done()
		var h *Node
		if m.Text {
			h = b.Readout(layers.L2, forms)
		} else {
			h = layers.BatchNorm(scope.In("norm"), b.Readout(layers.SquaredL2, forms), b.Mask())
		}
		return layers.MLP(scope.In("head"), h, m.Hidden, m.Hidden/2, outputs)
	}
}
