package datasets_test

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

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/text"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/tu"
)

// labeled returns the classes and labels of a published data set, and the rows that it leaves out.
func labeled(t *testing.T, name string) (classes []string, labels []int32, refused []int) {
	t.Helper()
	files := must(published.Open(t.Context(), name))
	refused = []int{}
	if columns, ok := moleculenet.Published[name]; ok {
		m := must(moleculenet.Read(bytes.NewReader(files[0].Bytes), name, columns))
		for _, s := range m.Refused {
			refused = append(refused, s.Row)
		}
		for _, target := range m.Targets {
			labels = append(labels, int32(target[0]))
		}
		require.Empty(t, m.Unlabeled)
		require.Equal(t, files[0].SHA256, m.SHA256)
		requireScaffolds(t, name, m)
		return m.Classes, labels, refused
	}
	c := must(must(tu.Read(files[0])).Collection(tu.Automatic))
	return c.Classes, c.Labels, refused
}

// requireScaffolds: splits by scaffold are those of RDKit and DeepChem.
func requireScaffolds(t *testing.T, name string, m *moleculenet.Molecules) {
	t.Helper()
	data := must(os.ReadFile("moleculenet/testdata/scaffolds.json"))
	var golden struct {
		Whole map[string]struct {
			Scaffolds int
			Sizes     []int
			SHA256    string
		}
	}
	require.NoError(t, json.Unmarshal(data, &golden))
	want, ok := golden.Whole[name]
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
}

// TestPublishedFolds: classes, labels and folds of the ten benchmarks are the published ones.
func TestPublishedFolds(t *testing.T) {
	for _, name := range []string{
		"AIDS", "BACE", "BBBP", "BZR", "COX2", "DHFR", "HIV", "Letter-high", "Letter-low", "Letter-med",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var golden struct {
				N            int
				DataRows     int             `json:"data_rows"`
				RefusedRows  []int           `json:"refused_rows"`
				LabelsSHA256 string          `json:"labels_sha256"`
				LabelValues  []json.Number   `json:"label_values"`
				ClassCounts  []int           `json:"class_counts"`
				Folds        []datasets.Fold `json:"folds"`
			}
			paths, err := filepath.Glob("testdata/splits/" + name + ".json*") // plain or packed
			require.NoError(t, err)
			require.Len(t, paths, 1)
			file := must(os.Open(paths[0]))
			defer file.Close()
			content, _, err := text.Unpack(file)
			require.NoError(t, err)
			require.NoError(t, json.NewDecoder(content).Decode(&golden))
			classes, labels, refused := labeled(t, name)
			require.Len(t, labels, golden.N)
			require.Equal(t, append([]int{}, golden.RefusedRows...), refused)
			if golden.DataRows > 0 {
				require.Equal(t, golden.DataRows, len(labels)+len(refused))
			}
			require.Len(t, classes, len(golden.LabelValues))
			for c, value := range golden.LabelValues {
				require.Equal(t, string(value), classes[c])
			}
			counts, lines := make([]int, len(classes)), make([]string, len(labels))
			for g, label := range labels {
				counts[label]++
				lines[g] = fmt.Sprint(label)
			}
			require.Equal(t, golden.ClassCounts, counts)
			sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
			require.Equal(t, golden.LabelsSHA256, hex.EncodeToString(sum[:]))
			folds := must(datasets.StratifiedFolds(labels, 5, 42))
			require.Len(t, golden.Folds, 5)
			for f, want := range golden.Folds {
				// Sprint, not require.Equal: its report of a difference takes minutes on 33,000 numbers.
				require.True(t, fmt.Sprint(want) == fmt.Sprint(folds[f]), "fold %d", f)
			}
		})
	}
}
