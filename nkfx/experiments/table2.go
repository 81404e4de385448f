package experiments

import (
	"context"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Table2 is the comparison of neural k-forms with message-passing networks on
// molecules (Table 2 of the paper).
type Table2 struct {
	MoleculeNet // the set-up of every cell; Dataset and Model are the table's
	Datasets    []string
	Models      []string
	// Assemble trains nothing: cells that the journals under Out do not have
	// stay empty.
	Assemble bool
}

// Table2Models are the models in the order of the paper.
var Table2Models = []string{"gat", "gcn", "gin", "nkf"}

// NewTable2 returns the published set-up.
func NewTable2() Table2 {
	return Table2{
		MoleculeNet: NewMoleculeNet("", ""), Datasets: MoleculeNetDatasets, Models: Table2Models,
	}
}

// Run trains what the journals do not have, cell by cell, and returns the
// table. report is told of every epoch of a cell; it may be nil.
func (x Table2) Run(ctx context.Context, backend compute.Backend,
	report func(cell string, p train.Progress)) (*Table, error) {
	begin := time.Now()
	t := &Table{
		Number: 2, Metric: "auroc", Folds: 1, Seed: x.Seed, Seeds: x.Runs, Protocol: x.Protocol,
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(), Data: map[string]string{},
	}
	if x.Split == "folds" {
		t.Folds, t.Seeds = x.Folds, x.Runs/x.Folds
	}
	for _, model := range x.Models {
		if _, err := NewModel(model, MoleculeSize, 1, 2); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, TableRow{
			Model: model, Features: x.Features.String(), PaperParameters: paperMoleculeParameters[model],
		})
	}
	for _, name := range x.Datasets {
		name, err := MoleculeNetDataset(name)
		if err != nil {
			return nil, err
		}
		t.Datasets = append(t.Datasets, name)
	}
	for _, x.Dataset = range t.Datasets {
		molecules, err := x.Load(ctx)
		if err != nil {
			return nil, err
		}
		t.Data[x.Dataset] = molecules.SHA256
		for i := range t.Rows {
			x.Model = t.Rows[i].Model
			cv, err := x.crossValidation(molecules)
			if err != nil {
				return nil, err
			}
			cell, err := cv.cell(ctx, backend, x.Assemble, x.Dataset+" "+x.Model, report)
			if err != nil {
				return nil, err
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
			t.addTime(cell)
			if cell == nil {
				t.Missing++
			}
		}
	}
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}
