// Package backendtest runs tests and benchmarks on every GoMLX backend that
// this machine has, so that a result holds on all of them: the pure Go
// backend always, XLA's CPU where its plug-in is found.
//
// It may change at any time: what is promised to users is in other packages.
package backendtest

import (
	"sync"
	"testing"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers/backends"
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

// opened has the backends, made once for a process: XLA clients hold threads.
var opened sync.Map

// Get returns the backend of that name, "go" or "xla:cpu", and skips the test
// or benchmark where there is none. Nothing is ever downloaded.
func Get(t testing.TB, name string) compute.Backend {
	t.Helper()
	once, _ := opened.LoadOrStore(name, sync.OnceValues(func() (compute.Backend, error) {
		return backends.Open(name, nil)
	}))
	backend, err := once.(func() (compute.Backend, error))()
	if err != nil {
		t.Skipf("no backend %q on this machine: %v", name, err)
	}
	return backend
}
