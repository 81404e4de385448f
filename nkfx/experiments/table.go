package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Table compares models on benchmarks: a row for every model, or for each
// choice of features of one, and a column for every benchmark, or for each
// split of one.
type Table struct {
	Name       string // what `nkf table` calls it
	Benchmarks []Benchmark
	Splits     []string // columns of each benchmark
	Models     []string
	// Features are the rows of each model without features of its own; others have one row.
	Features []string
	Settings // Seeds: one for data of more than models.Large complexes
	// Runs, if it is positive, replaces Seeds: the number of trainings of a cell,
	// divided equally among the folds.
	Runs int
	// Published are rows of results by others, if none of the table's models is published; nil: those of
	// neural forms, and of the best.
	Published []string
	Mean      bool // whether a column has the mean of all others
}

// Tables are the tables of `nkf table`: 1 and 2 of the paper, and cochain
// networks beside a GIN that is trained by the same protocol, which is the last.
//
// In Table 1 the models are trained on attributes and labels, as in the code
// that accompanies the paper, and on labels alone, as in its text. Table 2 has
// the published split, five seeds on the first fold, with all five folds and a
// split by scaffold beside it. Table uea has path networks and their controls on
// time series, beside classifiers as published.
var Tables = []Table{
	{Name: "1", Benchmarks: of("tu"), Splits: []string{"folds"},
		Models:   []string{"egnn", "gat", "gcn", "gin", "nkf", "nkf-text"},
		Features: []string{"attributes+labels", "labels"},
		Settings: Settings{Folds: 5, Seed: 42, Seeds: 1}},
	{Name: "2", Benchmarks: of("moleculenet"), Splits: []string{"fold0", "folds", "scaffold"},
		Models: []string{"gat", "gcn", "gin", "nkf"}, Settings: Settings{Folds: 5, Seed: 42}, Runs: 5},
	{Name: "cochain", Benchmarks: of("tu", "moleculenet"), Splits: []string{"folds"},
		Models: []string{"cochain", "cochain-small", "gin-tuned"}, Settings: Settings{Folds: 5, Seed: 42,
			Seeds: 3}},
	{Name: "uea", Benchmarks: of("uea"), Splits: []string{defaultSplit},
		Models:    []string{"path", "path-constant", "path-differences", "cnn"},
		Settings:  Settings{Seed: 42, Seeds: 5},
		Published: []string{"HC2", "ROCKET", "ResNet", "InceptionT", Best}, Mean: true},
}

// NewTable returns the usual set-up of a table, "1", "2", "cochain" or "uea".
func NewTable(name string) (Table, error) {
	for _, t := range Tables {
		if t.Name == name {
			return t, nil
		}
	}
	return Table{}, fmt.Errorf("no table %q: there are 1, 2, cochain and uea", name)
}

// Keep keeps only the benchmarks of the given names, in that order.
func (x *Table) Keep(names ...string) error {
	var kept []Benchmark
	for _, name := range names {
		i := slices.IndexFunc(x.Benchmarks, func(b Benchmark) bool { return strings.EqualFold(b.Name, name) })
		if i < 0 {
			return fmt.Errorf("no data set %q in table %s", name, x.Name)
		}
		kept = append(kept, x.Benchmarks[i])
	}
	x.Benchmarks = kept
	return nil
}

// rows returns the rows of the table, without cells.
func (x Table) rows() (rows []Row) {
	for _, name := range x.Models {
		choices := x.Features
		m, err := models.Lookup(name, models.Size{})
		if err != nil || m.Features(x.Benchmarks[0].Kind) != "" || len(choices) == 0 {
			choices = []string{""}
		}
		for _, features := range choices {
			row := Row{Model: name, Features: features}
			for _, b := range x.Benchmarks {
				row.PaperParameters = cmp.Or(row.PaperParameters, b.Published[name].Parameters)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Run does the trainings missing in the journals, and returns the results. report receives every epoch of a
// cell; it may be nil.
func (x Table) Run(ctx context.Context, backend compute.Backend,
	report func(cell string, p train.Progress)) (*Results, error) {
	begin := time.Now()
	for _, name := range x.Models {
		if _, err := models.Lookup(name, models.Size{}); err != nil {
			return nil, err
		}
	}
	t := &Results{
		Table: x.Name, Rows: x.rows(), Seed: x.Seed, Backend: nkfx.BackendName(backend),
		Versions: nkfx.Version(), Published: x.Published, Mean: x.Mean,
	}
	var cells []cell
	for _, b := range x.Benchmarks {
		if report != nil {
			report(b.Name, train.Progress{Doing: "reading", Left: -1})
		}
		data, err := b.Load(ctx)
		if err != nil {
			return nil, err
		}
		for _, split := range x.Splits {
			t.Columns = append(t.Columns, x.column(b, data, split))
		}
		more, err := x.cells(t, b, data)
		if err != nil {
			return nil, err
		}
		cells = append(cells, more...)
	}
	for i := range t.Rows {
		t.Rows[i].Cells = make([]*Result, len(t.Columns))
	}
	runs := make([]Run, len(cells))
	for i, c := range cells {
		runs[i] = c.run
	}
	err := Together(ctx, backend, runs, x.Workers, func(i int, p train.Progress) {
		if report != nil {
			report(cells[i].name, p)
		}
	}, func(i int, r *Result) error {
		for _, row := range cells[i].rows {
			t.Rows[row].Cells[cells[i].column] = r
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.count()
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}

// cell is a run that makes a cell of a column, or those of several rows that differ only in features that the
// data lack.
type cell struct {
	name   string
	run    Run
	rows   []int
	column int
}

// cells returns the cells of a benchmark, those of a model one after another. Its columns are the last ones.
func (x Table) cells(t *Results, b Benchmark, data datasets.Source) (cells []cell, err error) {
	first := len(t.Columns) - len(x.Splits)
	made := map[string]int{} // index in cells by name
	for r, row := range t.Rows {
		features := row.Features
		if some, ok := data.(interface{ Available(string) (string, error) }); ok && features != "" {
			if features, err = some.Available(features); err != nil {
				return nil, err
			}
		}
		t.addFallback(row.Features, features, b.Name)
		for i, split := range x.Splits {
			column := t.Columns[first+i]
			name := strings.TrimSpace(column.Name + " " + row.Model + " " + features)
			if same, ok := made[name]; ok {
				cells[same].rows = append(cells[same].rows, r)
				continue
			}
			made[name] = len(cells)
			run := Run{Settings: x.Settings, Benchmark: b, Data: data, Model: row.Model, Features: features,
				Split: split}
			run.Seeds = column.Seeds
			cells = append(cells, cell{name: name, run: run, rows: []int{r}, column: first + i})
		}
	}
	return cells, nil
}

// column returns the column of a split of a benchmark.
func (x Table) column(b Benchmark, data datasets.Source, split string) Column {
	info := data.Describe()
	c := Column{Name: b.Name, Dataset: b.Name, Split: split, Folds: x.Folds, Seeds: x.Seeds,
		DataSHA256: info.SHA256}
	c.Metric = metric(data.Kind(), info)
	switch {
	case x.Runs > 0 && split == "folds":
		c.Seeds = (x.Runs + x.Folds - 1) / x.Folds
	case x.Runs > 0:
		c.Seeds = x.Runs
	case data.Len() > models.Large:
		c.Seeds = 1
	}
	if split != x.Splits[0] || !testsAsPublished(split) {
		c.Name += " " + split
	} else {
		c.Published = b.Published
	}
	return c
}
