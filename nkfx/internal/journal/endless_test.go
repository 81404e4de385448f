//go:build unix

package journal

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipesAreNotOpened: a pipe in the place of a journal does not hold anybody up.
func TestPipesAreNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	require.NoError(t, syscall.Mkfifo(path, 0o644))
	_, err := Read(path)
	require.ErrorContains(t, err, path+" is not a file")
	for range 2 { // the lock is given back
		_, err = Open(path)
		require.ErrorContains(t, err, path+" is not a file")
	}
}
