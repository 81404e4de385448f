//go:build linux

package faults_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
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
			require.NoError(t, datasets.WriteFile(file, 0o644, datasets.Bytes(content)))
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
	requireSwept(t, file, func() error { return datasets.WriteFile(file, 0o644, datasets.Bytes(nil)) })
}

// requireSwept makes what killed processes have left beside a file old, and checks that the next writing of
// the file takes it away.
func requireSwept(t *testing.T, file string, write func() error) {
	t.Helper()
	pattern := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".*")
	left, err := filepath.Glob(pattern)
	require.NoError(t, err)
	t.Logf("%d temporary files were left", len(left))
	long := time.Now().Add(-48 * time.Hour)
	for _, path := range left {
		require.NoError(t, os.Chtimes(path, long, long))
	}
	require.NoError(t, write())
	left, err = filepath.Glob(pattern)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestKilledDownload kills a process in the middle of a download, or just after: in the cache there is either
// no file or the right one.
func TestKilledDownload(t *testing.T) {
	if role(t) != "" {
		download := machine.Download{URL: os.Getenv("NKF_TEST_URL"), SHA256: os.Getenv("NKF_TEST_SUM")}
		path := filepath.Join(os.Getenv("NKF_TEST_FOLDER"), "tu", "TOY.zip")
		require.NoError(t, download.To(t.Context(), path))
		return
	}
	content := bytes.Repeat([]byte("nodes and edges\n"), 1<<15)
	sum := sha256.Sum256(content)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		for part := range 32 {
			_, _ = w.Write(content[part*len(content)/32 : (part+1)*len(content)/32])
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // connections that end early are the test
	server.StartTLS()
	defer server.Close()
	certificate := filepath.Join(t.TempDir(), "certificate.pem")
	require.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{
		Type: "CERTIFICATE", Bytes: server.Certificate().Raw,
	}), 0o644))
	cache := t.TempDir()
	file := filepath.Join(cache, "tu", "TOY.zip")
	fetch := func(most time.Duration) (finished bool) {
		return killAfter(t, child(t, "fetcher", "NKF_TEST_FOLDER="+cache, "NKF_TEST_URL="+server.URL,
			"NKF_TEST_SUM="+hex.EncodeToString(sum[:]), "SSL_CERT_FILE="+certificate), most)
	}
	begin := time.Now()
	require.True(t, fetch(time.Minute))
	whole := time.Since(begin)
	for killed := 0; killed < times(); {
		require.NoError(t, os.RemoveAll(filepath.Dir(file)))
		if !fetch(between(whole * 3 / 2)) {
			killed++
		}
		if found, err := datasets.FileSHA256(file); err == nil {
			require.Equal(t, hex.EncodeToString(sum[:]), found)
		} else {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
	require.NoError(t, os.RemoveAll(file))
	requireSwept(t, file, func() error {
		require.True(t, fetch(time.Minute))
		return nil
	})
}
