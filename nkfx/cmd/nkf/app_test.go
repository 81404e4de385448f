package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/bench"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
)

// call runs a command line in this process, and reports whether it has begun to do something.
func call(stdin string, args ...string) (code int, stdout, stderr string, begun bool) {
	var out, err bytes.Buffer
	a := newApp(strings.NewReader(stdin), &out, &err)
	code = a.run(context.Background(), args)
	return code, out.String(), err.String(), a.started
}

// nkf runs a command line without standard input.
func nkf(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	code, stdout, stderr, _ = call("", args...)
	return code, stdout, stderr
}

// done runs a command line that succeeds.
func done(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := nkf(t, args...)
	require.Equal(t, exitDone, code, stderr)
	return stdout, stderr
}

// fails runs a command line that fails, with a sentence that has some words, and prints nothing else.
func fails(t *testing.T, want string, args ...string) (stderr string) {
	t.Helper()
	code, stdout, stderr := nkf(t, args...)
	require.Equal(t, exitError, code, args)
	require.Empty(t, stdout, args)
	require.Contains(t, stderr, want, args)
	return stderr
}

// emptyMachine leaves no plug-in, data, kernel or network to find.
func emptyMachine(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Chdir(home)
	for name, value := range map[string]string{
		"HOME": home, "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "JUPYTER_PATH": "", "JUPYTER_DATA_DIR": "",
		"VIRTUAL_ENV": "", "GOMLX_BACKEND": "", "NKF_DATA": "",
		"PJRT_PLUGIN_LIBRARY_PATH": filepath.Join(home, "lib"),
	} {
		t.Setenv(name, value)
	}
	before := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = before })
	http.DefaultTransport = refuse{}
	return home
}

// refuse is a network that is not there.
type refuse struct{}

func (refuse) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no such host")
}

func TestHelp(t *testing.T) {
	for _, line := range []string{"", "help", "--help", "data", "setup --help"} {
		stdout, stderr := done(t, strings.Fields(line)...)
		require.Contains(t, stdout, "Usage:", line)
		require.Empty(t, stderr, line)
	}
}

func TestVersion(t *testing.T) {
	stdout, _ := done(t, "version")
	require.Contains(t, stdout, nkfx.Version().GoMLX)

	stdout, stderr := done(t, "version", "--json")
	require.Empty(t, stderr)
	var v nkfx.Versions
	require.NoError(t, json.Unmarshal([]byte(stdout), &v))
	require.Equal(t, nkfx.Version(), v)
}

func TestDoctor(t *testing.T) {
	emptyMachine(t)
	stdout, _ := done(t, "doctor")
	require.Contains(t, stdout, "go, works")
	require.Less(t, strings.Count(stdout, "\n"), 25, "a screenful")

	stdout, stderr := done(t, "doctor", "--json")
	require.Empty(t, stderr)
	var report machine.Report
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Equal(t, "go", report.Backend.Name)

	t.Setenv("GOMLX_BACKEND", "tpu")
	code, stdout, stderr := nkf(t, "doctor")
	require.Equal(t, exitError, code)
	require.Contains(t, stdout, "unset GOMLX_BACKEND")
	require.Equal(t, "nkf: no backend works, so nothing can run\n", stderr)
}

func TestSetupErrors(t *testing.T) {
	xlatest.NeedLinked(t)
	home := emptyMachine(t)
	code, stdout, stderr := nkf(t, "setup")
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	last := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Contains(t, last[len(last)-1], "nkf setup --wheel FILE")

	wheel := filepath.Join(home, "x.whl")
	require.NoError(t, os.WriteFile(wheel, []byte("PK"), 0o600))
	stderr = fails(t, wheel, "setup", "--wheel", wheel)
	require.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
}

// TestData: without a folder of the user's all sets are there but the one that nkf may not pass on. A file of
// the user's goes before the embedded one, and has to be the published one.
func TestData(t *testing.T) {
	home := emptyMachine(t)
	t.Setenv("NKF_DATA", home)
	stdout, stderr := done(t, "data", "list")
	require.Empty(t, stderr)
	require.Equal(t, len(published.Sets())-1, strings.Count(stdout, "verified"))
	require.Contains(t, stdout, "not here  PSB12: processed-models/m807.off: file does not exist: put "+
		"the folder processed-models of github.com/costanzalaudisa/INFOMRproject, commit ")
	damaged := filepath.Join(home, "moleculenet", "HIV.csv")
	require.NoError(t, os.Mkdir(filepath.Dir(damaged), 0o777))
	require.NoError(t, os.WriteFile(damaged, []byte("smiles\n"), 0o600))
	code, stdout, stderr := nkf(t, "data", "verify", "--json")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "nkf: HIV: HIV.csv: "+damaged+" has the SHA-256")
	require.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
	reports := map[string]machine.DataReport{}
	for line := range strings.Lines(stdout) {
		var r machine.DataReport
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		reports[r.Name] = r
	}
	require.Len(t, reports, len(published.Sets()))
	require.Equal(t, damaged, reports["HIV"].Path)
	require.Equal(t, machine.Altered, reports["HIV"].State)
	require.Equal(t, machine.DataReport{Name: "BZR", State: machine.Verified}, reports["BZR"])
}

func TestInterrupted(t *testing.T) {
	emptyMachine(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	require.Equal(t, 130, newApp(strings.NewReader(""), &stdout, &stderr).run(ctx, []string{"setup"}))
	require.Empty(t, stdout.String())
	require.True(t, strings.HasSuffix(stderr.String(), "nkf: interrupted\n"), stderr.String())
}

// A fault in what a command calls is told like any other error.
func TestPanicsBecomeErrors(t *testing.T) {
	a := newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	run := a.do(func(context.Context, []string) error { panic("out of range") })
	require.EqualError(t, run(&cobra.Command{Use: "run"}, nil),
		"nkf run stopped on an internal error: out of range")
}

// TestOneLine: what several workers report alike is reported once.
func TestOneLine(t *testing.T) {
	full := errors.New("no space left on device")
	require.Equal(t, full.Error(), oneLine(errors.Join(full, nil, errors.Join(full, full))))
	require.Equal(t, "a; b", oneLine(errors.New("a\n\n\tb\na\n")))
}

// TestWithoutHome: where HOME is not set, as in services, no library complains.
func TestWithoutHome(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	binary := program(t)
	cmd := exec.Command(binary, "version")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "HOME=") || strings.HasPrefix(s, "XDG_") ||
			strings.HasPrefix(s, "NKF_") || strings.HasPrefix(s, "PJRT_")
	})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(stdout), "GoMLX")
	require.Empty(t, stderr.String())
}

func TestKernelCommands(t *testing.T) {
	home := emptyMachine(t)
	t.Chdir("/") // folders for temporary files may lie in a checkout
	fails(t, "is not in a checkout of nkf", "kernel", "install")

	prefix := filepath.Join(home, "env")
	code, _, stderr := nkf(t, "kernel", "remove", "--prefix", prefix)
	require.Equal(t, exitError, code)
	require.Contains(t, stderr,
		"no kernel is installed in "+filepath.Join(prefix, "share/jupyter/kernels/nkf"))

	spec := filepath.Join(prefix, "share/jupyter/kernels/nkf/kernel.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(spec), 0o755))
	require.NoError(t, os.WriteFile(spec, []byte(`{"display_name": "Go (nkf)"}`), 0o644))
	done(t, "kernel", "remove", "--prefix", prefix)
	require.NoDirExists(t, filepath.Dir(spec))

	fails(t, "is not in a checkout of nkf", "kernel", "run", "--checkout", "/", "connection.json")

	code, _, _ = nkf(t, "kernel", "run")
	require.Equal(t, exitUsage, code)
}

// TestBenchOnACard: laws and reference values are checked, and integrals timed, on a backend that stands in
// for a card; without Python the figures are nkf's alone, and a sentence says so.
func TestBenchOnACard(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	t.Setenv("NKF_PYTHON", filepath.Join(t.TempDir(), "python"))
	file := filepath.Join(t.TempDir(), "new", "bench.json")
	line := "bench --gpu --races integrals --simplices 20 --seconds 0.001 --out " + file
	stdout, _ := done(t, strings.Fields(line)...)
	require.Contains(t, stdout, "Stokes' theorem, 2-forms: holds")
	require.Contains(t, stdout, "there is no Python at")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var report bench.Report
	require.NoError(t, json.Unmarshal(text, &report))
	require.Equal(t, "go", report.Backend)
	require.NotEmpty(t, report.Checks)
	require.Len(t, report.Results, 3*3) // of three forms, in three ways
	for _, r := range report.Results {
		require.Empty(t, r.Skipped)
		require.Positive(t, r.Seconds)
	}
}

// TestBenchWithoutACard: one sentence, and no file.
func TestBenchWithoutACard(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", t.TempDir())
	file := filepath.Join(t.TempDir(), "bench.json")
	code, stdout, stderr := nkf(t, "bench", "--gpu", "--out", file)
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	require.Regexp(t, `^nkf: there is no CUDA card that XLA can use: [^\n]*\n$`, stderr)
	require.NoFileExists(t, file)
}

// TestProfile: --profile writes a profile, which pprof packs by gzip.
func TestProfile(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	file := filepath.Join(t.TempDir(), "cpu.pprof")
	done(t, "run", "surfaces", "--epochs", "1", "--train", "20", "--out", t.TempDir(),
		"--profile", file)
	profile, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "\x1f\x8b", string(profile[:2]))
}
