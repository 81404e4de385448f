package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// meshesOf returns the meshes to predict.
func (a *app) meshesOf(model *models.Saved, x *prediction) (*subject, error) {
	end := a.during("reading " + x.meshes)
	set, err := mesh.Files(x.meshes)
	end()
	if err != nil {
		return nil, err
	}
	if model.Mesh.Labels != mesh.Whole {
		return elementsOf(model, x, set), nil
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

// elementsOf returns the vertices or triangles of meshes to predict.
func elementsOf(model *models.Saved, x *prediction, set *mesh.Set) *subject {
	numbered := map[mesh.Elements]string{mesh.Vertices: "vertex", mesh.Faces: "face"}[model.Mesh.Labels]
	current, first := 0, 0 // the mesh, and its first element
	return &subject{
		path:    x.meshes,
		columns: slices.Concat([]string{"mesh", numbered, "class"}, probabilities(model.Classes)),
		predict: func(ctx context.Context, p *models.Predictor) ([]models.Prediction, error) {
			return p.PredictMeshes(ctx, set)
		},
		row: func(g int, p models.Prediction) (any, []string) {
			for g >= first+model.Mesh.Labels.Count(set.Meshes[current]) {
				first += model.Mesh.Labels.Count(set.Meshes[current])
				current++
			}
			name, number := set.Files[current], g-first
			return elementRow{name, number, p},
				append([]string{name, strconv.Itoa(number), p.Class}, texts(p.Probabilities)...)
		},
		told: func() {},
	}
}

// elementRow is the prediction for a vertex or triangle as JSON.
type elementRow struct {
	Mesh   string `json:"mesh"`   // its path
	Number int    `json:"number"` // of the vertex or triangle, from 0, in the order of the file
	models.Prediction
}

// meshRow is a prediction as JSON.
type meshRow struct {
	Mesh string `json:"mesh"` // its path
	models.Prediction
}
