package experiments

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// ReadCochainResults reads a comparison from the JSON that `nkf table cochain`
// writes. It is an error if its means do not follow from its trainings, or if
// these were on other data than the checksums of package datasets say.
func ReadCochainResults(path string) (*CochainResults, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the results of a comparison: %w", err)
	}
	t := &CochainResults{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s is no comparison, as nkf table cochain writes it: %w", path, err)
	}
	t.Missing = 0
	for i := range t.Rows {
		row := &t.Rows[i]
		if len(row.Cells) != len(t.Models) || len(row.Cells) == 0 {
			return nil, fmt.Errorf("%s: row %s has %d cells for %d models", path, row.Dataset, len(row.Cells),
				len(t.Models))
		}
		for j, cell := range row.Cells {
			if cell == nil {
				t.Missing++
				continue
			}
			if err := cell.follows(row.Dataset, t.Models[j]); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		row.Pairs, row.PairsLast = nil, nil
		if err := row.compare(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
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
	source, err := datasets.Lookup(dataset)
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
