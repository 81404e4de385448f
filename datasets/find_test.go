package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlaces: folders go before what is embedded.
func TestPlaces(t *testing.T) {
	sum := sha256.Sum256([]byte("content"))
	source := PublishedFile{Name: "TOY", Path: "tu/TOY.zip", SHA256: hex.EncodeToString(sum[:])}
	first, second := t.TempDir(), t.TempDir()
	f := &Finder{Folders: []string{first, second, filepath.Join(first, "absent")}}
	write := func(folder, content string) string {
		path := filepath.Join(folder, "tu", "TOY.zip")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		return path
	}
	requirePath := func(want string) {
		file, err := f.Open(source)
		require.NoError(t, err)
		require.Equal(t, File{Name: "TOY", Path: want, SHA256: source.SHA256, Bytes: []byte("content")}, file)
	}
	_, err := f.Open(source)
	require.ErrorIs(t, err, fs.ErrNotExist)
	requireAltered := func(place string) {
		_, err := f.Open(source)
		var altered *AlteredError
		require.ErrorAs(t, err, &altered)
		require.Equal(t, place, altered.Path)
		require.ErrorContains(t, err, place)
		require.ErrorContains(t, err, "but the published file has "+source.SHA256)
		require.NotErrorIs(t, err, fs.ErrNotExist)
	}
	require.ErrorContains(t, err, "$NKF_DATA names, as tu/TOY.zip")
	f.Embedded = func(path string) ([]byte, error) {
		require.Equal(t, "tu/TOY.zip", path)
		return []byte("content"), nil
	}
	requirePath("")
	f.Embedded = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	requirePath(write(second, "content"))
	requireAltered(write(first, "my own graphs"))

	source.Path = "../TOY.zip"
	_, err = f.Open(source)
	require.ErrorContains(t, err, "does not stay below")
	source.Path = "tu" // a folder where the file should be
	_, err = f.Open(source)
	require.ErrorContains(t, err, "read "+filepath.Join(first, "tu"))
}

// TestHint: of a file that nobody may pass on, the error says in a sentence how to get it.
func TestHint(t *testing.T) {
	f := &Finder{}
	_, err := f.Open(PublishedFile{Name: "a.off", Path: "a.off", Hint: "ask its author"})
	require.EqualError(t, err, "a.off is not here: ask its author")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
