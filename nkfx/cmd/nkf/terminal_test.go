package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// hostile is a name that would turn a terminal red, clear it, forge a line and turn text around.
const hostile = "x\x1b[31m\u009b2J\nnkf: all is well\u202etxt\x7f\tz"

// requirePlain: nothing that was written acts on a terminal.
func requirePlain(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for line := range strings.Lines(text) {
			require.False(t, strings.HasPrefix(line, "nkf: all is well"), text)
		}
		for _, r := range text {
			require.True(t, r == '\n' || r == '\t' || strconv.IsPrint(r), "%q in %q", r, text)
		}
	}
}

// TestNamesOnTheTerminal: names of files, columns and classes are shown as what they are, whatever says them.
func TestNamesOnTheTerminal(t *testing.T) {
	onGo(t)
	folder, out := t.TempDir(), t.TempDir()
	path := filepath.Join(folder, strings.ReplaceAll(hostile, "\n", "\v")+".csv")
	file, err := os.Create(path)
	require.NoError(t, err)
	w := csv.NewWriter(file)
	require.NoError(t, w.Write([]string{"smiles", hostile, "1" + hostile, "2" + hostile}))
	for i := range 24 {
		yes := strconv.Itoa(i % 2)
		molecule := strings.Repeat("C", i+1) + []string{"O", ""}[i%2]
		require.NoError(t, w.Write([]string{molecule, hostile + yes, yes, yes}))
	}
	require.NoError(t, w.Write([]string{"C" + hostile, hostile, "0", "0"})) // no molecule
	w.Flush()
	require.NoError(t, w.Error())
	require.NoError(t, file.Close())

	run := func(want int, args ...string) (stdout string) {
		t.Helper()
		code, stdout, stderr := nkf(t, args...)
		require.Equal(t, want, code, stderr)
		requirePlain(t, stdout, stderr)
		return stdout
	}
	train := []string{"train", "--csv", path, "--smiles", "smiles", "--folds", "2", "--epochs", "1", "--out",
		out}
	quote := func(s string) string { return `"` + s + `"` }
	run(exitDone, append(train, "--label", quote(hostile))...)
	run(exitDone, append(train, "--label", quote(hostile), "--json", "--epochs", "2")...)
	run(exitDone, append(train, "--label", quote("1"+hostile)+","+quote("2"+hostile), "--name", "tasks")...)
	run(exitError, append(train, "--label", "none")...)
	run(exitError, append(train, "--label", quote(hostile), "--task", "regression")...)
	folders, err := os.ReadDir(filepath.Join(out, "models"))
	require.NoError(t, err)
	require.Len(t, folders, 2)
	for _, model := range folders {
		line := []string{"predict", "--model", filepath.Join(out, "models", model.Name()), "--csv", path,
			"--smiles", "smiles", "--id", hostile}
		text := run(exitDone, line...)
		columns := strings.Count(strings.SplitN(text, "\n", 2)[0], "\t")
		for row := range strings.Lines(text) {
			require.Equal(t, columns, strings.Count(row, "\t"), row)
		}
		rows := run(exitDone, append(line, "--json")...)
		var p models.Prediction
		require.NoError(t, json.Unmarshal([]byte(rows[:strings.Index(rows, "\n")]), &p))
		if model.Name() != "tasks" {
			require.Contains(t, []string{hostile + "0", hostile + "1"}, p.Class, "exactly")
		}
	}
	run(exitError, "predict", "--model", filepath.Join(out, "models", "tasks"), "--tu", excerpt(t))
	run(exitError, "predict", "--model", folder+"/"+hostile, "--tu", excerpt(t))
}
