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
	MoleculeNet // the set-up of every cell; Dataset, Model and Split are the table's
	Datasets    []string
	Models      []string
	Splits      []string // of Splits: a column of each data set for every one
	// Assemble trains nothing: cells that the journals under Out do not have
	// stay empty.
	Assemble bool
}

// Table2Models are the models in the order of the paper.
var Table2Models = []string{"gat", "gcn", "gin", "nkf"}

// NewTable2 returns the published set-up, five seeds on the first fold, with
// the five folds and a split by scaffold beside it.
func NewTable2() Table2 {
	return Table2{
		MoleculeNet: NewMoleculeNet("", ""), Datasets: MoleculeNetDatasets, Models: Table2Models,
		Splits: []string{"fold0", "folds", "scaffold"},
	}
}

// Run trains what the journals do not have, cell by cell, and returns the
// table, in which a column has the name of its data set and, but for the
// published split, of the split. Every cell is Runs trainings, with five folds
// as many seeds on each as that takes. report is told of every epoch of a
// cell; it may be nil.
func (x Table2) Run(ctx context.Context, backend compute.Backend,
	report func(cell string, p train.Progress)) (*Table, error) {
	begin := time.Now()
	t := &Table{
		Number: 2, Metric: "auroc", Folds: x.Folds, Seed: x.Seed, Seeds: x.Runs, Protocol: x.Protocol,
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(), Data: map[string]string{},
	}
	for _, model := range x.Models {
		if _, err := NewModel(model, MoleculeSize, 1, 2); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, TableRow{
			Model: model, Features: cochainAtoms(model, x.Features).String(),
			PaperParameters: paperMoleculeParameters[model],
		})
	}
	for _, name := range x.Datasets {
		name, err := MoleculeNetDataset(name)
		if err != nil {
			return nil, err
		}
		x.Dataset = name
		if err := x.columns(ctx, backend, t, report); err != nil {
			return nil, err
		}
	}
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}

// columns adds the columns of a data set to the table.
func (x Table2) columns(ctx context.Context, backend compute.Backend, t *Table,
	report func(string, train.Progress)) error {
	molecules, err := x.Load(ctx)
	if err != nil {
		return err
	}
	t.Data[x.Dataset] = molecules.SHA256
	runs := x.Runs
	for _, x.Split = range x.Splits {
		column := x.Dataset
		if x.Split != Splits[0] {
			column += " " + x.Split
		}
		t.Datasets = append(t.Datasets, column)
		if x.Runs = runs; x.Split == "folds" {
			x.Runs = (runs + x.Folds - 1) / x.Folds * x.Folds
		}
		for i := range t.Rows {
			x.Model = t.Rows[i].Model
			cv, err := x.crossValidation(molecules)
			if err != nil {
				return err
			}
			cell, err := cv.cell(ctx, backend, x.Assemble, column+" "+x.Model, report)
			if err != nil {
				return err
			}
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
			t.addTime(cell)
			if cell == nil {
				t.Missing++
			}
		}
	}
	return nil
}
