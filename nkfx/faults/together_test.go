//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestRunsAtOnce: of several runs that begin at the same moment on one folder, one works and the others
// refuse, or come when it is done; nothing is damaged.
func TestRunsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("trains")
	}
	want, out := finish(t, t.TempDir()), t.TempDir()
	var work sync.WaitGroup
	var mu sync.Mutex
	succeeded := 0
	for range 6 {
		work.Go(func() {
			_, err := training(t, out).Output()
			mu.Lock()
			defer mu.Unlock()
			var exit *exec.ExitError
			switch {
			case err == nil:
				succeeded++
			case !errors.As(err, &exit) || exit.ExitCode() != 1 ||
				!bytes.Contains(exit.Stderr, []byte("in use by another run")):
				t.Error(err, string(exit.Stderr))
			}
		})
	}
	work.Wait()
	require.NotZero(t, succeeded)
	require.Equal(t, want, finish(t, out))
}

// TestClockJumps: no result depends on what time it is, which no program asks for (TestClock in nkfx/house).
// Files from the future and from long ago are taken for what they hold.
func TestClockJumps(t *testing.T) {
	if testing.Short() {
		t.Skip("trains")
	}
	out := t.TempDir()
	want := finish(t, out)
	journal, err := os.ReadFile(filepath.Join(out, "tu", "BZR-nkf.jsonl"))
	require.NoError(t, err)
	for _, when := range []time.Time{time.Unix(0, 0), time.Now().Add(100 * 365 * 24 * time.Hour)} {
		require.NoError(t, filepath.WalkDir(out, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chtimes(path, when, when)
		}))
		require.Equal(t, want, finish(t, out))
		after, err := os.ReadFile(filepath.Join(out, "tu", "BZR-nkf.jsonl"))
		require.NoError(t, err)
		require.Equal(t, journal, after, "nothing was trained again")
	}
}
