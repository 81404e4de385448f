//go:build unix

package tu

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEndlessFiles: no file without an end is read.
func TestEndlessFiles(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	for _, endless := range []string{pipe, "/dev/zero"} {
		_, err := Open(endless)
		require.ErrorContains(t, err, "neither a zip archive nor a folder")
	}
	set := filepath.Join(folder, "set")
	require.NoError(t, os.Mkdir(set, 0o755))
	for name, content := range named(toy(), "TOY_%s.txt") {
		require.NoError(t, os.WriteFile(filepath.Join(set, name), []byte(content), 0o644))
	}
	require.NoError(t, os.Remove(filepath.Join(set, "TOY_A.txt")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(set, "TOY_A.txt")))
	_, err := Open(set)
	require.ErrorContains(t, err, "no file name ends in _A.txt")
}
