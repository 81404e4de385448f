package train

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadJournal: reading disturbs nobody, and changes nothing.
func TestReadJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	none, err := ReadJournal(path)
	require.NoError(t, err)
	require.NoFileExists(t, path)
	ok, err := none.Get("a", new(int))
	require.NoError(t, err)
	require.False(t, ok)
	require.NoError(t, none.Close())

	j, err := OpenJournal(path)
	require.NoError(t, err)
	require.NoError(t, j.Append("a", 1))
	_, err = j.file.WriteString(`{"key":"b","val`) // another process in the middle of a line
	require.NoError(t, err)
	read, err := ReadJournal(path)
	require.NoError(t, err)
	var one int
	ok, err = read.Get("a", &one)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 1, one)
	require.ErrorContains(t, read.Append("c", 2), "only read")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), `"val`)
	require.NoError(t, j.Close())
	_, err = ReadJournal(filepath.Dir(path))
	require.Error(t, err, "a folder")
}

// TestOpenAndRemoveAtOnce: while journals come and go, nobody shares one, and
// no line is lost.
func TestOpenAndRemoveAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	var work sync.WaitGroup
	var mu sync.Mutex
	owners, opened := 0, 0
	for range 4 {
		work.Go(func() {
			for range 500 {
				j, err := OpenJournal(path)
				if err != nil {
					continue // another one has it
				}
				mu.Lock()
				owners++
				opened++
				if owners != 1 || len(j.lines) != 0 {
					t.Error("a journal of two owners, or of one that was gone")
				}
				mu.Unlock()
				if err := j.Append("key", 1); err != nil {
					t.Error(err)
				}
				mu.Lock()
				owners--
				mu.Unlock()
				if err := j.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	require.NotZero(t, opened)
	require.NoFileExists(t, path)
	require.NoFileExists(t, path+".lock")
}
