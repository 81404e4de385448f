package models_test

import (
	"context"
	"fmt"
	"os"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// DeepSet sums a function over the vertices of a complex, without its simplices (Zaheer et al. 2017).
type DeepSet struct {
	Width int
}

func (m *DeepSet) Features(string) string { return "" }

func (m *DeepSet) For(*datasets.Collection) (models.Model, error) { return m, nil }

func (m *DeepSet) Protocol(p train.Protocol, _ models.Counts, _ string) train.Protocol { return p }

func (m *DeepSet) Build(outputs int) train.Model {
	return func(scope *model.Scope, b *layers.Batch) *Node {
		h := b.PerVertex(func(x *Node) *Node { return layers.MLP(scope.In("vertex"), x, m.Width, m.Width) })
		h = layers.Readout(layers.Sum, h, b.Of(0), b.Complexes())
		return layers.MLP(scope.In("head"), h, m.Width, outputs)
	}
}

// A network of one's own is a struct with four methods and a line in All: it has a name, options, a protocol
// and features, and is trained, saved and loaded as those of nkf are.
func Example_ownModel() {
	defer func(all []models.Entry) { models.All = all }(models.All) // for other examples
	models.All = append(models.All, models.Entry{Name: "deepset", Help: "sums over vertices",
		New: func(models.Size) models.Model { return &DeepSet{Width: 32} }})
	backend, err := backends.Open("go", nil) // or XLA
	check(err)
	b := datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: "sizes", Classes: []string{"small", "large"}}
	for i := range 40 {
		b.Add([]float64{float64(1 + i%2), 0, 0, float64(1 + i%2)}, nil, float64(i%2))
	}
	data, err := b.Collection()
	check(err)
	x := experiments.NewRun(experiments.Own(data), "deepset:width=16")
	x.Folds, x.Protocol = 2, func(p *train.Protocol) { p.Epochs, p.Batch, p.Rate = 40, 4, 1e-2 }
	_, saved, err := x.Train(context.Background(), backend, nil)
	check(err)
	folder, err := os.MkdirTemp("", "")
	check(err)
	defer os.RemoveAll(folder)
	check(saved.Save(folder))
	trained, err := models.Load(folder, backend)
	check(err)
	predictions, err := trained.Predict(context.Background(), data)
	check(err)
	fmt.Println(trained.Model, predictions[0].Class, predictions[1].Class)
	// Output: deepset:width=16 small large
}
