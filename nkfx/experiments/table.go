package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gomlx/compute"
	"golang.org/x/sync/errgroup"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/layers/backends/xla"
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
	// Features are the rows of neural forms, Baselines those of the other models
	// of the paper. Models that it does not have take theirs.
	Features, Baselines []string
	Folds               int
	Seed                uint32 // the first seed
	Seeds               int    // trainings of every fold; one of more than models.Large complexes
	// Runs, where it is positive, stands in place of Seeds: trainings of a cell,
	// with as many seeds on each of several folds as that takes.
	Runs     int
	Protocol func(*train.Protocol) // as that of a Run
	Workers  int                   // trainings at once; changes no result
	Out      string                // folder whose journals keep finished trainings; "" for none
	Shard    *Shard                // part of the trainings to do; nil for all
	// Published are rows of others' results, where none of the table's models is published; nil: those of
	// neural forms, and of the best.
	Published []string
	// Assemble trains nothing: cells that the journals under Out do not have
	// stay empty.
	Assemble bool
}

// Tables are those that `nkf table` makes: 1 and 2 of the paper, and cochain
// networks beside the opponent that is trained as they are, which is the last.
//
// In Table 1 neural forms are trained on attributes and labels, as in the code
// that accompanies the paper, and on labels alone, as in its text. Table 2 has
// the published split, five seeds on the first fold, with all five folds and a
// split by scaffold beside it. Table uea has path networks and their controls on
// time series, beside classifiers as published. Table mesh has networks of
// meshes beside baselines, with the differences of the first and each other.
var Tables = []Table{
	{Name: "1", Benchmarks: Benchmarks[:7], Splits: []string{"folds"},
		Models:   []string{"egnn", "gat", "gcn", "gin", "nkf"},
		Features: []string{"attributes+labels", "labels"}, Baselines: []string{"attributes+labels"},
		Folds: 5, Seed: 42, Seeds: 1},
	{Name: "2", Benchmarks: Benchmarks[7:], Splits: []string{"fold0", "folds", "scaffold"},
		Models: []string{"gat", "gcn", "gin", "nkf"}, Folds: 5, Seed: 42, Runs: 5},
	{Name: "cochain", Benchmarks: Benchmarks, Splits: []string{"folds"},
		Models: []string{"cochain", "cochain-small", "gin-tuned"}, Folds: 5, Seed: 42, Seeds: 3},
	{Name: "uea", Benchmarks: Archive, Splits: []string{defaultSplit},
		Models: []string{"path", "path-small", "path-large", "path-constant", "path-differences", "signature",
			"signature-ridge", "cnn", "inception", "gru"},
		Seed: 42, Seeds: 5,
		Published: []string{"HC2", "ROCKET", "ResNet", "InceptionT", Best}},
	{Name: "mesh", Benchmarks: []Benchmark{Princeton}, Splits: []string{"folds"},
		Models: []string{"mesh-forms", "mesh-masses", "mesh-gin", "mesh-pointnet", "mesh-moments", "mesh-d2"},
		Folds:  5, Seed: 42, Seeds: 3},
}

// NewTable returns the usual set-up of a table, "1", "2", "cochain", "uea" or
// "mesh".
func NewTable(name string) (Table, error) {
	for _, t := range Tables {
		if t.Name == name {
			return t, nil
		}
	}
	return Table{}, fmt.Errorf("no table %q: there are 1, 2, cochain, uea and mesh", name)
}

// Keep leaves the benchmarks of those names, in that order.
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
		choices := x.Baselines
		if name == "nkf" {
			choices = x.Features
		}
		if m, err := models.Lookup(name, models.Size{}); err != nil || !m.Published() || len(choices) == 0 {
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

// check returns an error for what no cell can be made of, before the first is
// trained.
func (x Table) check(ctx context.Context) error {
	for _, name := range x.Models {
		if _, err := models.Lookup(name, models.Size{}); err != nil {
			return err
		}
	}
	for _, b := range x.Benchmarks {
		if _, err := published.Lookup(b.Name); err != nil {
			continue // of a user's
		}
		if _, err := published.Open(ctx, b.Name); err != nil {
			return err
		}
	}
	return nil
}

// Run does the trainings missing in the journals, cell by cell, and returns the
// results. report receives every epoch of a cell; it may be nil.
func (x Table) Run(ctx context.Context, backend compute.Backend,
	report func(cell string, p train.Progress)) (*Results, error) {
	begin := time.Now()
	if err := x.check(ctx); err != nil {
		return nil, err
	}
	t := &Results{
		Table: x.Name, Columns: make([]Column, len(x.Benchmarks)*len(x.Splits)), Rows: x.rows(), Seed: x.Seed,
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(), Published: x.Published,
	}
	for i := range t.Rows {
		t.Rows[i].Cells = make([]*Result, len(t.Columns))
	}
	workers := max(1, x.Workers)
	if x.Shard != nil {
		workers = 1 // shards count the cells
	}
	maker := &maker{Table: x, backend: backend, report: report, pool: train.NewPool(workers)}
	defer maker.pool.Close()
	maker.cells, maker.ctx = errgroup.WithContext(ctx)
	maker.cells.SetLimit(workers)
	for i, b := range x.Benchmarks {
		if err := maker.columns(t, b, i*len(x.Splits)); err != nil {
			maker.cells.Go(func() error { return err })
			break
		}
	}
	if err := maker.cells.Wait(); err != nil {
		return nil, err
	}
	t.count()
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}

// maker makes the cells of a table side by side.
type maker struct {
	Table
	pool    *train.Pool
	cells   *errgroup.Group // at most as many at once as there are workers
	ctx     context.Context
	backend compute.Backend
	mu      sync.Mutex // of what follows
	report  func(cell string, p train.Progress)
}

// columns begins to make the columns of a benchmark, the first of that number.
// The collections of a model are made when its turn comes, so that those of all
// models need not be there at once.
func (m *maker) columns(t *Results, b Benchmark, first int) error {
	if err := context.Cause(m.ctx); err != nil {
		return err
	}
	data, err := b.Load(m.ctx)
	if err != nil {
		return err
	}
	large := data.Len() > models.Large
	for i, split := range m.Splits {
		c := Column{Name: b.Name, Dataset: b.Name, Split: split, Folds: m.Folds, Seeds: m.Seeds,
			DataSHA256: data.Describe().SHA256}
		switch {
		case m.Runs > 0 && split == "folds":
			c.Seeds = (m.Runs + m.Folds - 1) / m.Folds
		case m.Runs > 0:
			c.Seeds = m.Runs
		case large:
			c.Seeds = 1
		}
		if i > 0 || !testsAsPublished(split) {
			c.Name += " " + split
		} else {
			c.Published = b.Published
		}
		t.Columns[first+i] = c
	}
	for from, to := 0, 0; from < len(t.Rows); from = to {
		// Rows of a model share a journal.
		for to = from; to < len(t.Rows) && t.Rows[to].Model == t.Rows[from].Model; to++ {
			taken, err := available(data, t.Rows[to].Features)
			if err != nil {
				return err
			}
			t.addFallback(t.Rows[to].Features, taken, b.Name)
		}
		m.cells.Go(func() (err error) {
			defer xla.Recover(&err)
			return m.fill(t, b, data, first, from, to)
		})
	}
	return nil
}

// fill makes the cells of the rows of a model in the columns of a benchmark,
// one after another.
func (m *maker) fill(t *Results, b Benchmark, data datasets.Source, first, from, to int) error {
	for i, split := range m.Splits {
		m.mu.Lock()
		column := t.Columns[first+i]
		m.mu.Unlock()
		made := map[string]*Result{} // choices that come to the same features are trained once
		for r := from; r < to; r++ {
			row := &t.Rows[r]
			features, err := available(data, row.Features)
			if err != nil {
				return err
			}
			if _, ok := made[features]; !ok { // of a shard there is no result
				x := Run{Benchmark: b, Data: data, Model: row.Model, Features: features, Split: split,
					Folds: m.Folds, Seed: m.Seed, Seeds: column.Seeds, Protocol: m.Protocol,
					Pool: m.pool, Out: m.Out, Shard: m.Shard}
				name := strings.TrimSpace(column.Name + " " + row.Model + " " + features)
				metric, result, err := m.cell(name, x)
				if err != nil {
					return err
				}
				made[features] = result
				m.mu.Lock()
				t.Columns[first+i].Metric = metric
				m.mu.Unlock()
			}
			row.Cells[first+i] = made[features]
		}
	}
	return nil
}

// cell returns the metric of a cell and its result, or nil if the cell is only
// to be assembled and the journals do not have all of it, or if only a shard is
// to be done.
func (m *maker) cell(name string, x Run) (metric string, _ *Result, err error) {
	training, err := x.Prepare(m.ctx)
	if err != nil {
		return "", nil, err
	}
	metric = training.metric
	if m.Assemble {
		if training, err = training.stored(m.backend); err != nil || training == nil {
			return metric, nil, err
		}
	}
	r, err := training.Run(m.ctx, m.backend, func(p train.Progress) {
		if m.report != nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.report(name, p)
		}
	})
	return metric, r, err
}
