package moleculenet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// goldenScaffolds is testdata/scaffolds.json.
type goldenScaffolds struct {
	Excerpt struct {
		Scaffolds               []string
		Train, Validation, Test []int32
	}
	Cases [][2]string
}

func readScaffolds(t *testing.T) (g goldenScaffolds) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "scaffolds.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &g))
	return g
}
