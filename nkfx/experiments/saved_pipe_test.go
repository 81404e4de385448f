//go:build unix

package experiments

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoadModelFromAPipe: nobody waits for a model that never comes.
func TestLoadModelFromAPipe(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, savedFile), 0o666))
	_, err := LoadModel(folder)
	require.ErrorContains(t, err, "not a regular file")
}
