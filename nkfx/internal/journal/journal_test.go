package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadJournal: reading disturbs nobody, and changes nothing.
func TestReadJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	none := must(Read(path))
	require.NoFileExists(t, path)
	ok := must(none.Get("a", new(int)))
	require.False(t, ok)
	require.NoError(t, none.Close())

	j := must(Open(path))
	require.NoError(t, j.Append("a", 1))
	_, err := j.file.WriteString(`{"key":"b","val`) // another process in the middle of a line
	require.NoError(t, err)
	read := must(Read(path))
	var one int
	ok = must(read.Get("a", &one))
	require.True(t, ok)
	require.Equal(t, 1, one)
	require.ErrorContains(t, read.Append("c", 2), "only read")
	require.Contains(t, string(must(os.ReadFile(path))), `"val`)
	require.NoError(t, j.Close())
	_, err = Read(filepath.Dir(path))
	require.Error(t, err, "a folder")
}

// TestChangedJournal: whatever is changed in a line is noticed, by readers and
// by writers, and what can be done is said.
func TestChangedJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j := must(Open(path))
	require.NoError(t, j.Append("BZR fold=0 <&>\u2028", map[string]float64{"last": 81.25, "seconds": 1.5}))
	require.NoError(t, j.Append("BZR fold=1", 79))
	require.NoError(t, j.Close())
	whole := must(os.ReadFile(path))
	both := func(text string) (errs []error) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := Read(path)
		j, opened := Open(path)
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
		"81.25": "91.25", "1.5": "1e300", "fold=1": "fold=2", "BZR fold=0": "COX2 fold=0",
		`"seconds"`: `"epochs"`,
		`{"last"`:   `{"1ast"`,
	} {
		require.Contains(t, string(whole), from)
		for _, err := range both(strings.Replace(string(whole), from, to, 1)) {
			require.ErrorContains(t, err, path+", line ", from)
			require.ErrorContains(t, err, "does not match its checksum; remove the line to repeat")
		}
	}
	for _, err := range both(string(whole) + `{"key":"old","value":1}` + "\n") {
		require.ErrorContains(t, err, path+", line 3 is damaged")
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
				j, err := Open(path)
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

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "journal.jsonl")
	j := must(Open(path))
	require.NoError(t, j.Append("a", []int{1, 2}))
	require.NoError(t, j.Append("b", "x\ny"))
	_, err := Open(path)
	require.ErrorContains(t, err, "in use by another run")
	require.NoError(t, j.Close())

	whole := must(os.ReadFile(path))
	// Cut anywhere, what is whole is kept and can be added to.
	for cut := range whole {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o666))
		j := must(Open(path))
		require.NoError(t, j.Append("c", 3))
		require.NoError(t, j.Close())
		j, err = Open(path)
		require.NoError(t, err, "cut at %d", cut)
		var three int
		require.True(t, must(j.Get("c", &three)))
		require.Equal(t, 3, three)
		require.Len(t, j.lines, 1+bytes.Count(whole[:cut], []byte("\n")))
		require.NoError(t, j.Close())
	}

	require.NoError(t, os.WriteFile(path, append([]byte("{}\n"), whole...), 0o666))
	_, err = Open(path)
	require.ErrorContains(t, err, "line 1 is damaged")
	require.NoError(t, os.WriteFile(path, whole, 0o666))
	j, err = Open(path)
	require.NoError(t, err, "a journal that does not open is unlocked")
	var wrong map[string]int
	_, err = j.Get("a", &wrong)
	require.ErrorContains(t, err, `key "a"`)
	require.ErrorContains(t, j.Append("d", math.NaN()), "unsupported value")
	require.NoError(t, j.Close())
}

// TestWhatIsNoJournal: what a path leads to stays as it is, and a pipe is not waited for.
func TestWhatIsNoJournal(t *testing.T) {
	folder := t.TempDir()
	path, notes := filepath.Join(folder, "journal.jsonl"), filepath.Join(folder, "notes.txt")
	const text = "remember the milk" // without a line end, as the start of a line
	require.NoError(t, os.WriteFile(notes, []byte(text), 0o666))
	pipe := filepath.Join(folder, "pipe")
	require.NoError(t, exec.Command("mkfifo", pipe).Run())
	for _, name := range []string{path, path + lockEnding} {
		for _, to := range []string{pipe, folder, os.DevNull, notes} {
			if to == notes && name != path {
				continue // a lock may be any file
			}
			require.NoError(t, os.Symlink(to, name))
			_, err := Open(path)
			require.ErrorContains(t, err, "journal", to)
			if name == path {
				_, err = Read(path)
				require.ErrorContains(t, err, "journal", to)
			}
			require.NoError(t, os.Remove(name))
			_ = os.Remove(path + lockEnding) // there or not
		}
	}
	require.Equal(t, text, string(must(os.ReadFile(notes))))
}

// TestMergeOfOtherResults: values of one key that are not the same change no journal.
func TestMergeOfOtherResults(t *testing.T) {
	write := func(a int) *Journal {
		j := must(Open(filepath.Join(t.TempDir(), "journal.jsonl")))
		require.NoError(t, j.Append("a", a))
		return j
	}
	one, two := write(1), write(2)
	require.NoError(t, two.Append("0", 0)) // comes first
	before := must(os.ReadFile(one.file.Name()))
	_, err := one.Merge(two, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
	require.ErrorContains(t, err, one.file.Name()+" and "+two.file.Name()+" have different results")
	require.Equal(t, before, must(os.ReadFile(one.file.Name())))
	require.FileExists(t, two.file.Name())
	added := must(one.Merge(two, func(json.RawMessage, json.RawMessage) bool { return true }))
	require.Equal(t, 1, added)
	require.NoError(t, errors.Join(one.Close(), two.Close()))
}

func FuzzJournal(f *testing.F) {
	first := line{Key: "a", Value: json.RawMessage("[1]")}
	f.Add([]byte(`{"key":"a","value":[1],"sha256":"` + first.sum() + `"}` + "\n" + `{"key":"b"`))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "journal.jsonl")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		j, err := Open(path)
		if err != nil {
			return
		}
		require.NoError(t, j.Append("new", 1))
		count := len(j.lines)
		require.NoError(t, j.Close())
		j = must(Open(path))
		require.Len(t, j.lines, count)
		require.NoError(t, j.Close())
	})
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
