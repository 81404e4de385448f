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

// shared returns the folder of whole data sets, or skips the test.
func shared(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("NKF_SHARED")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(folder, "golden", "molecules")); err != nil {
		t.Skip("no whole data sets: neither $NKF_SHARED nor the folder shared beside the checkout has them")
	}
	return folder
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

// requireSame compares texts without printing all of them.
func requireSame(t *testing.T, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	require.Len(t, b, len(a), "lines")
	for i := range a {
		require.Equal(t, a[i], b[i], "line %d", i+1)
	}
}

// TestExcerptFeatures compares the lines of an excerpt with RDKit's, byte by byte.
func TestExcerptFeatures(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "excerpt.features.tsv"))
	require.NoError(t, err)
	file, err := os.Open(filepath.Join("testdata", "excerpt.csv"))
	require.NoError(t, err)
	defer file.Close()
	var got bytes.Buffer
	rows, refused, err := WriteFeatures(t.Context(), &got, file, "excerpt.csv", Columns{SMILES: "smiles"})
	require.NoError(t, err)
	require.Equal(t, 71, rows)
	require.Equal(t, 2, refused)
	requireSame(t, want, got.Bytes())
}

// TestWholeDataSets: features, classes and published folds are the golden ones, and the splits by scaffold
// those of RDKit and DeepChem.
func TestWholeDataSets(t *testing.T) {
	folder := shared(t)
	golden := readScaffolds(t).Whole
	for _, c := range []struct {
		name, file string
		rows       int
	}{{"BACE", "bace", 1513}, {"BBBP", "BBBP", 2050}, {"HIV", "HIV", 41127}} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(folder, "datasets", "moleculenet", c.file+".csv")
			m, err := Open(path, published[c.name])
			require.NoError(t, err)
			require.Equal(t, c.file, m.Name)
			require.Equal(t, c.rows, m.Len()+len(m.Refused))
			require.Empty(t, m.Unlabeled)
			source, err := datasets.Lookup(c.name)
			require.NoError(t, err)
			require.Equal(t, source.SHA256, m.SHA256)
			data, err := m.Collection(Numbers)
			require.NoError(t, err)
			require.NoError(t, data.Validate())

			file, err := os.Open(path)
			require.NoError(t, err)
			defer file.Close()
			var text bytes.Buffer
			_, _, err = WriteFeatures(t.Context(), &text, file, path, published[c.name])
			require.NoError(t, err)
			features := filepath.Join(folder, "golden", "molecules", c.file+".features.csv.gz")
			requireSame(t, unzipped(t, features), text.Bytes())
			requirePublishedFolds(t, folder, c.name, m)

			want, ok := golden[c.name]
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
func requirePublishedFolds(t *testing.T, folder, name string, m *Molecules) {
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
	path := filepath.Join(folder, "golden", "splits", name+".json")
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
