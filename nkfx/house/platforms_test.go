package house_test

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
)

// TestXLAIsOptional: one package links XLA, under build constraints; GoMLX's package of default backends
// links it wherever there is a system that it supports, with cgo or without.
func TestXLAIsOptional(t *testing.T) {
	const xla = "github.com/gomlx/go-xla/"
	for _, s := range sources(t) {
		for _, path := range imports(t, slices.Concat(s.files, s.tests)) {
			linked := strings.HasPrefix(path, xla) && path != xla+"installer"
			require.False(t, linked && s.path != "layers/backends/xla", "%s imports %s", s.path, path)
			require.NotEqual(t, "github.com/gomlx/gomlx/backends/default", path, s.path)
		}
	}
}

// TestPlatforms vets everything, tests included, without cgo, and links the program: on macOS and Windows
// nobody runs it here.
func TestPlatforms(t *testing.T) {
	backendtest.NeedLong(t)
	t.Setenv("CGO_ENABLED", "0")
	platforms := [][2]string{{"linux", runtime.GOARCH}, {"darwin", "arm64"}, {"windows", "amd64"}}
	for _, platform := range platforms {
		t.Run(platform[0], func(t *testing.T) {
			t.Setenv("GOOS", platform[0])
			t.Setenv("GOARCH", platform[1])
			if platform[0] != runtime.GOOS {
				// What nobody runs need not be fast: everything compiles in less time.
				t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" '-gcflags=all=-N -l' -ldflags=-w")
			}
			require.NoError(t, run(root, "go", "vet", "./..."))
			program := filepath.Join(t.TempDir(), "nkf")
			require.NoError(t, run(root, "go", "build", "-o", program, "./nkfx/cmd/nkf"))
		})
	}
}

// TestStaticProgram: without cgo nkf is one file that needs no other, and does everything on the Go backend.
func TestStaticProgram(t *testing.T) {
	backendtest.NeedLong(t)
	guest := newGuest(t)
	guest.program = filepath.Join(t.TempDir(), "nkf")
	t.Setenv("CGO_ENABLED", "0")
	require.NoError(t, run(root, "go", "build", "-o", guest.program, "./nkfx/cmd/nkf"))
	if runtime.GOOS == "linux" {
		file, err := elf.Open(guest.program)
		require.NoError(t, err)
		defer file.Close()
		libraries, err := file.ImportedLibraries()
		require.NoError(t, err)
		require.Empty(t, libraries)
		for _, segment := range file.Progs {
			require.NotEqual(t, elf.PT_INTERP, segment.Type, "it asks for a loader of libraries")
		}
	}
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("HOME", guest.home)
	out, err := exec.Command(guest.program, "doctor", "--json").Output()
	require.NoError(t, err)
	var report machine.Report
	require.NoError(t, json.Unmarshal(out, &report))
	require.True(t, report.Backend.Works)
	require.Equal(t, "go", report.Backend.Name)

	cmd := exec.Command(guest.program, "train", "--tu", "DATA.zip", "--epochs", "2", "--folds", "2")
	cmd.Dir = guest.home
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	require.Contains(t, string(said), "this program was built without XLA")
	model := filepath.Join("results", "models", "DATA-nkf")
	predict := exec.Command(guest.program, "predict", "--model", model, "--tu", "DATA.zip")
	predict.Dir = guest.home
	said, err = predict.CombinedOutput()
	require.NoError(t, err, string(said))

	cmd = exec.Command(guest.program, "run", "surfaces", "--epochs", "1")
	cmd.Dir, cmd.Env = guest.home, append(os.Environ(), "GOMLX_BACKEND=xla:cpu")
	said, err = cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(said), `there is no backend "xla:cpu": this program was built without XLA`)
}
