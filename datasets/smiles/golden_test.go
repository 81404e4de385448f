package smiles

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shared returns the folder of whole data sets, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("NKF_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "golden", "molecules")); err != nil {
		t.Skip("no whole data sets: neither $NKF_SHARED nor the folder shared beside the checkout has them")
	}
	return dir
}

// column reads one column of a CSV file with a header.
func column(t testing.TB, path, name string) []string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	head, err := r.Read()
	require.NoError(t, err)
	at := -1
	for i, h := range head {
		if h == name {
			at = i
		}
	}
	require.GreaterOrEqual(t, at, 0, "no column %s", name)
	var out []string
	for {
		row, err := r.Read()
		if err == io.EOF {
			return out
		}
		require.NoError(t, err)
		out = append(out, row[at])
	}
}

// golden reads the lines of a gzip file.
func golden(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// records reads a file of testdata and splits its lines into the leading columns and the rest: the
// line of golden features.
func records(t testing.TB, name string) [][]string {
	t.Helper()
	columns := 3
	if name == "variants.tsv.gz" {
		columns = 2
	}
	var out [][]string
	for _, line := range golden(t, filepath.Join("testdata", name)) {
		r := strings.SplitN(line, "\t", columns)
		require.Len(t, r, columns)
		out = append(out, r)
	}
	return out
}

var collections = []struct {
	file, column string
	rows         int
}{
	{"bace", "mol", 1513},
	{"BBBP", "smiles", 2050},
	{"HIV", "smiles", 41127},
}

// TestCollectionRows compares the lines of chosen rows of the collections, byte by byte.
func TestCollectionRows(t *testing.T) {
	refused := 0
	for _, r := range records(t, "collections.tsv.gz") {
		number, _, _ := strings.Cut(r[2], "\t")
		row, err := strconv.Atoi(number)
		require.NoError(t, err)
		m, err := Parse(r[1])
		if err != nil {
			refused++
			var refusal *Error
			require.ErrorAs(t, err, &refusal)
			assert.Equal(t, "valence", refusal.Step)
		}
		assert.Equal(t, r[2], string(AppendRow(nil, row, m, err)), "%s %s", r[0], r[1])
	}
	assert.Equal(t, 18, refused)
}

// TestVariants compares lines of rewritten, damaged and constructed molecules. The notes of refused
// ones are not compared.
func TestVariants(t *testing.T) {
	for _, r := range records(t, "variants.tsv.gz") {
		m, err := Parse(r[0])
		line := strings.TrimPrefix(string(AppendRow(nil, 0, m, err)), "0\t")
		if err != nil {
			line, _, _ = strings.Cut(line, "\t")
		}
		assert.Equal(t, r[1], line, r[0])
	}
}

// TestGrammar compares what RDKit makes of text at the limits of its grammar: elements by number, any
// bonds, classes of chirality, numbers, hydrogens, white space and names.
func TestGrammar(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "grammar.json"))
	require.NoError(t, err)
	var golden struct {
		RDKit string
		Rows  []struct{ SMILES, Line string }
	}
	require.NoError(t, json.Unmarshal(data, &golden))
	require.Equal(t, "2026.09.1", golden.RDKit)
	require.Greater(t, len(golden.Rows), 900)
	// What the documentation of the package says about RDKit.
	different := func(s string) bool {
		words := strings.Fields(s)
		return s == "" || len(words) > 1 && words[1][0] == '|' ||
			s == "[65536C]" || s == "[100000C]" || s == "[C-128]"
	}
	for _, r := range golden.Rows {
		m, err := Parse(r.SMILES)
		line := strings.TrimPrefix(string(AppendRow(nil, 0, m, err)), "0\t")
		line = strings.TrimSuffix(line, "\t")
		var refusal *Error
		if errors.As(err, &refusal) {
			line = "refused"
			switch refusal.Step {
			case "syntax":
				line = "syntax"
			case "features":
				line = "unmapped"
			}
		}
		if different(r.SMILES) {
			assert.Equal(t, "syntax", line, r.SMILES)
			continue
		}
		assert.Equal(t, r.Line, line, r.SMILES)
	}
}

func TestWholeCollections(t *testing.T) {
	dir := shared(t)
	var line []byte
	for _, c := range collections {
		t.Run(c.file, func(t *testing.T) {
			smiles := column(t, filepath.Join(dir, "datasets", "moleculenet", c.file+".csv"), c.column)
			want := golden(t, filepath.Join(dir, "golden", "molecules", c.file+".features.csv.gz"))
			require.Len(t, smiles, c.rows)
			require.Len(t, want, c.rows)
			differ, refused := 0, 0
			for i, s := range smiles {
				m, err := Parse(s)
				if err != nil {
					refused++
				}
				line = AppendRow(line[:0], i, m, err)
				if string(line) != want[i] {
					if differ++; differ <= 10 {
						t.Errorf("row %d %s\n got %s\nwant %s", i, s, line, want[i])
					}
				}
			}
			t.Logf("%s: %d rows, %d differ, %d refused", c.file, len(smiles), differ, refused)
			require.Zero(t, differ)
		})
	}
}
