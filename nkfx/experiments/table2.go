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
		Number: 2, Metric: "auroc", Folds: x.Folds, Seed: x.Seed, Seeds: x.Runs, Protocol: x.asked(),
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(), Data: map[string]string{},
	}
	for _, model := range x.Models {
		if _, err := NewModel(model, MoleculeSize, 1, 2); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, TableRow{
			Model: model, Features: AtomFeatures(model, x.Features).String(),
			PaperParameters: paperMoleculeParameters[model],
		})
	}
	names := make([]string, len(x.Datasets))
	for i, name := range x.Datasets {
		var err error
		if names[i], err = MoleculeNetDataset(name); err != nil {
			return nil, err
		}
	}
	if x.Path == "" {
		if err := findAll(ctx, names, nil); err != nil {
			return nil, err
		}
	}
	cells := newCells(ctx, backend, x.Workers, x.Shard, x.Assemble, report)
	x.Team = cells.Team
	var columns [][]*Result
	for _, name := range names {
		more, err := x.columns(cells, name, t)
		if err != nil {
			return nil, cells.Fail(err)
		}
		columns = append(columns, more...)
	}
	if err := cells.Wait(); err != nil {
		return nil, err
	}
	for _, column := range columns {
		t.addColumn(column)
	}
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}

// columns returns the columns of a data set, whose cells are there when all
// have been waited for.
func (x Table2) columns(cells *cells, name string, t *Table) ([][]*Result, error) {
	x.Dataset = name
	molecules, err := x.Load(cells.ctx)
	if err != nil {
		return nil, err
	}
	t.Data[x.Dataset] = molecules.SHA256
	columns, names := make([][]*Result, len(x.Splits)), make([]string, len(x.Splits))
	for i, split := range x.Splits {
		columns[i], names[i] = make([]*Result, len(t.Rows)), x.Dataset
		if split != Splits[0] {
			names[i] += " " + split
		}
	}
	t.Datasets = append(t.Datasets, names...)
	for row := range t.Rows {
		x := x
		x.Model = t.Rows[row].Model
		runs := x.Runs
		cells.Go(func() error {
			for i, split := range x.Splits { // they share a journal
				x.Split, x.Runs = split, runs
				if split == "folds" {
					x.Runs = (runs + x.Folds - 1) / x.Folds * x.Folds
				}
				cv, err := x.crossValidation(molecules)
				if err != nil {
					return err
				}
				if columns[i][row], err = cells.cell(names[i]+" "+x.Model, cv); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return columns, nil
}
