package machine

import (
	"context"
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

// saved stores what a handler serves, if it has some content, and returns the folder that it is in.
func saved(t *testing.T, ctx context.Context, content string, progress func(done, total int64),
	handler http.HandlerFunc) (folder string, err error) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	folder = t.TempDir()
	w := wheel{sums: map[string]string{platform: sumOf([]byte(content))}}
	return folder, w.save(ctx, s.URL+"/a.whl", filepath.Join(folder, "a.whl"), progress)
}

// TestDownload: the file and nothing else is there, and it is told how much of it is.
func TestDownload(t *testing.T) {
	content := strings.Repeat("nodes and edges\n", 10000)
	var last, total int64
	progress := func(done, all int64) {
		require.Greater(t, done, last)
		last, total = done, all
	}
	folder, err := saved(t, t.Context(), content, progress, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		fmt.Fprint(w, content)
	})
	require.NoError(t, err)
	require.Equal(t, []string{"a.whl"}, listing(t, folder))
	data, err := os.ReadFile(filepath.Join(folder, "a.whl"))
	require.NoError(t, err)
	require.Equal(t, content, string(data))
	require.Equal(t, []int64{int64(len(content)), int64(len(content))}, []int64{last, total})
}

// TestFailedDownloads: what fails says why, and leaves no file behind.
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
		folder, err := saved(t, ctx, "content", nil, c.handler)
		require.ErrorContains(t, err, c.want)
		require.Empty(t, listing(t, folder))
	}
}
