package faults_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// TestNothingLeaks trains a thousand batches and more: afterwards there are no more goroutines and temporary
// files than after the first hundred, and no more memory.
func TestNothingLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a thousand batches")
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		temporary := t.TempDir()
		t.Setenv("TMPDIR", temporary)
		// An epoch of 5 folds of 24 graphs: 30 batches of 4.
		run := func(epochs int) {
			x := experiments.NewTU("", "nkf")
			x.Path, x.Protocol.Epochs, x.Protocol.Batch = excerpt(t), epochs, 4
			_, err := x.Run(t.Context(), backend, nil)
			require.NoError(t, err)
		}
		// The first programs that are compiled on a thread make it take memory for compiling, which it keeps:
		// six compilations of XLA took 294, 368, 449, 463, 553 and 558 MB in all, the next two 568 and 574.
		for range 6 {
			run(1)
		}
		goroutines, heap, resident := runtime.NumGoroutine(), live(), residentBytes(t)
		const runs = 3
		for range runs {
			run(12)
		}
		// Goroutines that are about to end are not leaked.
		require.LessOrEqual(t, runtime.NumGoroutine(), goroutines+2)
		// The tensors of one run are about 1 MB of coordinates, states and epochs.
		require.Less(t, live(), heap+1<<20, "memory of Go")
		// XLA's memory is none of Go's. What is allowed is as much as two more programs took at first; three
		// runs that gave nothing back would take twice as much.
		grown := residentBytes(t) - resident
		t.Logf("goroutines %d to %d, heap %d to %d bytes, resident %+d bytes", goroutines,
			runtime.NumGoroutine(), heap, live(), grown)
		require.Less(t, grown, int64(128<<20))
		left, err := os.ReadDir(temporary)
		require.NoError(t, err)
		require.Empty(t, left)
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

// residentBytes returns the memory that the process has, XLA's too.
func residentBytes(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			var kilobytes int64
			for _, digit := range strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")) {
				kilobytes = 10*kilobytes + int64(digit-'0')
			}
			return kilobytes << 10
		}
	}
	t.Skip("this machine does not tell the memory of a process")
	return 0
}
