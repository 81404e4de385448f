package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// writeGraphs writes a data set in the TU format: the contents of its files by the part of their names after
// the data set's.
func writeGraphs(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Mkdir(folder, 0o777))
	for kind, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+"_"+kind+".txt"), []byte(text), 0o666))
	}
	return folder
}

// chains returns the files of a data set of graphs of one edge each, with those labels of the first node and
// of the graph.
func chains(nodeLabels, graphLabels []int) map[string]string {
	files := map[string]string{}
	for g := range nodeLabels {
		files["A"] += fmt.Sprintf("%d, %d\n", 2*g+1, 2*g+2)
		files["graph_indicator"] += fmt.Sprintf("%d\n%d\n", g+1, g+1)
		files["graph_labels"] += fmt.Sprintf("%d\n", graphLabels[g])
		files["node_labels"] += fmt.Sprintf("%d\n1\n", nodeLabels[g])
	}
	return files
}

// TestPredictWhatTheModelCannotKnow: labels of nodes that the model has not seen are counted and told, files
// that it does not read are told, and nothing is scored by classes that are not its own.
func TestPredictWhatTheModelCannotKnow(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	var nodes, classes []int
	for g := range 40 {
		nodes, classes = append(nodes, 1+4*(g%2)), append(classes, g%2) // labels 1 and 5
	}
	own := writeGraphs(t, "OWN", chains(nodes, classes))
	done(t, "train", "--tu", own, "--folds", "2", "--epochs", "1", "--out", out)
	model := filepath.Join(out, "models", "OWN-nkf")
	predict := func(name string, files map[string]string, args ...string) (int, string, string) {
		line := []string{"predict", "--model", model, "--tu", writeGraphs(t, name, files)}
		return nkf(t, append(line, args...)...)
	}
	const told = "graphs with a label are right"
	code, _, stderr := predict("SAME", chains([]int{1, 5}, []int{0, 1}))
	require.Equal(t, exitDone, code, stderr)
	require.Equal(t, 1, strings.Count(stderr, "nkf: "), "nothing to say but the score: %s", stderr)
	require.Contains(t, stderr, told)

	// 3 lies between the labels of the model and has a column, 9 has none.
	code, stdout, stderr := predict("NEW", chains([]int{9, 3, 1}, []int{0, 1, 1}), "--json")
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stderr, "NEW: 2 of 6 nodes have node labels that no graph in training had (3, 9)")
	require.Contains(t, stderr, told)
	for i, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
		var p models.Prediction
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		require.Equal(t, []int{1, 1, 0}[i], p.Unseen)
	}

	more := chains([]int{1, 5}, []int{0, 1})
	more["node_attributes"] = "1\n2\n3\n4\n"
	code, _, stderr = predict("MORE", more)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stderr, "MORE: there is node attributes, which the model does not read")

	other := chains([]int{1, 5, 1}, []int{1, 7, -2})
	code, stdout, stderr = predict("OTHER", other)
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "2 of the 3 graphs of OTHER are of classes that the model of OWN does not "+
		`know ("-2", "7"; it knows "0", "1")`)
	require.Contains(t, stderr, "--no-score")
	code, stdout, stderr = predict("OTHER", other, "--no-score")
	require.Equal(t, exitDone, code, stderr)
	require.Equal(t, 4, strings.Count(stdout, "\n"))
	require.Empty(t, stderr, "no score")

	code, _, stderr = nkf(t, "predict", "--model", model, "--csv", "x", "--smiles", "y", "--no-score")
	require.Equal(t, exitUsage, code, stderr)
}

// TestPredictOtherElements: atoms that the model has not seen are counted and told.
func TestPredictOtherElements(t *testing.T) {
	onGo(t)
	folder, out := t.TempDir(), t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	own := "smiles,kind\n"
	for i := range 24 {
		own += fmt.Sprintf("%s%s,%d\n", strings.Repeat("C", i+1), []string{"O", "N"}[i%2], i%2)
	}
	done(t, "train", "--csv", write("own.csv", own), "--smiles", "smiles", "--label",
		"kind", "--folds", "2", "--epochs", "1", "--out", out)
	predict := func(path string) (stdout, stderr string) {
		stdout, stderr = done(t, "predict", "--model", filepath.Join(out, "models", "own-kind-nkf"),
			"--csv", path, "--smiles", "smiles", "--json")
		return stdout, stderr
	}
	stdout, stderr := predict(write("new.csv", "smiles\nCCO\nBrCBr\nCCSCBr\n"))
	require.Contains(t, stderr, "new: 2 of 3 molecules hold elements that no molecule in training "+
		"had (S, Br)")
	for i, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
		var p models.Prediction
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		require.Equal(t, []int{0, 2, 2}[i], p.Unseen)
	}
	_, stderr = predict(write("same.csv", "smiles\nCCO\nCN\n"))
	require.Empty(t, stderr)
}
