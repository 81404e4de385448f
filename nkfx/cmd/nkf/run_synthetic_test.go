package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// synthetics are the figures of the experiments on synthetic data.
var synthetics = map[string][]string{
	"paths":        {"fields", "functions", "embeddings", "losses"},
	"surfaces":     {"embedding", "integrals", "losses"},
	"convolution":  {"templates", "embedding", "losses"},
	"eigenvectors": {"cover", "fields", "losses"},
}

func TestSyntheticExperiments(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	for name, drawn := range synthetics {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			args := []string{"run", name, "--seed", "2", "--epochs", "1", "--out", out, "--json"}
			if name != "eigenvectors" {
				args = append(args, "--train", "5", "--test", "3")
			}
			stdout, stderr := done(t, args...)
			require.Contains(t, stderr, "epoch 1 of 1")
			var result struct {
				Experiment, Backend string
				Seed                uint32
			}
			require.NoError(t, json.Unmarshal([]byte(stdout), &result))
			require.Equal(t, name, result.Experiment)
			require.EqualValues(t, 2, result.Seed)
			require.Equal(t, "go", result.Backend)
			require.Len(t, strings.Split(strings.TrimSpace(stdout), "\n"), 1, "one line")

			saved, err := os.ReadFile(filepath.Join(out, name, "result.json"))
			require.NoError(t, err)
			require.Equal(t, stdout, string(saved))
			for _, figure := range drawn {
				for ext, magic := range map[string]string{".svg": "<?xml", ".png": "\x89PNG"} {
					data, err := os.ReadFile(filepath.Join(out, name, figure+ext))
					require.NoError(t, err)
					require.True(t, strings.HasPrefix(string(data), magic), figure+ext)
				}
			}
			files, err := os.ReadDir(filepath.Join(out, name))
			require.NoError(t, err)
			require.Len(t, files, 2*len(drawn)+1, "nothing half-written")
		})
	}
}

func TestSyntheticExperimentsAreInterruptible(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := t.TempDir()
	var stdout, stderr strings.Builder
	a := newApp(strings.NewReader(""), &stdout, &stderr)
	code := a.run(ctx, []string{"run", "surfaces", "--out", out})
	require.Equal(t, 130, code, stderr.String())
	require.Empty(t, stdout.String())
	files, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Empty(t, files)
}
