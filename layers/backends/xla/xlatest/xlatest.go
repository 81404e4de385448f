// Package xlatest makes valid and almost valid XLA plug-ins for tests.
//
// It may change at any time: what is promised to users is in other packages.
package xlatest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// libraries are the libraries by the symbol that they export, compiled once.
var libraries sync.Map

// Library returns the bytes of a shared library that exports one symbol.
func Library(t *testing.T, symbol string) []byte {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the headers of libraries are looked at on Linux only")
	}
	if library, ok := libraries.Load(symbol); ok {
		return library.([]byte)
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler to make a library with")
	}
	dir := t.TempDir()
	code, library := filepath.Join(dir, "fake.c"), filepath.Join(dir, "fake.so")
	require.NoError(t, os.WriteFile(code, []byte("void *"+symbol+"(void) { return 0; }\n"), 0o600))
	output, err := exec.Command(compiler, "-shared", "-fPIC", "-o", library, code).CombinedOutput()
	require.NoError(t, err, "%s", output)
	data, err := os.ReadFile(library)
	require.NoError(t, err)
	libraries.Store(symbol, data)
	return data
}

// Plugin returns the bytes of a library that passes for a plug-in until it is asked for its functions.
func Plugin(t *testing.T) []byte { return Library(t, "GetPjrtApi") }

// Card makes nkf find an NVIDIA card with that version of the driver. It skips the test where there is a real
// one.
func Card(t *testing.T, driver string) {
	t.Helper()
	if found, _ := filepath.Glob("/dev/nvidia[0-9]*"); len(found) > 0 {
		t.Skip("this machine has a card of its own")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\necho '" + driver + ", NVIDIA H200, 143771'\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte(script), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("CUDA_VISIBLE_DEVICES", "0")
}

// Write stores a file below a folder and returns its path.
func Write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// Real returns the plug-in for the CPU that this machine has, and skips the test where there is none or XLA
// is no part of the program.
func Real(t *testing.T) xla.Plugin {
	t.Helper()
	NeedLinked(t)
	found, ok, _ := xla.CPU(xla.Find(xla.SearchPath()))
	if !ok {
		t.Skip("no XLA plug-in on this machine: `nkf setup` installs one")
	}
	return found
}

// NeedLinked skips a test of what XLA does where it is no part of the program.
func NeedLinked(t *testing.T) {
	t.Helper()
	if !xla.Linked {
		t.Skip(xla.ErrNotLinked)
	}
}
