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
		Folds: x.Folds, Seed: x.Seed, Seeds: x.Seeds, Protocol: x.asked(),
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(), Data: map[string]string{},
	}
	var rows []tu.Features
	for _, model := range x.Models {
		choices := x.Baselines
		if model == "nkf" {
			choices = x.Choices
		} else if Cochain(model) {
			choices = []tu.Features{tu.Automatic} // theirs
		}
		for _, features := range choices {
			rows = append(rows, features)
			t.Rows = append(t.Rows, TableRow{
				Model: model, Features: features.String(), PaperParameters: paperParameters[model],
			})
		}
	}
	if err := findAll(ctx, x.Datasets, x.paths); err != nil {
		return nil, err
	}
	cells := newCells(ctx, backend, x.Workers, x.Shard, x.Assemble, report)
	x.Team = cells.Team
	columns := make([][]*Result, len(x.Datasets))
	for i, name := range x.Datasets {
		var err error
		if columns[i], err = x.column(cells, name, t, rows); err != nil {
			return nil, cells.Fail(err)
		}
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

// column returns the cells of a data set, which are there when all have been
// waited for.
func (x Table1) column(cells *cells, name string, t *Table, rows []tu.Features) ([]*Result, error) {
	x.Dataset, x.Path = name, x.paths[name]
	archive, err := x.Load(cells.ctx)
	if err != nil {
		return nil, err
	}
	t.Data[name] = archive.SHA256
	column := make([]*Result, len(rows))
	for from, to := 0, 0; from < len(rows); from = to {
		x := x // of this model: the cells read it later
		x.Model = t.Rows[from].Model
		var choices []tu.Features // of this model: they share a journal
		for to = from; to < len(rows) && t.Rows[to].Model == x.Model; to++ {
			features := rows[to]
			if features != tu.Automatic {
				features = available(archive, features)
			}
			if features != rows[to] {
				t.Fallbacks = addFallback(t.Fallbacks, rows[to].String(), features.String(), name)
			}
			choices = append(choices, features)
		}
		cells.Go(func() error {
			for i, features := range choices {
				// Choices that come to the same features are trained once.
				if same := slices.Index(choices, features); same < i {
					column[from+i] = column[from+same]
					continue
				}
				x.Features = features
				cv, err := x.crossValidation(archive)
				if err != nil {
					return err
				}
				name := fmt.Sprintf("%s %s %v", x.Dataset, x.Model, features)
				if column[from+i], err = cells.cell(name, cv); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return column, nil
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
