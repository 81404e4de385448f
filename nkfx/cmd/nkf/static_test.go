package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
)

// TestStaticProgram: without cgo nkf is one file that needs no other, and does everything on the Go backend.
func TestStaticProgram(t *testing.T) {
	backendtest.NeedLong(t)
	home := t.TempDir()
	program := filepath.Join(home, "nkf")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	if runtime.GOOS == "linux" {
		file, err := elf.Open(program)
		require.NoError(t, err)
		libraries, err := file.ImportedLibraries()
		require.NoError(t, err)
		require.Empty(t, libraries)
		require.Nil(t, file.Section(".interp"), "it asks for a loader of libraries")
		require.NoError(t, file.Close())
	}
	nkf := func(backend string, args ...string) (said string, err error) {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "GOMLX_BACKEND="+backend)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	said, err := nkf("", "doctor", "--json")
	require.NoError(t, err, said)
	report := rows[machine.Report](t, said)[0]
	require.True(t, report.Backend.Works)
	require.Equal(t, "go", report.Backend.Name)

	said, err = nkf("", "train", "graphs", excerpt, "--epochs", "2", "--folds", "2")
	require.NoError(t, err, said)
	require.Contains(t, said, "this program was built without XLA")
	said, err = nkf("", "predict", "graphs", excerpt, "--model", "results/models/BZR-nkf")
	require.NoError(t, err, said)
	said, err = nkf("xla:cpu", "run", "surfaces", "--epochs", "1")
	require.Error(t, err)
	require.Contains(t, said, `there is no backend "xla:cpu": this program was built without XLA`)
}
