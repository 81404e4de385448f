package main

import (
	"fmt"
	"strconv"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// printResults prints results of one metric beside the paper's, and below what the means leave out; or a line
// of JSON for each.
func (a *app) printResults(results []*experiments.Result) error {
	if a.asJSON {
		for _, r := range results {
			if err := writeJSON(a.stdout, r); err != nil {
				return err
			}
		}
		return nil
	}
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
	last := map[string]string{"accuracy": "last epoch", "auroc": "AUROC, last epoch",
		"rmse": "RMSE, last epoch"}
	t := figures.Table{Head: []string{"data set", "model", "parameters", last[metric], "best epoch", "paper"}}
	if metric == "rmse" {
		t.Head[5] = "MAE"
	}
	for _, o := range results[0].Others {
		t.Head = append(t.Head, o.Name)
	}
	t.Head = append(t.Head, "seconds")
	for _, r := range results {
		beside := "–"
		if metric == "rmse" {
			beside = pair(r.Means.MAE, r.Stds.MAE)
		} else if r.Paper != nil {
			beside = r.Paper.String()
		}
		texts := []string{r.Dataset, r.Model, strconv.Itoa(r.Parameters), pair(r.Mean, r.Std),
			pair(r.MeanBest, r.StdBest), beside}
		for _, o := range r.Others {
			texts = append(texts, pair(o.Mean, o.Std))
		}
		t.Rows = append(t.Rows, figures.Texts(append(texts, fmt.Sprintf("%.1f", r.Seconds))...))
		for _, sentence := range r.Omissions() {
			t.Notes = append(t.Notes, fmt.Sprintf("%s %s: %s", r.Dataset, r.Model, sentence))
		}
	}
	return t.Print(a.stdout)
}
