package experiments

import (
	"fmt"
	"math"

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

// paper holds Tables 1 and 2 of the paper by data set and model: accuracy of
// graphs, and area under the receiver operating characteristic of molecules.
// The paper has no AIDS, and no EGNN on molecules.
var paper = map[string]map[string]Published{
	"BZR": {"egnn": {79.51, 1.87, 1e6}, "gat": {81.48, 2.90, 5e3}, "gcn": {79.75, 0.68, 5e3},
		"gin": {79.26, 1.03, 9e3}, "nkf": {78.77, 0.55, 4e3}},
	"COX2": {"egnn": {78.16, 0.46, 1e6}, "gat": {80.73, 2.45, 5e3}, "gcn": {79.88, 1.65, 5e3},
		"gin": {78.38, 0.79, 9e3}, "nkf": {80.30, 2.42, 4e3}},
	"DHFR": {"egnn": {64.02, 2.68, 1e6}, "gat": {73.02, 2.54, 5e3}, "gcn": {70.12, 5.43, 5e3},
		"gin": {68.52, 7.38, 9e3}, "nkf": {64.42, 2.09, 4e3}},
	"Letter-low": {"egnn": {93.20, 0.68, 1e6}, "gat": {90.04, 2.23, 5e3}, "gcn": {81.38, 1.57, 5e3},
		"gin": {85.00, 0.59, 9e3}, "nkf": {93.42, 1.94, 4e3}},
	"Letter-med": {"egnn": {65.91, 1.60, 1e6}, "gat": {63.69, 5.97, 5e3}, "gcn": {62.00, 2.07, 5e3},
		"gin": {67.07, 2.47, 9e3}, "nkf": {67.69, 1.28, 4e3}},
	"Letter-high": {"egnn": {68.98, 1.80, 1e6}, "gat": {43.73, 4.13, 5e3}, "gcn": {43.06, 1.67, 5e3},
		"gin": {50.93, 3.47, 9e3}, "nkf": {62.93, 4.13, 4e3}},
	"BACE": {"gat": {69.52, 17.52, 135e3}, "gcn": {66.79, 1.56, 133e3}, "gin": {42.91, 18.56, 282e3},
		"nkf": {83.50, 0.55, 9e3}},
	"BBBP": {"gat": {76.51, 3.36, 135e3}, "gcn": {73.77, 3.30, 133e3}, "gin": {61.66, 19.47, 282e3},
		"nkf": {86.41, 3.64, 9e3}},
	"HIV": {"gat": {56.38, 4.41, 135e3}, "gcn": {68.70, 1.67, 133e3}, "gin": {55.28, 17.49, 282e3},
		"nkf": {76.70, 2.17, 9e3}},
}
