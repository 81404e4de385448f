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
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

const (
	patience = 10 * time.Second // for a file of some KB
	// A reader may allocate some buffers of 128 KiB, and a few times the file; formats add what they set up.
	// At most 0.8 MiB were seen.
	overhead = 3 << 19
	perByte  = 12
)

// inGo are words of Go and of its libraries, which mean nothing to a user.
var inGo = regexp.MustCompile(`\[\][a-z]|\bmap\[[a-z]|\bint32\b|\bfloat64\b|(^| )json: |strconv\.|Go value|` +
	`Go struct|graphFn|runtime error|<nil>|%!`)

// TestDamaged reads a sound file of each format, and damaged ones.
func TestDamaged(t *testing.T) {
	all, files, refused := formats(t), 200, map[string]int{}
	if backendtest.Long() {
		files = 2000
	}
	for i := range len(all) + files {
		f, r := all[i%len(all)], rand.New(rand.NewPCG(31, uint64(i))) // one file can be read alone
		if i < len(all) {
			r = nil
		}
		t.Run(fmt.Sprintf("%d %s", i, f.name), func(t *testing.T) {
			if err := f.attempt(t, f.write(t, r)); err != nil {
				require.NotNil(t, r, "a sound file: %v", err)
				refused[f.name]++
			}
		})
	}
	sum := 0
	for _, f := range all {
		require.Positive(t, refused[f.name], "no fault of %s is seen", f.name)
		sum += refused[f.name]
	}
	require.Greater(t, sum, files/2)
}

// attempt reads a file, and returns the error of the reader, which is one sentence. What is read without one
// holds together.
func (f format) attempt(t *testing.T, path string) error {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	defer func() {
		if t.Failed() {
			t.Logf("%.2000q", data)
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	var nonsense error
	require.NotPanics(t, func() { err, nonsense = f.read(path) })
	require.Less(t, time.Since(start), patience)
	runtime.ReadMemStats(&after)
	require.NoError(t, nonsense, "it is read")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, overhead+perByte*uint64(len(data)), "memory")
	if err == nil {
		return nil
	}
	text := err.Error()
	require.Contains(t, text, filepath.Base(path))
	require.Less(t, len(text), 800)
	require.NotContains(t, text, "\n")
	require.NotRegexp(t, inGo, text)
	if f.place != nil {
		require.Regexp(t, f.place, text)
	}
	return err
}
