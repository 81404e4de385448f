package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// printResults prints results of one metric beside the paper's, and below what the means are without.
func (a *app) printResults(results []*experiments.Result) error {
	metric := results[0].Metric
	pair := func(mean, std train.Score) string {
		switch {
		case !mean.Defined():
			return "–"
		case metric == "rmse":
			return fmt.Sprintf("%.4g ± %.2g", mean, std)
		}
		return fmt.Sprintf("%.2f ± %.2f", mean, std)
	}
	scores := map[string][]string{
		"accuracy": {"last epoch", "best epoch", "paper"},
		"auroc":    {"AUROC, last epoch", "best epoch", "paper", "average precision", "accuracy"},
		"rmse":     {"RMSE, last epoch", "best epoch", "MAE"},
	}[metric]
	t := figures.Table{Head: slices.Concat([]string{"data set", "model", "parameters"}, scores,
		[]string{"seconds", "compiled", "padding"})}
	for _, r := range results {
		texts := []string{r.Dataset, r.Model, strconv.Itoa(r.Parameters), pair(r.Mean, r.Std),
			pair(r.MeanBest, r.StdBest)}
		switch {
		case metric == "rmse":
			texts = append(texts, pair(r.Means.MAE, r.Stds.MAE))
		case r.Paper == nil:
			texts = append(texts, "–")
		default:
			texts = append(texts, r.Paper.String())
		}
		if metric == "auroc" {
			texts = append(texts, pair(r.Means.AveragePrecision, r.Stds.AveragePrecision),
				pair(r.Means.Accuracy, r.Stds.Accuracy))
		}
		texts = append(texts, fmt.Sprintf("%.1f", r.Seconds), strconv.Itoa(r.Compilations),
			fmt.Sprintf("%.2f×", r.PaddingWaste))
		t.Rows = append(t.Rows, figures.Texts(texts...))
		for _, sentence := range r.Omissions() {
			t.Notes = append(t.Notes, fmt.Sprintf("%s %s: %s", r.Dataset, r.Model, sentence))
		}
	}
	if err := t.Print(a.stdout); err != nil || results[0].Others == nil {
		return err
	}
	t = missing(results, pair)
	return t.Print(a.stdout)
}

// missing returns the table of how models do on paths with observations missing, set by set and, of models on
// several, on average.
func missing(results []*experiments.Result, pair func(mean, std train.Score) string) figures.Table {
	t := figures.Table{Head: []string{"data set", "model", "observations missing: none"}}
	for _, o := range results[0].Others {
		t.Head = append(t.Head, o.Name)
	}
	sums, counts := map[string][]float64{}, map[string]int{} // of models
	var models []string
	for _, r := range results {
		if counts[r.Model]++; counts[r.Model] == 1 {
			models, sums[r.Model] = append(models, r.Model), make([]float64, 1+len(r.Others))
		}
		texts := []string{r.Dataset, r.Model, pair(r.Mean, r.Std)}
		sums[r.Model][0] += float64(r.Mean)
		for i, o := range r.Others {
			texts = append(texts, pair(o.Mean, o.Std))
			sums[r.Model][1+i] += float64(o.Mean)
		}
		t.Rows = append(t.Rows, figures.Texts(texts...))
	}
	for _, model := range models {
		if counts[model] < 2 {
			continue
		}
		texts := []string{fmt.Sprintf("mean of %d", counts[model]), model}
		for _, sum := range sums[model] {
			texts = append(texts, fmt.Sprintf("%.2f", sum/float64(counts[model])))
		}
		t.Rows = append(t.Rows, figures.Texts(texts...))
	}
	return t
}
