//go:build linux

package faults_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
)

// TestKilledTraining kills the real program at random moments from its start to the saving of its model,
// until it gets to its end: result and model are those of an undisturbed run, to the last bit.
func TestKilledTraining(t *testing.T) {
	if testing.Short() {
		t.Skip("trains again and again")
	}
	begin := time.Now()
	want := finish(t, t.TempDir())
	whole := time.Since(begin)
	for killed := 0; killed < times(); {
		out, most := t.TempDir(), whole/2
		for !killAfter(t, training(t, out), between(most)) {
			killed++
			// Longer and longer, so that the test ends on any machine.
			most += whole / 8
		}
		require.Equal(t, want, finish(t, out))
	}
}

// TestKilledWriting kills a process that replaces a file and adds to a journal all the time. The file is
// always whole, and the journal lacks nothing that was finished.
func TestKilledWriting(t *testing.T) {
	const size = 1 << 20
	if role(t) != "" {
		folder := os.Getenv("NKF_TEST_FOLDER")
		kept, err := journal.Open(filepath.Join(folder, "journal.jsonl"))
		require.NoError(t, err)
		for i := 0; ; i++ {
			content := bytes.Repeat([]byte{byte(i)}, size)
			var before string
			if done, err := kept.Get(fmt.Sprint(i), &before); done {
				require.NoError(t, err)
				continue
			}
			file := filepath.Join(folder, "file")
			require.NoError(t, fileio.Write(file, 0o644, fileio.Bytes(content)))
			require.NoError(t, kept.Append(fmt.Sprint(i), fmt.Sprintf("%05000d", i)))
		}
	}
	folder := t.TempDir()
	file, path := filepath.Join(folder, "file"), filepath.Join(folder, "journal.jsonl")
	finished := 0
	for range times() {
		writer := child(t, "writer", "NKF_TEST_FOLDER="+folder)
		require.False(t, killAfter(t, writer, between(300*time.Millisecond)))
		content, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue // killed before the first
		}
		require.NoError(t, err)
		require.Equal(t, bytes.Repeat(content[:1], size), content, "one content, whole")
		kept, err := journal.Open(path)
		require.NoError(t, err)
		number := 0
		for ; ; number++ {
			var text string
			ok, err := kept.Get(fmt.Sprint(number), &text)
			require.NoError(t, err)
			if !ok {
				break
			}
			require.Equal(t, fmt.Sprintf("%05000d", number), text)
		}
		require.NoError(t, kept.Close())
		require.GreaterOrEqual(t, number, finished, "nothing that was finished is lost")
		// The file is written before its line: at most one ahead.
		require.Contains(t, []byte{byte(number), byte(number - 1)}, content[0])
		finished = number
	}
	require.NotZero(t, finished)
}
