// Package damage_test reads damaged files of all formats of data: each is an error of one sentence, or is
// read as data that hold together, in bounded time and memory.
//
// 200 files are read; with NKF_LONG=1 2,000.
package damage_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// outcome is what comes of reading a file.
type outcome struct {
	err      error  // of the reader
	nonsense error  // what is wrong with data that were read
	panicked string // with its stack
	hangs    bool
	took     time.Duration
	bytes    uint64 // that were allocated, and freed perhaps
}

const (
	patience = 10 * time.Second // for a file of some KB
	// A reader may allocate some buffers of 128 KiB, and a few times the file; formats add what they set up.
	// At most 0.8 MiB were seen.
	overhead = 3 << 19
	perByte  = 12
)

// attempt reads a file, in a goroutine of its own.
func attempt(f format, path string, patience time.Duration) (o outcome) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, done := time.Now(), make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.panicked = fmt.Sprintf("%v\n%s", r, debug.Stack())
			}
			done <- o
		}()
		o.err, o.nonsense = f.read(path)
	}()
	select {
	case o = <-done:
	case <-time.After(patience):
		o.hangs = true
	}
	o.took = time.Since(start)
	runtime.ReadMemStats(&after)
	o.bytes = after.TotalAlloc - before.TotalAlloc
	return o
}

// inGo are words of Go and of its libraries, which mean nothing to a user.
var inGo = regexp.MustCompile(`\[\][a-z]|\bmap\[[a-z]|\bint32\b|\bfloat64\b|(^| )json: |strconv\.|Go value|` +
	`Go struct|graphFn|runtime error|<nil>|%!`)

// requireSound fails unless the outcome is an error of one sentence or data that hold together.
func requireSound(t *testing.T, o outcome, f format, path string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("%.2000q", read(t, path))
		}
	}()
	require.Empty(t, o.panicked)
	require.False(t, o.hangs, "it hangs")
	require.NoError(t, o.nonsense, "it is read")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Less(t, o.bytes, overhead+perByte*uint64(info.Size()), "memory")
	if o.err == nil {
		return
	}
	text := o.err.Error()
	require.Contains(t, text, filepath.Base(path))
	require.Less(t, len(text), 800)
	require.NotContains(t, text, "\n")
	require.NotRegexp(t, inGo, text)
	if f.place != nil {
		require.Regexp(t, f.place, text)
	}
}

// TestDamaged reads damaged files of all formats.
func TestDamaged(t *testing.T) {
	all := formats(t)
	files, slowest, refused := 200, time.Duration(0), map[string]int{}
	if backendtest.Long() {
		files = 2000
	}
	for _, f := range all {
		o := attempt(f, f.write(t, t.TempDir(), nil), patience)
		require.NoError(t, o.err, f.name)
		requireSound(t, o, f, f.write(t, t.TempDir(), nil))
	}
	folder := t.TempDir()
	tried := map[string]int{}
	for i := range files {
		f := all[i%len(all)]
		r := rand.New(rand.NewPCG(31, uint64(i))) // one file can be read alone
		path := f.write(t, folder, r)
		o := attempt(f, path, patience)
		t.Run(fmt.Sprintf("%d %s", i, f.name), func(t *testing.T) { requireSound(t, o, f, path) })
		slowest = max(slowest, o.took)
		if tried[f.name]++; o.err != nil {
			refused[f.name]++
		}
		require.NoError(t, os.RemoveAll(path))
	}
	sum := 0
	for _, f := range all {
		t.Logf("%-16s %3d of %3d refused", f.name, refused[f.name], tried[f.name])
		sum += refused[f.name]
		require.Positive(t, refused[f.name], "no fault of %s is seen", f.name)
	}
	t.Logf("%d of %d files refused, the slowest took %v", sum, files, slowest)
	require.Greater(t, sum, files/2)
}
