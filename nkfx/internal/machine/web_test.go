package machine

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	w.offer(t, cpuWheel, "https://files.test", wheel)
	server := httptest.NewTLSServer(w)
	t.Cleanup(server.Close)

	direct := server.Client().Transport
	before := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = before })
	http.DefaultTransport = roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Host = strings.TrimPrefix(server.URL, "https://")
		return direct.RoundTrip(r)
	})
	return w
}

// offer lets the package index offer a wheel, at an address below base.
func (w *web) offer(t *testing.T, of wheel, base string, content []byte) {
	t.Helper()
	name := strings.ReplaceAll(of.name, "-", "_") + "-" + of.version + "-py3-none-manylinux_2_27_"
	index, err := json.Marshal(map[string]any{"releases": map[string]any{of.version: []any{
		map[string]any{"filename": name + "other.whl", "url": "https://files.test/other"},
		map[string]any{"filename": name + machines[platform] + ".whl", "url": base + "/files/" + of.name},
	}}})
	require.NoError(t, err)
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

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// noNetwork lets every request fail as it does without one.
func noNetwork(t *testing.T) {
	before := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = before })
	http.DefaultTransport = roundTripper(func(r *http.Request) (*http.Response, error) {
		return nil, errors.New("no such host")
	})
}
