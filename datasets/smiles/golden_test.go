package smiles

import (
	"compress/gzip"
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
