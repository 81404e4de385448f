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

// TestLinks: what a link names is replaced or, if it is a device, written to, and the link stays.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	for name, to := range map[string]string{"link": filepath.Join(folder, "file"), "null": os.DevNull} {
		link := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o666))
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err) // on Windows, who may make them is a setting
		}
		require.NoError(t, fileio.Write(link, 0o666, fileio.Bytes([]byte("one"))))
		named, err := os.Readlink(link)
		require.NoError(t, err)
		require.Equal(t, to, named)
		if content, err := os.ReadFile(to); name == "link" {
			require.NoError(t, err)
			require.Equal(t, "one", string(content))
		}
	}
}
