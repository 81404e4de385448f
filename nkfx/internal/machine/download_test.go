package machine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// served returns the download of a file with the given content from a TLS server with the handler, and an
// empty folder for it.
func served(t *testing.T, content string, handler http.HandlerFunc) (d Download, folder string) {
	t.Helper()
	if handler == nil {
		handler = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content) }
	}
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // refused certificates are part of the tests
	s.StartTLS()
	t.Cleanup(s.Close)
	sum := sha256.Sum256([]byte(content))
	d = Download{Client: s.Client(), URL: s.URL + "/TOY.zip", SHA256: hex.EncodeToString(sum[:])}
	return d, t.TempDir()
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
	d, folder := served(t, content, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		fmt.Fprint(w, content)
	})
	var last, total int64
	d.Progress = func(done, all int64) {
		require.Greater(t, done, last)
		last, total = done, all
	}
	path := filepath.Join(folder, "new", "TOY.zip")
	require.NoError(t, d.To(t.Context(), path))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, string(data))
	require.EqualValues(t, len(content), last)
	require.EqualValues(t, len(content), total)

	require.NoError(t, d.To(t.Context(), path))
	require.Equal(t, 1, requests, "the file is there")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, os.WriteFile(path, []byte("another"), 0o600))
	require.ErrorContains(t, d.To(t.Context(), path), path+" has the SHA-256")
}

func TestConcurrentDownloads(t *testing.T) {
	d, folder := served(t, strings.Repeat("x", 1<<18), nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			path := filepath.Join(folder, "file")
			if err := d.To(t.Context(), path); err != nil {
				t.Error(err)
				return
			}
			if sum, err := datasets.FileSHA256(path); err != nil || sum != d.SHA256 {
				t.Error(sum, err)
			}
		})
	}
	group.Wait()
}

func TestFailedDownloads(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		change  func(d *Download)
		want    string
	}{
		"not found": {handler: http.NotFound, want: "answers 404"},
		"other content": {
			handler: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "tampered") },
			want:    "another version or was damaged",
		},
		"cut off": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "1000")
				fmt.Fprint(w, "con")
			},
			want: "unexpected EOF",
		},
		"announces too much": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "1000")
			},
			change: func(d *Download) { d.MaxBytes = 10 },
			want:   "larger than the limit of 10 bytes",
		},
		"sends too much": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.(http.Flusher).Flush()
				w.Write(bytes.Repeat([]byte("x"), 100000))
			},
			change: func(d *Download) { d.MaxBytes = 10 },
			want:   "larger than the limit of 10 bytes",
		},
		"no checksum": {change: func(d *Download) { d.SHA256 = "" }, want: "another version"},
		"not HTTPS": {
			change: func(d *Download) { d.URL = "http" + d.URL[5:] },
			want:   "not an HTTPS",
		},
		"bad address": {change: func(d *Download) { d.URL = "https://%" }, want: "invalid URL"},
		"redirected away": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://localhost/", http.StatusFound)
			},
			change: func(d *Download) { d.Client.CheckRedirect = httpsClient.CheckRedirect },
			want:   "which is not HTTPS",
		},
		"in circles": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
			},
			change: func(d *Download) { d.Client.CheckRedirect = httpsClient.CheckRedirect },
			want:   "more than ten times",
		},
		"stands still": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, "con")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			},
			change: func(d *Download) { d.Patience = 50 * time.Millisecond },
			want:   "for 50ms",
		},
		"unknown authority": {change: func(d *Download) { d.Client = nil }, want: "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			d, folder := served(t, "content", c.handler)
			if c.change != nil {
				c.change(&d)
			}
			require.ErrorContains(t, d.To(t.Context(), filepath.Join(folder, "file")), c.want)
			requireEmpty(t, folder)
		})
	}
}

func TestCancelledDownload(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d, folder := served(t, "content", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "con")
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	require.ErrorIs(t, d.To(ctx, filepath.Join(folder, "file")), context.Canceled)
	requireEmpty(t, folder)
}

func TestDownloadIntoAFile(t *testing.T) {
	d, folder := served(t, "content", nil)
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.ErrorContains(t, d.To(t.Context(), filepath.Join(file, "below")), file)
}
