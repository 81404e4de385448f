package main

import (
	"bytes"
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
