package smiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	lines "github.com/neuralkforms/nkf/datasets/internal/text"
	"github.com/neuralkforms/nkf/datasets/published"
)

// records reads a packed file of testdata and splits its lines into the leading columns and the rest: the
// line of golden features.
func records(t testing.TB, name string) (out [][]string) {
	t.Helper()
	columns := 3
	if name == "variants.tsv.gz" {
		columns = 2
	}
	f, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer f.Close()
	packed := lines.NewReader(f, name)
	for lines := packed.Lines(1 << 20); lines.Next(); {
		r := strings.SplitN(string(lines.Line), "\t", columns)
		require.Len(t, r, columns)
		out = append(out, r)
	}
	require.NoError(t, packed.Err())
	return out
}

// column returns a column of a published table.
func column(t testing.TB, set, name string) (fields []string) {
	t.Helper()
	files, err := published.Open(t.Context(), set)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(files[0].Bytes)).ReadAll()
	require.NoError(t, err)
	at := slices.Index(rows[0], name)
	for _, row := range rows[1:] {
		fields = append(fields, strings.TrimSpace(row[at]))
	}
	return fields
}

// notes are RDKit's words for what it refuses.
var notes = []struct {
	reason *regexp.Regexp
	note   string
}{
	{regexp.MustCompile(`^atom (\d+) \((\w+)\) has valence (\d+), more than is permitted$`),
		"AtomValenceException: Explicit valence for atom # $1 $2, $3, is greater than permitted"},
	{regexp.MustCompile(`^the ring system of .*$`), "KekulizeException: Can't kekulize mol."},
}

// line returns the line of a row in golden files, which testdata/README.md describes.
func line(row int, m *Molecule, err error) string {
	if err != nil {
		note := err.Error()
		var refused *refusal
		for _, n := range notes {
			if errors.As(err, &refused) && n.reason.MatchString(refused.Reason) {
				note = n.reason.ReplaceAllString(refused.Reason, n.note)
			}
		}
		return fmt.Sprintf("%d\trefused\t0\t0\t\t\t%s", row, note)
	}
	out := fmt.Appendf(nil, "%d\tok\t%d\t%d\t", row, len(m.Atoms), len(m.Bonds))
	for i := range m.Atoms {
		f := m.AtomFeatures(i)
		out = list(out, ';', f[:]...)
	}
	out = append(out, '\t')
	for _, b := range m.Bonds {
		f := bondFeatures(&b)
		out = list(list(out, ';', min(b.Begin, b.End), max(b.Begin, b.End)), ',', f[:]...)
	}
	return string(append(out, '\t'))
}

// bondFeatures returns the three features that PyTorch Geometric's from_smiles gives a bond: type, stereo and
// conjugated.
func bondFeatures(b *Bond) [3]int8 {
	return [3]int8{int8(b.Type), int8(b.stereo), index(b.conjugated)}
}

// list appends numbers with commas between them, and a separator before unless they come first after a tab.
func list[T int8 | int32](out []byte, separator byte, numbers ...T) []byte {
	for _, x := range numbers {
		if out[len(out)-1] != '\t' {
			out = append(out, separator)
		}
		out, separator = strconv.AppendInt(out, int64(x), 10), ','
	}
	return out
}

// TestWholeDataSets: the features of all molecules of three data sets are those of RDKit, by checksums of
// their lines: of each hundred, and of all.
func TestWholeDataSets(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "features.tsv"))
	require.NoError(t, err)
	want := map[string]string{}
	for row := range strings.Lines(string(text)) {
		fields := strings.Fields(row)
		require.Len(t, fields, 3)
		want[fields[0]+" "+fields[1]] = fields[2]
	}
	for name, smiles := range map[string]string{"BACE": "mol", "BBBP": "smiles", "HIV": "smiles"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all, block bytes.Buffer
			hash := func() string {
				sum := sha256.Sum256(block.Bytes())
				_, _ = block.WriteTo(&all)
				return hex.EncodeToString(sum[:8])
			}
			rows := column(t, name, smiles)
			for row, s := range rows {
				m, err := Parse(s)
				block.WriteString(line(row, m, err) + "\n")
				if first := row / 100 * 100; row == first+99 || row == len(rows)-1 {
					require.Equal(t, want[fmt.Sprint(name, " ", first)], hash(), "rows from %d", first)
				}
			}
			sum := sha256.Sum256(all.Bytes())
			require.Equal(t, want[name+" all"], hex.EncodeToString(sum[:]))
		})
	}
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
			var refused *refusal
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, "valence", refused.Step)
		}
		assert.Equal(t, r[2], line(row, m, err), "%s %s", r[0], r[1])
	}
	assert.Equal(t, 18, refused)
}

// TestVariants compares lines of rewritten, damaged and constructed molecules. The notes of refused
// ones are not compared.
func TestVariants(t *testing.T) {
	for _, r := range records(t, "variants.tsv.gz") {
		m, err := Parse(r[0])
		line := strings.TrimPrefix(line(0, m, err), "0\t")
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
		line := strings.TrimPrefix(line(0, m, err), "0\t")
		line = strings.TrimSuffix(line, "\t")
		var refused *refusal
		if errors.As(err, &refused) {
			line = "refused"
			switch refused.Step {
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
