package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable2 assembles a table of which nothing is trained yet.
func TestTable2(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	args := append(strings.Fields("table 2 --dataset bbbp --assemble --out"), out)
	code, stdout, stderr := nkf(t, args...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "Table 2: AUROC with the weights of the last epoch, as published")
	require.Contains(t, stdout, "5 seeds on the first of 5 stratified folds, as published")
	require.Contains(t, stdout, "NkF, paper")
	require.Contains(t, stdout, "86.41 ± 3.64")
	require.Contains(t, stdout, "282K")
	require.Contains(t, stdout, "12 cells are not trained yet")
	page, err := os.ReadFile(filepath.Join(out, "table2.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "<title>Table 2</title>")
	require.Contains(t, string(page), "<svg")
	requireFiles(t, out, "table2.html", "table2.json", "table2.md", "table2.png", "table2.svg")

	code, stdout, stderr = nkf(t, append(args, "--json")...)
	require.Equal(t, exitDone, code, stderr)
	require.Empty(t, stdout, "no cell, no line")
}
