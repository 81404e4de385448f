// Package backendtest runs tests and benchmarks on the GoMLX backends that
// this machine has: the pure Go backend always, XLA's CPU where its plug-in is
// found.
//
// It may change at any time: what is promised to users is in other packages.
package backendtest

import (
	"os"
	"sync"
	"testing"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/layers/backends"
)

// names are the backends as GOMLX_BACKEND spells them.
var names = []string{"go", "xla:cpu"}

// Long reports whether tests that take long are to run: where NKF_LONG is set, as
// by make test-all.
func Long() bool { return os.Getenv("NKF_LONG") != "" }

// NeedLong skips a test of minutes unless [Long].
func NeedLong(t *testing.T) {
	t.Helper()
	if !Long() {
		t.Skip("takes minutes: set NKF_LONG=1 (make test-all)")
	}
}

// Each runs the test as a subtest on the Go backend, and on all if [Long]. It is
// for laws of a graph, which hold on every backend if they hold on one: XLA
// takes tens of times as long to compile a graph as to compute it.
func Each(t *testing.T, test func(t *testing.T, backend compute.Backend)) {
	t.Helper()
	if Long() {
		All(t, test)
		return
	}
	t.Run(names[0], func(t *testing.T) { test(t, Get(t, names[0])) })
}

// All runs the test once for every backend, as a subtest of its name. A
// backend that this machine lacks skips its subtest and says why. It is for
// golden values, a training of each kind, and laws that a compiler could break.
func All(t *testing.T, test func(t *testing.T, backend compute.Backend)) {
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
		backends.KeepPrograms()
		return backends.Open(name, nil)
	}))
	backend, err := once.(func() (compute.Backend, error))()
	if err != nil {
		t.Skipf("no backend %q on this machine: %v", name, err)
	}
	return backend
}
