//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

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

// TestFilesObeyTheUmask: what nkf writes is as private as the user's other files.
func TestFilesObeyTheUmask(t *testing.T) {
	if testing.Short() {
		t.Skip("trains")
	}
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
