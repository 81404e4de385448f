//go:build linux

package faults_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
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

// TestDisk writes on a small disk, in a mount namespace that ends with its process, until it is full, and on
// one that can only be read. It is skipped where the machine lets nobody mount a disk.
func TestDisk(t *testing.T) {
	const folder = "NKF_TEST_DISK"
	disk := os.Getenv(folder)
	if disk == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestDisk$", "-test.v")
		cmd.Env = append(os.Environ(), folder+"="+t.TempDir())
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
		return
	}
	size := func(bytes int, flags uintptr) {
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", flags, fmt.Sprint("size=", bytes)))
	}
	require.NoError(t, syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
	size(1<<16, 0)
	syscall.Umask(0o077)
	fullJournal(t, filepath.Join(disk, "journal"))
	fullFile(t, filepath.Join(disk, "model"))

	want, out := finish(t, t.TempDir()), filepath.Join(disk, "results")
	for room := 4096; room <= 16384; room += 4096 {
		size(room, syscall.MS_REMOUNT)
		if stdout, err := training(t.Context(), out).Output(); err != nil || room == 4096 {
			require.Contains(t, refused(t, stdout, err), "no space left on device")
		}
	}
	size(1<<20, syscall.MS_REMOUNT)
	require.Equal(t, want, finish(t, out), "with room again it goes on to the result of an undisturbed run")
	require.NoError(t, filepath.WalkDir(out, func(path string, entry fs.DirEntry, _ error) error {
		require.Zero(t, must(entry.Info()).Mode()&0o077, "%s is as private as the user's other files", path)
		return nil
	}))
	size(1<<20, syscall.MS_REMOUNT|syscall.MS_RDONLY)
	readOnly(t, disk, out)
}

// TestClosedOutput: a result that goes nowhere is an error; one that is thrown away is none.
func TestClosedOutput(t *testing.T) {
	for shell, code := range map[string]int{`"$0" data list >&-`: 1, `"$0" data list >/dev/null`: 0} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", shell, program)
		said, _ := cmd.CombinedOutput()
		require.Equal(t, code, cmd.ProcessState.ExitCode(), shell)
		require.Equal(t, code > 0, strings.HasSuffix(string(said), "nkf: standard output is closed\n"), shell)
	}
}

// fullJournal: a line that does not fit is told, and leaves no trace.
func fullJournal(t *testing.T, path string) {
	t.Helper()
	kept, count := must(journal.Open(path)), 0
	var err error
	for ; err == nil; count++ {
		err = kept.Append(fmt.Sprint(count), fmt.Sprintf("%0700d", count)) // several lines a page
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, path)
	require.Greater(t, count, 50)
	text := must(os.ReadFile(path))
	require.Equal(t, count-1, bytes.Count(text, []byte("\n")))
	require.True(t, bytes.HasSuffix(text, []byte("\n")), "no part of a line")
	require.NoError(t, kept.Append("small", 1), "what fits is still taken")
	require.NoError(t, kept.Close())
	kept = must(journal.Open(path))
	for i := range count - 1 {
		require.True(t, must(kept.Get(fmt.Sprint(i), new(string))))
	}
	require.NoError(t, kept.Remove())
}

// fullFile: the old file stays, and nothing is left of the new one.
func fullFile(t *testing.T, folder string) {
	t.Helper()
	path, old := filepath.Join(folder, "file"), bytes.Repeat([]byte("o"), 40_000)
	require.NoError(t, fileio.Write(path, 0o644, fileio.Bytes(old)))
	err := fileio.Write(path, 0o644, fileio.Bytes(bytes.Repeat([]byte("n"), 40_000)))
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, path)
	require.Equal(t, old, must(os.ReadFile(path)))
	require.Len(t, must(os.ReadDir(folder)), 1, "nothing but the old file")
	require.NoError(t, os.RemoveAll(folder))
}

// readOnly: what only reads works; what has to write says where it cannot.
func readOnly(t *testing.T, disk, out string) {
	t.Helper()
	model := filepath.Join(out, "models", "BZR-nkf")
	stdout := must(nkf(t.Context(), "go", "predict", "graphs", excerpt(), "--model", model).Output())
	require.Equal(t, 41, bytes.Count(stdout, []byte("\n")), "a header, and 40 graphs")
	must(journal.Read(filepath.Join(out, "tu", "BZR-nkf.jsonl")))
	for _, out := range []string{out, filepath.Join(disk, "new")} {
		stdout, err := training(t.Context(), out).Output()
		said := refused(t, stdout, err)
		require.Contains(t, said, "read-only file system")
		require.Contains(t, said, out)
		require.Equal(t, 1, strings.Count(said, "nkf: "), "one sentence: %s", said)
	}
}
