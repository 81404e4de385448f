package table

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// read returns the labels in the second column of a table.
func read(t *testing.T, content string) *Labels {
	t.Helper()
	table, err := New(strings.NewReader(content), "a.csv", 0)
	require.NoError(t, err)
	labels := &Labels{Name: "a.csv", Column: table.Head[1]}
	for {
		fields, err := table.Record()
		if err == io.EOF {
			return labels
		}
		require.NoError(t, err)
		labels.Add(strings.TrimSpace(fields[1]), table.Line())
	}
}

// TestOtherWords: other separators, other line ends, other words for what is missing and a line of Excel's
// change no label.
func TestOtherWords(t *testing.T) {
	const content = "id,kind\n1,b\n2,\n3,a\n4,b\n"
	for _, separator := range []string{",", ";", "\t"} {
		for _, missing := range append([]string{"na", "nan", " NULL "}, absent...) {
			for _, first := range []string{"", "sep=" + separator + "\n", "\ufeffSEP=" + separator + "\r\n"} {
				file := strings.Replace(content, "2,\n", "2,"+missing+"\n", 1)
				file = strings.ReplaceAll(file, ",", separator)
				labels := read(t, first+file)
				require.Equal(t, []string{"b", "a"}, labels.Texts, file)
				require.Equal(t, []int32{0, -1, 1, 0}, labels.Of)
				names, of, err := labels.Classes()
				require.NoError(t, err)
				require.Equal(t, []string{"a", "b"}, names)
				require.Equal(t, []int32{1, -1, 0, 1}, of)
				require.ErrorContains(t, labels.fail(1, "is odd"), map[bool]string{
					true: "a.csv, line 4", false: "a.csv, line 5"}[first == ""])
			}
		}
	}
}

// TestSaid: a line of Excel's decides even where a header has several signs; what only begins like one is a
// header.
func TestSaid(t *testing.T) {
	table, err := New(strings.NewReader("sep=|\na,b|c;d\n"), "a.csv", 0)
	require.NoError(t, err)
	require.Equal(t, []string{"a,b", "c;d"}, table.Head)
	_, err = table.Column("x")
	require.ErrorContains(t, err, "a.csv, line 2: no column")
	for _, header := range []string{"sep=\"\n", "sep=,b\n1,2\n", "sep,b\n1,2\n", "sep=", "s"} {
		table, err := New(strings.NewReader(header), "a.csv", 0)
		if err != nil { // of the quote
			continue
		}
		require.True(t, strings.HasPrefix(table.Head[0], "s"), header)
	}
}

// TestOtherNumbers: labels that are the same number are one class, also among those that a file declares;
// Go's own spellings are no numbers.
func TestOtherNumbers(t *testing.T) {
	labels := &Labels{}
	for line, label := range []string{"10", "1", "1.0", "1e1", "?"} {
		labels.Add(label, line)
	}
	labels.Declared = []string{"10", "2", "1"}
	_, of, err := labels.Classes()
	require.NoError(t, err)
	require.Equal(t, []int32{0, 2, 2, 0, -1}, of)
	labels.Declared = []string{"10", "2"}
	_, _, err = labels.Classes()
	require.ErrorContains(t, err, "the label 1 is not among the classes that the file declares")
	labels.Declared = nil
	names, of, err := labels.Classes()
	require.NoError(t, err)
	require.Equal(t, []string{"1", "10"}, names)
	require.Equal(t, []int32{1, 0, 0, 1, -1}, of)
	for texts, want := range map[string]string{ // all are texts where one is, or a number is too large
		"10 9 x 9.0": "10 9 9.0 x", "9007199254740993 1.0 1": "1 1.0 9007199254740993",
	} {
		labels := &Labels{}
		for _, text := range strings.Fields(texts) {
			labels.Add(text, 1)
		}
		names, _, err := labels.Classes()
		require.NoError(t, err)
		require.Equal(t, want, strings.Join(names, " "))
	}
	for _, label := range []string{"1_0", "0x1p3"} {
		labels := &Labels{}
		labels.Add(label, 1)
		_, err := labels.Targets(datasets.Regression)
		require.ErrorContains(t, err, "is not a number", label)
		names, _, err := labels.Classes()
		require.NoError(t, err)
		require.Equal(t, []string{label}, names) // texts
		labels.Declared = []string{"10", "8"}
		_, _, err = labels.Classes()
		require.Error(t, err)
	}
}

// TestFarLabels: numbers that 32 bits would round by more than a twentieth of their range are an
// error; one number, and numbers of many digits, are none.
func TestFarLabels(t *testing.T) {
	for texts, want := range map[string]string{
		"10000000.1 10000001.5 10000002": "the label 10000000.1 differs from the others by too little",
		"1e7 10000002000":                "", "16777217": "", "0.1234567891 0.1234567892 1": "",
		"-1e-30 1e30": "", "100000.5 100020.25": "", "1000000.1 1000000.6 1000001.1": "",
	} {
		labels := &Labels{Name: "a.csv", Column: "y"}
		for line, text := range strings.Fields(texts) {
			labels.Add(text, line)
		}
		_, err := labels.Targets(datasets.Regression)
		if want == "" {
			require.NoError(t, err, texts)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// TestColumn: case matters where it tells columns apart, and what may be the wrong separator is asked for.
func TestColumn(t *testing.T) {
	for header, want := range map[string]any{
		"A,b": 1, "a,B": 1, "B,b": 1, "b,B": 0,
		"a,c": `a.csv, line 1: no column is called "b": the columns are "a", "c"`,
		"a,c;d": `a.csv, line 1: no column is called "b": the columns are "a", "c;d"; ` +
			`if it is not ',' that separates columns, begin the file with a line like sep=;`,
		"b,a,b ": `a.csv, line 1: more than one column is called "b": rename one`,
	} {
		table, err := New(strings.NewReader(header+"\n"), "a.csv", ',')
		require.NoError(t, err)
		if at, err := table.Column("b"); err != nil {
			require.EqualError(t, err, want.(string))
		} else {
			require.Equal(t, want, at, header)
		}
	}
}
