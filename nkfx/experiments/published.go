package experiments

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// Published is a result in the paper, mean and standard deviation in percent.
type Published struct {
	Mean       float64     `json:"mean"`
	Std        train.Score `json:"std"`
	Parameters int         `json:"-"` // of the model, as rounded in the paper
}

// String returns the mean and the deviation, if known, or a dash.
func (f Published) String() string {
	switch {
	case math.IsNaN(f.Mean):
		return "–"
	case !f.Std.Defined(): // of one training
		return fmt.Sprintf("%.2f", f.Mean)
	}
	return fmt.Sprintf("%.2f ± %.2f", f.Mean, f.Std)
}

//go:embed published.csv
var publishedTable []byte

// publishedResults holds published results by data set and model: Tables 1 and 2 of the paper, accuracy of
// graphs and area under the receiver operating characteristic of molecules, without AIDS and without EGNN on
// molecules; and the accuracies of classifiers on the default splits of time series.
var publishedResults = readPublished(publishedTable)

// readPublished reads published results from a table with a row for each, and panics if it is invalid.
func readPublished(table []byte) map[string]map[string]Published {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		panic(err)
	}
	results := map[string]map[string]Published{}
	for _, row := range rows[1:] {
		dataset, model := row[0], row[1]
		number := func(column int, absent string) float64 {
			x, err := strconv.ParseFloat(cmp.Or(row[column], absent), 64)
			if err != nil {
				panic(fmt.Errorf("published.csv, %s of %s: %w", model, dataset, err))
			}
			return x
		}
		if results[dataset] == nil {
			results[dataset] = map[string]Published{}
		}
		results[dataset][model] = Published{Mean: number(2, ""), Std: train.Score(number(3, "NaN")),
			Parameters: int(number(4, "0"))}
	}
	return results
}
