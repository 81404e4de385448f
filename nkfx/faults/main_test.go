//go:build linux

// Package faults_test breaks what nkf relies on, and looks whether it keeps its promises: processes are
// killed at random moments, disks are full or read-only, clocks jump, and runs share one folder. What comes
// out must equal an undisturbed run, or be one sentence.
//
// A dozen faults of each kind are tried; with NKF_LONG=1 a hundred.
package faults_test

import (
	"bytes"
	"encoding/json"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
)

// program is the path of the real nkf.
var program string

func TestMain(m *testing.M) {
	if os.Getenv(again) != "" {
		os.Exit(m.Run()) // a child does not need the program
	}
	dir, remove, err := scratch.Make("", "nkf-faults-")
	if err == nil {
		program, err = nkftest.Program(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	remove()
	os.Exit(code)
}

// times returns how many faults of a kind are tried.
func times() int {
	if backendtest.Long() {
		return 100
	}
	return 12
}

// moments is where the random moments of faults come from.
var moments = rand.New(rand.NewPCG(2024, 11))

// again names the test that a child process runs.
const again = "NKF_TEST_AGAIN"

// isChild reports whether this is a child of this very test.
func isChild(t *testing.T) bool { return os.Getenv(again) == t.Name() }

// child returns a process that runs this test again.
func child(t *testing.T, environment ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(append(os.Environ(), again+"="+t.Name()), environment...)
	return cmd
}

// killAfter starts the process and kills it after that time, as power cuts do. It returns whether the process
// came to its end before; then it must have succeeded.
func killAfter(t *testing.T, cmd *exec.Cmd, after time.Duration) (finished bool) {
	t.Helper()
	var output bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &output
	}
	cmd.Stderr = &output
	require.NoError(t, cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		require.NoError(t, err, output.String())
		return true
	case <-time.After(after):
		if cmd.Process.Kill() != nil { // it came to its end at this very moment
			require.NoError(t, <-done, output.String())
			return true
		}
		<-done
		return false
	}
}

// between returns a random time up to most.
func between(most time.Duration) time.Duration { return time.Duration(moments.Int64N(int64(most))) }

// excerpt is the first 40 graphs of BZR.
func excerpt() string { return must(filepath.Abs("../../datasets/tu/testdata/BZR.zip")) }

// training returns a process that cross-validates, fits a model on all graphs and saves it.
func training(out string) *exec.Cmd {
	cmd := exec.Command(program, "train", "--tu", excerpt(), "--folds", "3", "--seeds", "2", "--epochs", "3",
		"--json", "--out", out)
	cmd.Env = append(os.Environ(), "GOMLX_BACKEND=go")
	return cmd
}

// refused: a process has failed with 1 and printed nothing. It returns what that said.
func refused(t *testing.T, stdout []byte, err error) (said string) {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Empty(t, stdout)
	return string(exit.Stderr)
}

// outcome is what a training leaves: its result without times, and its model.
type outcome struct {
	result string // JSON, in which scores that are undefined are equal
	model  string
}

// finish runs the training to its end and returns what it leaves.
func finish(t *testing.T, out string) outcome {
	t.Helper()
	cmd := training(out)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var r experiments.Result
	require.NoError(t, json.Unmarshal(stdout, &r))
	r.Seconds, r.Compilations = 0, 0
	for i := range r.Folds {
		r.Folds[i].Seconds = 0
	}
	result := must(json.Marshal(r))
	model := must(os.ReadFile(filepath.Join(out, "models", "BZR-nkf", "model.json")))
	return outcome{string(result), string(model)}
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
