package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// TestTrainAndPredict: the whole way on graphs of one's own.
func TestTrainAndPredict(t *testing.T) {
	workshop(t)
	const line = "train graphs --folds 3 --epochs 3 --out ."
	stdout, _ := done(t, line, excerpt, "--json")
	r := rows[experiments.Result](t, stdout)
	require.Len(t, r, 1)
	require.Equal(t, "train", r[0].Experiment)
	require.Equal(t, "attributes+labels", r[0].Features)
	require.Equal(t, "go", r[0].Backend)
	require.Len(t, r[0].Folds, 3)
	require.Len(t, r[0].DataSHA256, 64)
	require.Positive(t, r[0].Parameters)
	require.Nil(t, r[0].Paper, "this is not the paper's data")

	// Again: nothing is trained twice, and the numbers are the same.
	again, _ := done(t, line, excerpt, "--json")
	a, b := r[0], rows[experiments.Result](t, again)[0]
	a.Seconds, b.Seconds, a.Compilations, b.Compilations = 0, 0, 0, 0
	require.Equal(t, a, b)

	stdout, _ = done(t, line, excerpt)
	require.Contains(t, stdout, "BZR")
	require.Contains(t, stdout, "the model is in")

	stdout, stderr := done(t, "predict graphs --model models/BZR-nkf --json", excerpt)
	predicted := rows[models.Prediction](t, stdout)
	require.Len(t, predicted, 40)
	require.Len(t, predicted[0].Probabilities, 2)
	require.InDelta(t, 1, predicted[0].Probabilities[0]+predicted[0].Probabilities[1], 1e-12)
	require.Contains(t, stderr, "of 40 graphs with a label are right")

	// A model that was damaged says so.
	const file = "models/BZR-nkf/model.json"
	whole := sure(os.ReadFile(file))
	for want, text := range map[string][]byte{
		"is damaged":   whole[:len(whole)/2],
		"checksum":     bytes.Replace(whole, []byte(`"data": "`), []byte(`"data": "AAAA`), 1),
		"its checksum": bytes.Replace(whole, []byte(`"-1"`), []byte(`"-2"`), 1), // a class
		"has format 9": bytes.Replace(whole, []byte(`"format": 5`), []byte(`"format": 9`), 1),
	} {
		put(t, file, string(text))
		fails(t, want, "predict graphs --model models/BZR-nkf", excerpt)
	}
	fails(t, "holds no model", "predict graphs --model .", excerpt)
}

// synthetics are the figures of the experiments on synthetic data.
var synthetics = map[string][]string{
	"paths":        {"fields", "functions", "embeddings", "losses"},
	"surfaces":     {"embedding", "integrals", "losses"},
	"convolution":  {"templates", "embedding", "losses"},
	"eigenvectors": {"cover", "fields", "losses"},
}

func TestSyntheticExperiments(t *testing.T) {
	workshop(t)
	for name, drawn := range synthetics {
		t.Run(name, func(t *testing.T) {
			line := "run " + name + " --seed 2 --epochs 1 --out . --json"
			if name != "eigenvectors" {
				line += " --train 5 --test 3"
			}
			put(t, name, "") // no folder
			require.NotContains(t, fails(t, "the folder for results: ", line), "epoch")
			require.NoError(t, os.Remove(name))
			linked := os.Symlink(t.TempDir(), name) == nil // on Windows, who may make them is a setting
			stdout, stderr := done(t, line)
			info := sure(os.Lstat(name))
			require.Equal(t, linked, info.Mode()&os.ModeSymlink != 0, "the link stays")
			require.Contains(t, stderr, "epoch 1 of 1")
			type result struct {
				Experiment, Backend string
				Seed                uint32
				Published           *result
			}
			want := result{Experiment: name, Backend: "go", Seed: 2}
			if name == "paths" || name == "eigenvectors" {
				require.Contains(t, stderr, ", as published")
				published := want
				want.Published = &published
			}
			require.Equal(t, []result{want}, rows[result](t, stdout))
			require.Equal(t, stdout, string(sure(os.ReadFile(filepath.Join(name, "result.json")))))
			for _, figure := range drawn {
				for ext, magic := range map[string]string{".svg": "<?xml", ".png": "\x89PNG"} {
					data := sure(os.ReadFile(filepath.Join(name, figure+ext)))
					require.True(t, strings.HasPrefix(string(data), magic), figure+ext)
				}
			}
			require.Len(t, sure(os.ReadDir(name)), 2*len(drawn)+1, "nothing half-written")
		})
	}
}

// TestTable1 makes a small part of the table twice: the files to read are the
// same to the last byte.
func TestTable1(t *testing.T) {
	workshop(t)
	run := func(more ...string) (stdout string) {
		stdout, _ = done(t, "table 1 --dataset BZR --model nkf --features labels --folds 2 --epochs 1 "+
			"--workers 1 --out .", more...)
		return stdout
	}
	require.Contains(t, run("--assemble"), "1 cell is not trained yet")
	first := run()
	for _, part := range []string{"NkF, paper", "78.77 ± 0.55", "3,645"} {
		require.Contains(t, first, part)
	}
	read := func() (files []string) {
		for _, ext := range []string{"md", "svg", "png"} {
			files = append(files, string(sure(os.ReadFile("table1."+ext))))
		}
		return files
	}
	files := read()
	require.Equal(t, first, run("--assemble"))
	require.Equal(t, files, read())
	cells := rows[experiments.Result](t, run("--json"))
	require.Len(t, cells, 1)
	require.Equal(t, "78.77 ± 0.55", cells[0].Paper.String())
	require.Len(t, cells[0].Folds, 2)
}

// TestTablesOfNothing assembles tables of which nothing is trained yet, to files of all formats.
func TestTablesOfNothing(t *testing.T) {
	for line, want := range map[string][]string{
		"table 2 --dataset bbbp": {"Table 2: AUROC with the weights of the last epoch, as published",
			"5 seeds on the first of 5 stratified folds, as published", "NkF, paper", "86.41 ± 3.64", "282K",
			"12 cells are not trained yet"},
		"table cochain --dataset bzr": {"3 cells are not trained yet", "81.48 ± 2.90"},
	} {
		workshop(t)
		line += " --assemble --out ."
		stdout, _ := done(t, line)
		for _, part := range want {
			require.Contains(t, stdout, part)
		}
		name := tableFile(strings.Fields(line)[1])
		requireFiles(t, ".", name+".json", name+".md", name+".png", name+".svg")
		stdout, _ = done(t, line, "--json")
		require.Empty(t, stdout, "no cell, no line")
	}
}
