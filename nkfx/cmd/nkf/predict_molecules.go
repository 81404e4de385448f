package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// predictMolecules writes what the model says of every molecule of a file, after its row and what it is
// called: its class, or the value of every task.
func (a *app) predictMolecules(ctx context.Context, model *models.Saved, x *prediction) error {
	molecules, err := a.readMolecules(x.file.path, x.file.columns)
	if err != nil {
		return err
	}
	a.tellSkipped(molecules)
	if elements, count := model.UnseenElements(molecules); count > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d molecules hold elements that no molecule of %s had (%s), "+
			"of which the model can know nothing\n", molecules.Name, count, molecules.Len(),
			datasets.Printable(model.Dataset), some(elements))
	}
	backend, err := a.backend()
	if err != nil {
		return err
	}
	defer backend.Finalize()
	predictor, err := model.On(backend)
	if err != nil {
		return err
	}
	predictions, err := predictor.PredictMolecules(ctx, molecules)
	if err != nil {
		return err
	}
	return a.writeTo(x.out, []string{x.file.path, modelFile(x.model)}, func(w io.Writer) error {
		t := newTable(w, *x.asJSON, moleculeColumns(model, x.file.columns.ID)...)
		for g, p := range predictions {
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
			t.row(row, fields...)
		}
		return t.err
	})
}

// moleculeRow is a prediction as JSON.
type moleculeRow struct {
	Row    int32  `json:"row"` // of the file, from 0
	SMILES string `json:"smiles"`
	models.Prediction
	ID      string   `json:"id,omitempty"`
	Classes []string `json:"classes,omitempty"` // of the probabilities
}

// moleculeColumns are the names of the columns of predictions.
func moleculeColumns(model *models.Saved, id string) []string {
	columns := []string{"row"}
	if id != "" {
		columns = append(columns, id)
	}
	if model.Tasks != nil {
		return append(columns, model.Tasks...)
	}
	return append(append(columns, cmp.Or(model.Label, "class")), probabilities(model.Classes)...)
}
