package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// call runs a command line in this process, and reports whether it has begun to do something. The line is of
// words between spaces; more words may follow, which are taken as they are.
func call(stdin, line string, more ...string) (code int, stdout, stderr string, begun bool) {
	var out, err bytes.Buffer
	a := newApp(strings.NewReader(stdin), &out, &err)
	code = a.run(context.Background(), append(strings.Fields(line), more...))
	return code, out.String(), err.String(), a.started
}

// nkf runs a command line without standard input.
func nkf(line string, more ...string) (code int, stdout, stderr string) {
	code, stdout, stderr, _ = call("", line, more...)
	return code, stdout, stderr
}

// done runs a command line that succeeds.
func done(t *testing.T, line string, more ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := nkf(line, more...)
	require.Equal(t, exitDone, code, stderr)
	return stdout, stderr
}

// fails runs a command line that fails, with a sentence that has some words, and prints nothing else.
func fails(t *testing.T, want, line string, more ...string) (stderr string) {
	t.Helper()
	code, stdout, stderr := nkf(line, more...)
	require.Equal(t, exitError, code, line)
	require.Empty(t, stdout, line)
	require.Contains(t, stderr, want, line)
	return stderr
}

// workshop is a new folder, on the pure Go backend, which needs no set-up.
func workshop(t *testing.T) {
	t.Helper()
	t.Setenv("GOMLX_BACKEND", "go")
	t.Chdir(t.TempDir())
}

// put writes a file, with the folders that it is in.
func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// rows reads lines of JSON.
func rows[T any](t *testing.T, stdout string) (all []T) {
	t.Helper()
	for line := range strings.Lines(stdout) {
		var row T
		require.NoError(t, json.Unmarshal([]byte(line), &row), line)
		all = append(all, row)
	}
	return all
}

// The first 40 graphs of BZR, and some molecules: absolute paths, for tests leave this folder.
var (
	excerpt, _ = filepath.Abs("../../../datasets/tu/testdata/BZR.zip")
	drugs, _   = filepath.Abs("../../../datasets/moleculenet/testdata/excerpt.csv")
)

func TestHelp(t *testing.T) {
	for _, line := range []string{"", "help", "--help", "data", "setup --help"} {
		stdout, stderr := done(t, line)
		require.Contains(t, stdout, "Usage:", line)
		require.Empty(t, stderr, line)
	}
}

func TestVersion(t *testing.T) {
	stdout, _ := done(t, "version")
	require.Contains(t, stdout, nkfx.Version().GoMLX)

	stdout, stderr := done(t, "version --json")
	require.Empty(t, stderr)
	require.Equal(t, []nkfx.Versions{nkfx.Version()}, rows[nkfx.Versions](t, stdout))
}

func TestDoctor(t *testing.T) {
	nkftest.EmptyMachine(t)
	stdout, _ := done(t, "doctor")
	require.Contains(t, stdout, "go, works")
	require.Less(t, strings.Count(stdout, "\n"), 25, "a screenful")

	stdout, stderr := done(t, "doctor --json")
	require.Empty(t, stderr)
	require.Equal(t, "go", rows[machine.Report](t, stdout)[0].Backend.Name)

	t.Setenv("GOMLX_BACKEND", "tpu")
	code, stdout, stderr := nkf("doctor")
	require.Equal(t, exitError, code)
	require.Contains(t, stdout, `there is no backend "tpu"`)
	require.Contains(t, stdout, "unset GOMLX_BACKEND")
	require.Equal(t, "nkf: no backend works, so nothing can run\n", stderr)
}

func TestSetupErrors(t *testing.T) {
	xlatest.NeedLinked(t)
	nkftest.EmptyMachine(t)
	code, stdout, stderr := nkf("setup")
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	last := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Contains(t, last[len(last)-1], "nkf setup --wheel FILE")

	put(t, "x.whl", "PK")
	stderr = fails(t, "x.whl", "setup --wheel x.whl")
	require.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
}

// TestData: without a folder of the user's all sets are there. A file of the user's goes before the embedded
// one, and has to be the published one.
func TestData(t *testing.T) {
	home := nkftest.EmptyMachine(t)
	t.Setenv("NKF_DATA", home)
	stdout, stderr := done(t, "data list")
	require.Empty(t, stderr)
	require.Equal(t, len(published.Sets()), strings.Count(stdout, "verified"))
	damaged, sound := filepath.Join(home, "moleculenet/HIV.csv"), filepath.Join(home, "uea/ERing_TEST.ts")
	put(t, damaged, "smiles\n")
	put(t, sound, string(sure(published.Open(t.Context(), "ERing"))[1].Bytes))
	stdout, _ = done(t, "data list")
	require.Regexp(t, `\nERing +verified +`+sound+`\n`, stdout)
	require.Regexp(t, `\nHIV +not the published file +`+damaged+`\n`, stdout)
	code, stdout, stderr := nkf("data verify --json")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "nkf: HIV: HIV.csv: "+damaged+" has the SHA-256")
	require.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
	reports := map[string]machine.DataReport{}
	for _, r := range rows[machine.DataReport](t, stdout) {
		reports[r.Name] = r
	}
	require.Len(t, reports, len(published.Sets()))
	require.Equal(t, damaged, reports["HIV"].Path)
	require.Equal(t, machine.Altered, reports["HIV"].State)
	require.Equal(t, machine.DataReport{Name: "BZR", State: machine.Verified}, reports["BZR"])
	require.Equal(t, sound, reports["ERing"].Path)
	require.Equal(t, machine.Verified, reports["ERing"].State)
}

// TestInterrupted: a command that is interrupted says so, and leaves nothing.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for backend, line := range map[string]string{"": "setup", "go": "run surfaces --out ."} {
		nkftest.EmptyMachine(t)
		t.Setenv("GOMLX_BACKEND", backend)
		var stdout, stderr bytes.Buffer
		app := newApp(strings.NewReader(""), &stdout, &stderr)
		require.Equal(t, 130, app.run(ctx, strings.Fields(line)), stderr.String())
		require.Empty(t, stdout.String())
		require.True(t, strings.HasSuffix(stderr.String(), "nkf: interrupted\n"), stderr.String())
		requireFiles(t, ".", map[string][]string{"setup": {"lib"}}[line]...)
	}
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
	binary := program()
	cmd := exec.Command(binary, "version")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "HOME=") || strings.HasPrefix(s, "XDG_") ||
			strings.HasPrefix(s, "NKF_") || strings.HasPrefix(s, "PJRT_")
	})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.Contains(t, string(sure(cmd.Output())), "GoMLX")
	require.Empty(t, stderr.String())
}

func TestKernelCommands(t *testing.T) {
	home := nkftest.EmptyMachine(t)
	t.Chdir("/") // folders for temporary files may lie in a checkout
	fails(t, "is not in a checkout of nkf", "kernel install")

	prefix := filepath.Join(home, "env")
	folder := filepath.Join(prefix, "share/jupyter/kernels/nkf")
	fails(t, "no kernel is installed in "+folder, "kernel remove --prefix", prefix)
	put(t, filepath.Join(folder, "kernel.json"), `{"display_name": "Go (nkf)"}`)
	done(t, "kernel remove --prefix", prefix)
	require.NoDirExists(t, folder)
	fails(t, "is not in a checkout of nkf", "kernel run --checkout / connection.json")
}

// TestBenchOnACard: laws and reference values are checked, and integrals timed, on a backend that stands in
// for a card; without Python the figures are nkf's alone, and a sentence says so.
func TestBenchOnACard(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	t.Setenv("NKF_PYTHON", filepath.Join(t.TempDir(), "python"))
	file := filepath.Join(t.TempDir(), "new", "bench.json")
	line := "bench --gpu --races integrals --simplices 20 --seconds 0.001 --out"
	stdout, _ := done(t, line, file)
	require.Contains(t, stdout, "Stokes' theorem, 2-forms: holds")
	require.Contains(t, stdout, "there is no Python at")
	text := sure(os.ReadFile(file))
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
	stderr := fails(t, "nkf: there is no CUDA card that XLA can use: ", "bench --gpu --out", file)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	require.NoFileExists(t, file)
}

// TestProfile: --profile writes a profile, which pprof packs by gzip. What cannot be written is an error.
func TestProfile(t *testing.T) {
	workshop(t)
	done(t, "run surfaces --epochs 1 --train 20 --profile cpu.pprof")
	require.Equal(t, "\x1f\x8b", string(sure(os.ReadFile("cpu.pprof"))[:2]))
	if _, err := os.Stat("/dev/full"); err == nil {
		code, _, stderr := nkf("run surfaces --epochs 1 --train 1 --test 1 --profile /dev/full")
		require.Equal(t, exitError, code)
		require.Contains(t, stderr, "nkf: the profile: ")
	}
}

// sure returns the result of a call that cannot fail.
func sure[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
