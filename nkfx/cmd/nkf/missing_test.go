package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/series"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestMissingIsShown: readings of observations that are missing are columns, and models on several data sets
// have their mean.
func TestMissingIsShown(t *testing.T) {
	others := func(mean float64) (all []experiments.Other) {
		for i, name := range series.Readings {
			all = append(all, experiments.Other{Name: name, Mean: train.Score(mean - float64(i))})
		}
		return all
	}
	var out strings.Builder
	require.NoError(t, (&app{stdout: &out}).printResults([]*experiments.Result{
		{Dataset: "A", Model: "path", Metric: "accuracy", Mean: 90, Others: others(80)},
		{Dataset: "B", Model: "path", Metric: "accuracy", Mean: 95, Others: others(90)},
		{Dataset: "B", Model: "cnn", Metric: "accuracy", Mean: 94, Others: others(70)},
	}))
	_, table, found := strings.Cut(out.String(), "observations missing: none")
	require.True(t, found)
	var rows []string
	for line := range strings.Lines(table) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	require.Equal(t, []string{
		"interpolated closed up held",
		"A path 90.00 ± 0.00 80.00 ± 0.00 79.00 ± 0.00 78.00 ± 0.00",
		"B path 95.00 ± 0.00 90.00 ± 0.00 89.00 ± 0.00 88.00 ± 0.00",
		"B cnn 94.00 ± 0.00 70.00 ± 0.00 69.00 ± 0.00 68.00 ± 0.00",
		"mean of 2 path 92.50 85.00 84.00 83.00",
	}, rows)
}

// TestRunWithObservationsMissing: one command trains on resamples and tests with observations missing; told
// again it takes all of it from the journals, and without the flag it trains what it would have.
func TestRunWithObservationsMissing(t *testing.T) {
	if testing.Short() {
		t.Skip("trains on ERing")
	}
	onGo(t)
	folder := t.TempDir()
	line := strings.Fields("run uea --dataset ERing --model path-small --epochs 2 --workers 1 --json --out")
	line = append(line, folder)
	of := func(flags string) experiments.Result {
		code, stdout, stderr := nkf(t, append(line, strings.Fields(flags)...)...)
		require.Equal(t, exitDone, code, stderr)
		return results(t, stdout)[0]
	}
	dropped := of("--drop 30 --resamples 2")
	require.Len(t, dropped.Folds, 2)
	require.Len(t, dropped.Others, len(series.Readings))
	for _, fold := range dropped.Folds {
		require.Len(t, fold.Others, len(series.Readings))
	}
	again := of("--drop 30 --resamples 2")
	require.Equal(t, dropped.Folds, again.Folds)
	require.Zero(t, again.Compilations)
	plain := of("--drop 0")
	require.Nil(t, plain.Others)
	require.Equal(t, dropped.Folds[0].Last, plain.Folds[0].Last, "the training is the same, bit for bit")
	none := of("--drop 1e-9") // of 65 points nothing
	for i := range series.Readings {
		require.Equal(t, none.Mean, none.Others[i].Mean, series.Readings[i])
	}
	journals, err := filepath.Glob(filepath.Join(folder, "uea", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, journals, 2, fmt.Sprint("one for each resample: ", journals))
}
