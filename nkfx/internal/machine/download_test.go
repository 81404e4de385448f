package machine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// served is a file that a server has, and an empty folder for it.
type served struct{ url, sum, folder string }

// serve serves a file with the given content, by a handler of its own unless that is nil.
func serve(t *testing.T, content string, handler http.HandlerFunc) served {
	t.Helper()
	if handler == nil {
		handler = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content) }
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	sum := sha256.Sum256([]byte(content))
	return served{s.URL + "/TOY.zip", hex.EncodeToString(sum[:]), t.TempDir()}
}

// to stores the file under a name.
func (s served) to(ctx context.Context, name string) error {
	return download(ctx, s.url, s.sum, filepath.Join(s.folder, name), nil)
}

// requireEmpty checks that a failed download left no file behind.
func requireEmpty(t *testing.T, folder string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		require.False(t, err == nil && !entry.IsDir(), "left behind: %s", path)
		return err
	}))
}

func TestDownload(t *testing.T) {
	content := strings.Repeat("nodes and edges\n", 10000)
	requests := 0
	s := serve(t, content, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		fmt.Fprint(w, content)
	})
	var last, total int64
	progress := func(done, all int64) {
		require.Greater(t, done, last)
		last, total = done, all
	}
	path := filepath.Join(s.folder, "new", "TOY.zip")
	require.NoError(t, download(t.Context(), s.url, s.sum, path, progress))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, string(data))
	require.EqualValues(t, len(content), last)
	require.EqualValues(t, len(content), total)

	require.NoError(t, s.to(t.Context(), "new/TOY.zip"))
	require.Equal(t, 1, requests, "the file is there")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, os.WriteFile(path, []byte("another"), 0o600))
	require.ErrorContains(t, s.to(t.Context(), "new/TOY.zip"), path+" has the SHA-256")
	require.ErrorContains(t, s.to(t.Context(), "new/TOY.zip/below"), path)
}

func TestFailedDownloads(t *testing.T) {
	before := patience
	defer func() { patience = before }()
	ctx, cancel := context.WithCancel(t.Context())
	// some sends a part of the file, does something, and waits.
	some := func(then func()) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "con")
			w.(http.Flusher).Flush()
			then()
			<-r.Context().Done()
		}
	}
	for _, c := range []struct {
		want    string
		handler http.HandlerFunc
	}{
		{"answers 404", http.NotFound},
		{"another version or was damaged", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "tampered")
		}},
		{"unexpected EOF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "con")
		}},
		{"nothing arrived", some(func() {})},
		{context.Canceled.Error(), some(cancel)}, // the last
	} {
		if patience = before; c.want == "nothing arrived" {
			patience = 50 * time.Millisecond
		}
		s := serve(t, "content", c.handler)
		require.ErrorContains(t, s.to(ctx, "file"), c.want)
		requireEmpty(t, s.folder)
	}
}
