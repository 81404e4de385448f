//go:build linux

package faults_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends"
)

// running is a process of nkf that is to be ended by signals.
type running struct {
	*exec.Cmd
	said *bufio.Reader // its standard error
}

// start runs nkf, for a minute at most, until something is there that it makes.
func start(t *testing.T, cmd func(ctx context.Context) *exec.Cmd, there func() bool) running {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(stop)
	r := running{Cmd: cmd(ctx)}
	r.said = bufio.NewReader(must(r.StderrPipe()))
	require.NoError(t, r.Start())
	require.Eventually(t, there, time.Minute, time.Millisecond)
	return r
}

// send sends a signal, and returns the first of what is said that begins with that text.
func (r running) send(t *testing.T, signal syscall.Signal, begin string) (line string) {
	t.Helper()
	require.NoError(t, r.Process.Signal(signal))
	for !strings.HasPrefix(line, begin) || line == "" {
		line = must(r.said.ReadString('\n'))
	}
	return line
}

// end waits for the process, and returns the rest of what it said.
func (r running) end(t *testing.T) string {
	t.Helper()
	rest := must(io.ReadAll(r.said))
	require.Error(t, r.Wait())
	return string(rest)
}

// stuck returns a process that waits for what never comes, as a compiler does that cannot be asked to stop.
func stuck(t *testing.T) running {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	return start(t, func(ctx context.Context) *exec.Cmd {
		return nkf(ctx, "go", "train", "molecules", pipe, "--smiles", "smiles", "--label", "label")
	}, func() bool {
		// A pipe can be opened for writing without waiting as soon as somebody reads it.
		writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			t.Cleanup(func() { _ = writer.Close() })
		}
		return err == nil
	})
}

// TestSignals: a signal is answered at once; what does not listen is left soon after, or at once after a
// second signal; the exit code says which signal it was. The machine may be busy: the point is that an
// answer comes before the two seconds are over.
func TestSignals(t *testing.T) {
	heard := make(chan os.Signal, 1) // what is heard here is not ignored by children, even below nohup
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
	for _, s := range []struct {
		signal      syscall.Signal
		code        int
		word, again string
	}{
		{syscall.SIGINT, 130, "interrupted", "Ctrl-C again ends it at once"},
		{syscall.SIGTERM, 143, "terminated", "another signal ends it at once"},
		{syscall.SIGHUP, 129, "hung up", "another signal ends it at once"},
	} {
		t.Run(s.word, func(t *testing.T) {
			t.Parallel()
			r, begin := stuck(t), time.Now()
			require.Equal(t, "nkf: stopping, which takes 2 seconds at most; "+s.again+"\n",
				r.send(t, s.signal, ""))
			require.Less(t, time.Since(begin), 1500*time.Millisecond)
			require.Equal(t, "nkf: "+s.word+"\n", r.end(t))
			require.Equal(t, s.code, r.ProcessState.ExitCode())
			require.Less(t, time.Since(begin), 10*time.Second)

			r = stuck(t)
			r.send(t, s.signal, "nkf: stopping")
			begin = time.Now()
			require.NoError(t, r.Process.Signal(s.signal))
			require.Empty(t, r.end(t))
			status := r.ProcessState.Sys().(syscall.WaitStatus)
			require.Equal(t, s.signal, status.Signal(), "which shells show as %d", s.code)
			require.Less(t, time.Since(begin), 1500*time.Millisecond)
		})
	}
}

// TestNohup: a signal that was ignored stays ignored, so that the other one is heard.
func TestNohup(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	r := stuck(t)
	require.NoError(t, r.Process.Signal(syscall.SIGHUP))
	require.Contains(t, r.send(t, syscall.SIGTERM, "nkf: "), "stopping")
	require.Equal(t, "nkf: terminated\n", r.end(t))
}

// TestSignalWhileCompiling: XLA does not listen while it compiles, and a training ends all the same; what is
// there afterwards is as if it had never begun.
func TestSignalWhileCompiling(t *testing.T) {
	backend, err := backends.Open("xla:cpu", nil)
	if err != nil {
		t.Skip(err)
	}
	backend.Finalize()
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // so that there is something to compile
	out, csv := t.TempDir(), must(filepath.Abs("../../datasets/moleculenet/testdata/excerpt.csv"))
	files := func(pattern string) []string { return must(filepath.Glob(filepath.Join(out, pattern))) }
	r := start(t, func(ctx context.Context) *exec.Cmd {
		return nkf(ctx, "xla:cpu", "train", "molecules", csv, "--smiles", "smiles", "--label", "p_np",
			"--model", "gcn", "--folds", "2", "--epochs", "1", "--out", out)
	}, func() bool { return len(files("own-molecules/*.lock")) > 0 })
	time.Sleep(100 * time.Millisecond) // into the compilation, or beside it: both have to end
	begin := time.Now()
	r.send(t, syscall.SIGINT, "nkf: stopping")
	require.Equal(t, "nkf: interrupted\n", r.end(t))
	require.Equal(t, 130, r.ProcessState.ExitCode())
	require.Less(t, time.Since(begin), 10*time.Second)
	require.Empty(t, files("models/*/model.json"))
}
