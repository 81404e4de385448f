//go:build linux

package faults_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSignalEndsWhatDoesNotListen: a program that waits for a pipe to which nobody writes ends soon after a
// signal, and says so.
func TestSignalEndsWhatDoesNotListen(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			cmd := exec.Command(program, "train", "--csv", pipe, "--smiles", "smiles", "--label", "label")
			cmd.Env = append(os.Environ(), "GOMLX_BACKEND=go")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			require.NoError(t, cmd.Start())
			stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			// A pipe can be opened for writing without waiting as soon as somebody reads it.
			var writer *os.File
			require.Eventually(t, func() (read bool) {
				var err error
				writer, err = os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
				return err == nil
			}, time.Minute, time.Millisecond)
			defer writer.Close()
			require.NoError(t, cmd.Process.Signal(signal))
			require.Error(t, cmd.Wait())
			require.True(t, stop.Stop(), "it ends by itself")
			require.Equal(t, 130, cmd.ProcessState.ExitCode())
			require.Equal(t, "nkf: interrupted\n", stderr.String())
		})
	}
}
