package compiled

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A program comes back whole or not at all.
func TestDamagedProgramsAreNotRead(t *testing.T) {
	f := &folder{path: filepath.Join(t.TempDir(), "programs"), limit: Limit}
	path := f.file([]byte("program"))
	require.Nil(t, f.read(path), "not there")
	require.NoError(t, f.write(path, []byte("machine code")))
	require.Equal(t, "machine code", string(f.read(path)))

	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for size := range whole {
		require.NoError(t, os.WriteFile(path, whole[:size], 0o600))
		require.Nil(t, f.read(path), "cut after %d bytes", size)
	}
	for at := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 1
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		require.Nil(t, f.read(path), "byte %d", at)
	}
}

// Others must not be able to put programs there, which are run.
func TestFolderIsPrivate(t *testing.T) {
	f := &folder{path: filepath.Join(t.TempDir(), "nkf", "programs"), limit: Limit}
	require.NoError(t, f.write(f.file(), []byte("x")))
	info, err := os.Stat(f.path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
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
			path := f.file(bytes...)
			require.False(t, seen[path], "%q of %q", parts, identity)
			seen[path] = true
		}
	}
}

// Past the limit the programs used least recently go.
func TestTrim(t *testing.T) {
	f := &folder{path: t.TempDir(), limit: 1000}
	stranger := filepath.Join(f.path, "README")
	require.NoError(t, os.WriteFile(stranger, make([]byte, 5000), 0o600))
	begin := time.Now().Add(-time.Hour)
	var paths []string
	for i := range 8 {
		path := f.file([]byte{byte(i)})
		paths = append(paths, path)
		require.NoError(t, f.write(path, make([]byte, 100-len(magic)-32)))
		used := begin.Add(time.Duration(i) * time.Minute)
		require.NoError(t, os.Chtimes(path, used, used))
	}
	require.NotNil(t, f.read(paths[0]), "used now")
	require.NoError(t, f.write(f.file([]byte("large")), make([]byte, 400)))
	for i, path := range paths {
		if _, err := os.Stat(path); i >= 1 && i <= 5 {
			require.ErrorIs(t, err, os.ErrNotExist, i)
		} else {
			require.NoError(t, err, i)
		}
	}
	require.FileExists(t, stranger)
}
