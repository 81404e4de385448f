package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTableCochain assembles a table of which nothing is trained yet.
func TestTableCochain(t *testing.T) {
	onGo(t)
	out := t.TempDir()
	args := append(strings.Fields("table cochain --dataset bzr --assemble --out"), out)
	code, stdout, stderr := nkf(t, args...)
	require.Equal(t, exitDone, code, stderr)
	require.Contains(t, stdout, "3 cells are not trained yet")
	require.Contains(t, stdout, "81.48 ± 2.90", "the paper's best")
	for _, ext := range []string{"json", "md", "html"} {
		data, err := os.ReadFile(filepath.Join(out, "cochain."+ext))
		require.NoError(t, err)
		require.Contains(t, string(data), "BZR")
	}
	code, stdout, stderr = nkf(t, append(args, "--json")...)
	require.Equal(t, exitDone, code, stderr)
	require.Empty(t, stdout, "no cell, no line")
}
