package experiments

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFolderOfManyRuns: runs that reserve and release a folder at the same time do not get into each other's
// way, and leave nothing behind.
func TestFolderOfManyRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "models", "BZR-nkf")
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			for range 200 {
				var run Training
				if _, err := run.Reserve(folder); err != nil {
					t.Error(err)
					return
				}
				if err := run.Release(folder); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	runs.Wait()
	require.NoDirExists(t, folder)
	require.DirExists(t, filepath.Dir(folder))
}
