package moleculenet

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// TestSeparators: what a header has alone separates columns; where it has several, it is the comma, unless
// another is asked for.
func TestSeparators(t *testing.T) {
	want := []string{"CCO", "C"}
	for text, separator := range map[string]rune{
		"smiles,label\nCCO,1\nC,0\n":                            0,
		"smiles;label\nCCO;1\nC;0\n":                            0,
		"smiles\tlabel\r\nCCO\t1\r\nC\t0":                       0,
		"\n \n\"smiles\";\"label\"\r\"CCO\";1\r\"C\";0\r":       0,
		"\ufeffsmiles;\"a, b\"\"\tc\";label\nCCO;;1\nC;x,y;0\n": 0,
		"smiles;\"a\nb,c\";label\nCCO;;1\nC;;0\n":               0,
		"smiles,a;b,label\nCCO,,1\nC,;,0\n":                     0,
		"smiles;a,b;label\nCCO;x;1\nC;;0\n":                     ';',
		"smiles\ta;b\tlabel,c\nCCO\tx\t1\nC\t\t0\n":             '\t',
		"smiles|label|a,b\nCCO|1|\nC|0|;\n":                     '|',
		"smiles\n":                                              ',',
		strings.Repeat("long ", 1<<16) + "\nsmiles;label":       0,
	} {
		columns := Columns{SMILES: "smiles", Separator: separator}
		slowly := iotest.OneByteReader(strings.NewReader(text))
		for _, r := range []io.Reader{strings.NewReader(text), slowly} {
			m, err := Read(r, "file.csv", columns)
			switch {
			case strings.HasPrefix(text, "long"):
				require.ErrorContains(t, err, "no column")
			case text == "smiles\n":
				require.ErrorContains(t, err, "no row")
			default:
				require.NoError(t, err, text)
				require.Equal(t, want, m.SMILES, text)
			}
		}
	}
	names, err := ColumnNames(strings.NewReader("a; b ;\"c;d\"\n"), "f.csv", 0)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c;d"}, names)
	_, err = ColumnNames(strings.NewReader(""), "f.csv", 0)
	require.ErrorContains(t, err, "f.csv is empty")
}

// TestHeaderAlone: no more of a stream is waited for than the line that is looked at.
func TestHeaderAlone(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		_, _ = w.Write([]byte("smiles;name\nC;x\n")) // and nothing more, ever
	}()
	names, err := ColumnNames(r, "f.csv", 0)
	require.NoError(t, err)
	require.Equal(t, []string{"smiles", "name"}, names)
}

// TestIDs: molecules are called what their row says, and rows that are left out take nothing of it.
func TestIDs(t *testing.T) {
	text := "smiles,id,label\nCCO, a1 ,1\nC(,b,1\nC,,0\nCC,d,\nCN,e,0\n"
	columns := Columns{SMILES: "smiles", Labels: []string{"label"}, ID: "ID"}
	m, err := Read(strings.NewReader(text), "file.csv", columns)
	require.NoError(t, err)
	require.Equal(t, []string{"a1", "", "e"}, m.ids)
	require.Len(t, m.ids, m.Len())
	columns.ID = "name"
	_, err = Read(strings.NewReader(text), "file.csv", columns)
	require.ErrorContains(t, err, `no column is called "name"`)
	columns.ID = ""
	m, err = Read(strings.NewReader(text), "file.csv", columns)
	require.NoError(t, err)
	require.Nil(t, m.ids)
}
