package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/internal/bench"
)

// TestBenchOnACard: laws and reference values are checked, and integrals timed, on a backend that stands in
// for a card; without Python the figures are nkf's alone, and a sentence says so.
func TestBenchOnACard(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	t.Setenv("NKF_PYTHON", filepath.Join(t.TempDir(), "python"))
	file := filepath.Join(t.TempDir(), "new", "bench.json")
	line := "bench --gpu --races integrals --simplices 20 --seconds 0.001 --out " + file
	stdout, _ := done(t, strings.Fields(line)...)
	require.Contains(t, stdout, "Stokes' theorem, 2-forms: holds")
	require.Contains(t, stdout, "there is no Python at")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var report bench.Report
	require.NoError(t, json.Unmarshal(text, &report))
	require.Equal(t, "go", report.Backend)
	require.NotEmpty(t, report.Checks)
	require.Len(t, report.Results, 3*3) // of three forms, in three ways
	for _, r := range report.Results {
		require.Empty(t, r.Skipped)
		require.Positive(t, r.Seconds)
	}
}

// TestBenchWithoutACard: one sentence, and no file.
func TestBenchWithoutACard(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", t.TempDir())
	file := filepath.Join(t.TempDir(), "bench.json")
	code, stdout, stderr := nkf(t, "bench", "--gpu", "--out", file)
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	require.Regexp(t, `^nkf: there is no CUDA card that XLA can use: [^\n]*\n$`, stderr)
	require.NoFileExists(t, file)
}
