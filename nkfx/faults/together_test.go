//go:build linux

package faults_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/tu"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// TestRunsAtOnce: of several runs that begin at the same moment on one folder, one works and the others
// refuse, or come when it is done; nothing is damaged.
func TestRunsAtOnce(t *testing.T) {
	want, out := finish(t, t.TempDir()), t.TempDir()
	var work sync.WaitGroup
	var printed [6][]byte
	var errs [6]error
	for i := range errs {
		work.Go(func() { printed[i], errs[i] = training(out).Output() })
	}
	work.Wait()
	require.Contains(t, errs, error(nil), "one works")
	for i, err := range errs {
		if err != nil {
			require.Contains(t, refused(t, printed[i], err), "in use by another run")
		}
	}
	require.Equal(t, want, finish(t, out))
}

// TestFilesObeyTheUmask: what nkf writes is as private as the user's other files.
func TestFilesObeyTheUmask(t *testing.T) {
	for mask, want := range map[int]os.FileMode{0o077: 0o600, 0o002: 0o664} {
		out := t.TempDir()
		func() {
			defer syscall.Umask(syscall.Umask(mask))
			finish(t, out)
		}()
		seen := 0
		require.NoError(t, filepath.WalkDir(out, func(path string, entry os.DirEntry, err error) error {
			info, infoErr := entry.Info()
			if err = errors.Join(err, infoErr); err != nil || !info.Mode().IsRegular() {
				return err
			}
			seen++
			require.Equal(t, want, info.Mode(), path)
			return nil
		}))
		require.GreaterOrEqual(t, seen, 3, "model, journal and lock")
	}
}

// TestNothingLeaks trains a thousand batches and more: afterwards there are no more goroutines and temporary
// files than after the first hundred, and no more memory.
func TestNothingLeaks(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		temporary := t.TempDir()
		t.Setenv("TMPDIR", temporary)
		// An epoch of 5 folds of 24 graphs: 30 batches of 4.
		run := func(epochs int) {
			x := experiments.NewRun(experiments.Own(must(tu.Open(excerpt()))), "nkf")
			x.Protocol = func(p *train.Protocol) { p.Epochs, p.Batch = epochs, 4 }
			must(x.Run(t.Context(), backend, nil))
		}
		// The first runs fill caches and pools, which stay.
		for range 6 {
			run(1)
		}
		goroutines, heap := runtime.NumGoroutine(), live()
		native, counted := backendtest.NativeBytes()
		epochs := 4
		if backendtest.Long() {
			epochs = 12
		}
		for range 3 {
			run(epochs)
		}
		// Goroutines that are about to end are not leaked.
		require.LessOrEqual(t, runtime.NumGoroutine(), goroutines+2)
		// The tensors of one run are about 1 MB of coordinates, states and epochs.
		require.Less(t, live(), heap+1<<20, "memory of Go")
		if counted {
			// XLA's memory is none of Go's. Seen were 17.0 MB before and at most 0.7 MB more after; three
			// runs that left their tensors would take 3 MB more, their programs 10 MB.
			now, _ := backendtest.NativeBytes()
			t.Logf("goroutines %d to %d, Go's heap %d to %d bytes, memory of XLA %d to %d bytes", goroutines,
				runtime.NumGoroutine(), heap, live(), native, now)
			require.Less(t, now, native+2<<20, "memory of XLA")
		}
		require.Empty(t, must(os.ReadDir(temporary)))
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
