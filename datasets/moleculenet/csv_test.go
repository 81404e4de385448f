package moleculenet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

var smilesOnly = Columns{SMILES: "smiles"}

var usual = Columns{SMILES: "smiles", Labels: []string{"label"}}

func read(text string) (*Molecules, error) { return Read(strings.NewReader(text), "file.csv", usual) }

// TestWhiteSpace: white space, quotes, further fields and mixed ends of lines change no row, and blank lines
// are none.
func TestWhiteSpace(t *testing.T) {
	want := must(read("smiles,label\nCCO,1\nc1ccccc1,0\nC,1\n"))
	for _, text := range []string{
		"\n\r\n smiles , label \r\n\n\n  \nCCO,1\r\n\r\n\rc1ccccc1 , 0\n\"C\",\"1\"",
		"SMILES,Label\nCCO,1\nc1ccccc1,0\nC,1\n",
		"smiles,label,note\nCCO,1,\"a, \"\"b\"\"\r\nc\"\nc1ccccc1,0\nC,1,,, \n",
	} {
		got, err := read(text)
		require.NoError(t, err, text)
		got.SHA256, got.Label = want.SHA256, want.Label
		require.Equal(t, want, got, "%q", text)
	}
	require.Equal(t, []string{"CCO", "c1ccccc1", "C"}, want.SMILES)
	for g, atoms := range []int{3, 6, 1} {
		require.Len(t, want.Graphs[g].Atoms, atoms)
	}
	require.Equal(t, [][]float64{{1}, {0}, {1}}, want.Targets)
}

// TestSkippedRows: what cannot be used is listed with its place, and the numbers of rows go on counting.
func TestSkippedRows(t *testing.T) {
	m := must(read("label,smiles\n1,CCO\n\n1\n0,CC(C)(C)(C)C\n,CC\nNaN,C\n0,C,O,C\n1,\"\"\n0,N\n"))
	require.Equal(t, []int32{0, 7}, m.rows)
	require.Equal(t, 8, m.Len()+len(m.Refused)+len(m.Unlabeled))
	require.Equal(t, []string{"0", "1"}, m.Classes)
	require.Equal(t, []Skipped{
		{3, 6, "CC", "no label"}, {4, 7, "C", "no label"},
	}, m.Unlabeled)
	require.Len(t, m.Refused, 4)
	for i, want := range []struct {
		row, line int
		reason    string
	}{{1, 4, `no field in column "smiles"`}, {2, 5, "valence"}, {5, 8, "double quotes"}, {6, 9, "empty"}} {
		s := m.Refused[i]
		require.Equal(t, want.row, s.Row)
		require.Equal(t, want.line, s.Line)
		require.Contains(t, s.Reason, want.reason)
	}
}

// TestExtensionsOfSMILES: CXSMILES is read up to its bar, and counted.
func TestExtensionsOfSMILES(t *testing.T) {
	m := must(read("smiles,label\nCCO,0\n\"C[C@H](O)CC |&1:1,r|\",1\nCC  |^1:0| name,1\nCO a|b,0\n"))
	require.Empty(t, m.Refused)
	require.Equal(t, []string{"CCO", "C[C@H](O)CC", "CC", "CO a|b"}, m.SMILES)
	require.Len(t, m.Graphs[1].Atoms, 5)
	require.Equal(t, []string{"2 of 4 molecules have an extension of SMILES (CXSMILES, |…|), which is not " +
		"read"}, m.Notes)
}

// TestUnreadableFiles: the error names the file, the line and what to do.
func TestUnreadableFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "file.csv is empty",
		"\n\r\n":                       "file.csv is empty",
		"\x1f\x8b\x08\x00":             "file.csv, line 1: damaged gzip",
		"smiles,label\nC,caf\xe9\n":    "file.csv, line 2: the text is not in UTF-8",
		"smiles;label,x\nC;1,\n":       `the columns are "smiles;label", "x"; if it is not ',' that`,
		"smiles\tlabel;x\nC\t1\n":      `the columns are "smiles\tlabel;x"; if it is not ',' that`,
		"smiles,class\nC,1\n":          `no column is called "label": the columns are "smiles", "class"`,
		"mol,label\nC,1\n":             `no column is called "smiles"`,
		"smiles,label,smiles\nC,1,C\n": `more than one column is called "smiles"`,
		"smiles,label\nC,1\nC\"C,1\n":  `file.csv, line 3, column 2, in the row from line 3: bare "`,
		"smiles,label\n\nC,\"1\nC,0\n": "column 5, in the row from line 3: extraneous",
		"smiles,label\n":               "file.csv has no row below the names of its columns",
		"smiles,label\nC(,1\nC,\n":     "of 2 rows 1 refused, 1 with nothing in any column",

		strings.Repeat("a,", 30) + "b": "and 19 more",
	} {
		m, err := read(text)
		require.ErrorContains(t, err, want, "%q", text)
		require.Nil(t, m)
	}
	broken := errors.New("broken")
	for _, start := range []string{"", "smiles,label\nC,1\n"} {
		r := io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken))
		_, err := Read(r, "file.csv", usual)
		require.ErrorIs(t, err, broken)
		require.ErrorContains(t, err, "file.csv, line ")
	}
	_, err := Read(strings.NewReader("smiles\nC(\n"), "file.csv", Columns{SMILES: "smiles"})
	require.ErrorContains(t, err, "has no molecule in 1 row; line 2 was refused")
	_, err = Open(filepath.Join(t.TempDir(), "none.csv"), usual)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestNamesWithCommas: a flag that was split at the comma of a name says how not to.
func TestNamesWithCommas(t *testing.T) {
	const text = "smiles,\"IC50, nM\"\nC,1\nN,2\n"
	of := func(label string) error {
		_, err := Read(strings.NewReader(text), "file.csv",
			Columns{SMILES: "smiles", Labels: []string{label}})
		return err
	}
	require.NoError(t, of("IC50, nM"))
	require.ErrorContains(t, of("IC50"), `no column is called "IC50": the columns are "smiles", "IC50, nM"; `+
		`put a name that holds commas in double quotes within the flag: --label '"IC50, nM"'`)
	require.NotContains(t, of("IC5").Error(), "flag")
	_, err := Read(strings.NewReader(text), "file.csv", Columns{SMILES: "IC50"})
	require.NotContains(t, err.Error(), "flag")
}

// TestWithoutLabels: all molecules are of one class, whatever else the file holds.
func TestWithoutLabels(t *testing.T) {
	m := must(Read(strings.NewReader("smiles,label\nC,1\nN,\nC(\nO\n"), "f.csv", smilesOnly))
	require.Equal(t, []string{"C", "N", "O"}, m.SMILES)
	require.Equal(t, make([][]float64, 3), m.Targets)
	require.Nil(t, m.Classes)
	require.Len(t, m.Refused, 1)
	require.Empty(t, m.Unlabeled)
	require.NoError(t, must(m.Collection(Numbers)).Validate())
}

// TestOrder: many rows come in the order of the file, however many workers there are.
func TestOrder(t *testing.T) {
	var text strings.Builder
	text.WriteString("smiles,label\n")
	for i := range 5000 {
		text.WriteString(strings.Repeat("C", 1+i*i%37) + ",1\n")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := must(read(text.String()))
	runtime.GOMAXPROCS(7)
	require.Equal(t, one, must(read(text.String())))
	for g, s := range one.SMILES {
		require.Len(t, s, 1+g*g%37)
		require.Equal(t, int32(g), one.rows[g])
	}
}

// FuzzRead: no text makes the reader panic, and what it accepts is a valid collection.
func FuzzRead(f *testing.F) {
	f.Add(must(os.ReadFile(filepath.Join("testdata", "excerpt.csv"))), "smiles", "p_np")
	f.Add([]byte("smiles,label\r\n\nCCO,1\rc1ccccc1,0\n\"C\n\",x,\n"), "smiles", "label")
	f.Add([]byte("\ufeffa,b\nC,1.0\nN,+2\n\"\",nan\n\"C"), "A", "b")
	f.Add([]byte("a,b,c\nC,1.0,\nN,,-1e3\nO,,\n"), "a", "b;c")
	f.Add([]byte("a,b,c\nC,1,\nN,0,1\nO,1,0"), "a", "b;c")
	f.Fuzz(func(t *testing.T, text []byte, smiles, columns string) {
		m, err := Read(strings.NewReader(string(text)), "f.csv",
			Columns{SMILES: smiles, Labels: strings.Split(columns, ";")})
		if err != nil {
			require.Nil(t, m)
			return
		}
		for _, features := range []Features{Numbers, OneHot} {
			require.NoError(t, must(m.Collection(features)).Validate())
		}
		require.Len(t, m.Scaffolds(), m.Len())
	})
}

// TestSeparators: what a header has alone separates columns; where it has several, it is the comma, unless
// another is asked for.
func TestSeparators(t *testing.T) {
	want := []string{"CCO", "C"}
	for text, separator := range map[string]rune{
		"\n \n\"smiles\";\"label\"\r\"CCO\";1\r\"C\";0\r":       0,
		"\ufeffsmiles;\"a, b\"\"\tc\";label\nCCO;;1\nC;x,y;0\n": 0,
		"smiles;\"a\nb,c\";label\nCCO;;1\nC;;0\n":               0,
		"smiles,a;b,label\nCCO,,1\nC,;,0\n":                     0,
		"smiles;a,b;label\nCCO;x;1\nC;;0\n":                     ';',
		"smiles\ta;b\tlabel,c\nCCO\tx\t1\nC\t\t0\n":             '\t',
		"smiles|label|a,b\nCCO|1|\nC|0|;\n":                     '|',
	} {
		columns := Columns{SMILES: "smiles", Separator: separator}
		m, err := Read(iotest.OneByteReader(strings.NewReader(text)), "file.csv", columns)
		require.NoError(t, err, text)
		require.Equal(t, want, m.SMILES, text)
	}
	names := must(ColumnNames(strings.NewReader("a; b ;\"c;d\"\n"), "f.csv", 0))
	require.Equal(t, []string{"a", "b", "c;d"}, names)
	_, err := ColumnNames(strings.NewReader(""), "f.csv", 0)
	require.ErrorContains(t, err, "f.csv is empty")
}

// TestEach: parts hold what the file holds, in its order, and together they have its notes.
func TestEach(t *testing.T) {
	for _, count := range []int{1, 3000, 4096, 4097, 9000} {
		text := strings.Builder{}
		text.WriteString("name,smiles\n")
		for i := range count {
			fmt.Fprintf(&text, "m%d,%s\n", i, []string{"CCO", "C(", "CC |^1:0|", "c1ccccc1", ""}[i%5])
		}
		columns := Columns{SMILES: "smiles", ID: "name"}
		want := must(Read(strings.NewReader(text.String()), "file.csv", columns))
		at := 0
		notes := must(Each(strings.NewReader(text.String()), "file.csv", columns, func(m *Molecules) error {
			require.Empty(t, m.Notes)
			require.True(t, m.Len() > 100 || count < 100, "no small part")
			for g := range m.Len() {
				require.Equal(t, want.Row(at), m.Row(g))
				require.Equal(t, want.Graphs[at], m.Graphs[g])
				at++
			}
			return nil
		}))
		require.Equal(t, want.Len(), at)
		require.Equal(t, want.Notes, notes)
	}
	stop := errors.New("stop")
	_, err := Each(strings.NewReader("smiles\nCC\n"), "file.csv", Columns{SMILES: "smiles"},
		func(*Molecules) error { return stop })
	require.ErrorIs(t, err, stop)
	_, err = Each(strings.NewReader("smiles\nC(\n"), "file.csv", Columns{SMILES: "smiles"}, nil)
	require.ErrorContains(t, err, "file.csv has no molecule in 1 row; line 2 was refused")
}

// TestHeaderAlone: no more of a stream is waited for than the line that is looked at.
func TestHeaderAlone(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		_, _ = w.Write([]byte("smiles;name\nC;x\n")) // and nothing more, ever
	}()
	require.Equal(t, []string{"smiles", "name"}, must(ColumnNames(r, "f.csv", 0)))
}

// TestIDs: molecules are called what their row says, and rows that are left out take nothing of it.
func TestIDs(t *testing.T) {
	text := "smiles,id,label\nCCO, a1 ,1\nC(,b,1\nC,,0\nCC,d,\nCN,e,0\n"
	columns := Columns{SMILES: "smiles", Labels: []string{"label"}, ID: "ID"}
	require.Equal(t, []string{"a1", "", "e"}, must(Read(strings.NewReader(text), "file.csv", columns)).ids)
}

// TestHostileTables: rows that are none, however many or long, take no memory to speak of, and are refused
// when there are too many.
func TestHostileTables(t *testing.T) {
	const endless = "more than 16 MiB without an end of a row"
	for name, c := range map[string]struct {
		head, row, want string
		most            uint64 // MB
	}{
		// Reading one of these rows takes 17 to 25 MB, and keeping all of them would take 24 more.
		"long rows":  {"smiles,label\n", strings.Repeat("C(", 1<<15) + ",1\n", "no molecule with", 36},
		"one long":   {"smiles,label\n", strings.Repeat("C", 1<<25) + ",1\n", endless, 100},
		"open quote": {"smiles,label\nC,1\nC,\"", "C", endless, 100},
		"binary":     {"", "\x00", endless, 100},
	} {
		text := c.head + strings.Repeat(c.row, max(1, 24<<20/len(c.row)))
		var err error
		grown := heap.Peak(func() { _, err = read(text) })
		require.ErrorContains(t, err, c.want)
		require.Less(t, len(err.Error()), 500)
		t.Logf("%s: %d MB of heap", name, grown>>20)
		require.Less(t, grown, c.most<<20, name)
	}
	m := &Molecules{Refused: []Skipped{{Line: 2, SMILES: "(", Reason: "odd"}},
		Unlabeled: make([]Skipped, maxSkipped-1)}
	require.ErrorContains(t, m.skip(row{}, "", &m.Refused), `1048576 rows are no molecules or have no `+
		`label, such as line 2 ("(": odd)`)
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
