//go:build unix

package folder

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestRead: files are read with their size and counted in the checksum; those without an end are not opened.
func TestRead(t *testing.T) {
	place := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(place, "x"), []byte("1 2"), 0o644))
	require.NoError(t, syscall.Mkfifo(filepath.Join(place, "pipe"), 0o644))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(place, "zero")))
	var r Reader
	files := os.DirFS(place)
	data, stored, err := r.Read(files, "x")
	require.NoError(t, err)
	require.Equal(t, "1 2", string(data))
	require.EqualValues(t, 3, stored)
	var again Reader
	sum := sha256.Sum256([]byte("1 2"))
	again.Add("x", sum[:])
	require.Equal(t, again.SHA256(), r.SHA256())
	for _, name := range []string{"pipe", "zero"} {
		_, _, err = r.Read(files, name)
		require.ErrorContains(t, err, name+" is not a file")
	}
	_, _, err = r.Read(files, "none")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestClasses: they are the first folders, ascending.
func TestClasses(t *testing.T) {
	names, err := Names(fstest.MapFS{"b/x.off": {}, "a/c/y.off": {}, "b/z.txt": {}}, func(name string) bool {
		return filepath.Ext(name) == ".off"
	})
	require.NoError(t, err)
	require.Equal(t, []string{"a/c/y.off", "b/x.off"}, names)
	classes, targets, err := Classes(append(names, "b/\x1b"))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, classes)
	require.Equal(t, [][]float64{{0}, {1}, {1}}, targets)
	_, _, err = Classes([]string{"x.off"})
	require.ErrorContains(t, err, "x.off lies in no folder")
}
