package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestKernelEndsWithItsParent: when a server of Jupyter is killed, its kernels end within ten seconds, with
// GoNB, what GoNB has started in a group of its own, as gopls is, and the program of a cell, whether or not
// they listen to signals.
func TestKernelEndsWithItsParent(t *testing.T) {
	const role, checkout, connectionFile = "NKF_TEST_ROLE", "NKF_TEST_CHECKOUT", "NKF_TEST_CONNECTION"
	again := func(as string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKernelEndsWithItsParent$")
		cmd.Env = append(os.Environ(), role+"="+as)
		return cmd
	}
	switch os.Getenv(role) {
	case "server":
		require.NoError(t, again("kernel").Run())
		return
	case "kernel":
		require.NoError(t, Kernel{Checkout: os.Getenv(checkout)}.Run(t.Context(), os.Getenv(connectionFile)))
		return
	}
	t.Setenv("TMPDIR", t.TempDir())
	started := t.TempDir()
	t.Setenv("STARTED", started)
	path := connection(t)
	t.Setenv(connectionFile, path)
	t.Setenv(checkout, fakeCheckout(t, `
		trap '' TERM INT
		echo $PPID > "$STARTED/kernel"
		echo $$ > "$STARTED/gonb"
		setsid sh -c 'echo $$ > "$STARTED/gopls"; exec sleep 600' &
		sh -c 'echo $$ > "$STARTED/cell"; exec sleep 600' &
		while :; do sleep 1; done`))
	server := again("server")
	require.NoError(t, server.Start())
	var running []int
	for _, name := range []string{"kernel", "gonb", "gopls", "cell"} {
		require.Eventually(t, func() bool {
			text, _ := os.ReadFile(filepath.Join(started, name))
			process, err := strconv.Atoi(strings.TrimSpace(string(text)))
			running = append(running, process)
			return err == nil
		}, time.Minute, 10*time.Millisecond, name)
	}
	require.NoError(t, server.Process.Kill())
	_ = server.Wait()
	require.Eventually(t, func() bool {
		for _, process := range running {
			if process != 0 && !gone(process) {
				return false
			}
		}
		return true
	}, 10*time.Second, 10*time.Millisecond)
	require.Eventually(t, func() bool { return len(leftovers(t)) == 0 }, time.Second, time.Millisecond,
		"nor does it leave files")
}
