package experiments

import (
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// Result is a cross-validation of one model on one data set. Scores are in
// percent, errors of a regression in the units of the data; mean and standard
// deviation (of the population, dividing by the number of trainings) are over
// all folds and seeds.
type Result struct {
	Experiment   string       `json:"experiment"`
	Dataset      string       `json:"dataset"`
	Model        string       `json:"model"`
	Features     string       `json:"features"`
	Parameters   int          `json:"parameters"`
	Tasks        []string     `json:"tasks,omitempty"` // that are learned instead of classes
	Metric       string       `json:"metric"`
	Mean         float64      `json:"mean"` // with the weights of the last epoch, as published
	Std          float64      `json:"std"`
	MeanBest     float64      `json:"mean_best"` // with those of the best epoch of the validation part
	StdBest      float64      `json:"std_best"`
	Means        train.Scores `json:"metrics_mean"` // all metrics, as Mean and Std
	Stds         train.Scores `json:"metrics_std"`
	Paper        *Figure      `json:"paper,omitempty"`
	Folds        []FoldResult `json:"folds"`
	Seconds      float64      `json:"seconds"`
	Compilations int          `json:"compilations"`
	PaddingWaste float64      `json:"padding_waste"`
	Backend      string       `json:"backend"`
	Seed         uint32       `json:"seed"`  // the first of them
	Seeds        int          `json:"seeds"` // how many, counting up
	DataSHA256   string       `json:"data_sha256"`
	Version      string       `json:"version"`
	GoMLX        string       `json:"gomlx"`
	GoXLA        string       `json:"goxla"`
	Processor    string       `json:"processor"` // of the machine that put the result together
}

// FoldResult is one training of a cross-validation.
type FoldResult struct {
	Fold      int          `json:"fold"`
	Seed      uint32       `json:"seed"`
	Test      float64      `json:"test"`      // the metric with the weights of the last epoch
	TestBest  float64      `json:"test_best"` // with those of the best epoch of the validation part
	Epochs    int          `json:"epochs"`
	BestEpoch int          `json:"best_epoch"` // from 0
	Seconds   float64      `json:"seconds"`
	Last      train.Scores `json:"metrics"`
	Best      train.Scores `json:"metrics_best"`
}

// summarize fills in what follows from the trainings.
func (r *Result) summarize(fits []*train.Fit, metric func(train.Scores) float64) {
	var last, best []float64
	for _, f := range fits {
		r.Folds = append(r.Folds, FoldResult{
			Fold: f.Fold, Seed: f.Seed,
			Test: metric(f.Last), TestBest: metric(f.Best),
			Epochs: f.Epochs, BestEpoch: f.BestEpoch, Seconds: f.Seconds,
			Last: f.Last, Best: f.Best,
		})
		last, best = append(last, metric(f.Last)), append(best, metric(f.Best))
	}
	r.Mean, r.Std = stat.PopMeanStdDev(last, nil)
	r.MeanBest, r.StdBest = stat.PopMeanStdDev(best, nil)
	for _, of := range []func(*train.Scores) *float64{
		func(s *train.Scores) *float64 { return &s.Accuracy },
		func(s *train.Scores) *float64 { return &s.MacroAccuracy },
		func(s *train.Scores) *float64 { return &s.AUROC },
		func(s *train.Scores) *float64 { return &s.AveragePrecision },
		func(s *train.Scores) *float64 { return &s.RMSE },
		func(s *train.Scores) *float64 { return &s.MAE },
	} {
		var values []float64
		for _, f := range fits {
			values = append(values, *of(&f.Last))
		}
		*of(&r.Means), *of(&r.Stds) = stat.PopMeanStdDev(values, nil)
	}
}
