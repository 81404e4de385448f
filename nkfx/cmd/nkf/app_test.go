package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
)

// nkf runs a command line in this process.
func nkf(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = newApp(strings.NewReader(""), &out, &err).run(context.Background(), args)
	return code, out.String(), err.String()
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
	require.Contains(t, stdout, "not here  PSB12: dining_chair/m807.off: file does not exist: put "+
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
