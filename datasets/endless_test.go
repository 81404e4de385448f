//go:build unix

package datasets

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipesAreNotRead: a pipe where a file should be does not hold anybody up.
func TestPipesAreNotRead(t *testing.T) {
	f := &Finder{Folders: []string{t.TempDir()}}
	pipe := filepath.Join(f.Folders[0], "TOY.zip")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	_, err := f.Open(PublishedFile{Name: "TOY", Path: "TOY.zip"})
	require.EqualError(t, err, "TOY: read "+pipe+": it is not a file")
	_, err = FileSHA256("/dev/zero")
	require.ErrorContains(t, err, "it is not a file")
}
