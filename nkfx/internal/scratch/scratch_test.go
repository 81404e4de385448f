package scratch

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFolderOfAKilledProcess: the folder of a process that was killed goes when the next one makes
// its own; that of a living one stays.
func TestFolderOfAKilledProcess(t *testing.T) {
	const variable = "NKF_TEST_SCRATCH"
	if parent := os.Getenv(variable); parent != "" {
		_, _, err := Make(parent, "x-")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(parent, "ready"), nil, 0o666))
		select {}
	}
	parent := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run", "^TestFolderOfAKilledProcess$")
	child.Env = append(os.Environ(), variable+"="+parent)
	require.NoError(t, child.Start())
	defer func() { _ = child.Process.Kill() }()
	ready := filepath.Join(parent, "ready")
	require.Eventually(t, func() bool { _, err := os.Stat(ready); return err == nil },
		time.Minute, time.Millisecond)
	left := func() []string {
		found, err := filepath.Glob(filepath.Join(parent, "x-*"))
		require.NoError(t, err)
		return found
	}
	theirs := left()
	require.Len(t, theirs, 1)

	mine, remove, err := Make(parent, "x-")
	require.NoError(t, err)
	require.ElementsMatch(t, append(theirs, mine), left(), "the other process is alive")
	remove()
	require.Equal(t, theirs, left())

	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	mine, remove, err = Make(parent, "x-")
	require.NoError(t, err)
	require.Equal(t, []string{mine}, left())
	remove()
	require.Empty(t, left())
}

// TestFoldersAtOnce: nobody takes a folder that was just made for one left behind.
func TestFoldersAtOnce(t *testing.T) {
	parent := t.TempDir()
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 50 {
				dir, remove, err := Make(parent, "x-")
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
					t.Error(err)
				}
				remove()
			}
		})
	}
	work.Wait()
	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Empty(t, entries)
	_, _, err = Make(filepath.Join(parent, "absent"), "x-")
	require.ErrorIs(t, err, os.ErrNotExist)
	// What is not a scratch folder stays.
	other := filepath.Join(parent, "x-other")
	require.NoError(t, os.Mkdir(other, 0o777))
	sweep(parent, "x-")
	require.DirExists(t, other)
}
