package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// TestTable1 makes a small part of the table twice: the files to read are the
// same to the last byte.
func TestTable1(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	args := strings.Fields(
		"table 1 --dataset BZR --model nkf --features labels --folds 2 --epochs 1 --workers 1",
	)
	args = append(args, "--out", out)
	code, stdout, stderr := nkf(t, append(args, "--assemble")...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "1 cell is not trained yet")

	code, first, stderr := nkf(t, args...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, first, "NkF, paper")
	require.Contains(t, first, "78.77 ± 0.55", "the paper's")
	require.Contains(t, first, "3,645")
	files := map[string][]byte{}
	for _, ext := range []string{"md", "html", "svg", "png"} {
		data, err := os.ReadFile(filepath.Join(out, "table1."+ext))
		require.NoError(t, err)
		files[ext] = data
	}
	require.Contains(t, string(files["html"]), "<svg")
	require.NotContains(t, string(files["html"]), "<?xml")
	code, again, stderr := nkf(t, append(args, "--assemble")...)
	require.Equal(t, exitDone, code, stderr)
	require.Equal(t, first, again)
	for ext, before := range files {
		after, err := os.ReadFile(filepath.Join(out, "table1."+ext))
		require.NoError(t, err)
		require.Equal(t, before, after, ext)
	}
	code, stdout, stderr = nkf(t, append(args, "--json")...)
	require.Equal(t, exitDone, code, stderr)
	cells := results(t, stdout)
	require.Len(t, cells, 1)
	require.Equal(t, "78.77 ± 0.55", cells[0].Paper.String())
	require.Len(t, cells[0].Folds, 2)
	require.FileExists(t, filepath.Join(out, "table1.json"))
}

// TestTableFolder: a folder that cannot be is an error, and not at the end of
// all work.
func TestTableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, saveTable(&experiments.Results{}, filepath.Join(file, "table1")))
}
