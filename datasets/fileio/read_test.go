package fileio

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestBytesRead: what is read of files counts once, also in folders, which are like those of package os.
func TestBytesRead(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a"), 0o777))
	path := filepath.Join(dir, "a", "five")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o666))
	before := BytesRead()
	read := func() int64 { return BytesRead() - before }
	file, err := Open(path)
	require.NoError(t, err)
	_, err = file.Read(make([]byte, 2))
	require.NoError(t, err)
	require.EqualValues(t, 2, read())
	_, err = io.Copy(io.Discard, file)
	require.NoError(t, err)
	require.EqualValues(t, 5, read())
	_, err = file.ReadAt(make([]byte, 3), 1)
	require.NoError(t, err)
	require.EqualValues(t, 8, read())
	require.NoError(t, file.Close())

	files := DirFS(dir)
	info, err := fs.Stat(files, "a/five")
	require.NoError(t, err)
	require.EqualValues(t, 5, info.Size())
	require.EqualValues(t, 8, read())
	text, err := fs.ReadFile(files, "a/five")
	require.NoError(t, err)
	require.Equal(t, "12345", string(text))
	require.EqualValues(t, 13, read())
	require.NoError(t, fstest.TestFS(files, "a/five"))
	_, err = files.Open("none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}
