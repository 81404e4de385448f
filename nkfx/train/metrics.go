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

// MeanStd returns the mean and the standard deviation (of a sample of n, dividing by n - 1, as in the paper's
// tables) of the scores that are defined, and how many others there are. Of one score the deviation is
// undefined, of none the mean, too.
func MeanStd(scores []Score) (mean, std Score, undefined int) {
	var values []float64
	for _, s := range scores {
		if s.Defined() {
			values = append(values, float64(s))
		}
	}
	m, d := stat.MeanStdDev(values, nil)
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

// metric is the name of a score.
type metric struct {
	name  string
	error bool // of a regression, rather than a share; smaller ones are better
	of    func(*Scores) *Score
}

var metrics = []metric{
	{"accuracy", false, func(s *Scores) *Score { return &s.Accuracy }},
	{"macro_accuracy", false, func(s *Scores) *Score { return &s.MacroAccuracy }},
	{"auroc", false, func(s *Scores) *Score { return &s.AUROC }},
	{"average_precision", false, func(s *Scores) *Score { return &s.AveragePrecision }},
	{"rmse", true, func(s *Scores) *Score { return &s.RMSE }},
	{"mae", true, func(s *Scores) *Score { return &s.MAE }},
}

// Metrics are the names of the metrics, as in the JSON of [Scores]: accuracy, macro_accuracy, auroc,
// average_precision, rmse and mae.
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

// Of returns a pointer to the score of that name, one of [Metrics], or nil if there is none.
func (s *Scores) Of(name string) *Score {
	if m, ok := metricOf(name); ok {
		return m.of(s)
	}
	return nil
}

// set sets a score to the mean of values of classes or tasks, without those where it is undefined, NaN.
func (s *Scores) set(name string, values ...float64) {
	m, _ := metricOf(name)
	sum, without := 0.0, 0
	for _, v := range values {
		if math.IsNaN(v) {
			without++
		} else {
			sum += v
		}
	}
	mean := sum / float64(len(values)-without)
	if !m.error {
		mean *= 100
	}
	*m.of(s) = Score(mean)
	if without > 0 {
		if s.Undefined == nil {
			s.Undefined = map[string]int{}
		}
		s.Undefined[name] = without
	}
}

// rank sets the scores that depend on the order of outputs, of each class against the rest or each task.
func (s *Scores) rank(count int, against func(int) (scores []float64, positive []bool)) {
	areas, precisions := make([]float64, count), make([]float64, count)
	for i := range count {
		scores, positive := against(i)
		areas[i], precisions[i] = rocArea(scores, positive), averagePrecision(scores, positive)
	}
	s.set("auroc", areas...)
	s.set("average_precision", precisions...)
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
