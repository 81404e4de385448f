package train

import (
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"
)

// Score is a metric of predictions. It is NaN, in JSON null, where the metric
// is undefined: an area under a curve needs members and nonmembers of its
// class.
type Score float64

// undefined marks a metric without a value.
var undefined = Score(math.NaN())

// Defined reports whether there is a score.
func (s Score) Defined() bool { return !math.IsNaN(float64(s)) }

// MeanStd returns the mean and the standard deviation (of the population) of the scores that are defined, and
// how many others there are. Without any both are undefined.
func MeanStd(scores []Score) (mean, std Score, undefined int) {
	var values []float64
	for _, s := range scores {
		if s.Defined() {
			values = append(values, float64(s))
		}
	}
	m, d := stat.PopMeanStdDev(values, nil)
	return Score(m), Score(d), len(scores) - len(values)
}

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

// Scores are the metrics of a set of predictions, in percent, except for the
// errors of a regression. Metrics of the other kind of task are undefined,
// except for errors, which are 0.
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
	// members or others as 0. With two classes it is the area for either.
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

// metric is how a score is computed.
type metric struct {
	name   string
	error  bool // of a regression, rather than a share; smaller ones are better
	of     func(*Scores) *Score
	values func(tested) []float64 // whose mean it is: of classes or tasks, NaN where undefined
}

var metrics = []metric{
	{"accuracy", false, func(s *Scores) *Score { return &s.Accuracy },
		func(p tested) []float64 { return []float64{p.accuracy()} }},
	{"macro_accuracy", false, func(s *Scores) *Score { return &s.MacroAccuracy }, tested.recalls},
	{"auroc", false, func(s *Scores) *Score { return &s.AUROC },
		func(p tested) []float64 { return p.each(rocArea) }},
	{"average_precision", false, func(s *Scores) *Score { return &s.AveragePrecision },
		func(p tested) []float64 { return p.each(averagePrecision) }},
	{"rmse", true, func(s *Scores) *Score { return &s.RMSE },
		func(p tested) []float64 { return p.errors(2) }},
	{"mae", true, func(s *Scores) *Score { return &s.MAE },
		func(p tested) []float64 { return p.errors(1) }},
}

// Metrics are the names of the metrics, as in JSON.
var Metrics = func() (names []string) {
	for _, m := range metrics {
		names = append(names, m.name)
	}
	return names
}()

// metricOf returns the metric of that name; ok is false if there is none.
func metricOf(name string) (m metric, ok bool) {
	i := slices.IndexFunc(metrics, func(m metric) bool { return m.name == name })
	if i < 0 {
		return m, false
	}
	return metrics[i], true
}

// Of returns a pointer to the score of that name, or nil if there is none.
func (s *Scores) Of(name string) *Score {
	if m, ok := metricOf(name); ok {
		return m.of(s)
	}
	return nil
}

// mean returns the metric as the mean over the classes or tasks that it is
// defined for, NaN if there is none, and the number of the others.
func (m metric) mean(p tested) (mean float64, without int) {
	sum, values := 0.0, m.values(p)
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
	for _, m := range metrics {
		score := m.of(&s)
		if m.error != p.Regression {
			if p.Regression {
				*score = undefined
			}
			continue
		}
		mean, without := m.mean(p)
		if *score = Score(mean); !m.error {
			*score = Score(100 * mean)
		}
		if without > 0 {
			if s.Undefined == nil {
				s.Undefined = map[string]int{}
			}
			s.Undefined[m.name] = without
		}
	}
	return s
}

// rocArea returns the area under the receiver operating characteristic: the
// chance that a positive scores higher than a negative, ties counting one
// half. It is NaN without positives or without negatives.
func rocArea(scores []float64, positive []bool) float64 {
	scores, positive = ascending(scores, positive)
	if len(scores) == 0 {
		return math.NaN()
	}
	tpr, fpr, _ := stat.ROC(nil, scores, positive, nil)
	return integrate.Trapezoidal(fpr, tpr)
}

// averagePrecision returns Σ_i (R_i - R_{i-1})·P_i over the distinct
// thresholds from high to low, with recall R and precision P: the area under
// the precision-recall curve without interpolation. It is NaN without
// positives.
func averagePrecision(scores []float64, positive []bool) float64 {
	scores, positive = ascending(scores, positive)
	area, hits, seen, counted := 0.0, 0.0, 0.0, 0.0
	for i := len(scores) - 1; i >= 0; i-- {
		seen++
		if positive[i] {
			hits++
		}
		if i == 0 || scores[i-1] != scores[i] {
			area += (hits - counted) * hits / seen
			counted = hits
		}
	}
	return area / hits
}

// ascending returns copies in ascending order of the scores.
func ascending(scores []float64, positive []bool) ([]float64, []bool) {
	s, order := slices.Clone(scores), make([]int, len(scores))
	floats.ArgsortStable(s, order)
	p := make([]bool, len(order))
	for i, j := range order {
		p[i] = positive[j]
	}
	return s, p
}
