package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// fakeCheckout returns a module that goes by the name of nkf, with programs in the places of the
// tools: gonb and gopls are shell scripts, and goimports is never started.
func fakeCheckout(t *testing.T, gonb string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module "+nkfx.Module+"\n\ngo 1.26.5\n"))
	write(t, dir, "nkf.go", []byte("package nkf\n"))
	write(t, dir, ".tools/bin/goimports", nil)
	for name, script := range map[string]string{"gonb": gonb, "gopls": ""} {
		path := write(t, dir, ".tools/bin/"+name, []byte("#!/bin/sh\n"+script))
		require.NoError(t, os.Chmod(path, 0o755))
	}
	return dir
}

// leftovers returns what kernels have left in the folder for temporary files, which is of this test
// alone.
func leftovers(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "nkf-*"))
	require.NoError(t, err)
	return found
}

func TestKernelInstallAndRemove(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	data := t.TempDir()
	k := Kernel{Checkout: fakeCheckout(t, ""), Data: data}
	program := write(t, t.TempDir(), "program", []byte("nkf"))
	for range 2 { // again is as good as once
		path, err := k.Install(context.Background(), program, io.Discard)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(data, "kernels/nkf/kernel.json"), path)

		var spec specification
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(content, &spec))
		own := filepath.Join(data, "kernels/nkf/nkf")
		require.Equal(
			t,
			[]string{own, "kernel", "run", "--checkout", k.Checkout, "{connection_file}"},
			spec.Argv,
		)
		require.Equal(t, "message", spec.InterruptMode)
		copied, err := os.ReadFile(own)
		require.NoError(t, err)
		require.Equal(t, "nkf", string(copied))
	}
	require.Empty(t, leftovers(t))

	require.NoError(t, k.Remove())
	entries, err := os.ReadDir(filepath.Join(data, "kernels"))
	require.NoError(t, err)
	require.Empty(t, entries)
	require.ErrorContains(t, k.Remove(), "no kernel is installed")
}

// that are not taken for old ever after.
func TestKernelToolsWithPinsOfTheFuture(t *testing.T) {
	k := Kernel{Checkout: fakeCheckout(t, "")}
	pins := write(t, k.Checkout, ".tools/go.mod", []byte("module tools\n"))
	later := time.Now().Add(24 * time.Hour)
	require.NoError(t, os.Chtimes(pins, later, later))
	require.Equal(t, []tool{gonb, goimports}, k.missingTools())
	built := write(t, t.TempDir(), "go", []byte("#!/bin/sh\n")) // builds what is there already
	require.NoError(t, os.Chmod(built, 0o755))
	require.NoError(t, k.installTools(t.Context(), built, io.Discard))
	require.Empty(t, k.missingTools())
}

// What somebody else has called nkf stays.
func TestKernelRemoveLeavesOthers(t *testing.T) {
	data := t.TempDir()
	spec := write(t, data, "kernels/nkf/kernel.json", []byte(`{"display_name": "Something else"}`))
	require.ErrorContains(t, Kernel{Data: data}.Remove(), "left alone")
	require.FileExists(t, spec)
}

func TestKernelFolder(t *testing.T) {
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "JUPYTER_DATA_DIR": "", "XDG_DATA_HOME": ""} {
		t.Setenv(name, value)
	}
	folder := func() string {
		dir, err := Kernel{}.folder()
		require.NoError(t, err)
		return dir
	}
	require.Equal(t, filepath.Join(home, ".local/share/jupyter/kernels/nkf"), folder())
	t.Setenv("XDG_DATA_HOME", "/x")
	require.Equal(t, "/x/jupyter/kernels/nkf", folder())
	t.Setenv("JUPYTER_DATA_DIR", "/j")
	require.Equal(t, "/j/kernels/nkf", folder())
}

func TestKernelInstallErrors(t *testing.T) {
	program := write(t, t.TempDir(), "program", []byte("nkf"))
	data := t.TempDir()
	install := func(k Kernel, program string) error {
		k.Data = data
		_, err := k.Install(context.Background(), program, io.Discard)
		return err
	}
	require.ErrorContains(t, install(Kernel{Checkout: "/"}, program), "is not in a checkout of nkf")
	require.ErrorContains(t, install(Kernel{Checkout: fakeCheckout(t, "")}, program+"absent"), "absent")

	broken := fakeCheckout(t, "")
	write(t, broken, "nkf.go", []byte("package"))
	require.ErrorContains(t, install(Kernel{Checkout: broken}, program), "for a notebook")

	untooled := fakeCheckout(t, "")
	require.NoError(t, os.Remove(filepath.Join(untooled, ".tools/bin/gonb")))
	require.ErrorContains(t, Kernel{Checkout: untooled}.Run(context.Background(), "connection.json"),
		"run `nkf kernel install` in "+untooled)
	require.ErrorContains(
		t,
		install(Kernel{Checkout: untooled}, program),
		"building github.com/janpfeifer/gonb",
	)

	t.Setenv("PATH", "")
	require.ErrorContains(t, install(Kernel{Checkout: fakeCheckout(t, "")}, program), "not on PATH")
	require.NoDirExists(t, filepath.Join(data, "kernels"), "nothing is half installed")
}

// GoNB gets what spares notebooks their set-up, and the session leaves nothing behind.
func TestKernelRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("NKF_RAW_ERRORS", "1")
	told := filepath.Join(t.TempDir(), "told")
	t.Setenv("TOLD", told)
	k := Kernel{Checkout: fakeCheckout(t, `
		go get || exit 3      # as GoNB does before every cell, in a folder without a module
		go get -t || exit 4
		go get example.com/a 2>/dev/null && exit 5
		test -d "$TMPDIR" || exit 6
		{ echo "$@"; go env GOFLAGS; command -v goimports; } > "$TOLD"`)}
	write(t, k.Checkout, ".tools/bin/goimports", nil)
	require.NoError(t, os.Chmod(filepath.Join(k.Checkout, ".tools/bin/goimports"), 0o755))
	path, _ := connection(t)
	require.NoError(t, k.Run(context.Background(), path))
	content, err := os.ReadFile(told)
	require.NoError(t, err)
	lines := strings.Split(string(content), "\n")
	require.Regexp(t, `^-kernel \S+/kernel-0a1b.json -go_work=`+k.Checkout+" -raw_error=true", lines[0])
	require.Equal(t, "-buildvcs=false '-ldflags=-s -w'", lines[1])
	require.Equal(t, filepath.Join(k.tools(), "goimports"), lines[2])
	require.Empty(t, leftovers(t))
}

func TestKernelRunFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, _ := connection(t)
	run := func(k Kernel) error { return k.Run(context.Background(), path) }
	require.ErrorContains(t, run(Kernel{Checkout: "/"}), "is not in a checkout of nkf")
	err := Kernel{Checkout: fakeCheckout(t, "")}.Run(t.Context(), path+"x")
	require.ErrorContains(t, err, "the connection file")
	err = run(Kernel{Checkout: fakeCheckout(t, `
		for a; do case "$a" in -log_file=*) echo why > "${a#*=}" ;; esac; done
		exit 1`)})
	require.ErrorContains(t, err, "exit status 1: why")
	require.Empty(t, leftovers(t))
}

// Jupyter ends a kernel by SIGTERM, which is how ctx ends.
func TestKernelRunIsEnded(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	k := Kernel{Checkout: fakeCheckout(t, "exec sleep 600")}
	path, _ := connection(t)
	require.NoError(t, k.Run(ctx, path))
	require.Empty(t, leftovers(t))
}

// A program that does not compile trimmed is compiled whole.
func TestGoScriptTrims(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GONB_TMP_DIR", dir)
	trim := write(t, t.TempDir(), "nkf",
		[]byte("#!/bin/sh\necho $PWD/kept; echo sum > "+cell.CompilingFile))
	fake := write(t, t.TempDir(), "go", []byte("#!/bin/sh\ncase \"$WORKS $*\" in\n"+
		"'trimmed build -o '*'/kept -ldflags=fast -race ./"+cell.TrimmedFolder+"') echo trimmed > $3 ;;\n"+
		"'whole build -o '*'/cell -race') echo whole > $3 ;;\n*) exit 1 ;;\nesac\n"))
	require.NoError(t, errors.Join(os.Chmod(trim, 0o755), os.Chmod(fake, 0o755)))
	script := write(t, t.TempDir(), "go", []byte(goScript(fake, trim, "-ldflags=fast")))
	for works, compiles := range map[string]bool{"trimmed": true, "whole": true, "never": false} {
		require.NoError(t, errors.Join(os.RemoveAll(filepath.Join(dir, cell.CompiledFile)),
			os.RemoveAll(filepath.Join(dir, "cell"))))
		t.Setenv("WORKS", works)
		err := exec.Command("/bin/sh", script, "build", "-o", dir+"/cell", "-race").Run()
		require.Equal(t, compiles, err == nil, works)
		_, err = os.Stat(filepath.Join(dir, cell.CompiledFile))
		require.Equal(t, compiles, err == nil, works)
		content, _ := os.ReadFile(filepath.Join(dir, "cell"))
		require.Equal(t, compiles, string(content) == works+"\n", works)
	}
}

// The path of Go may hold what a shell reads as its own.
func TestGoScriptQuotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's $HOME")
	fake := write(t, dir, "go", []byte("#!/bin/sh\necho \"$@\"\n"))
	require.NoError(t, os.Chmod(fake, 0o755))
	script := write(t, t.TempDir(), "go", []byte(goScript(fake, "nkf", "")))
	out, err := exec.Command("/bin/sh", script, "build", "a b").Output()
	require.NoError(t, err)
	require.Equal(t, "build a b\n", string(out))
}

// TestTwentyKernels: kernels that come and go, ended or killed, leave neither goroutines nor files
// nor processes.
func TestTwentyKernels(t *testing.T) {
	const variable, connectionFile = "NKF_TEST_CHECKOUT", "NKF_TEST_CONNECTION"
	if checkout := os.Getenv(variable); checkout != "" {
		require.NoError(t, Kernel{Checkout: checkout}.Run(t.Context(), os.Getenv(connectionFile)))
		return
	}
	if testing.Short() {
		t.Skip("starts twenty kernels")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	started := filepath.Join(t.TempDir(), "started")
	t.Setenv("STARTED", started)
	k := Kernel{Checkout: fakeCheckout(t, `
		echo $$ > "$STARTED.new" && mv "$STARTED.new" "$STARTED"
		exec sleep 600`)}
	goroutines := 0
	for i := range 20 {
		path, _ := connection(t)
		require.NoError(t, os.RemoveAll(started))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		child := exec.Command(os.Args[0], "-test.run", "^TestTwentyKernels$")
		if killed := i%2 == 1; killed {
			child.Env = append(os.Environ(), variable+"="+k.Checkout, connectionFile+"="+path)
			require.NoError(t, child.Start())
			go func() { ended <- child.Wait() }()
		} else {
			go func() { ended <- k.Run(ctx, path) }()
		}
		require.Eventually(t, func() bool { _, err := os.Stat(started); return err == nil }, time.Minute,
			time.Millisecond)
		text, err := os.ReadFile(started)
		require.NoError(t, err)
		if child.Process != nil {
			require.NoError(t, child.Process.Kill())
		}
		cancel()
		require.Equal(t, child.Process != nil, <-ended != nil)
		process, err := strconv.Atoi(strings.TrimSpace(string(text)))
		require.NoError(t, err)
		require.Eventually(t, func() bool { return gone(process) }, time.Minute, time.Millisecond,
			"GoNB ends with its kernel")
		if i == 0 {
			goroutines = runtime.NumGoroutine()
		}
	}
	long := time.Now().Add(-time.Hour) // folders are left for a minute to who has just made them
	for _, folder := range leftovers(t) {
		require.NoError(t, os.Chtimes(folder, long, long))
	}
	path, _ := connection(t)
	require.NoError(t, Kernel{Checkout: fakeCheckout(t, "exit 0")}.Run(t.Context(), path))
	require.Empty(t, leftovers(t), "the last kernel took away what the killed ones had left")
	// Goroutines that are about to end are not leaked.
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, time.Minute,
		time.Millisecond)
}

// gone returns whether there is no such process, or none that still runs.
func gone(process int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	return err != nil || strings.Contains(string(status), ") Z ")
}
