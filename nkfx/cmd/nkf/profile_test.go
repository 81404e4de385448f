package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProfile: --profile writes a profile, which pprof packs by gzip.
func TestProfile(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	file := filepath.Join(t.TempDir(), "cpu.pprof")
	done(t, "run", "surfaces", "--epochs", "1", "--train", "20", "--out", t.TempDir(),
		"--profile", file)
	profile, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "\x1f\x8b", string(profile[:2]))
}
