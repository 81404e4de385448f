//go:build linux

// Package faults_test breaks what nkf relies on, and looks whether it keeps its promises: processes are
// killed at random moments or get signals, disks are full or read-only, and runs share one folder. What
// comes out must equal an undisturbed run, or be one sentence.
//
// A dozen moments are tried; with NKF_LONG=1 a hundred.
package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// program is the path of the real nkf. The child of a test gets it, too.
var program = os.Getenv("NKF_PROGRAM")

func TestMain(m *testing.M) {
	if program != "" {
		os.Exit(m.Run())
	}
	dir, remove, err := scratch.Make("", "nkf-faults-")
	if err == nil {
		program, err = nkftest.Program(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
	os.Setenv("NKF_PROGRAM", program)
	code := m.Run()
	remove()
	os.Exit(code)
}

// excerpt is the first 40 graphs of BZR.
func excerpt() string { return must(filepath.Abs("../../datasets/tu/testdata/BZR.zip")) }

// nkf returns a process of nkf.
func nkf(ctx context.Context, backend string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "GOMLX_BACKEND="+backend)
	return cmd
}

// training returns a process that cross-validates, fits a model on all graphs and saves it.
func training(ctx context.Context, out string) *exec.Cmd {
	return nkf(ctx, "go", "train", "graphs", excerpt(), "--folds", "3", "--seeds", "2", "--epochs", "3",
		"--json", "--out", out)
}

// finish runs the training to its end and returns what it leaves: its result without times, and its model.
func finish(t *testing.T, out string) (left [2]string) {
	t.Helper()
	cmd := training(t.Context(), out)
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
	// In JSON scores that are undefined are equal.
	model := must(os.ReadFile(filepath.Join(out, "models", "BZR-nkf", "model.json")))
	return [2]string{string(must(json.Marshal(r))), string(model)}
}

// refused: the training has failed with 1 and printed nothing. It returns what that said.
func refused(t *testing.T, stdout []byte, err error) (said string) {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Empty(t, stdout)
	return string(exit.Stderr)
}

// times returns how many moments are tried.
func times() int {
	if backendtest.Long() {
		return 100
	}
	return 12
}

// TestKilledTraining kills the real program at random moments from its start to the saving of its model,
// until it gets to its end: result and model are those of an undisturbed run, to the last bit.
func TestKilledTraining(t *testing.T) {
	moments, begin := rand.New(rand.NewPCG(2024, 11)), time.Now()
	want := finish(t, t.TempDir())
	whole := time.Since(begin)
	for kills := 0; kills < times(); {
		out, most, err := t.TempDir(), whole/2, error(nil)
		for first := true; first || err != nil; first = false {
			ctx, stop := context.WithTimeout(t.Context(), time.Duration(moments.Int64N(int64(most))))
			var output []byte
			if output, err = training(ctx, out).CombinedOutput(); err != nil {
				require.Error(t, ctx.Err(), string(output)) // it was killed
				kills++
				most += whole / 8 // longer and longer, so that the test ends on any machine
			}
			stop()
		}
		require.Equal(t, want, finish(t, out))
	}
}

// TestRunsAtOnce: of several runs that begin at the same moment on one folder, one works and the others
// refuse, or come when it is done; nothing is damaged.
func TestRunsAtOnce(t *testing.T) {
	want, out := finish(t, t.TempDir()), t.TempDir()
	var runs sync.WaitGroup
	var printed [6][]byte
	var errs [6]error
	for i := range errs {
		runs.Go(func() { printed[i], errs[i] = training(t.Context(), out).Output() })
	}
	runs.Wait()
	require.Contains(t, errs, error(nil), "one works")
	for i, err := range errs {
		if err != nil {
			require.Contains(t, refused(t, printed[i], err), "in use by another run")
		}
	}
	require.Equal(t, want, finish(t, out))
}

// TestNothingLeaks trains hundreds of batches: afterwards there are no more goroutines and temporary files
// than after the first hundred, and no more memory.
func TestNothingLeaks(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		t.Setenv("TMPDIR", t.TempDir())
		run := func(epochs int) { // of 5 folds of 24 graphs: 30 batches of 4
			x := experiments.NewRun(experiments.Own(must(tu.Open(excerpt()))), "nkf")
			x.Protocol = func(p *train.Protocol) { p.Epochs, p.Batch = epochs, 4 }
			must(x.Run(t.Context(), backend, nil))
		}
		for range 6 { // fill caches and pools, which stay
			run(1)
		}
		goroutines, heap := runtime.NumGoroutine(), live()
		native, counted := backendtest.NativeBytes()
		for range 3 {
			run(times() / 3)
		}
		require.LessOrEqual(t, runtime.NumGoroutine(), goroutines+2) // some are about to end
		// The tensors of one run are about 1 MB of coordinates, states and epochs.
		require.Less(t, live(), heap+1<<20, "memory of Go")
		if now, _ := backendtest.NativeBytes(); counted {
			// XLA's memory is none of Go's. Seen were 17.0 MB before and at most 0.7 MB more after; three
			// runs that left their tensors would take 3 MB more, their programs 10 MB.
			require.Less(t, now, native+2<<20, "memory of XLA")
		}
		require.Empty(t, must(os.ReadDir(os.Getenv("TMPDIR"))))
	})
}

// live returns the bytes of Go's heap that are in use.
func live() uint64 {
	runtime.GC()
	runtime.GC() // finalizers of the first round free more
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
