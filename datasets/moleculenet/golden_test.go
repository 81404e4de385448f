package moleculenet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/published"
)

// goldenScaffolds is testdata/scaffolds.json.
type goldenScaffolds struct {
	Excerpt struct {
		Scaffolds               []string
		Train, Validation, Test []int32
	}
	Whole map[string]struct {
		Scaffolds int
		Sizes     []int
		SHA256    string
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

// TestWholeDataSets: splits by scaffold are those of RDKit and DeepChem.
func TestWholeDataSets(t *testing.T) {
	scaffolds := readScaffolds(t).Whole
	for name, rows := range map[string]int{"BACE": 1513, "BBBP": 2050, "HIV": 41127} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := published.Open(t.Context(), name)
			require.NoError(t, err)
			m, err := Read(bytes.NewReader(files[0].Bytes), name, Published[name])
			require.NoError(t, err)
			require.Equal(t, rows, m.Len()+len(m.Refused))
			require.Empty(t, m.Unlabeled)
			require.Equal(t, files[0].SHA256, m.SHA256)
			data, err := m.Collection(Numbers)
			require.NoError(t, err)
			require.NoError(t, data.Validate())

			want, ok := scaffolds[name]
			if !ok {
				return
			}
			require.Equal(t, want.Scaffolds, int(slices.Max(m.Scaffolds()))+1)
			f, err := m.ScaffoldSplit()
			require.NoError(t, err)
			require.Equal(t, want.Sizes, []int{len(f.Train), len(f.Validation), len(f.Test)})
			parts := strings.ReplaceAll(fmt.Sprintf("%v|%v|%v", f.Train, f.Validation, f.Test), " ", ",")
			sum := sha256.Sum256([]byte(strings.NewReplacer("[", "", "]", "").Replace(parts)))
			require.Equal(t, want.SHA256, hex.EncodeToString(sum[:]))
		})
	}
}
