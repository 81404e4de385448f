package train

import (
	"encoding/json"
	"math"
)

// Score is a metric of predictions. It is NaN where the metric is undefined,
// which is null in JSON: an area under a curve needs members and nonmembers of
// its class.
type Score float64

// undefined marks a metric without a value.
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
	// Accuracy is the share of complexes whose class is predicted (micro
	// accuracy); with tasks, the share of the known answers.
	Accuracy Score `json:"accuracy"`
	// MacroAccuracy is the mean recall over the classes that occur among labels
	// or predictions; a class that is only predicted has recall 0. With tasks it
	// is the mean of theirs.
	MacroAccuracy Score `json:"macro_accuracy"`
	// AUROC is the mean of the area under the curve of true over false
	// positives, one class against the rest; torchmetrics counts classes without
	// members or others as 0. With two classes it is the area for either, as
	// long as probabilities do not round to 1: those that do are ties.
	AUROC Score `json:"auroc"`
	// AveragePrecision is the mean of that of one class against the rest.
	AveragePrecision Score `json:"average_precision"`
	// Of a regression there are only these, in the units of the data: the root
	// of the mean squared error, and the mean absolute error.
	RMSE Score `json:"rmse,omitempty"`
	MAE  Score `json:"mae,omitempty"`
	// Undefined counts, by metric, what it is undefined for and what its mean is
	// without: of one training the classes or tasks, of several the trainings.
	// Tasks of classes take both answers.
	Undefined map[string]int `json:"undefined,omitempty"`
}

// Metrics are the names of the metrics, as in JSON.
var Metrics = []string{"accuracy", "macro_accuracy", "auroc", "average_precision", "rmse", "mae"}

// Of returns where the score of that name is, nil if there is none.
func (s *Scores) Of(metric string) *Score {
	return map[string]*Score{"accuracy": &s.Accuracy, "macro_accuracy": &s.MacroAccuracy, "auroc": &s.AUROC,
		"average_precision": &s.AveragePrecision, "rmse": &s.RMSE, "mae": &s.MAE}[metric]
}

// isError reports whether a metric is of a regression.
func isError(metric string) bool { return metric == "rmse" || metric == "mae" }

// mean returns a metric as the mean over the classes or tasks that it is
// defined for, NaN if there is none, and the number of the others.
func (p tested) mean(metric string) (mean float64, without int) {
	var values []float64
	switch metric {
	case "accuracy":
		return p.accuracy(), 0
	case "macro_accuracy":
		values = p.recalls()
	case "auroc":
		values = p.each(rocArea)
	case "average_precision":
		values = p.each(averagePrecision)
	case "rmse":
		values = p.errors(2)
	case "mae":
		values = p.errors(1)
	}
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

// scores computes all metrics.
func (p tested) scores() (s Scores) {
	for _, metric := range Metrics {
		score := s.Of(metric)
		if isError(metric) != p.Regression {
			if p.Regression {
				*score = undefined
			}
			continue
		}
		mean, without := p.mean(metric)
		if *score = Score(mean); !p.Regression {
			*score = Score(100 * mean)
		}
		if without > 0 {
			if s.Undefined == nil {
				s.Undefined = map[string]int{}
			}
			s.Undefined[metric] = without
		}
	}
	return s
}
