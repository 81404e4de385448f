package moleculenet

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/published"
	"github.com/neuralkforms/nkf/datasets/smiles"
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

// unzipped returns what a file unpacks to.
func unzipped(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return text
}

// TestWholeDataSets: classes and published folds are the golden ones, and the splits by scaffold
// those of RDKit and DeepChem.
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

			for g := 0; g < m.Len(); g += 29 { // package smiles compares all with RDKit
				molecule, err := smiles.Parse(m.SMILES[g])
				require.NoError(t, err)
				for i, got := range m.Atoms[m.AtomStart[g]:m.AtomStart[g+1]] {
					require.Equal(t, molecule.AtomFeatures(i), got)
				}
				for i, got := range m.BondFeatures[m.BondStart[g]:m.BondStart[g+1]] {
					require.Equal(t, molecule.BondFeatures(i), got)
				}
			}
			requirePublishedFolds(t, name, m)

			want, ok := scaffolds[name]
			if !ok {
				return
			}
			require.Equal(t, want.Scaffolds, int(slices.Max(m.Scaffolds()))+1)
			f, err := m.ScaffoldSplit()
			require.NoError(t, err)
			require.Equal(t, want.Sizes, []int{len(f.Train), len(f.Validation), len(f.Test)})
			sum := sha256.Sum256([]byte(joined(f.Train, ",") + "|" + joined(f.Validation, ",") + "|" +
				joined(f.Test, ",")))
			require.Equal(t, want.SHA256, hex.EncodeToString(sum[:]))
		})
	}
}

// joined writes numbers with something between them.
func joined(numbers []int32, between string) string {
	texts := make([]string, len(numbers))
	for i, v := range numbers {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, between)
}

// requirePublishedFolds compares classes, refused rows and folds with the golden ones.
func requirePublishedFolds(t *testing.T, name string, m *Molecules) {
	t.Helper()
	var golden struct {
		N            int
		DataRows     int             `json:"data_rows"`
		RefusedRows  []int           `json:"refused_rows"`
		LabelsSHA256 string          `json:"labels_sha256"`
		LabelValues  []json.Number   `json:"label_values"`
		ClassCounts  []int           `json:"class_counts"`
		Folds        []datasets.Fold `json:"folds"`
	}
	path := filepath.Join("..", "testdata", "splits", name+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		text = unzipped(t, path+".gz")
	}
	require.NoError(t, json.Unmarshal(text, &golden))
	require.Equal(t, golden.N, m.Len())
	require.Equal(t, golden.DataRows, m.Len()+len(m.Refused))
	refused := []int{}
	for _, s := range m.Refused {
		refused = append(refused, s.Row)
	}
	require.Equal(t, append([]int{}, golden.RefusedRows...), refused)
	for c, value := range golden.LabelValues {
		require.Equal(t, string(value), m.Classes[c])
	}
	sum := sha256.Sum256([]byte(joined(m.Labels, "\n")))
	require.Equal(t, golden.LabelsSHA256, hex.EncodeToString(sum[:]))
	folds, err := datasets.StratifiedFolds(m.Labels, 5, 42)
	require.NoError(t, err)
	require.Len(t, golden.Folds, 5)
	for f, want := range golden.Folds {
		// Slices, not require.Equal: its report of a difference takes minutes on 33,000 numbers.
		require.True(t, slices.Equal(want.Train, folds[f].Train), "training part of fold %d", f)
		require.True(t, slices.Equal(want.Validation, folds[f].Validation), "validation part of fold %d", f)
		require.True(t, slices.Equal(want.Test, folds[f].Test), "test part of fold %d", f)
	}
}
