package published

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSets: every set is whole in the program, byte for byte what was published, and nothing else is.
func TestSets(t *testing.T) {
	t.Setenv("NKF_DATA", "")
	embedded := map[string]bool{}
	for _, set := range Sets() {
		found, err := lookup(strings.ToLower(set.Name))
		require.NoError(t, err)
		require.Equal(t, set, found)
		require.True(t, set.Embedded())
		files, err := Open(t.Context(), set.Name)
		require.NoError(t, err)
		for i, file := range files {
			require.Empty(t, file.Path)
			require.Equal(t, set.files[i].Name, file.Name)
			embedded[set.files[i].Path] = true
		}
	}
	require.NoError(t, fs.WalkDir(packed, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() != "LICENSE" {
			require.True(t, embedded[strings.TrimSuffix(path, ".bz2")], path)
		}
		return err
	}))
	_, err := lookup("MUTAG")
	require.ErrorContains(t, err, `no data set is called "MUTAG": the names are AIDS, BZR, COX2`)
	list := Sets()
	list[0].Name = "changed"
	require.Equal(t, "AIDS", Sets()[0].Name)
}

// TestFolder: a file in $NKF_DATA goes before the embedded one, and is the published one or an error.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("NKF_DATA", folder)
	files, err := Open(t.Context(), "BZR")
	require.NoError(t, err)
	path := filepath.Join(folder, "tu", "BZR.zip")
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, files[0].Bytes, 0o666))
	again, err := Open(t.Context(), "BZR")
	require.NoError(t, err)
	set, err := lookup("BZR")
	require.NoError(t, err)
	require.False(t, set.Embedded())
	require.Equal(t, path, again[0].Path)
	require.NoError(t, os.WriteFile(path, []byte("my own"), 0o666))
	_, err = Open(t.Context(), "BZR")
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "but the published file has "+files[0].SHA256)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o777))
	_, err = Open(t.Context(), "BZR")
	require.ErrorContains(t, err, "BZR.zip is not a file")
}

// TestReadme: the table beside this file has all sets, with origin, terms and reference.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var names []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) == 4 && !strings.HasPrefix(line, "| data sets") && !strings.HasPrefix(line, "| ---") {
			require.NotContains(t, cells, "")
			names = append(names, strings.Split(strings.TrimPrefix(cells[0], "| "), ", ")...)
		}
	}
	for i, set := range Sets() {
		require.Equal(t, set.Name, names[i])
	}
	require.Len(t, names, len(Sets()))
}

// TestWhoHoldsTheData: programs that do not name a published set do not link them; nkf does.
func TestWhoHoldsTheData(t *testing.T) {
	const module = "github.com/neuralkforms/nkf/"
	holds := func(packages ...string) bool {
		for i, name := range packages {
			packages[i] = module + name
		}
		out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output()
		require.NoError(t, err)
		return strings.Contains(string(out), module+"datasets/published\n")
	}
	require.False(t, holds("layers/...", "datasets", "datasets/tu", "datasets/moleculenet", "datasets/series",
		"datasets/mesh", "datasets/packing", "nkfx/train", "nkfx/models", "nkfx/examples/own",
		"nkfx/examples/service", "nkfx/examples/signatures", "nkfx/examples/trainer"))
	require.True(t, holds("nkfx/cmd/nkf"))
}
