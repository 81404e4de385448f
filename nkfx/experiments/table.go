package experiments

import (
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Table is a table of results: a row for each model and choice of features, a
// column for each data set.
type Table struct {
	Number    int               `json:"table"`  // of the paper
	Metric    string            `json:"metric"` // accuracy or auroc
	Datasets  []string          `json:"datasets"`
	Fallbacks []Fallback        `json:"fallbacks"`
	Rows      []TableRow        `json:"rows"`
	Folds     int               `json:"folds"`
	Seed      uint32            `json:"seed"`
	Seeds     int               `json:"seeds"`
	Protocol  train.Protocol    `json:"protocol"`
	Backend   string            `json:"backend"`
	Versions  nkfx.Versions     `json:"versions"`
	Data      map[string]string `json:"data_sha256"`
	Missing   int               `json:"missing"` // cells that are empty
	Training  float64           `json:"training_seconds"`
	Wall      float64           `json:"wall_seconds"` // of this run, without what a journal had
}

// Fallback says that the data sets lack some of the features a row asks for.
type Fallback struct {
	Asked    string   `json:"asked"`
	Taken    string   `json:"taken"`
	Datasets []string `json:"datasets"`
}

// TableRow is a row of a [Table].
type TableRow struct {
	Model           string    `json:"model"`
	Features        string    `json:"features"`         // that were asked for
	PaperParameters int       `json:"paper_parameters"` // as rounded in the paper; 0 where it has none
	Cells           []*Result `json:"cells"`            // by data set; nil where empty
}

// Paper returns the paper's figure for the row and a data set, or nil.
func (r TableRow) Paper(dataset string) *MeanStd { return Paper(r.Model, dataset) }

// addColumn adds the cells of a column, nil where empty, to the rows.
func (t *Table) addColumn(column []*Result) {
	trained := map[*Result]bool{nil: true}
	for i, cell := range column {
		t.Rows[i].Cells = append(t.Rows[i].Cells, cell)
		if cell == nil {
			t.Missing++
		}
		if trained[cell] {
			continue
		}
		trained[cell] = true
		for _, fold := range cell.Folds {
			t.Training += fold.Seconds
		}
	}
}
