package experiments

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/models"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Results are what a [Table] has come to.
type Results struct {
	Table     string        `json:"table"`
	Columns   []Column      `json:"columns"`
	Rows      []Row         `json:"rows"`
	Fallbacks []Fallback    `json:"fallbacks,omitempty"`
	Published []string      `json:"published,omitempty"` // rows of others' results
	Seed      uint32        `json:"seed"`
	Backend   string        `json:"backend"`
	Versions  nkfx.Versions `json:"versions"`
	Missing   int           `json:"missing"` // cells that are empty
	Training  float64       `json:"training_seconds"`
	Wall      float64       `json:"wall_seconds"` // of this run, without what a journal had
	// The model of the first row against that of every other, by row, training by
	// training of all columns in which both are, with the weights of the last
	// epoch; nil for the first row, where there are no pairs, and in tables with
	// models of the paper.
	Against []*Pairs `json:"against,omitempty"`
}

// Column is a benchmark in the way that a table tests on it.
type Column struct {
	Name       string               `json:"name"` // of the data set and, but for the first, of the split
	Dataset    string               `json:"dataset"`
	Split      string               `json:"split"`
	Metric     string               `json:"metric"`
	Folds      int                  `json:"folds"` // of a split that has them
	Seeds      int                  `json:"seeds"` // trainings of every fold
	DataSHA256 string               `json:"data_sha256"`
	Published  map[string]Published `json:"published,omitempty"` // by model
	// The model of the first row against that of the last, training by training,
	// with the weights of the best validation epoch and of the last epoch; nil
	// where one is empty, and in tables with models of the paper.
	Pairs     *Pairs `json:"pairs,omitempty"`
	PairsLast *Pairs `json:"pairs_last,omitempty"`
}

// Best is the name of a row of the best published results.
const Best = "best"

// Best returns the best result in the paper, or nil if it has none.
func (c Column) Best() (best *Published) {
	for _, f := range c.Published {
		if best == nil || f.Mean > best.Mean {
			best = &f
		}
	}
	return best
}

// Paper returns the result of a model in the paper, or nil if it has none.
func (c Column) Paper(model string) *Published {
	if model == Best {
		return c.Best()
	}
	if f, ok := c.Published[model]; ok {
		return &f
	}
	return nil
}

// Row is a model with a choice of features.
type Row struct {
	Model           string    `json:"model"`
	Features        string    `json:"features"`         // that were asked for; "" for those of the model
	PaperParameters int       `json:"paper_parameters"` // as rounded in the paper; 0 where it has none
	Cells           []*Result `json:"cells"`            // by column; nil where empty
}

// Fallback says that data sets lack some of the features that a row asks for.
type Fallback struct {
	Asked    string   `json:"asked"`
	Taken    string   `json:"taken"`
	Datasets []string `json:"datasets"`
}

// addFallback adds a data set to the fallback of that kind, if it is one.
func (t *Results) addFallback(asked, taken, dataset string) {
	if asked == taken {
		return
	}
	i := slices.IndexFunc(t.Fallbacks, func(f Fallback) bool { return f.Asked == asked && f.Taken == taken })
	if i < 0 {
		i, t.Fallbacks = len(t.Fallbacks), append(t.Fallbacks, Fallback{Asked: asked, Taken: taken})
	}
	if !slices.Contains(t.Fallbacks[i].Datasets, dataset) {
		t.Fallbacks[i].Datasets = append(t.Fallbacks[i].Datasets, dataset)
	}
}

// count counts empty cells, and the seconds of training.
func (t *Results) count() {
	t.Missing, t.Training = 0, 0
	trained := map[*Result]bool{}
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			if cell == nil {
				t.Missing++
			} else if !trained[cell] {
				trained[cell] = true
				for _, fold := range cell.Folds {
					t.Training += fold.Seconds
				}
			}
		}
	}
}

// Pairs are the differences of two models, training by training on the same
// fold with the same seed.
type Pairs struct {
	Differences []float64 `json:"differences"` // first - second, by seed, then fold, where both are defined
	Mean        float64   `json:"mean"`
	// Low and High bound the mean with a confidence of 95 %: Student's
	// t-interval over the pairs, as if they were independent. They share most
	// of their training parts, so that this is too short (Nadeau and Bengio,
	// Inference for the generalization error, Machine Learning 52, 2003).
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// compare pairs the trainings of the first row and the last, where models that
// the paper does not have stand against one another.
func (t *Results) compare() (err error) {
	if len(t.Rows) < 2 {
		return nil
	}
	rows := []Row{t.Rows[0], t.Rows[len(t.Rows)-1]}
	for _, row := range rows {
		if m, err := models.Lookup(row.Model, models.Size{}); err != nil || m.Published() {
			return err
		}
	}
	test := func(f FoldResult) train.Score { return f.Test }
	t.Against = make([]*Pairs, len(t.Rows))
	for r, row := range t.Rows[1:] {
		if t.Against[r+1], err = compareAll(t.Rows[0].Cells, row.Cells, test); err != nil {
			return err
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Pairs, c.PairsLast = nil, nil
		first, last := rows[0].Cells[i], rows[1].Cells[i]
		if first == nil || last == nil || len(first.Folds) < 2 {
			continue
		}
		c.Pairs, err = Compare(first, last, func(f FoldResult) train.Score { return f.TestBest })
		if err != nil {
			return err
		}
		if c.PairsLast, err = Compare(first, last, test); err != nil {
			return err
		}
	}
	return nil
}

// compareAll pairs the trainings of two rows in all columns in which both are,
// and returns nil if these are fewer than two.
func compareAll(first, second []*Result, score func(FoldResult) train.Score) (*Pairs, error) {
	p := &Pairs{}
	for i, a := range first {
		if b := second[i]; a != nil && b != nil {
			if err := p.add(a, b, score); err != nil {
				return nil, err
			}
		}
	}
	if len(p.Differences) < 2 {
		return nil, nil
	}
	p.bound()
	return p, nil
}

// Compare pairs a score of the trainings of two results of one data set. It is
// an error if they are not of the same folds and seeds, or if there is but one.
func Compare(first, second *Result, score func(FoldResult) train.Score) (*Pairs, error) {
	p := &Pairs{}
	if err := p.add(first, second, score); err != nil {
		return nil, err
	}
	if len(p.Differences) < 2 {
		return nil, fmt.Errorf("%s: %s is defined for %d of %d pairs: there is nothing to compare",
			first.Dataset, first.Metric, len(p.Differences), len(first.Folds))
	}
	p.bound()
	return p, nil
}

// add adds the differences of two results of one data set.
func (p *Pairs) add(first, second *Result, score func(FoldResult) train.Score) error {
	if len(first.Folds) != len(second.Folds) {
		return fmt.Errorf("%s: %d trainings of %s and %d of %s: there is nothing to pair", first.Dataset,
			len(first.Folds), first.Model, len(second.Folds), second.Model)
	}
	for i, a := range first.Folds {
		b := second.Folds[i]
		if a.Fold != b.Fold || a.Seed != b.Seed {
			return fmt.Errorf("%s: training %d is of fold %d, seed %d with %s and of fold %d, seed %d "+
				"with %s", first.Dataset, i, a.Fold, a.Seed, first.Model, b.Fold, b.Seed, second.Model)
		}
		if d := score(a) - score(b); d.Defined() {
			p.Differences = append(p.Differences, float64(d))
		}
	}
	return nil
}

// bound sets the mean and its interval.
func (p *Pairs) bound() {
	n := float64(len(p.Differences))
	mean, std := stat.MeanStdDev(p.Differences, nil)
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * std / math.Sqrt(n)
	p.Mean, p.Low, p.High = mean, mean-half, mean+half
}

// ReadResults reads a table from the JSON that `nkf table` writes. It is an
// error if its means do not follow from its trainings, or if these were on
// other data than the checksums of package published say.
func ReadResults(path string) (*Results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the results of a table: %w", err)
	}
	t := &Results{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s is no table, as nkf table writes it: %w", path, err)
	}
	for _, row := range t.Rows {
		if len(row.Cells) != len(t.Columns) {
			return nil, fmt.Errorf("%s: row %s has %d cells for %d columns", path, row.Model, len(row.Cells),
				len(t.Columns))
		}
		for i, cell := range row.Cells {
			if cell == nil {
				continue
			}
			if err := cell.follows(t.Columns[i].Dataset, row.Model); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	t.count()
	if err := t.compare(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// follows returns an error if the result is not that of a model on a data set
// of known bytes, with the means and deviations of its trainings.
func (r *Result) follows(dataset, model string) error {
	if r.Dataset != dataset || r.Model != model {
		return fmt.Errorf("a result of %s on %s stands where %s on %s should", r.Model, r.Dataset, model,
			dataset)
	}
	source, err := published.Lookup(dataset)
	if err != nil {
		return err
	}
	if r.DataSHA256 != source.SHA256 {
		return fmt.Errorf("%s on %s: trained on data with SHA-256 %s, the published have %s", model, dataset,
			r.DataSHA256, source.SHA256)
	}
	var last, best []train.Score
	for _, f := range r.Folds {
		last, best = append(last, f.Test), append(best, f.TestBest)
	}
	mean, std, _ := meanStd(last)
	meanBest, stdBest, _ := meanStd(best)
	said := []train.Score{r.Mean, r.Std, r.MeanBest, r.StdBest}
	for i, v := range []train.Score{mean, std, meanBest, stdBest} {
		// Sums in another order differ in the last digits.
		same := math.Abs(float64(v-said[i])) <= 1e-9 || !v.Defined() && !said[i].Defined()
		if !same {
			return fmt.Errorf("%s on %s: its trainings give %v where it says %v", model, dataset, v, said[i])
		}
	}
	return nil
}
