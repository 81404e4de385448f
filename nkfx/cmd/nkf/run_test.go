package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// excerpt is the first 40 graphs of BZR.
func excerpt(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../../datasets/tu/testdata/BZR.zip")
	require.NoError(t, err)
	return path
}

// onGo runs the test on the pure Go backend, which needs no set-up.
func onGo(t *testing.T) {
	t.Helper()
	t.Setenv("GOMLX_BACKEND", "go")
}

// results reads lines of JSON.
func results(t *testing.T, stdout string) []experiments.Result {
	t.Helper()
	var out []experiments.Result
	for line := range strings.Lines(stdout) {
		var r experiments.Result
		require.NoError(t, json.Unmarshal([]byte(line), &r), line)
		out = append(out, r)
	}
	return out
}

// TestTrainAndPredict: the whole way on graphs of one's own.
func TestTrainAndPredict(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	line := []string{"train", "--tu", excerpt(t), "--folds", "3", "--epochs", "3", "--out", out}
	stdout, _ := done(t, append(line, "--json")...)
	r := results(t, stdout)
	require.Len(t, r, 1)
	require.Equal(t, "train", r[0].Experiment)
	require.Equal(t, "attributes+labels", r[0].Features)
	require.Equal(t, "go", r[0].Backend)
	require.Len(t, r[0].Folds, 3)
	require.Len(t, r[0].DataSHA256, 64)
	require.Positive(t, r[0].Parameters)
	require.Nil(t, r[0].Paper, "this is not the paper's data")

	// Again: nothing is trained twice, and the numbers are the same.
	again, _ := done(t, append(line, "--json")...)
	a, b := r[0], results(t, again)[0]
	a.Seconds, b.Seconds, a.Compilations, b.Compilations = 0, 0, 0, 0
	require.Equal(t, a, b)

	stdout, _ = done(t, line...)
	require.Contains(t, stdout, "BZR")
	require.Contains(t, stdout, "the model is in")

	folder := filepath.Join(out, "models", r[0].Dataset+"-nkf")
	stdout, stderr := done(t, "predict", "--model", folder, "--tu", excerpt(t), "--json")
	require.Equal(t, 40, strings.Count(stdout, "\n"))
	var p models.Prediction
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.Len(t, p.Probabilities, 2)
	require.InDelta(t, 1, p.Probabilities[0]+p.Probabilities[1], 1e-12)
	require.Contains(t, stderr, "of 40 graphs with a label are right")

	// A model that was damaged says so.
	file := filepath.Join(folder, "model.json")
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	for want, text := range map[string][]byte{
		"is damaged":   whole[:len(whole)/2],
		"checksum":     bytes.Replace(whole, []byte(`"data": "`), []byte(`"data": "AAAA`), 1),
		"its checksum": bytes.Replace(whole, []byte(`"-1"`), []byte(`"-2"`), 1), // a class
		"has format 9": bytes.Replace(whole, []byte(`"format": 4`), []byte(`"format": 9`), 1),
	} {
		require.NoError(t, os.WriteFile(file, text, 0o666))
		fails(t, want, "predict", "--model", folder, "--tu", excerpt(t))
	}
	fails(t, "holds no model", "predict", "--model", out, "--tu", excerpt(t))
}

// TestDamagedDataIsOneSentence: what the loader says reaches the user.
func TestDamagedDataIsOneSentence(t *testing.T) {
	onGo(t)
	whole, err := os.ReadFile(excerpt(t))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "BZR.zip")
	require.NoError(t, os.WriteFile(path, whole[:len(whole)/2], 0o666))
	out := t.TempDir()
	code, stdout, stderr := nkf(t, "train", "--tu", path, "--out", out, "--json")
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	require.Contains(t, stderr, "BZR.zip")
	left, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Empty(t, left, "nothing half-written")
}

// synthetics are the figures of the experiments on synthetic data.
var synthetics = map[string][]string{
	"paths":        {"fields", "functions", "embeddings", "losses"},
	"surfaces":     {"embedding", "integrals", "losses"},
	"convolution":  {"templates", "embedding", "losses"},
	"eigenvectors": {"cover", "fields", "losses"},
}

func TestSyntheticExperiments(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	for name, drawn := range synthetics {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			args := []string{"run", name, "--seed", "2", "--epochs", "1", "--out", out, "--json"}
			if name != "eigenvectors" {
				args = append(args, "--train", "5", "--test", "3")
			}
			stdout, stderr := done(t, args...)
			require.Contains(t, stderr, "epoch 1 of 1")
			var result struct {
				Experiment, Backend string
				Seed                uint32
			}
			require.NoError(t, json.Unmarshal([]byte(stdout), &result))
			require.Equal(t, name, result.Experiment)
			require.EqualValues(t, 2, result.Seed)
			require.Equal(t, "go", result.Backend)
			require.Len(t, strings.Split(strings.TrimSpace(stdout), "\n"), 1, "one line")

			saved, err := os.ReadFile(filepath.Join(out, name, "result.json"))
			require.NoError(t, err)
			require.Equal(t, stdout, string(saved))
			for _, figure := range drawn {
				for ext, magic := range map[string]string{".svg": "<?xml", ".png": "\x89PNG"} {
					data, err := os.ReadFile(filepath.Join(out, name, figure+ext))
					require.NoError(t, err)
					require.True(t, strings.HasPrefix(string(data), magic), figure+ext)
				}
			}
			files, err := os.ReadDir(filepath.Join(out, name))
			require.NoError(t, err)
			require.Len(t, files, 2*len(drawn)+1, "nothing half-written")
		})
	}
}

func TestSyntheticExperimentsAreInterruptible(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := t.TempDir()
	var stdout, stderr strings.Builder
	a := newApp(strings.NewReader(""), &stdout, &stderr)
	code := a.run(ctx, []string{"run", "surfaces", "--out", out})
	require.Equal(t, 130, code, stderr.String())
	require.Empty(t, stdout.String())
	files, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Empty(t, files)
}

// TestTable1 makes a small part of the table twice: the files to read are the
// same to the last byte.
func TestTable1(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	args := strings.Fields(
		"table 1 --dataset BZR --model nkf --features labels --folds 2 --epochs 1 --workers 1 --out " + out)
	assembled := append(args, "--assemble")
	run := func(line []string) (stdout string) {
		stdout, _ = done(t, line...)
		return stdout
	}
	require.Contains(t, run(assembled), "1 cell is not trained yet")
	first := run(args)
	for _, part := range []string{"NkF, paper", "78.77 ± 0.55", "3,645"} {
		require.Contains(t, first, part)
	}
	read := func() (files []string) {
		for _, ext := range []string{"md", "svg", "png"} {
			data, err := os.ReadFile(filepath.Join(out, "table1."+ext))
			require.NoError(t, err)
			files = append(files, string(data))
		}
		return files
	}
	files := read()
	require.Equal(t, first, run(assembled))
	require.Equal(t, files, read())
	cells := results(t, run(append(args, "--json")))
	require.Len(t, cells, 1)
	require.Equal(t, "78.77 ± 0.55", cells[0].Paper.String())
	require.Len(t, cells[0].Folds, 2)
}

// TestTablesOfNothing assembles tables of which nothing is trained yet, to files of all formats.
func TestTablesOfNothing(t *testing.T) {
	onGo(t)
	for line, want := range map[string][]string{
		"table 2 --dataset bbbp": {"Table 2: AUROC with the weights of the last epoch, as published",
			"5 seeds on the first of 5 stratified folds, as published", "NkF, paper", "86.41 ± 3.64", "282K",
			"12 cells are not trained yet"},
		"table cochain --dataset bzr": {"3 cells are not trained yet", "81.48 ± 2.90"},
	} {
		out := t.TempDir()
		args := append(strings.Fields(line), "--assemble", "--out", out)
		stdout, _ := done(t, args...)
		for _, part := range want {
			require.Contains(t, stdout, part)
		}
		name := tableFile(args[1])
		requireFiles(t, out, name+".json", name+".md", name+".png", name+".svg")
		stdout, _ = done(t, append(args, "--json")...)
		require.Empty(t, stdout, "no cell, no line")
	}
}

// TestTableFolder: a folder that cannot be is an error, and not at the end of
// all work.
func TestTableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, saveTable(&experiments.Results{}, filepath.Join(file, "table1")))
}

// TestOthersAreShown: further test parts are columns.
func TestOthersAreShown(t *testing.T) {
	var out strings.Builder
	require.NoError(t, (&app{stdout: &out}).printResults([]*experiments.Result{
		{Dataset: "A", Model: "path", Metric: "accuracy", Mean: 90,
			Others: []experiments.Other{{Name: "every fourth", Mean: 80}, {Name: "ten for one", Mean: 70}}},
	}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Contains(t, lines[0], "every fourth  ten for one")
	require.Regexp(t, `^A\s+path\s+0\s+90.00 ± 0.00\s+0.00 ± 0.00\s+–\s+80.00 ± 0.00\s+70.00 ± 0.00`,
		lines[len(lines)-1])
}
