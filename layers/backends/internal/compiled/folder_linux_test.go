package compiled

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// newFolder returns a folder that does not exist yet, with limit bytes.
func newFolder(t *testing.T, limit int64) *folder {
	return &folder{path: filepath.Join(t.TempDir(), "nkf", "programs"), limit: limit}
}

// A program comes back whole or not at all.
func TestDamagedProgramsAreNotRead(t *testing.T) {
	f := newFolder(t, Limit)
	k := f.key([]byte("program"))
	require.Nil(t, f.read(k), "not there")
	require.NoError(t, f.write(k, []byte("machine code")))
	require.Equal(t, "machine code", string(f.read(k)))

	path := f.file(k)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for size := range whole {
		require.NoError(t, os.WriteFile(path, whole[:size], 0o600))
		require.Nil(t, f.read(k), "cut after %d bytes", size)
	}
	for at := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 1
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		require.Nil(t, f.read(k), "byte %d", at)
	}
}

// TestWrongEntriesAreReplaced: whatever lies in the place of a program is not read, does not hold anything
// up, and gives way to the program.
func TestWrongEntriesAreReplaced(t *testing.T) {
	f := newFolder(t, 10000)
	other, k := f.key([]byte("other")), f.key([]byte("program"))
	path := f.file(k)
	for name, spoil := range map[string]func(t *testing.T){
		"renamed": func(t *testing.T) { // sealed, but another program
			require.NoError(t, f.write(other, []byte("other code")))
			require.NoError(t, os.Rename(f.file(other), path))
		},
		"symbolic link": func(t *testing.T) {
			target := filepath.Join(t.TempDir(), "target")
			require.NoError(t, os.Rename(path, target))
			require.NoError(t, os.Symlink(target, path))
		},
		"pipe": func(t *testing.T) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, syscall.Mkfifo(path, 0o600))
		},
		"writable by the group": func(t *testing.T) { require.NoError(t, os.Chmod(path, 0o660)) },
		"writable by anybody":   func(t *testing.T) { require.NoError(t, os.Chmod(path, 0o602)) },
		"of another user":       func(t *testing.T) { giveAway(t, path) },
		"too large":             func(t *testing.T) { require.NoError(t, os.Truncate(path, 10001)) },
		"unreadable":            func(t *testing.T) { require.NoError(t, os.Truncate(path, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, f.write(k, []byte("machine code")))
			require.NotNil(t, f.read(k))
			spoil(t)
			require.Nil(t, f.read(k))
			require.NoError(t, f.write(k, []byte("machine code")))
			require.Equal(t, "machine code", string(f.read(k)))
		})
	}
}

// giveAway makes a file one of another user.
func giveAway(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	require.NoError(t, os.Lchown(path, 12345, -1))
}

// TestFolderIsPrivate: others must not be able to put programs there, which are executed.
func TestFolderIsPrivate(t *testing.T) {
	f := newFolder(t, Limit)
	k := f.key()
	require.NoError(t, trust(f.path), "it will be made")
	require.NoError(t, f.write(k, []byte("x")))
	info, err := os.Stat(f.path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	require.NoError(t, trust(f.path))

	refused := func(f *folder, why string) {
		t.Helper()
		require.EqualError(t, trust(f.path), fmt.Sprintf("the folder %s is not used because it %s: "+
			"remove it, or set NKF_PROGRAMS to a folder of your own with mode 700", f.path, why))
		require.Nil(t, f.read(k))
		require.Error(t, f.write(k, []byte("y")))
	}
	for _, mode := range []os.FileMode{0o777, 0o770, 0o702, 0o777 | os.ModeSticky} {
		require.NoError(t, os.Chmod(f.path, mode))
		refused(f, "can be written to by others")
	}
	require.NoError(t, os.Chmod(f.path, 0o755))
	require.Equal(t, "x", string(f.read(k)), "others may look")

	link := &folder{path: filepath.Join(t.TempDir(), "link"), limit: Limit}
	require.NoError(t, os.Symlink(f.path, link.path))
	refused(link, "is not a folder")
	pipe := &folder{path: filepath.Join(t.TempDir(), "pipe"), limit: Limit}
	require.NoError(t, syscall.Mkfifo(pipe.path, 0o700))
	refused(pipe, "is not a folder")
	below := &folder{path: filepath.Join(pipe.path, "programs"), limit: Limit}
	require.ErrorIs(t, trust(below.path), syscall.ENOTDIR)

	giveAway(t, f.path)
	refused(f, "belongs to another user")
}

func TestAllPartsDetermineTheFile(t *testing.T) {
	f := &folder{identity: "processor"}
	seen := map[string]bool{}
	all := [][]string{{}, {""}, {"a"}, {"ab"}, {"a", "b"}, {"ab", ""}, {"", "ab"}, {"b", "a"}}
	for _, parts := range all {
		var bytes [][]byte
		for _, part := range parts {
			bytes = append(bytes, []byte(part))
		}
		for _, identity := range []string{"processor", "another", ""} {
			f.identity = identity
			path := f.file(f.key(bytes...))
			require.False(t, seen[path], "%q of %q", parts, identity)
			seen[path] = true
		}
	}
}

// Past the limit the programs used least recently go.
func TestTrim(t *testing.T) {
	f := newFolder(t, 1000)
	require.NoError(t, os.MkdirAll(f.path, 0o700))
	stranger := filepath.Join(f.path, "README")
	require.NoError(t, os.WriteFile(stranger, make([]byte, 5000), 0o600))
	begin := time.Now().Add(-time.Hour)
	var paths []string
	for i := range 8 {
		k := f.key([]byte{byte(i)})
		path := f.file(k)
		paths = append(paths, path)
		require.NoError(t, f.write(k, make([]byte, 100-len(magic)-32)))
		used := begin.Add(time.Duration(i) * time.Minute)
		require.NoError(t, os.Chtimes(path, used, used))
	}
	require.NotNil(t, f.read(f.key([]byte{0})), "used now")
	require.NoError(t, f.write(f.key([]byte("large")), make([]byte, 400)))
	for i, path := range paths {
		if _, err := os.Stat(path); i >= 1 && i <= 5 {
			require.ErrorIs(t, err, os.ErrNotExist, i)
		} else {
			require.NoError(t, err, i)
		}
	}
	require.FileExists(t, stranger)
}
