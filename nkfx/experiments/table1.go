package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Table1 is the comparison of neural k-forms with message-passing networks on
// the graph benchmarks (Table 1 of the paper, and AIDS).
type Table1 struct {
	TU       // the set-up of every cell; Dataset, Model, Features and Path are the table's
	Datasets []string
	Models   []string
	// Choices are the features that neural forms are trained with, Baselines
	// those of the other models: a row of the table for each.
	Choices, Baselines []tu.Features
	paths              map[string]string // of data sets that are elsewhere than usual
	// Assemble trains nothing: cells that the journals under Out do not have
	// stay empty.
	Assemble bool
}

// Table1Models are the models in the order of the paper.
var Table1Models = []string{"egnn", "gat", "gcn", "gin", "nkf"}

// NewTable1 returns the published set-up. Neural forms are trained on
// attributes and labels, as in the code that accompanies the paper, and on
// labels alone, as in its text.
func NewTable1() Table1 {
	both := tu.Attributes | tu.Labels
	return Table1{
		TU: NewTU("", ""), Datasets: TUDatasets, Models: Table1Models,
		Choices: []tu.Features{both, tu.Labels}, Baselines: []tu.Features{both},
	}
}

// Run trains what the journals do not have, cell by cell, and returns the
// table. report is told of every epoch of a cell; it may be nil.
func (x Table1) Run(ctx context.Context, backend compute.Backend,
	report func(cell string, p train.Progress)) (*Table, error) {
	begin := time.Now()
	if err := x.check(); err != nil {
		return nil, err
	}
	t := &Table{
		Number: 1, Metric: "accuracy", Datasets: x.Datasets,
		Folds: x.Folds, Seed: x.Seed, Seeds: x.Seeds, Protocol: x.Protocol,
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(), Data: map[string]string{},
	}
	var rows []tu.Features
	for _, model := range x.Models {
		choices := x.Baselines
		if model == "nkf" {
			choices = x.Choices
		} else if _, ok := cochains[model]; ok {
			choices = []tu.Features{tu.Automatic} // theirs
		}
		for _, features := range choices {
			rows = append(rows, features)
			t.Rows = append(t.Rows, TableRow{
				Model: model, Features: features.String(), PaperParameters: paperParameters[model],
			})
		}
	}
	for _, name := range x.Datasets {
		cells, err := x.column(ctx, backend, name, t, rows, report)
		if err != nil {
			return nil, err
		}
		for i, cell := range cells {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
			if cell == nil {
				t.Missing++
			}
		}
	}
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}

// check returns an error for what no cell can be made of, before the first is
// trained.
func (x Table1) check() error {
	for _, name := range x.Datasets {
		if !slices.Contains(TUDatasets, name) {
			return fmt.Errorf("no data set %q in Table 1: there are %s", name, strings.Join(TUDatasets, ", "))
		}
	}
	for _, name := range x.Models {
		if _, err := NewModel(name, GraphSize, 1, 2); err != nil {
			return err
		}
	}
	return nil
}

// column returns the cells of a data set.
func (x Table1) column(ctx context.Context, backend compute.Backend, name string, t *Table,
	rows []tu.Features, report func(string, train.Progress)) ([]*Result, error) {
	cell := x.TU
	cell.Dataset, cell.Path = name, x.paths[name]
	archive, err := cell.archive(ctx)
	if err != nil {
		return nil, err
	}
	t.Data[name] = archive.SHA256
	// Choices that come to the same features are trained once.
	done := map[string]*Result{}
	cells := make([]*Result, len(rows))
	for i, features := range rows {
		cell.Model, cell.Features = t.Rows[i].Model, features
		if features != tu.Automatic {
			cell.Features = available(archive, features)
		}
		if cell.Features != features {
			t.Fallbacks = addFallback(t.Fallbacks, features.String(), cell.Features.String(), name)
		}
		key := fmt.Sprintf("%s %d", cell.Model, cell.Features)
		if r, ok := done[key]; ok {
			cells[i] = r
			continue
		}
		cv, err := cell.crossValidation(archive)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%s %s %v", cell.Dataset, cell.Model, cell.Features)
		if cells[i], err = cv.cell(ctx, backend, x.Assemble, name, report); err != nil {
			return nil, err
		}
		done[key] = cells[i]
		t.addTime(cells[i])
	}
	return cells, nil
}

// available returns the features that the archive has of those asked for,
// or, if it has none, those that [tu.Automatic] takes.
func available(a *tu.Archive, features tu.Features) tu.Features {
	have := tu.Degree
	if a.NodeAttributes.Columns > 0 {
		have |= tu.Attributes
	}
	if a.NodeLabels.Columns > 0 {
		have |= tu.Labels
	}
	switch {
	case features&have != 0:
		return features & have
	case have != tu.Degree:
		return have &^ tu.Degree
	}
	return have
}

// addFallback adds a data set to the fallback of that kind.
func addFallback(list []Fallback, asked, taken, dataset string) []Fallback {
	i := slices.IndexFunc(list, func(f Fallback) bool { return f.Asked == asked && f.Taken == taken })
	if i < 0 {
		return append(list, Fallback{asked, taken, []string{dataset}})
	}
	if !slices.Contains(list[i].Datasets, dataset) {
		list[i].Datasets = append(list[i].Datasets, dataset)
	}
	return list
}
