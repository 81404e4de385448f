package compiled

import (
	"bytes"
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

	refused := func(f *folder) {
		t.Helper()
		require.EqualError(t, trust(f.path), fmt.Sprintf("the folder %s is not used because it is not "+
			"a folder, or others own it or may write to it: remove it, or set NKF_PROGRAMS to a folder of "+
			"your own with mode 700", f.path))
		require.Nil(t, f.read(k))
		require.Error(t, f.write(k, []byte("y")))
	}
	for _, mode := range []os.FileMode{0o777, 0o775, 0o770, 0o702, 0o777 | os.ModeSticky} {
		require.NoError(t, os.Chmod(f.path, mode))
		refused(f)
	}
	for _, mode := range []os.FileMode{0o755, 0o700} { // the first is what mkdir makes
		require.NoError(t, os.Chmod(f.path, mode))
		require.Equal(t, "x", string(f.read(k)))
	}

	link := &folder{path: filepath.Join(t.TempDir(), "link"), limit: Limit}
	require.NoError(t, os.Symlink(f.path, link.path))
	refused(link)
	pipe := &folder{path: filepath.Join(t.TempDir(), "pipe"), limit: Limit}
	require.NoError(t, syscall.Mkfifo(pipe.path, 0o700))
	refused(pipe)
	below := &folder{path: filepath.Join(pipe.path, "programs"), limit: Limit}
	require.ErrorIs(t, trust(below.path), syscall.ENOTDIR)

	if os.Geteuid() == 0 { // only root can give files away
		require.NoError(t, os.Lchown(f.path, 12345, -1))
		refused(f)
	}
}

// TestAllPartsDetermineTheFile: parts do not run together.
func TestAllPartsDetermineTheFile(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range []string{"", "|", "a", "ab", "a|b", "ab|", "|ab", "b|a"} {
		for _, identity := range []string{"processor", "another", ""} {
			f := &folder{identity: identity}
			path := f.file(f.key(bytes.Split([]byte(parts), []byte("|"))...))
			require.False(t, seen[path], "%q of %q", parts, identity)
			seen[path] = true
		}
	}
}

// Past the limit the programs used least recently go.
func TestTrim(t *testing.T) {
	f := newFolder(t, 1000)
	f.path = filepath.Join(f.path, "[a]*") // a name, not a pattern
	require.NoError(t, os.MkdirAll(f.path, 0o700))
	stranger := filepath.Join(f.path, "README")
	require.NoError(t, os.WriteFile(stranger, make([]byte, 5000), 0o600))
	begin := time.Now().Add(-time.Hour)
	var paths []string
	for i := range 8 {
		k := f.key([]byte{byte(i)})
		path := f.file(k)
		paths = append(paths, path)
		require.NoError(t, f.write(k, make([]byte, 100-32)))
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
