package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/nkfx"
)

// root is the checkout.
const root = "../../.."

// write stores a file below a folder and returns its path.
var write = xlatest.Write

// The test program stands in for nkf where GoNB builds cells.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "kernel" && os.Args[2] == "build" {
		if err := Build(os.Args[4:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// connection writes the file with which Jupyter starts a kernel, and returns its path.
func connection(t *testing.T) string {
	t.Helper()
	ports := map[string]any{
		"transport": "tcp", "ip": "127.0.0.1", "key": "secret", "signature_scheme": "hmac-sha256",
	}
	// Not of those that systems hand out on their own: another test could get one of these before the kernel.
	port := 20000 + rand.IntN(10000)
	for _, name := range []string{"shell", "control", "stdin", "iopub", "hb"} {
		free, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		for ; err != nil && port < 32000; free, err = net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)) {
			port++
		}
		require.NoError(t, err)
		ports[name+"_port"] = free.Addr().(*net.TCPAddr).Port
		defer free.Close() // when all are found
	}
	return write(t, t.TempDir(), "kernel-0a1b.json", encoded(ports))
}

// fakeCheckout returns a module that goes by the name of nkf, with shell scripts in the places of the tools.
func fakeCheckout(t *testing.T, gonb string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", []byte("module "+nkfx.Module+"\n\ngo 1.26.5\n"))
	write(t, dir, "nkf.go", []byte("package nkf\n"))
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
		require.NoError(t, k.Install(context.Background(), program, io.Discard))
		var spec specification
		content, err := os.ReadFile(filepath.Join(data, "kernels/nkf/kernel.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(content, &spec))
		own := filepath.Join(data, "kernels/nkf/nkf")
		command := []string{own, "kernel", "run", "--checkout", k.Checkout, "{connection_file}"}
		require.Equal(t, command, spec.Argv)
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

// What somebody else has called nkf stays.
func TestKernelRemoveLeavesOthers(t *testing.T) {
	data := t.TempDir()
	spec := write(t, data, "kernels/nkf/kernel.json", []byte(`{"display_name": "Something else"}`))
	require.ErrorContains(t, Kernel{Data: data}.Remove(), "left alone")
	require.FileExists(t, spec)
}

func TestKernelInstallErrors(t *testing.T) {
	program := write(t, t.TempDir(), "program", []byte("nkf"))
	data := t.TempDir()
	install := func(k Kernel, program string) error {
		k.Data = data
		return k.Install(context.Background(), program, io.Discard)
	}
	require.ErrorContains(t, install(Kernel{Checkout: "/"}, program), "is not in a checkout of nkf")
	require.ErrorContains(t, install(Kernel{Checkout: fakeCheckout(t, "")}, program+"absent"), "absent")

	broken := fakeCheckout(t, "")
	write(t, broken, "nkf.go", []byte("package"))
	require.ErrorContains(t, install(Kernel{Checkout: broken}, program), "what cells import: go build ")

	untooled := fakeCheckout(t, "")
	require.NoError(t, os.Remove(filepath.Join(untooled, ".tools/bin/gonb")))
	require.ErrorContains(t, Kernel{Checkout: untooled}.Run(context.Background(), "connection.json"),
		"run `nkf kernel install` in "+untooled)
	err := install(Kernel{Checkout: untooled}, program)
	require.ErrorContains(t, err, "building github.com/janpfeifer/gonb")

	t.Setenv("PATH", "")
	require.ErrorContains(t, install(Kernel{Checkout: fakeCheckout(t, "")}, program), "not on PATH")
	require.NoDirExists(t, filepath.Join(data, "kernels"), "nothing is half installed")
}

// GoNB gets what spares notebooks their set-up, and the session leaves nothing behind.
func TestKernelRun(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOFLAGS", "-buildvcs=false")
	told := filepath.Join(t.TempDir(), "told")
	t.Setenv("TOLD", told)
	k := Kernel{Checkout: fakeCheckout(t, `
		go get || exit 3      # as GoNB does before every cell, in a folder without a module
		go get -t || exit 4
		go get example.com/a 2>/dev/null && exit 5
		test -d "$TMPDIR" && command -v goimports >/dev/null && ! gopls || exit 6
		mkdir "$TMPDIR/gonb_1" && cd "$TMPDIR/gonb_1" && go mod init gonb_1 && grep nkf go.mod || exit 7
		{ echo "$@"; go env GOFLAGS; } > "$TOLD"`)}
	path := connection(t)
	require.NoError(t, k.Run(context.Background(), path))
	content, err := os.ReadFile(told)
	require.NoError(t, err)
	lines := strings.Split(string(content), "\n")
	require.Regexp(t, `^-kernel \S+/kernel-0a1b.json -raw_error`, lines[0])
	require.Equal(t, "-buildvcs=false -mod=readonly '-ldflags=-s -w'", lines[1])
	require.Empty(t, leftovers(t))
}

func TestKernelRunFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := connection(t)
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

// The path of Go may hold what a shell reads as its own.
func TestGoScriptQuotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's $HOME")
	fake := write(t, dir, "go", []byte("#!/bin/sh\necho \"$@\"\n"))
	require.NoError(t, os.Chmod(fake, 0o755))
	script := write(t, t.TempDir(), "go", []byte("#!/bin/sh\n"+goScript(fake, "nkf", "none")))
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
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	started := filepath.Join(t.TempDir(), "started")
	t.Setenv("STARTED", started)
	k := Kernel{Checkout: fakeCheckout(t, `
		echo $$ > "$STARTED.new" && mv "$STARTED.new" "$STARTED"
		exec sleep 600`)}
	goroutines := 0
	for i := range 20 {
		path := connection(t)
		require.NoError(t, os.RemoveAll(started))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		child := exec.Command(os.Args[0], "-test.run", "^TestTwentyKernels$")
		child.Stdout, child.Stderr = os.Stderr, os.Stderr
		if killed := i%2 == 1; killed {
			child.Env = append(os.Environ(), variable+"="+k.Checkout, connectionFile+"="+path)
			require.NoError(t, child.Start())
			go func() { ended <- child.Wait() }()
		} else {
			go func() { ended <- k.Run(ctx, path) }()
		}
		text, err := os.ReadFile(started)
		for ; err != nil; text, err = os.ReadFile(started) {
			select {
			case err := <-ended:
				require.Fail(t, "the kernel ended before GoNB was there", err)
			case <-time.After(time.Millisecond):
			}
		}
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
	path := connection(t)
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
