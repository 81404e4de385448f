//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
)

// signals are those that end nkf, with its exit code, the word for it, and what
// is said of a second one.
var signals = []struct {
	signal      syscall.Signal
	code        int
	word, again string
}{
	{syscall.SIGINT, 130, "interrupted", "Ctrl-C again ends it at once"},
	{syscall.SIGTERM, 143, "terminated", "another signal ends it at once"},
}

// running is a process of nkf that is to be ended by signals.
type running struct {
	*exec.Cmd
	said *bufio.Reader // its standard error
}

// start runs nkf, and kills it after a minute.
func start(t *testing.T, backend string, args ...string) running {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GOMLX_BACKEND="+backend)
	stderr := must(cmd.StderrPipe())
	require.NoError(t, cmd.Start())
	stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { stop.Stop() })
	return running{cmd, bufio.NewReader(stderr)}
}

// line returns the next line of standard error that begins with that text.
func (r running) line(t *testing.T, begin string) string {
	t.Helper()
	for {
		line, err := r.said.ReadString('\n')
		require.NoError(t, err, line)
		if strings.HasPrefix(line, begin) {
			return line
		}
	}
}

// end waits for the process, and returns the rest of what it said.
func (r running) end(t *testing.T) string {
	t.Helper()
	rest := must(io.ReadAll(r.said))
	var exit *exec.ExitError
	require.ErrorAs(t, r.Wait(), &exit)
	return string(rest)
}

// stuck returns a process that waits for what never comes, as a compiler does
// that cannot be asked to stop.
func stuck(t *testing.T) running {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	r := start(t, "go", "train", "--csv", pipe, "--smiles", "smiles", "--label", "label")
	// A pipe can be opened for writing without waiting as soon as somebody reads it.
	require.Eventually(t, func() bool {
		writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			t.Cleanup(func() { _ = writer.Close() })
		}
		return err == nil
	}, time.Minute, time.Millisecond)
	return r
}

// TestSignals: a signal is answered at once; what does not listen is left soon after, or at once after a
// second signal; the exit code says which signal it was.
func TestSignals(t *testing.T) {
	for _, s := range signals {
		t.Run(s.word, func(t *testing.T) {
			t.Parallel()
			r, begin := stuck(t), time.Now()
			require.NoError(t, r.Process.Signal(s.signal))
			require.Equal(t, "nkf: stopping, which takes 2 seconds at most; "+s.again+"\n", r.line(t, ""))
			// The machine may be busy; the point is that it is said before the two seconds are over.
			require.Less(t, time.Since(begin), 1500*time.Millisecond)
			require.Equal(t, "nkf: "+s.word+"\n", r.end(t))
			require.Equal(t, s.code, r.ProcessState.ExitCode())
			require.Less(t, time.Since(begin), 10*time.Second)

			r = stuck(t)
			require.NoError(t, r.Process.Signal(s.signal))
			r.line(t, "nkf: stopping")
			begin = time.Now()
			require.NoError(t, r.Process.Signal(s.signal))
			require.Empty(t, r.end(t))
			status, ok := r.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, ok)
			require.Equal(t, s.signal, status.Signal(), "which shells show as %d", s.code)
			require.Less(t, time.Since(begin), 1500*time.Millisecond)
		})
	}
}

// TestSignalWhileCompiling: XLA does not listen while it compiles, and a
// training ends all the same; what is there afterwards is as if it had never
// begun, and the same command does it all.
func TestSignalWhileCompiling(t *testing.T) {
	backend, err := backends.Open("xla:cpu", nil)
	if err != nil {
		t.Skip(err)
	}
	backend.Finalize()
	csv := must(filepath.Abs("../../datasets/moleculenet/testdata/excerpt.csv"))
	// A cache of its own, so that there is something to compile.
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	signals := signals
	if !backendtest.Long() {
		signals = signals[:1] // TestSignals has the others
	}
	for i, s := range signals {
		out := t.TempDir()
		args := []string{"train", "--csv", csv, "--smiles", "smiles", "--label", "p_np", "--model", "gcn",
			"--folds", "2", "--epochs", "1", "--out", out}
		r := start(t, "xla:cpu", args...)
		require.Eventually(t, func() bool {
			journals, err := filepath.Glob(filepath.Join(out, "own-molecules", "*.lock"))
			return err == nil && len(journals) > 0
		}, time.Minute, time.Millisecond)
		time.Sleep(100 * time.Millisecond) // into the compilation, or beside it: both have to end
		begin := time.Now()
		require.NoError(t, r.Process.Signal(s.signal))
		r.line(t, "nkf: stopping")
		require.Equal(t, "nkf: "+s.word+"\n", r.end(t))
		require.Equal(t, s.code, r.ProcessState.ExitCode())
		t.Logf("ended after %v", time.Since(begin))
		require.Less(t, time.Since(begin), 10*time.Second)
		models, err := os.ReadDir(filepath.Join(out, "models"))
		require.True(t, err == nil || errors.Is(err, os.ErrNotExist), err)
		for _, model := range models {
			require.NoFileExists(t, filepath.Join(out, "models", model.Name(), "model.json"))
		}
		if i < len(signals)-1 {
			continue // the rest does not depend on the signal, and would leave nothing to compile
		}
		again := exec.Command(program, args...)
		again.Env = append(os.Environ(), "GOMLX_BACKEND=xla:cpu")
		text, err := again.CombinedOutput()
		require.NoError(t, err, string(text))
	}
}

// TestKilledTraining kills the real program at random moments from its start to the saving of its model,
// until it gets to its end: result and model are those of an undisturbed run, to the last bit.
func TestKilledTraining(t *testing.T) {
	begin := time.Now()
	want := finish(t, t.TempDir())
	whole := time.Since(begin)
	for killed := 0; killed < times(); {
		out, most := t.TempDir(), whole/2
		for !killAfter(t, training(out), between(most)) {
			killed++
			// Longer and longer, so that the test ends on any machine.
			most += whole / 8
		}
		require.Equal(t, want, finish(t, out))
	}
}

// TestKilledWriting kills a process that replaces a file and adds to a journal all the time. The file is
// always whole, and the journal lacks nothing that was finished.
func TestKilledWriting(t *testing.T) {
	const size = 1 << 20
	if isChild(t) {
		folder := os.Getenv("NKF_TEST_FOLDER")
		kept := must(journal.Open(filepath.Join(folder, "journal.jsonl")))
		for i := 0; ; i++ {
			content := bytes.Repeat([]byte{byte(i)}, size)
			var before string
			if done, err := kept.Get(fmt.Sprint(i), &before); done {
				require.NoError(t, err)
				continue
			}
			file := filepath.Join(folder, "file")
			require.NoError(t, fileio.Write(file, 0o644, fileio.Bytes(content)))
			require.NoError(t, kept.Append(fmt.Sprint(i), fmt.Sprintf("%05000d", i)))
		}
	}
	folder := t.TempDir()
	file, path := filepath.Join(folder, "file"), filepath.Join(folder, "journal.jsonl")
	finished := 0
	for range times() {
		writer := child(t, "NKF_TEST_FOLDER="+folder)
		require.False(t, killAfter(t, writer, between(300*time.Millisecond)))
		content, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue // killed before the first
		}
		require.NoError(t, err)
		require.Equal(t, bytes.Repeat(content[:1], size), content, "one content, whole")
		kept := must(journal.Open(path))
		number := 0
		for ; ; number++ {
			var text string
			ok := must(kept.Get(fmt.Sprint(number), &text))
			if !ok {
				break
			}
			require.Equal(t, fmt.Sprintf("%05000d", number), text)
		}
		require.NoError(t, kept.Close())
		require.GreaterOrEqual(t, number, finished, "nothing that was finished is lost")
		// The file is written before its line: at most one ahead.
		require.Contains(t, []byte{byte(number), byte(number - 1)}, content[0])
		finished = number
	}
	require.NotZero(t, finished)
}
