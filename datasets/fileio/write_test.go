package fileio_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/fileio"
)

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file")
	require.NoError(t, fileio.Write(path, 0o640, fileio.Bytes([]byte("one"))))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode())

	full := errors.New("no space left on device")
	err = fileio.Write(path, 0o640, func(w io.Writer) error {
		_, _ = w.Write([]byte("tw"))
		return full
	})
	require.ErrorIs(t, err, full)
	require.ErrorContains(t, err, path)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one", string(content), "the old file stays")

	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() {
			data := make([]byte, 1<<16)
			for j := range data {
				data[j] = byte(i)
			}
			if err := fileio.Write(path, 0o640, fileio.Bytes(data)); err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	content, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, content, 1<<16)
	for _, b := range content {
		require.Equal(t, content[0], b, "the file of one of them, whole")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left beside it")

	require.ErrorContains(
		t,
		fileio.Write(filepath.Join(path, "below"), 0o640, fileio.Bytes(nil)),
		path,
	)
}

// TestLinks: what a link names is replaced, made or, if it is a device, written to, and the link stays.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "inside"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o666))
	for _, link := range []struct{ path, to, file string }{
		{"absolute", filepath.Join(folder, "file"), "file"},
		{"twice", "absolute", "file"},
		{filepath.Join("inside", "nowhere"), filepath.Join("..", "missing"), "missing"},
		{"null", os.DevNull, ""},
	} {
		path := filepath.Join(folder, link.path)
		if err := os.Symlink(link.to, path); err != nil {
			t.Skip(err) // on Windows, who may make them is a setting
		}
		require.NoError(t, fileio.Write(path, 0o666, fileio.Bytes([]byte(link.path))))
		named, err := os.Readlink(path)
		require.NoError(t, err)
		require.Equal(t, link.to, named)
		if link.file != "" {
			content, err := os.ReadFile(filepath.Join(folder, link.file))
			require.NoError(t, err)
			require.Equal(t, link.path, string(content))
		}
	}
}

// TestFolder: it is made, with nothing in it, and what cannot hold files is told.
func TestFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, fileio.Folder(folder))
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, entries)
	path := filepath.Join(folder, "file")
	require.NoError(t, fileio.Write(path, 0o666, fileio.Bytes(nil)))
	for _, bad := range []string{path, filepath.Join(path, "below")} {
		require.ErrorContains(t, fileio.Folder(bad), path)
	}
}
