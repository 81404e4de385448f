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

// rings writes a file of 24 molecules with a column under each of the names that says whether there is a
// ring, and returns its path.
func rings(t *testing.T, names ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rings.csv")
	file, err := os.Create(path)
	require.NoError(t, err)
	w := csv.NewWriter(file)
	require.NoError(t, w.Write(append([]string{"smiles"}, names...)))
	for i := range 24 {
		row := []string{[]string{"C1CC1", "CCC"}[i%2] + strings.Repeat("C", i)}
		for range names {
			row = append(row, []string{"1", "0"}[i%2])
		}
		require.NoError(t, w.Write(row))
	}
	w.Flush()
	require.NoError(t, w.Error())
	require.NoError(t, file.Close())
	return path
}

// TestModelsAreNotLost: a model takes the place of one of other data, columns or kind neither with a name
// that was given nor without, which is told before anything is trained; it does when it is trained again.
func TestModelsAreNotLost(t *testing.T) {
	onGo(t)
	path, out := rings(t, "ring", "kind"), t.TempDir()
	table, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")
	doubled := "solvent," + strings.Join(lines, "\nO,") + "\n" // a second column of molecules
	require.NoError(t, os.WriteFile(path, []byte(doubled), 0o600))
	train := func(args ...string) (code int, stdout, stderr string) {
		line := append(strings.Fields("train --smiles smiles --folds 2 --epochs 1 --csv"), path, "--out", out)
		return nkf(t, append(line, args...)...)
	}
	code, stdout, stderr := train("--label", "ring", "--name", "mine")
	require.Equal(t, exitDone, code, stderr)
	folder := filepath.Join(out, "models", "mine")
	require.Contains(t, stdout, folder)
	file := filepath.Join(folder, "model.json")
	first, err := os.ReadFile(file)
	require.NoError(t, err)
	for what, args := range map[string][]string{
		"other columns": {"--label", "kind"},
		"another kind":  {"--label", "ring", "--model", "gin"},

		"other columns, which": {"--label", "ring", "--smiles", "solvent"},
	} {
		code, _, stderr := train(append(args, "--name", "mine", "--epochs", "9")...)
		require.Equal(t, exitError, code, what)
		require.Contains(t, stderr, folder+" holds a model of "+what)
		require.Contains(t, stderr, "--name")
		require.NotContains(t, stderr, "trainings", "before anything is trained")
	}
	code, _, stderr = train("--label", "ring", "--name", "mine")
	require.Equal(t, exitDone, code, stderr)
	require.NotContains(t, stderr, "replaced", "by itself")
	code, _, stderr = train("--label", "ring", "--epochs", "2", "--name", "mine", "--features", "one-hot")
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stderr, folder+" held a model with other settings (features numbers, seed 42, last "+
		"epoch 1), which is replaced")
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotEqual(t, first, again)

	code, _, stderr = train("--label", "ring")
	require.Equal(t, exitDone, code, stderr)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, "O,CCCCN,0,0\n"...), 0o600))
	code, _, stderr = train("--label", "ring")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, filepath.Join(out, "models", "rings-ring-nkf")+" holds a model of other data")

	require.NoError(t, os.WriteFile(file, []byte(`{"format":1}`), 0o600))
	code, _, stderr = train("--label", "ring", "--name", "mine")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "has format 1")
	require.NoError(t, os.WriteFile(file, []byte(`{"format`), 0o600))
	code, _, stderr = train("--label", "ring", "--name", "mine")
	require.Equal(t, exitDone, code, "what is damaged is no loss: %s", stderr)
}

// TestModelNamesAreChecked: a name that cannot be is an error before anything is read or trained.
func TestModelNamesAreChecked(t *testing.T) {
	onGo(t)
	for _, name := range []string{"a/b", "..", ".hidden", "a b", `a\b`, "a\nb", strings.Repeat("漢", 67)} {
		code, _, stderr := nkf(t, "train", "--csv", "none.csv", "--smiles", "s", "--label", "l", "--name",
			name)
		require.Equal(t, exitUsage, code, name)
		require.Contains(t, stderr, "is not a valid name of a model")
	}
	path, out := rings(t, "ring"), t.TempDir()
	train := []string{"train", "--csv", path, "--smiles", "smiles", "--label", "ring", "--folds", "2",
		"--epochs", "1", "--out", out}
	require.NoError(t, os.WriteFile(filepath.Join(out, "models"), nil, 0o600)) // no folder
	fails(t, "the folder of the model: ", train...)
	requireFiles(t, out, "models")
	require.NoError(t, os.Remove(filepath.Join(out, "models")))

	// A training that fails leaves no folder that looks like a model.
	require.NoError(t, os.WriteFile(filepath.Join(out, "moleculenet"), nil, 0o600)) // no folder
	code, _, stderr := nkf(t, train...)
	require.Equal(t, exitError, code, stderr)
	requireFiles(t, filepath.Join(out, "models"))
}

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
