package machine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
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

// TestDownloads: how much of a file is there is told, and then the file and nothing else is there; what fails
// says why, and leaves no file behind.
func TestDownloads(t *testing.T) {
	content := strings.Repeat("nodes and edges\n", 10000)
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
		{"", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			fmt.Fprint(w, content)
		}},
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
		var last, total int64
		folder, err := saved(t, ctx, content, func(done, all int64) {
			require.Greater(t, done, last)
			last, total = done, all
		}, c.handler)
		if c.want == "" {
			require.NoError(t, err)
			require.Equal(t, []string{"a.whl"}, listing(folder))
			require.Equal(t, []int64{int64(len(content)), int64(len(content))}, []int64{last, total})
			continue
		}
		require.ErrorContains(t, err, c.want)
		require.Empty(t, listing(folder))
	}
}

// web answers, over TLS, for every host that the tests talk to.
type web struct {
	pages    map[string][]byte // by path
	requests atomic.Int32
}

// newWeb starts a server with a package index that offers the given wheel, and sends all requests
// of net/http's default transport to it.
func newWeb(t *testing.T, wheel []byte) *web {
	t.Helper()
	w := &web{pages: map[string][]byte{}}
	w.offer(cpuWheel, "https://files.test", wheel)
	server := httptest.NewTLSServer(w)
	t.Cleanup(server.Close)

	direct := server.Client().Transport
	nkftest.Network(t, func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Host = strings.TrimPrefix(server.URL, "https://")
		return direct.RoundTrip(r)
	})
	return w
}

// offer lets the package index offer a wheel, at an address below base.
func (w *web) offer(of wheel, base string, content []byte) {
	name := strings.ReplaceAll(of.name, "-", "_") + "-" + of.version + "-py3-none-manylinux_2_27_"
	index := must(json.Marshal(map[string]any{"releases": map[string]any{of.version: []any{
		map[string]any{"filename": name + "other.whl", "url": "https://files.test/other"},
		map[string]any{"filename": name + machines[platform] + ".whl", "url": base + "/files/" + of.name},
	}}}))
	w.pages["/pypi/"+of.name+"/json"], w.pages["/files/"+of.name] = index, content
}

func (w *web) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	w.requests.Add(1)
	page, ok := w.pages[request.URL.Path]
	if !ok {
		http.NotFound(response, request)
		return
	}
	_, _ = response.Write(page)
}
