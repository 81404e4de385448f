// Package backendtest runs tests and benchmarks on every GoMLX backend that
// this machine has, so that a result holds on all of them: the pure Go
// backend always, XLA's CPU where its plug-in is found.
package backendtest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute"

	// The backends themselves.
	_ "github.com/gomlx/gomlx/backends/default"
)

// names are the backends as GOMLX_BACKEND spells them.
var names = []string{"go", "xla:cpu"}

// Each runs the test once for every backend, as a subtest of its name. A
// backend that this machine lacks skips its subtest and says why.
func Each(t *testing.T, test func(t *testing.T, backend compute.Backend)) {
	t.Helper()
	for _, name := range names {
		t.Run(name, func(t *testing.T) { test(t, Get(t, name)) })
	}
}

// backends are made once for a process: XLA clients hold threads.
var backends sync.Map

// opened is a backend, or why there is none.
type opened struct {
	backend compute.Backend
	err     error
}

// Get returns the backend of that name, "go" or "xla:cpu", and skips the test
// or benchmark where there is none. Nothing is ever downloaded.
func Get(t testing.TB, name string) compute.Backend {
	t.Helper()
	once, _ := backends.LoadOrStore(name, sync.OnceValue(func() opened {
		kind, _, _ := strings.Cut(name, ":")
		if !slices.Contains(compute.List(), kind) {
			return opened{err: fmt.Errorf("%q is not built into this program", kind)}
		}
		if name == "go" {
			// With operations side by side, all workers of GoMLX's pool (compute
			// v0.1.3) may come to wait for one more.
			name = "go:ops_sequential"
		}
		backend, err := compute.NewWithConfig(name)
		return opened{backend, err}
	}))
	got := once.(func() opened)()
	if got.err != nil {
		t.Skipf("no backend %q on this machine (nkf setup installs XLA's): %v", name, got.err)
	}
	return got.backend
}
