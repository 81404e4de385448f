package experiments

import (
	"fmt"
	"math"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// Result is a cross-validation of one model on one data set. Scores are in
// percent, errors of a regression in the units of the data; mean and standard
// deviation (of the population, dividing by the number of trainings) are over
// all folds and seeds whose score is defined.
type Result struct {
	Origin                      // with the first of the seeds
	Dataset      string         `json:"dataset"`
	Model        string         `json:"model"`
	Features     string         `json:"features"`
	Parameters   int            `json:"parameters"`
	Tasks        []string       `json:"tasks,omitempty"` // that are learned instead of classes
	Metric       string         `json:"metric"`
	Mean         train.Score    `json:"mean"` // with the weights of the last epoch, as published
	Std          train.Score    `json:"std"`
	MeanBest     train.Score    `json:"mean_best"` // with those of the best epoch of the validation part
	StdBest      train.Score    `json:"std_best"`
	Undefined    int            `json:"undefined"`    // trainings without a score, which Mean leaves out
	Means        train.Scores   `json:"metrics_mean"` // all metrics, as Mean and Std
	Stds         train.Scores   `json:"metrics_std"`
	Paper        *Published     `json:"paper,omitempty"`
	Folds        []train.Fit    `json:"folds"` // trainings, by seed, then fold
	Compilations int            `json:"compilations"`
	Seeds        int            `json:"seeds"` // how many, counting up
	DataSHA256   string         `json:"data_sha256"`
	Protocol     train.Protocol `json:"protocol,omitzero"`
}

// addFits adds trainings, without their epochs, and what follows from them.
func (r *Result) addFits(fits []*train.Fit) {
	for _, f := range fits {
		fit := *f
		fit.History = nil
		r.Folds = append(r.Folds, fit)
	}
	r.summarize()
}

// LastEpoch returns the metric of a result for one of its trainings, with the weights of the last epoch.
func LastEpoch(r *Result, f train.Fit) train.Score { return *f.Last.Of(r.Metric) }

// BestEpoch is [LastEpoch] with the weights of the best epoch of the validation part.
func BestEpoch(r *Result, f train.Fit) train.Score { return *f.Best.Of(r.Metric) }

// summarize fills in what follows from the trainings.
func (r *Result) summarize() {
	over := func(of func(*Result, train.Fit) train.Score) (mean, std train.Score, undefined int) {
		var scores []train.Score
		for _, f := range r.Folds {
			scores = append(scores, of(r, f))
		}
		return train.MeanStd(scores)
	}
	r.Mean, r.Std, r.Undefined = over(LastEpoch)
	r.MeanBest, r.StdBest, _ = over(BestEpoch)
	r.Means.Undefined = nil
	for _, metric := range train.Metrics {
		mean, std, without := over(func(_ *Result, f train.Fit) train.Score {
			return *f.Last.Of(metric)
		})
		*r.Means.Of(metric), *r.Stds.Of(metric) = mean, std
		if without > 0 {
			if r.Means.Undefined == nil {
				r.Means.Undefined = map[string]int{}
			}
			r.Means.Undefined[metric] = without
		}
	}
}

// Omissions describes what the means leave out: trainings whose metric is undefined, and classes or tasks for
// which it is undefined in other trainings.
func (r *Result) Omissions() (sentences []string) {
	things := "classes"
	if r.Tasks != nil {
		things = "tasks"
	}
	partial := 0
	for _, f := range r.Folds {
		if f.Last.Undefined[r.Metric] > 0 && LastEpoch(r, f).Defined() {
			partial++
		}
	}
	name := strings.ToUpper(r.Metric)
	if r.Undefined > 0 {
		sentences = append(sentences, fmt.Sprintf("trainings without %s: %d of %d, the test part having too "+
			"few %s; the mean is without them", name, r.Undefined, len(r.Folds), things))
	}
	if partial > 0 {
		sentences = append(sentences, fmt.Sprintf("trainings with %s of some %s only: %d of %d, the test "+
			"part having none of the others", name, things, partial, len(r.Folds)))
	}
	return sentences
}

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
