package experiments

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/neuralkforms/nkf/nkfx"
)

// Results are the results of a [Table].
type Results struct {
	Table     string        `json:"table"`
	Columns   []Column      `json:"columns"`
	Rows      []Row         `json:"rows"`
	Fallbacks []Fallback    `json:"fallbacks,omitempty"`
	Published []string      `json:"published,omitempty"` // rows of others' results
	Mean      bool          `json:"mean,omitempty"`      // whether a column has the mean of all others
	Seed      uint32        `json:"seed"`
	Backend   string        `json:"backend"`
	Versions  nkfx.Versions `json:"versions"`
	Missing   int           `json:"missing"` // cells that are empty
	Training  float64       `json:"training_seconds"`
	Wall      float64       `json:"wall_seconds"` // of this run, without what a journal had
}

// Column is a benchmark with one of its splits.
type Column struct {
	Name       string               `json:"name"` // of the data set and, but for the first, of the split
	Dataset    string               `json:"dataset"`
	Split      string               `json:"split"`
	Metric     string               `json:"metric"`
	Folds      int                  `json:"folds"` // of a split that has them
	Seeds      int                  `json:"seeds"` // trainings of every fold
	DataSHA256 string               `json:"data_sha256"`
	Published  map[string]Published `json:"published,omitempty"` // by model
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

// Fallback lists data sets that lack some of the features of a row.
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

// ReadResults reads a table from the JSON that `nkf table` writes.
func ReadResults(path string) (*Results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the results of a table: %w", err)
	}
	t := &Results{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s is not a table written by nkf table: %w", path, err)
	}
	for _, row := range t.Rows {
		if len(row.Cells) != len(t.Columns) {
			return nil, fmt.Errorf("%s: row %s has %d cells for %d columns", path, row.Model, len(row.Cells),
				len(t.Columns))
		}
	}
	return t, nil
}
