package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// CochainTable is the comparison of cochain networks with their opponent and
// with the paper, on all benchmarks: five folds of each, some seeds a fold.
type CochainTable struct {
	Datasets []string // of CochainDatasets
	Models   []string // the first is compared, fold by fold, with the last
	Seed     uint32   // the first seed
	Seeds    int      // trainings of every fold, with seeds counting up; of HIV one
	Epochs   int      // of every training; 0 for those of the models
	Workers  int      // trainings at once; changes no result
	Out      string   // folder whose journals keep finished trainings; "" for none
	// Assemble trains nothing: cells that the journals under Out do not have
	// stay empty.
	Assemble bool
	paths    map[string]string // of data sets that are elsewhere than usual
}

// CochainDatasets are those of Tables 1 and 2.
var CochainDatasets = slices.Concat(TUDatasets, MoleculeNetDatasets)

// NewCochainTable returns the comparison with three seeds.
func NewCochainTable() CochainTable {
	return CochainTable{Datasets: CochainDatasets, Models: []string{"cochain", "cochain-small", "gin-tuned"},
		Seed: 42, Seeds: 3}
}

// CochainRow is what the comparison says of a data set.
type CochainRow struct {
	Dataset   string    `json:"dataset"`
	Metric    string    `json:"metric"`
	Cells     []*Result `json:"cells"`                // by model; nil where empty
	PaperNKF  *MeanStd  `json:"paper_nkf,omitempty"`  // neural k-forms in the paper; nil where it has none
	PaperBest *MeanStd  `json:"paper_best,omitempty"` // the best model of the paper
	// The first model against the last, at the best validation epoch and with
	// the weights of the last epoch; nil where one is empty.
	Pairs     *Pairs `json:"pairs,omitempty"`
	PairsLast *Pairs `json:"pairs_last,omitempty"`
}

// CochainResults are the rows of a [CochainTable].
type CochainResults struct {
	Models   []string      `json:"models"`
	Rows     []CochainRow  `json:"rows"`
	Seed     uint32        `json:"seed"`
	Seeds    int           `json:"seeds"`
	Missing  int           `json:"missing"` // cells that are empty
	Backend  string        `json:"backend"`
	Versions nkfx.Versions `json:"versions"`
	Wall     float64       `json:"wall_seconds"` // of this run, without what a journal had
}

// Pairs are the differences of two models, training by training on the same
// fold with the same seed.
type Pairs struct {
	Differences []float64 `json:"differences"` // first - second, by seed, then fold, where both are defined
	Mean        float64   `json:"mean"`
	// Low and High bound the mean with a confidence of 95 %: Student's
	// t-interval over the pairs, as if they were independent. They share most
	// of their training parts, so that this is short rather than long.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Compare pairs the trainings of two results of one data set, at the best
// validation epoch. It is an error if they are not of the same folds and
// seeds, or if there is but one.
func Compare(first, second *Result) (*Pairs, error) {
	return compare(first, second, func(f FoldResult) train.Score { return f.TestBest })
}

// CompareLast is [Compare] with the weights of the last epoch, as the paper's
// tables have them.
func CompareLast(first, second *Result) (*Pairs, error) {
	return compare(first, second, func(f FoldResult) train.Score { return f.Test })
}

// compare pairs the scores of trainings.
func compare(first, second *Result, score func(FoldResult) train.Score) (*Pairs, error) {
	if len(first.Folds) != len(second.Folds) || len(first.Folds) < 2 {
		return nil, fmt.Errorf("%s: %d trainings of %s and %d of %s: there is nothing to pair", first.Dataset,
			len(first.Folds), first.Model, len(second.Folds), second.Model)
	}
	p := &Pairs{}
	for i, a := range first.Folds {
		b := second.Folds[i]
		if a.Fold != b.Fold || a.Seed != b.Seed {
			return nil, fmt.Errorf("%s: training %d is of fold %d, seed %d with %s and of fold %d, seed %d "+
				"with %s", first.Dataset, i, a.Fold, a.Seed, first.Model, b.Fold, b.Seed, second.Model)
		}
		if d := score(a) - score(b); d.Defined() {
			p.Differences = append(p.Differences, float64(d))
		}
	}
	if len(p.Differences) < 2 {
		return nil, fmt.Errorf("%s: %s is defined for %d of %d pairs: there is nothing to compare",
			first.Dataset, first.Metric, len(p.Differences), len(first.Folds))
	}
	n := float64(len(p.Differences))
	mean, std := stat.MeanStdDev(p.Differences, nil)
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * std / math.Sqrt(n)
	p.Mean, p.Low, p.High = mean, mean-half, mean+half
	return p, nil
}

// Run trains what the journals do not have, and returns the comparison. report
// is told of every epoch of a cell; it may be nil.
func (x CochainTable) Run(ctx context.Context, backend compute.Backend,
	report func(cell string, p train.Progress)) (*CochainResults, error) {
	begin := time.Now()
	t := &CochainResults{
		Models: x.Models, Seed: x.Seed, Seeds: x.Seeds,
		Backend: nkfx.BackendName(backend), Versions: nkfx.Version(),
	}
	for _, name := range x.Models {
		if _, err := NewModel(name, GraphSize, 1, 2); err != nil {
			return nil, err
		}
	}
	if err := findAll(ctx, x.Datasets, x.paths); err != nil {
		return nil, err
	}
	cells := newCells(ctx, backend, x.Workers, nil, x.Assemble, report)
	t.Rows = make([]CochainRow, len(x.Datasets))
	for i, name := range x.Datasets {
		row := &t.Rows[i]
		*row = CochainRow{Dataset: name, PaperNKF: Paper("nkf", name), PaperBest: paperBest(name),
			Cells: make([]*Result, len(x.Models))}
		metric, crossValidation, err := x.on(cells, name)
		if err != nil {
			return nil, cells.Fail(err)
		}
		row.Metric = metric
		for i, model := range x.Models {
			cells.Go(func() error {
				cv, err := crossValidation(model)
				if err != nil {
					return err
				}
				row.Cells[i], err = cells.cell(name+" "+model, cv)
				return err
			})
		}
	}
	if err := cells.Wait(); err != nil {
		return nil, err
	}
	for i := range t.Rows {
		if err := t.Rows[i].compare(); err != nil {
			return nil, err
		}
		for _, cell := range t.Rows[i].Cells {
			if cell == nil {
				t.Missing++
			}
		}
	}
	t.Wall = time.Since(begin).Seconds()
	return t, nil
}

// compare pairs the trainings of the first model and the last, if there are
// two and both are there.
func (r *CochainRow) compare() (err error) {
	first, last := r.Cells[0], r.Cells[len(r.Cells)-1]
	if first == nil || last == nil || first == last {
		return nil
	}
	if r.Pairs, err = Compare(first, last); err != nil {
		return err
	}
	r.PairsLast, err = CompareLast(first, last)
	return err
}

// on returns the metric of a data set, and what is to be trained there with a
// model. The data of a model are made when its turn comes, so that those of all
// models need not be there at once.
func (x CochainTable) on(cells *cells, name string) (metric string,
	what func(model string) (crossValidation, error), err error) {
	if slices.Contains(TUDatasets, name) {
		set := NewTU(name, "")
		set.Seed, set.Seeds, set.Workers, set.Out, set.Path = x.Seed, x.Seeds, x.Workers, x.Out, x.paths[name]
		set.Team, set.Epochs = cells.Team, x.Epochs
		archive, err := set.Load(cells.ctx)
		if err != nil {
			return "", nil, err
		}
		return "accuracy", func(model string) (crossValidation, error) {
			set := set
			set.Model = model
			return set.crossValidation(archive)
		}, nil
	}
	if name, err = MoleculeNetDataset(name); err != nil {
		return "", nil, err
	}
	set := NewMoleculeNet(name, "")
	set.Split, set.Seed, set.Workers, set.Out, set.Path = "folds", x.Seed, x.Workers, x.Out, x.paths[name]
	set.Team, set.Epochs = cells.Team, x.Epochs
	molecules, err := set.Load(cells.ctx)
	if err != nil {
		return "", nil, err
	}
	seeds := x.Seeds
	if molecules.Len() > large {
		seeds = 1
	}
	set.Runs = seeds * set.Folds
	return "auroc", func(model string) (crossValidation, error) {
		set := set
		set.Model = model
		return set.crossValidation(molecules)
	}, nil
}

// paperBest returns the best figure of the paper for a data set, or nil.
func paperBest(dataset string) (best *MeanStd) {
	for _, model := range ModelNames() {
		if f := Paper(model, dataset); f != nil && (best == nil || f.Mean > best.Mean) {
			best = f
		}
	}
	return best
}
