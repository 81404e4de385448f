package main

import (
	"context"
	"slices"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// meshesOf returns the meshes to predict.
func (a *app) meshesOf(model *models.Saved, x *prediction) (*subject, error) {
	set, err := mesh.Files(x.meshes)
	if err != nil {
		return nil, err
	}
	columns := slices.Concat([]string{"mesh", "class"}, probabilities(model.Classes))
	if model.Tasks != nil {
		columns = append([]string{"mesh"}, model.Tasks...)
	}
	return &subject{
		path: x.meshes, columns: columns,
		predict: func(ctx context.Context, p *models.Predictor) ([]models.Prediction, error) {
			return p.PredictMeshes(ctx, set)
		},
		row: func(g int, p models.Prediction) (any, []string) {
			row := meshRow{Mesh: set.Files[g], Prediction: p}
			if model.Tasks == nil {
				return row, append([]string{set.Files[g], p.Class}, texts(p.Probabilities)...)
			}
			fields := []string{set.Files[g]}
			for _, task := range model.Tasks {
				fields = append(fields, texts([]float64{p.Values[task]})...)
			}
			return row, fields
		},
		told: func() {},
	}, nil
}

// meshRow is a prediction as JSON.
type meshRow struct {
	Mesh string `json:"mesh"` // its path
	models.Prediction
}
