package models

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/path"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Path is a network on paths of equally many points, see [path.Network].
type Path struct {
	path.Config
	Points int `json:",omitempty"` // of every path; For sets it
}

// augment are the changes to the paths of a training step.
var augment = path.Augment{Warp: 0.3, Cut: 0.2, Scale: 0.2, Shift: 0.2}

// newPath returns the network that validation parts chose, with a change; the logs are in testdata of package
// experiments.
func newPath(change func(*Path)) func(Size) Model {
	return func(Size) Model {
		m := &Path{Config: path.Config{Width: 20, Forms: 20, Hidden: 40, Layers: 3,
			Windows: []int{1, 2, 4, 8, 0}, Dropout: 0.2, Kind: "integrals", Augment: augment}}
		change(m)
		return m
	}
}

// Features returns "".
func (m *Path) Features(string) string { return "" }

// For returns the model for paths with the number of points of these, which must be the same for all.
func (m *Path) For(data *datasets.Collection) (Model, error) {
	own := *m
	return &own, forPaths(data, &own.Points, &own.Augment)
}

// Protocol returns that of paths: a rate that rises and falls along a cosine, weight decay, smoothed labels,
// and the last epoch.
func (m *Path) Protocol(_ train.Protocol, n Counts, _ string) train.Protocol { return pathProtocol(n) }

// Build returns the network.
func (m *Path) Build(outputs int) train.Model {
	config := m.Config
	config.Points = m.Points
	return func(scope *model.Scope, b *layers.Batch) *Node { return path.Network(scope, b, config, outputs) }
}

// forPaths sets a number of points that is 0 to that of all paths, and leaves out the changes to paths where
// numbers are learned, which change where paths are stretched, shifted and cut. It is an error if the numbers
// of points differ.
func forPaths(data *datasets.Collection, points *int, a *path.Augment) error {
	if data.Regression {
		*a = path.Augment{}
	}
	for g := range data.Len() {
		n := data.Count(0, g)
		if *points = cmp.Or(*points, n); n < 2 || n != *points {
			return fmt.Errorf("paths of equally many points, %d or more: path %d of %s has %d",
				max(2, *points), g, data.Name, n)
		}
	}
	return nil
}

// pathProtocol trains all paths equally long, at the same rate.
func pathProtocol(n Counts) train.Protocol {
	batch := min(64, max(8, n.Train/6))
	steps := max(500, 12*n.Train/batch)
	return train.Protocol{
		Batch: batch, Epochs: (steps + n.Train/batch - 1) / max(1, n.Train/batch), Rate: 4e-3,
		PlateauFactor: 1, StopPatience: never, Cosine: true, Warmup: 0.2, Decay: 0.05, Clip: 2,
		Smoothing: 0.1, Validate: -1,
	}
}
