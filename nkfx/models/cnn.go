package models

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// CNN is a convolutional network on paths of equally many points, see [path.CNN].
type CNN struct {
	Width   int // channels
	Layers  int // blocks of convolutions
	Dropout float64
	Augment path.Augment
	Place   bool // whether it sees positions alone, without velocities and times
	Points  int  `json:",omitempty"` // of every path; For sets it
}

func newCNN(Size) Model { return &CNN{Width: 40, Layers: 3, Dropout: 0.2, Augment: augment} }

// Features returns "".
func (m *CNN) Features(string) string { return "" }

// For returns the model for paths with the number of points of these, which must be the same for all.
func (m *CNN) For(data *datasets.Collection) (Model, error) {
	own := *m
	return &own, forPaths(data, &own.Points, &own.Augment)
}

// Protocol returns that of paths: a rate that rises and falls along a cosine, weight decay, smoothed labels,
// and the last epoch.
func (m *CNN) Protocol(_ train.Protocol, n Counts, _ string) train.Protocol { return pathProtocol(n) }

// Build returns the network.
func (m *CNN) Build(outputs int) train.Model {
	config := path.Config{Width: m.Width, Layers: m.Layers, Dropout: m.Dropout, Augment: m.Augment,
		Place: m.Place, Points: m.Points}
	return func(scope *model.Scope, b *layers.Batch) *Node { return path.CNN(scope, b, config, outputs) }
}
