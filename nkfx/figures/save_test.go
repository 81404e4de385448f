package figures_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSaveWritesWhatTheExtensionSays(t *testing.T) {
	dir := t.TempDir()
	f := vortex(1)
	for name, magic := range map[string]string{"a/field.svg": "<?xml", "field.PNG": "\x89PNG"} {
		path := filepath.Join(dir, name)
		require.NoError(t, f.Save(path))
		require.NoError(t, f.Save(path), "again, over the old one")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(data), magic), name)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing but the figure")
	require.ErrorContains(t, f.Save(filepath.Join(dir, "field.gif")), "use .svg or .png")
	require.Error(t, f.Save(filepath.Join(dir, "field.PNG", "below-a-file.svg")))
}

func TestSVGNamesFontsThatAllHave(t *testing.T) {
	svg, err := vortex(1).SVG()
	require.NoError(t, err)
	require.Contains(t, string(svg), "sans-serif")
	require.NotContains(t, string(svg), "font-family:Liberation Sans;")
}
