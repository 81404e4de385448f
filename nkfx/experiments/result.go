package experiments

import (
	"fmt"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// Result is a cross-validation of one model on one data set. Scores are in
// percent, errors of a regression in the units of the data; mean and standard
// deviation (see [train.MeanStd]) are over all folds and seeds whose score is
// defined.
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
