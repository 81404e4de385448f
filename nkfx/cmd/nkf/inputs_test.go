package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// nkfWith runs a command line in this process with that on standard input.
func nkfWith(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = newApp(strings.NewReader(stdin), &out, &err).run(t.Context(), args)
	return code, out.String(), err.String()
}

// alcohols is a file of molecules with identifiers, of which one is refused.
func alcohols(separator string) string {
	text := "smiles,id,kind\nC(,broken,1\n"
	for i := range 24 {
		text += fmt.Sprintf("%s%s,m-%d,%d\n", strings.Repeat("C", i+1), []string{"O", "N"}[i%2], i, i%2)
	}
	return strings.ReplaceAll(text, ",", separator)
}

// TestPredictOutput: identifiers and probabilities as text and as JSON, from
// files with any separator and from standard input, to files that appear whole.
func TestPredictOutput(t *testing.T) {
	onGo(t)
	folder := t.TempDir()
	path, out := filepath.Join(folder, "own.csv"), filepath.Join(folder, "results")
	require.NoError(t, os.WriteFile(path, []byte(alcohols(",")), 0o600))
	_, stderr := done(t, "train", "--csv", path, "--smiles", "smiles", "--label", "kind", "--folds", "2",
		"--epochs", "1", "--out", out)
	require.Contains(t, stderr, "1 of 25 rows left out, with no molecule\n  row 0, line 2: ")
	model := filepath.Join(out, "models", "own-kind-nkf")
	predict := func(stdin string, args ...string) (stdout, stderr string) {
		t.Helper()
		line := append([]string{"predict", "--model", model, "--smiles", "smiles"}, args...)
		code, stdout, stderr := nkfWith(t, stdin, line...)
		require.Equal(t, exitDone, code, stderr)
		return stdout, stderr
	}
	want, _ := predict("", "--csv", path, "--id", "id")
	rows := strings.Split(strings.TrimSpace(want), "\n")
	require.Len(t, rows, 25)
	require.Equal(t, "row\tid\tkind\tP(0)\tP(1)", rows[0])
	for i, row := range rows[1:] {
		fields := strings.Split(row, "\t")
		require.Equal(t, []string{strconv.Itoa(i + 1), fmt.Sprint("m-", i)}, fields[:2])
		p, err := strconv.ParseFloat(fields[3], 64)
		require.NoError(t, err)
		q, err := strconv.ParseFloat(fields[4], 64)
		require.NoError(t, err)
		require.InDelta(t, 1, p+q, 1e-5, "six digits")
		require.Equal(t, map[bool]string{true: "0", false: "1"}[p > q], fields[2])
	}

	// The same molecules in other ways.
	for separator, name := range map[string]string{";": "semicolon", "\t": "tab", "|": "|", ",": "comma"} {
		args := []string{"--csv", "-", "--id", "ID", "--separator", name}
		got, stderr := predict(alcohols(separator), args...)
		require.Equal(t, strings.Replace(want, "\tid\t", "\tID\t", 1), got, name)
		require.Contains(t, stderr, "nkf: stdin: 1 of 25 rows left out, with no molecule")
		if separator == "|" {
			continue
		}
		got, _ = predict(alcohols(separator), "--csv", "-", "--id", "id")
		require.Equal(t, want, got, "found in the first line: %s", name)
	}
	file := filepath.Join(folder, "new", "out.tsv")
	stdout, _ := predict("", "--csv", path, "--id", "id", "--out", file)
	require.Empty(t, stdout)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(text))

	stdout, _ = predict("", "--csv", path, "--id", "id", "--json")
	var p struct {
		models.Prediction
		ID      string
		Classes []string
	}
	require.NoError(t, json.Unmarshal([]byte(stdout[:strings.Index(stdout, "\n")]), &p))
	require.Equal(t, "m-0", p.ID)
	require.Equal(t, []string{"0", "1"}, p.Classes)
	require.Len(t, p.Probabilities, 2)

	// A model is its folder, or its file; neither is written over, as little as what is read.
	folderOf := model
	model = filepath.Join(model, "model.json")
	stdout, _ = predict("", "--csv", path, "--id", "id")
	require.Equal(t, want, stdout)
	for _, name := range []string{model, folderOf} {
		for _, kept := range []string{path, model} {
			line := []string{"predict", "--model", name, "--csv", path, "--smiles", "smiles", "--out", kept}
			fails(t, "--out "+kept+" is the file that is read", line...)
		}
	}
	_, err = models.Read(folderOf)
	require.NoError(t, err)
	fails(t, `no column is called "name"`, "predict", "--model", model, "--csv", path, "--smiles",
		"smiles", "--id", "name")
}

// TestTrainInShards: two shards, merged, are a training; the model comes with the command itself, and is that
// of an undivided training.
func TestTrainInShards(t *testing.T) {
	onGo(t)
	line := []string{"train", "--tu", excerpt(t), "--folds", "3", "--epochs", "2", "--workers", "1"}
	apart, whole := t.TempDir(), t.TempDir()
	for _, shard := range []string{"0/2", "1/2"} {
		stdout, stderr := done(t, append(line, "--out", apart, "--shard", shard)...)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "nkf: shard "+shard+" is done")
		require.NoDirExists(t, filepath.Join(apart, "models"))
	}
	stdout, _ := done(t, "merge", "--out", apart)
	require.Contains(t, stdout, "3 new trainings from 2 shards\n")
	var models []string
	for _, out := range []string{apart, whole} {
		done(t, append(line, "--out", out)...)
		text, err := os.ReadFile(filepath.Join(out, "models", "BZR-nkf", "model.json"))
		require.NoError(t, err)
		models = append(models, string(text))
	}
	require.Equal(t, models[1], models[0])
}
