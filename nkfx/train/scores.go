package train

import (
	"encoding/json"
	"fmt"
	"math"
)

// Score is a metric of predictions. It is NaN where the metric is undefined,
// which is null in JSON: an area under a curve takes members of a class and
// others.
type Score float64

// undefined is the score that there is none.
var undefined = Score(math.NaN())

// Defined reports whether there is a score.
func (s Score) Defined() bool { return !math.IsNaN(float64(s)) }

// MarshalJSON returns the number, or null for NaN and the infinite.
func (s Score) MarshalJSON() ([]byte, error) {
	if !s.Defined() || math.IsInf(float64(s), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(s))
}

// UnmarshalJSON sets s to a number, or to NaN for null.
func (s *Score) UnmarshalJSON(text []byte) error {
	*s = undefined
	if string(text) == "null" {
		return nil
	}
	return json.Unmarshal(text, (*float64)(s))
}

// Scores are the metrics of a set of predictions, in percent but for the
// errors of a regression. Those of the other kind of task are undefined, but
// for errors, which are 0.
type Scores struct {
	Accuracy         Score `json:"accuracy"`
	MacroAccuracy    Score `json:"macro_accuracy"`
	AUROC            Score `json:"auroc"`
	AveragePrecision Score `json:"average_precision"`
	// Of a regression there are only these, in the units of the data.
	RMSE Score `json:"rmse,omitempty"`
	MAE  Score `json:"mae,omitempty"`
	// What the metrics are means without.
	Undefined Undefined `json:"undefined,omitzero"`
}

// Undefined counts, by metric, what it is undefined for and what its mean is
// without: of one training the classes or tasks, of several the trainings.
type Undefined struct {
	Accuracy         int `json:"accuracy,omitempty"`
	MacroAccuracy    int `json:"macro_accuracy,omitempty"`
	AUROC            int `json:"auroc,omitempty"`
	AveragePrecision int `json:"average_precision,omitempty"`
	RMSE             int `json:"rmse,omitempty"`
	MAE              int `json:"mae,omitempty"`
}

// percent returns a share as a score.
func percent(share float64) Score { return Score(100 * share) }

// scores computes all metrics.
func (p Predictions) scores() (s Scores) {
	if p.Regression {
		s = Scores{Accuracy: undefined, MacroAccuracy: undefined, AUROC: undefined,
			AveragePrecision: undefined}
		rmse, without := defined(p.rmses())
		mae, _ := defined(p.maes())
		s.RMSE, s.MAE = Score(rmse), Score(mae)
		s.Undefined.RMSE, s.Undefined.MAE = without, without
		return s
	}
	macro, withoutMacro := defined(p.recalls())
	area, withoutArea := defined(p.areas())
	precision, withoutPrecision := defined(p.precisions())
	s = Scores{Accuracy: percent(p.Accuracy()), MacroAccuracy: percent(macro), AUROC: percent(area),
		AveragePrecision: percent(precision)}
	s.Undefined = Undefined{MacroAccuracy: withoutMacro, AUROC: withoutArea,
		AveragePrecision: withoutPrecision}
	return s
}

// largest bounds the errors and losses of finite numbers of single precision,
// of which some are squared and divided by units.
const largest = 1e160

// check returns an error for scores that no predictions have.
func (s Scores) check() error {
	for _, v := range []Score{s.Accuracy, s.MacroAccuracy, s.AUROC, s.AveragePrecision} {
		if v < 0 || v > 100 {
			return fmt.Errorf("a score of %g %%", v)
		}
	}
	for _, v := range []Score{s.RMSE, s.MAE} {
		if v < 0 || v > largest {
			return fmt.Errorf("an error of %g", v)
		}
	}
	return nil
}

// defined returns the mean of the values that are not NaN, NaN if there is
// none, and how many others there are.
func defined(values []float64) (mean float64, without int) {
	sum := 0.0
	for _, v := range values {
		if math.IsNaN(v) {
			without++
		} else {
			sum += v
		}
	}
	return sum / float64(len(values)-without), without
}
