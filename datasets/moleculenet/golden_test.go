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
	scaffolds := readScaffolds(t).Whole
	features := readFeatures(t)
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

			var text bytes.Buffer
			_, _, err = WriteFeatures(t.Context(), &text, bytes.NewReader(files[0].Bytes), name,
				Published[name])
			require.NoError(t, err)
			requireFeatures(t, features[name], text.Bytes())
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

// readFeatures returns testdata/features.tsv by data set and first row, "all" for the whole.
func readFeatures(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "features.tsv"))
	require.NoError(t, err)
	sums := map[string]map[string]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 3)
		if sums[fields[0]] == nil {
			sums[fields[0]] = map[string]string{}
		}
		sums[fields[0]][fields[1]] = fields[2]
	}
	return sums
}

// requireFeatures compares lines of features with their checksums, and says which hundred rows differ.
func requireFeatures(t *testing.T, want map[string]string, got []byte) {
	t.Helper()
	lines, blocks := bytes.SplitAfter(got, []byte("\n")), 0
	for block := range slices.Chunk(lines[:len(lines)-1], 100) {
		first := fmt.Sprint(100 * blocks)
		blocks++
		sum := sha256.Sum256(bytes.Join(block, nil))
		require.Equal(t, want[first], hex.EncodeToString(sum[:8]), "%d rows from row %s", len(block), first)
	}
	require.Equal(t, len(want)-1, blocks)
	sum := sha256.Sum256(got)
	require.Equal(t, want["all"], hex.EncodeToString(sum[:]))
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
