package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// moleculesOf returns the molecules of a file. Their rows have the number in the file, what they are called,
// and the class or the value of every task.
func (a *app) moleculesOf(model *models.Saved, x *prediction) (*subject, error) {
	molecules, err := a.readMolecules(x.file.path, x.file.columns)
	if err != nil {
		return nil, err
	}
	a.tellSkipped(molecules)
	if elements, count := model.UnseenElements(molecules); count > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d molecules hold elements that no molecule of %s had (%s), "+
			"of which the model can know nothing\n", molecules.Name, count, molecules.Len(),
			datasets.Printable(model.Dataset), some(elements))
	}
	columns := []string{"row"}
	if molecules.IDs != nil {
		columns = append(columns, x.file.columns.ID)
	}
	if columns = append(columns, model.Tasks...); model.Tasks == nil {
		columns = append(append(columns, cmp.Or(model.Label, "class")), probabilities(model.Classes)...)
	}
	return &subject{
		path: x.file.path, columns: columns,
		predict: func(ctx context.Context, p *models.Predictor) ([]models.Prediction, error) {
			return p.PredictMolecules(ctx, molecules)
		},
		row: func(g int, p models.Prediction) (any, []string) {
			row := moleculeRow{Row: molecules.Rows[g], SMILES: molecules.SMILES[g], Prediction: p}
			fields := []string{strconv.Itoa(int(row.Row))}
			if molecules.IDs != nil {
				row.ID = molecules.IDs[g]
				fields = append(fields, row.ID)
			}
			if model.Tasks == nil {
				row.Classes = model.Classes
				fields = append(append(fields, p.Class), texts(p.Probabilities)...)
			}
			for _, task := range model.Tasks {
				fields = append(fields, texts([]float64{p.Values[task]})...)
			}
			return row, fields
		},
		told: func() {},
	}, nil
}

// moleculeRow is a prediction as JSON.
type moleculeRow struct {
	Row    int32  `json:"row"` // of the file, from 0
	SMILES string `json:"smiles"`
	models.Prediction
	ID      string   `json:"id,omitempty"`
	Classes []string `json:"classes,omitempty"` // of the probabilities
}
