//go:build unix

package models_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/models"
)

// TestReadFromAPipe: nobody waits for a model that never comes.
func TestReadFromAPipe(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, models.File), 0o666))
	_, err := models.Read(folder)
	require.ErrorContains(t, err, "not a regular file")
}
