package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
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
	code, stdout, stderr := nkf(t, append(line, "--json")...)
	require.Equal(t, exitDone, code, stderr)
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
	code, again, stderr := nkf(t, append(line, "--json")...)
	require.Equal(t, exitDone, code, stderr)
	a, b := r[0], results(t, again)[0]
	a.Seconds, b.Seconds, a.Compilations, b.Compilations = 0, 0, 0, 0
	require.Equal(t, a, b)

	code, stdout, stderr = nkf(t, line...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "BZR")
	require.Contains(t, stdout, "the model is in")

	folder := filepath.Join(out, "models", r[0].Dataset+"-nkf")
	code, stdout, stderr = nkf(t, "predict", "--model", folder, "--tu", excerpt(t), "--json")
	require.Equal(t, exitDone, code, stderr)
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
		code, _, stderr := nkf(t, "predict", "--model", folder, "--tu", excerpt(t))
		require.Equal(t, exitError, code)
		require.Contains(t, stderr, want)
	}
	code, _, stderr = nkf(t, "predict", "--model", out, "--tu", excerpt(t))
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "holds no model")
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

// TestMissingData: what is not there is an error, and not one of usage.
func TestMissingData(t *testing.T) {
	onGo(t)
	code, _, stderr := nkf(t, "train", "--tu", "/does/not/exist", "--out", t.TempDir())
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "does/not/exist")
}

// TestTwoRunsAtOnce: the second one says that the folder is in use.
func TestTwoRunsAtOnce(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	first := make(chan int, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		var stdout, stderr bytes.Buffer
		args := []string{"train", "--tu", excerpt(t), "--epochs", "100000", "--out", out}
		first <- newApp(strings.NewReader(""), &stdout, &stderr).run(ctx, args)
	}()
	journal := filepath.Join(out, "tu", "BZR-nkf.jsonl") // made when the lock is held
	require.Eventually(t, func() bool { _, err := os.Stat(journal); return err == nil },
		time.Minute, time.Millisecond)
	code, _, stderr := nkf(t, "train", "--tu", excerpt(t), "--epochs", "1", "--out", out)
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "in use by another run")
	cancel()
	require.Equal(t, 130, <-first)
}

// TestInterruptAndContinue ends the real program with a signal in the middle
// of its work; the same command then does the rest, with the numbers of an
// undisturbed run.
func TestInterruptAndContinue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	onGo(t)
	binary := program(t)
	args := func(out string) []string {
		return []string{"train", "--tu", excerpt(t), "--folds", "4", "--epochs", "40", "--workers", "1",
			"--json", "--out", out}
	}
	disturbed := t.TempDir()
	journal := filepath.Join(disturbed, "tu", "BZR-nkf.jsonl")
	child := exec.Command(binary, args(disturbed)...)
	var stderr bytes.Buffer
	child.Stderr = &stderr
	require.NoError(t, child.Start())
	require.Eventually(t, func() bool {
		info, err := os.Stat(journal)
		return err == nil && info.Size() > 0
	}, time.Minute, time.Millisecond)
	require.NoError(t, child.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, child.Wait(), &exit)
	require.Equal(t, 130, exit.ExitCode(), stderr.String())

	// As text, in which scores that are undefined are equal.
	finish := func(out string) string {
		stdout, err := exec.Command(binary, args(out)...).Output()
		require.NoError(t, err)
		r := results(t, string(stdout))[0]
		r.Seconds, r.Compilations = 0, 0
		for i := range r.Folds {
			require.Equal(t, i, r.Folds[i].Fold)
			r.Folds[i].Seconds = 0
		}
		text, err := json.Marshal(r)
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, finish(t.TempDir()), finish(disturbed))
}

// TestGraphsWithoutAnything: neither attributes nor labels, a graph without
// nodes and one without edges.
func TestGraphsWithoutAnything(t *testing.T) {
	onGo(t)
	folder := filepath.Join(t.TempDir(), "BARE")
	require.NoError(t, os.Mkdir(folder, 0o777))
	var edges, indicator, labels strings.Builder
	node := 0
	for g := range 30 {
		size := 3 + g%4
		if g == 7 {
			size = 0
		}
		for v := range size {
			indicator.WriteString(itoa(g+1) + "\n")
			if g != 8 && (v > 0 || g%2 == 0) && size > 1 {
				a, b := node+v+1, node+(v+1)%size+1
				edges.WriteString(itoa(a) + ", " + itoa(b) + "\n" + itoa(b) + ", " + itoa(a) + "\n")
			}
		}
		node += size
		labels.WriteString(itoa(g%2) + "\n")
	}
	for name, text := range map[string]string{
		"BARE_A.txt":               edges.String(),
		"BARE_graph_indicator.txt": indicator.String(),
		"BARE_graph_labels.txt":    labels.String(),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	archive, err := tu.Open(folder)
	require.NoError(t, err)
	require.Equal(t, 30, archive.Graphs())
	code, stdout, stderr := nkf(t, "train", "--tu", folder, "--folds", "2", "--epochs", "2", "--json",
		"--out", t.TempDir())
	require.Equal(t, exitDone, code, stderr)
	require.Equal(t, "degree", results(t, stdout)[0].Features)
}

func itoa(v int) string { b, _ := json.Marshal(v); return string(b) }
