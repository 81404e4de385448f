//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/nkfx/internal/journal"
)

// onSmallDisk runs the body of a test in a process of its own whose folder is a disk of that many bytes, in a
// mount namespace that ends with it. It skips the test where the machine lets nobody do so.
func onSmallDisk(t *testing.T, size int, body func(t *testing.T, disk string)) {
	t.Helper()
	if isChild(t) {
		disk := os.Getenv("NKF_TEST_FOLDER")
		require.NoError(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprint("size=", size)))
		body(t, disk)
		return
	}
	cmd := child(t, "NKF_TEST_FOLDER="+t.TempDir(), "NKF_TEST_PROGRAM="+program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || bytes.Contains(output, []byte("operation not permitted")) {
		t.Skipf("this machine does not let a test mount a disk: %v %s", err, output)
	}
	require.NoError(t, err, string(output))
	t.Logf("%s", output)
}

// fill takes all room of a disk but so many bytes, and returns what gives it back.
func fill(t *testing.T, disk string, left int) (free func()) {
	t.Helper()
	path := filepath.Join(disk, "filler")
	file, err := os.Create(path)
	require.NoError(t, err)
	page := make([]byte, 4096)
	for err == nil {
		_, err = file.Write(page)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	info, err := file.Stat()
	require.NoError(t, err)
	require.NoError(t, file.Truncate(info.Size()/4096*4096-int64(left)))
	require.NoError(t, file.Close())
	return func() { require.NoError(t, os.Remove(path)) }
}

// TestFullDiskJournal: a line that does not fit is told, and leaves no trace.
func TestFullDiskJournal(t *testing.T) {
	onSmallDisk(t, 1<<16, func(t *testing.T, disk string) {
		path := filepath.Join(disk, "journal.jsonl")
		kept, err := journal.Open(path)
		require.NoError(t, err)
		value := strings.Repeat("x", 700) // several lines a page
		lines := 0
		for err == nil {
			if err = kept.Append(fmt.Sprint(lines), value); err == nil {
				lines++
			}
		}
		require.ErrorIs(t, err, syscall.ENOSPC)
		require.ErrorContains(t, err, path)
		require.Greater(t, lines, 50)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, lines, bytes.Count(text, []byte("\n")))
		require.True(t, bytes.HasSuffix(text, []byte("\n")), "no part of a line")
		require.Error(t, kept.Append("again", value))
		require.NoError(t, kept.Append("small", 1), "what fits is still taken")
		require.NoError(t, kept.Close())

		kept, err = journal.Open(path)
		require.NoError(t, err)
		for i := range lines {
			ok, err := kept.Get(fmt.Sprint(i), new(string))
			require.NoError(t, err)
			require.True(t, ok)
		}
	})
}

// TestFullDiskFiles: the old file stays, and nothing is left of the new one.
func TestFullDiskFiles(t *testing.T) {
	onSmallDisk(t, 1<<16, func(t *testing.T, disk string) {
		path := filepath.Join(disk, "model", "file")
		old := bytes.Repeat([]byte("o"), 40_000)
		require.NoError(t, fileio.Write(path, 0o644, fileio.Bytes(old)))
		err := fileio.Write(path, 0o644, fileio.Bytes(bytes.Repeat([]byte("n"), 40_000)))
		require.ErrorIs(t, err, syscall.ENOSPC)
		require.ErrorContains(t, err, path)
		require.Equal(t, old, must(os.ReadFile(path)))

		require.Len(t, must(os.ReadDir(filepath.Dir(path))), 1, "nothing but the old file")
	})
}

// TestFullDiskTraining: a run on a disk that gets full says so and ends with 1; with room again it goes on to
// the result of an undisturbed run.
func TestFullDiskTraining(t *testing.T) {
	onSmallDisk(t, 1<<18, func(t *testing.T, disk string) {
		program = os.Getenv("NKF_TEST_PROGRAM")
		want := finish(t, t.TempDir())
		out := filepath.Join(disk, "results")
		for _, left := range []int{0, 8192, 12288, 16384} {
			free := fill(t, disk, left)
			if stdout, err := training(out).Output(); err != nil {
				require.Contains(t, refused(t, stdout, err), "no space left on device")
			}
			free()
		}
		require.Equal(t, want, finish(t, out))
	})
}

// TestReadOnly: what only reads works; what has to write says where it cannot.
func TestReadOnly(t *testing.T) {
	onSmallDisk(t, 1<<20, func(t *testing.T, disk string) {
		program = os.Getenv("NKF_TEST_PROGRAM")
		out := filepath.Join(disk, "results")
		finish(t, out)
		path := filepath.Join(out, "tu", "BZR-nkf.jsonl")
		require.NoError(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))

		model := filepath.Join(out, "models", "BZR-nkf")
		predict := exec.Command(program, "predict", "--model", model, "--tu", excerpt())
		predict.Env = training(out).Env
		stdout := must(predict.Output())
		require.Equal(t, 41, bytes.Count(stdout, []byte("\n")), "a header, and 40 graphs")
		must(journal.Read(path))

		for _, out := range []string{out, filepath.Join(disk, "new")} {
			stdout, err := training(out).Output()
			said := refused(t, stdout, err)
			require.Contains(t, said, "read-only file system")
			require.Contains(t, said, out)
			require.Equal(t, 1, strings.Count(said, "nkf: "), "one sentence: %s", said)
		}
	})
}
