package train

import (
	"os"
	"path/filepath"
	"strings"
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

// TestChangedJournal: whatever is changed in a line is noticed, by readers and
// by writers, and what can be done is said; a line of an older version is not
// taken for damage alone.
func TestChangedJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, err := OpenJournal(path)
	require.NoError(t, err)
	require.NoError(t, j.Append("BZR fold=0 <&>\u2028", Fit{Last: Scores{Accuracy: 81.25}, Seconds: 1.5}))
	require.NoError(t, j.Append("BZR fold=1", Fit{Last: Scores{Accuracy: 79}}))
	require.NoError(t, j.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	both := func(text string) (errs []error) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := ReadJournal(path)
		j, opened := OpenJournal(path)
		if opened == nil {
			require.NoError(t, j.Close())
		}
		left, readErr := os.ReadFile(path)
		require.NoError(t, readErr)
		require.Equal(t, text, string(left), "nothing is lost")
		return []error{err, opened}
	}
	for _, err := range both(string(whole)) {
		require.NoError(t, err)
	}
	for from, to := range map[string]string{
		"81.25": "91.25", "1.5": "1e300", "fold=1": "fold=2", "BZR fold=0": "COX2 fold=0", `"last"`: `"best"`,
		`{"fold"`: `{"fo1d"`,
	} {
		require.Contains(t, string(whole), from)
		for _, err := range both(strings.Replace(string(whole), from, to, 1)) {
			require.ErrorContains(t, err, path+", line ", from)
			require.ErrorContains(t, err, "does not match its checksum; remove the line to repeat")
		}
	}
	for _, err := range both(string(whole) + `{"key":"old","value":1}` + "\n") {
		require.ErrorContains(t, err, path+", line 3 is damaged: it has no checksum; older versions")
		require.ErrorContains(t, err, "move the file away")
	}
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
