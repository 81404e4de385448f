package datasets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
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
)

// server returns a finder with an empty cache whose client trusts a TLS server with the handler, and the
// source of a file there with the given content.
func server(t *testing.T, content string, handler http.HandlerFunc) (*Finder, PublishedFile) {
	t.Helper()
	if handler == nil {
		handler = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content) }
	}
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // refused certificates are part of the tests
	s.StartTLS()
	t.Cleanup(s.Close)
	sum := sha256.Sum256([]byte(content))
	return &Finder{Cache: t.TempDir(), Client: s.Client()},
		PublishedFile{Name: "TOY", Path: "tu/TOY.zip", URL: s.URL + "/TOY.zip", SHA256: hex.EncodeToString(sum[:])}
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
	f, source := server(t, content, func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		fmt.Fprint(w, content)
	})
	var last, total int64
	f.Progress = func(done, all int64) {
		require.Greater(t, done, last)
		last, total = done, all
	}
	path, err := f.Download(context.Background(), source)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(f.Cache, "tu", "TOY.zip"), path)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, string(data))
	require.EqualValues(t, len(content), last)
	require.EqualValues(t, len(content), total)

	again, err := f.Open(context.Background(), source)
	require.NoError(t, err)
	require.Equal(t, File{Name: "TOY", Path: path, SHA256: source.SHA256, Bytes: data}, again)
	require.Equal(t, 1, requests, "the second time comes from the cache")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestConcurrentDownloads(t *testing.T) {
	f, source := server(t, strings.Repeat("x", 1<<18), nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			finder := *f
			path, err := finder.Download(context.Background(), source)
			if err != nil {
				t.Error(err)
				return
			}
			if sum, err := FileSHA256(path); err != nil || sum != source.SHA256 {
				t.Error(sum, err)
			}
		})
	}
	group.Wait()
}

func TestFailedDownloads(t *testing.T) {
	ways := []string{"$NKF_DATA names, as tu/TOY.zip", "let this machine reach https://"}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		change  func(f *Finder, s *PublishedFile)
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
			change: func(f *Finder, _ *PublishedFile) { f.MaxBytes = 10 },
			want:   "larger than the limit of 10 bytes",
		},
		"sends too much": {
			handler: func(w http.ResponseWriter, _ *http.Request) {
				w.(http.Flusher).Flush()
				w.Write(bytes.Repeat([]byte("x"), 100000))
			},
			change: func(f *Finder, _ *PublishedFile) { f.MaxBytes = 10 },
			want:   "larger than the limit of 10 bytes",
		},
		"offline":     {change: func(f *Finder, _ *PublishedFile) { f.Offline = true }, want: "offline"},
		"no cache":    {change: func(f *Finder, _ *PublishedFile) { f.Cache = "" }, want: "no cache folder"},
		"no checksum": {change: func(_ *Finder, s *PublishedFile) { s.SHA256 = "" }, want: "no published address"},
		"not HTTPS": {
			change: func(_ *Finder, s *PublishedFile) { s.URL = "http" + s.URL[5:] },
			want:   "not an HTTPS",
		},
		"bad address": {change: func(_ *Finder, s *PublishedFile) { s.URL = "https://%" }, want: "invalid URL"},
		"redirected away": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://localhost/", http.StatusFound)
			},
			change: func(f *Finder, _ *PublishedFile) { f.Client.CheckRedirect = httpsClient.CheckRedirect },
			want:   "which is not HTTPS",
		},
		"in circles": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
			},
			change: func(f *Finder, _ *PublishedFile) { f.Client.CheckRedirect = httpsClient.CheckRedirect },
			want:   "more than ten times",
		},
		"stands still": {
			handler: func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, "con")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			},
			change: func(f *Finder, _ *PublishedFile) { f.Patience = 50 * time.Millisecond },
			want:   "for 50ms",
		},
		"unknown authority": {change: func(f *Finder, _ *PublishedFile) { f.Client = nil }, want: "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			f, source := server(t, "content", c.handler)
			cache := f.Cache
			if c.change != nil {
				c.change(f, &source)
			}
			_, err := f.Open(context.Background(), source)
			require.ErrorContains(t, err, c.want)
			require.ErrorIs(t, err, fs.ErrNotExist)
			require.ErrorContains(t, err, ways[0])
			requireEmpty(t, cache)
		})
	}
	f, source := server(t, "content", nil)
	f.Offline = true
	_, err := f.Open(context.Background(), source)
	require.ErrorContains(t, err, ways[1])
}

func TestCancelledDownload(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f, source := server(t, "content", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "con")
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	_, err := f.Open(ctx, source)
	require.ErrorIs(t, err, context.Canceled)
	requireEmpty(t, f.Cache)
}

func TestUnwritableCache(t *testing.T) {
	f, source := server(t, "content", nil)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	f.Cache = file // a folder cannot be made below a file
	_, err := f.Open(context.Background(), source)
	require.ErrorContains(t, err, file)
}

// TestPlaces: folders go before what is embedded, and that before the cache.
func TestPlaces(t *testing.T) {
	f, source := server(t, "content", nil)
	f.Offline = true
	first, second := t.TempDir(), t.TempDir()
	f.Folders = []string{first, second, filepath.Join(first, "absent")}
	write := func(folder, content string) string {
		path := filepath.Join(folder, "tu", "TOY.zip")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		return path
	}
	requirePath := func(want string) {
		file, err := f.Open(t.Context(), source)
		require.NoError(t, err)
		require.Equal(t, File{Name: "TOY", Path: want, SHA256: source.SHA256, Bytes: []byte("content")}, file)
	}
	_, err := f.Open(t.Context(), source)
	require.ErrorIs(t, err, fs.ErrNotExist)
	requireAltered := func(place string) {
		_, err := f.Open(t.Context(), source)
		var altered *AlteredError
		require.ErrorAs(t, err, &altered)
		require.Equal(t, place, altered.Path)
		require.ErrorContains(t, err, place)
		require.ErrorContains(t, err, "but the published file has "+source.SHA256)
		require.NotErrorIs(t, err, fs.ErrNotExist)
	}
	requireAltered(write(f.Cache, "damaged"))
	requirePath(write(f.Cache, "content"))
	f.Embedded = func(path string) ([]byte, error) {
		require.Equal(t, "tu/TOY.zip", path)
		return []byte("content"), nil
	}
	requirePath("")
	f.Embedded = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	requirePath(filepath.Join(f.Cache, "tu", "TOY.zip"))
	requirePath(write(second, "content"))
	requireAltered(write(first, "my own graphs"))

	source.Path = "../TOY.zip"
	_, err = f.Open(t.Context(), source)
	require.ErrorContains(t, err, "does not stay below")
	source.Path = "tu" // a folder where the file should be
	_, err = f.Open(t.Context(), source)
	require.ErrorContains(t, err, "read "+filepath.Join(first, "tu"))
}

// TestHint: of a file that nobody may pass on, the error says in a sentence how to get it.
func TestHint(t *testing.T) {
	f := &Finder{Cache: t.TempDir()}
	_, err := f.Open(t.Context(), PublishedFile{Name: "a.off", Path: "a.off", Hint: "ask its author"})
	require.EqualError(t, err, "a.off is not here: ask its author")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestNewFinder(t *testing.T) {
	t.Setenv("NKF_DATA", "/data")
	require.Equal(t, []string{"/data"}, NewFinder().Folders)
	t.Setenv("NKF_DATA", "")
	require.Empty(t, NewFinder().Folders)
	t.Setenv("XDG_CACHE_HOME", "/cache")
	require.Equal(t, filepath.Join("/cache", "nkf"), NewFinder().Cache)
}
