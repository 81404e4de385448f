package experiments

import (
	"context"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/datasets/synthetic"
)

// currents returns the benchmark on 100 synthetic paths in a flow in the plane, where learned forms matter:
// the direction at a position tells the classes apart, and nothing else does.
func currents() Benchmark {
	b := usual("paths").in("currents", "folds", 1)
	b.Name = "Currents"
	b.Load = func(context.Context) (datasets.Source, error) {
		c, err := synthetic.Currents(50, 1, synthetic.Train)
		if err != nil {
			return nil, err
		}
		c.SHA256 = checksum(c)
		return &series.Set{Collection: c, Coordinates: []string{"x", "y"}, Label: "class",
			Split: datasets.Fold{Train: c.IDs()}}, nil
	}
	return b
}
