package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// rings is a table of 24 molecules with two columns of molecules, and two that say whether there is a ring.
func rings() string {
	text := "solvent,smiles,ring,kind\n"
	for i := range 24 {
		chain, ring := strings.Repeat("C", i), 1-i%2
		text += fmt.Sprintf("O,%s%s,%d,%[3]d\n", []string{"C1CC1", "CCC"}[i%2], chain, ring)
	}
	return text
}

// TestModelsAreNotLost: a model takes the place of one of other data, columns or kind neither with a name
// that was given nor without, which is told before anything is trained; it does when it is trained again.
func TestModelsAreNotLost(t *testing.T) {
	workshop(t)
	put(t, "rings.csv", rings())
	const train = "train molecules rings.csv --smiles smiles --folds 2 --epochs 1 --out . --label ring "
	stdout, _ := done(t, train+"--name mine")
	require.Contains(t, stdout, "models/mine")
	const file = "models/mine/model.json"
	first := sure(os.ReadFile(file))
	for other, what := range map[string]string{
		"--label kind": "other columns", "--model gin": "another kind",
		"--smiles solvent": "other columns, which",
	} {
		line := strings.Replace(train, "--label ring", "", strings.Count(other, "label")) + other
		stderr := fails(t, "models/mine holds a model of "+what, line+" --name mine --epochs 9")
		require.Contains(t, stderr, "--name")
		require.NotContains(t, stderr, "trainings", "before anything is trained")
	}
	_, stderr := done(t, train+"--name mine")
	require.NotContains(t, stderr, "replaced", "by itself")
	_, stderr = done(t, train+"--epochs 2 --name mine --features one-hot")
	require.Contains(t, stderr, "models/mine held a model with other settings (features numbers, seed 42, "+
		"last epoch 1), which is replaced")
	require.NotEqual(t, first, sure(os.ReadFile(file)))

	done(t, train)
	put(t, "rings.csv", rings()+"O,CCCCN,0,0\n")
	fails(t, "models/rings-ring-nkf holds a model of other data", train)

	put(t, file, `{"format":1}`)
	fails(t, "has format 1", train+"--name mine")
	put(t, file, `{"format`) // what is damaged is no loss
	done(t, train+"--name mine")
}

// watcher calls a function with what is written.
type watcher func(text string)

// Write calls the function.
func (w watcher) Write(p []byte) (int, error) { w(string(p)); return len(p), nil }

// TestModelOfAnotherRun: a model that another run saved under the same name during the training is not lost.
func TestModelOfAnotherRun(t *testing.T) {
	workshop(t)
	put(t, "rings.csv", rings())
	const train = "train molecules rings.csv --smiles smiles --label ring --folds 2 --epochs 1 --out . " +
		"--name mine"
	done(t, train+" --model gin")
	const file = "models/mine/model.json"
	other := string(sure(os.ReadFile(file)))
	require.NoError(t, os.Remove(file))
	stderr := ""
	a := newApp(strings.NewReader(""), io.Discard, watcher(func(text string) {
		if stderr += text; strings.Contains(text, "1 of 2 trainings") {
			put(t, file, other)
		}
	}))
	require.Equal(t, exitError, a.run(t.Context(), strings.Fields(train)), stderr)
	require.Contains(t, stderr, "models/mine holds a model of another kind")
	require.Equal(t, other, string(sure(os.ReadFile(file))))
}

// TestModelFolders: a folder that cannot be is an error before anything is trained, and a training that fails
// leaves none that looks like a model; a name that cannot be is one before anything is read.
func TestModelFolders(t *testing.T) {
	workshop(t)
	put(t, "rings.csv", rings())
	const train = "train molecules rings.csv --smiles smiles --label ring --folds 2 --epochs 1 --out out"
	put(t, "out/models", "") // no folder
	fails(t, "the folder for results: ", train)
	requireFiles(t, "out", "models")
	require.NoError(t, os.Remove("out/models"))
	put(t, "out/own-molecules", "") // no folder
	fails(t, "own-molecules", train)
	requireFiles(t, "out/models")
	for _, name := range []string{"a/b", "..", ".hidden", "a b", `a\b`, "a\nb", strings.Repeat("漢", 67)} {
		require.Contains(t, requireUsage(t, train+" --name", name), "is not a valid name of a model")
	}
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
	workshop(t)
	path := strings.ReplaceAll(hostile, "\n", "\v") + ".csv"
	quote := func(s string) string { return `"` + s + `"` }
	text := fmt.Sprintf("smiles,%s,%s,%s\n", quote(hostile), quote("1"+hostile), quote("2"+hostile))
	for i := range 24 {
		molecule := strings.Repeat("C", i+1) + []string{"O", ""}[i%2]
		text += fmt.Sprintf("%s,%s,%d,%[3]d\n", molecule, quote(hostile+strconv.Itoa(i%2)), i%2)
	}
	put(t, path, text+quote("C"+hostile)+","+quote(hostile)+",0,0\n") // no molecule

	run := func(want int, line string, more ...string) (stdout string) {
		t.Helper()
		code, stdout, stderr := nkf(line, more...)
		require.Equal(t, want, code, stderr)
		requirePlain(t, stdout, stderr)
		return stdout
	}
	const train = "train molecules --smiles smiles --folds 2 --epochs 1 --out ."
	run(exitDone, train, path, "--label", quote(hostile))
	run(exitDone, train, path, "--label", quote(hostile), "--json", "--epochs", "2")
	run(exitDone, train, path, "--label", quote("1"+hostile)+","+quote("2"+hostile), "--name", "tasks")
	run(exitError, train, path, "--label", "none")
	run(exitError, train, path, "--label", quote(hostile), "--task", "regression")
	folders := sure(os.ReadDir("models"))
	require.Len(t, folders, 2)
	for _, model := range folders {
		predict := func(line string) string {
			return run(exitDone, line, "--model", "models/"+model.Name(), path, "--id", hostile)
		}
		text := predict("predict molecules --smiles smiles")
		columns := strings.Count(strings.SplitN(text, "\n", 2)[0], "\t")
		for row := range strings.Lines(text) {
			require.Equal(t, columns, strings.Count(row, "\t"), row)
		}
		p := rows[models.Prediction](t, predict("predict molecules --smiles smiles --json"))[0]
		if model.Name() != "tasks" {
			require.Contains(t, []string{hostile + "0", hostile + "1"}, p.Class, "exactly")
		}
	}
	run(exitError, "predict graphs --model models/tasks", excerpt)
	run(exitError, "predict graphs --model", hostile, excerpt)
}
