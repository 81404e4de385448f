//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChangedFigures: a figure of a journal that somebody changed ends up in no result. The run says which
// line it is and what can be done, and after that goes on to what it would have been.
func TestChangedFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("trains")
	}
	out := t.TempDir()
	want := finish(t, out)
	journal := filepath.Join(out, "tu", "BZR-nkf.jsonl")
	whole, err := os.ReadFile(journal)
	require.NoError(t, err)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	accuracy := regexp.MustCompile(`"accuracy":[0-9.]+`)
	require.Regexp(t, accuracy, string(lines[1]))
	for _, figure := range []string{"99", "1e300", "null", "-1"} {
		changed := accuracy.ReplaceAll(lines[1], []byte(`"accuracy":`+figure))
		text := bytes.Join([][]byte{lines[0], changed, bytes.Join(lines[2:], nil)}, nil)
		require.NoError(t, os.WriteFile(journal, text, 0o666))
		stdout, err := training(t, out).Output()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, figure)
		require.Equal(t, 1, exit.ExitCode())
		require.Empty(t, stdout)
		require.Contains(t, string(exit.Stderr), journal+", line 2 is damaged")
		require.Contains(t, string(exit.Stderr), "remove the line")
		left, err := os.ReadFile(journal)
		require.NoError(t, err)
		require.Equal(t, text, left, "nothing else is lost")
	}
	require.NoError(t, os.WriteFile(journal, bytes.Join(append(lines[:1:1], lines[2:]...), nil), 0o666))
	require.Equal(t, want, finish(t, out), "with what was said")
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
