package series

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// tableText has three paths: the rows of one are not in their order, and one has no label.
const tableText = "\ufeffpath;when;x;y;kind\r\nb;2.5;-179.5;1;east\r\na;60;10;46;north\r\n" +
	"a;0;10;45;north\r\nb;1;179.5;0;\r\nc;1;0;0;\r\n"

var usual = Columns{ID: "path", Coordinates: []string{"x", "y"}, Order: "when", Label: "kind"}

// TestTable: rows are sorted by a column, or as they stand; paths without a label are left out, but not where
// they are to be predicted.
func TestTable(t *testing.T) {
	s := must(OpenTable(usual, write(t, "a.csv", tableText)))
	require.Equal(t, []string{"b", "a"}, s.IDs)
	require.Equal(t, []string{"east", "north"}, s.Classes)
	require.Equal(t, []int32{0, 1}, s.Labels)
	require.Equal(t, 1, s.unlabeled)
	require.Equal(t, "x,y", s.Features)
	require.Equal(t, []float64{179.5, 0, -179.5, 1}, s.Points(0))
	require.Equal(t, []float64{10, 45, 10, 46}, s.Points(1))
	require.Zero(t, s.Simplices[0].Width, "the order is no input")
	s = must(OpenTable(usual, "", write(t, "a.csv", tableText)))
	require.Equal(t, []string{"east", "north", ""}, s.Classes)
	require.Equal(t, []int32{0, 1, 2}, s.Labels)
	require.Equal(t, 2, s.Row(2)[0].Value)
	s = must(OpenTable(Columns{ID: "PATH", Coordinates: []string{"y"}}, write(t, "a.csv", tableText)))
	require.Equal(t, 3, s.Len())
	require.Equal(t, []string{"0"}, s.Classes)
	require.Equal(t, []float64{46, 45}, s.Points(1), "as the rows stand")
	require.Nil(t, s.Describe().Classes)
}

func TestLabelsOfTwoFiles(t *testing.T) {
	columns := Columns{ID: "id", Coordinates: []string{"x"}, Label: "y"}
	train := write(t, "a.csv", "id,x,y\n1,0,10\n1,1,\n2,2,9\n3,,9\n3,5,\n3,,\n3,7,\n")
	test := write(t, "b.csv", "y,id,x\n9,1,4\n11,2,5\n")
	s := must(OpenTable(columns, train, test))
	require.Equal(t, []string{"9", "10", "11"}, s.Classes) // by number
	require.Equal(t, []int32{1, 0, 0, 0, 2}, s.Labels)
	require.Equal(t, datasets.Fold{Train: []int32{0, 1, 2}, Test: []int32{3, 4}}, s.Split)
	require.Equal(t, []float64{5, 7}, s.Points(2)) // observations of nothing are not there
	columns.Task = datasets.Regression
	s = must(OpenTable(columns, train, test))
	require.Equal(t, []string{"y"}, s.Tasks)
	require.Equal(t, []float32{10, 9, 9, 9, 11}, s.Targets)
	_, err := OpenTable(columns, train, write(t, "c.csv", "y,id,x\n9,1,4\nten,2,5\n"))
	require.ErrorContains(t, err, `c.csv, line 3, column "y": the label ten is not a number`)
}

func TestGapsInTables(t *testing.T) {
	s := must(OpenTable(Columns{ID: "id", Coordinates: []string{"x", "y"}, Order: "t"},
		write(t, "a.csv", "id,t,x,y\n1,100,0,0\n1,104,4,NA\n1,101,,8\n1,101,NaN,?\n1,105,5,4\n")))
	require.Equal(t, 2, s.filled)
	// Linear in the number of the observation, of which the third, between two of them, is not there.
	require.InDeltaSlice(t, []float64{0, 0, 4. / 3, 8, 4, 16. / 3, 5, 4}, s.Points(0), 1e-14)
}

func TestFaultsOfTables(t *testing.T) {
	const head = "path,when,x,y,kind\n"
	for text, want := range map[string]string{
		"":                              "a.csv is empty",
		head:                            "a.csv: no series",
		"path,x,y,kind\n":               `a.csv, line 1: no column is called "when"`,
		head + "1,1,2\n":                "a.csv, line 2: the row has 3 of 5 fields",
		head + "1,1,2,3,a,b\n":          "a.csv, line 2: the row has 6 fields under 5",
		head + ",1,2,3,a\n":             `line 2: column "path": empty`,
		head + "1,1,2,b,a\n":            `line 2: column "y": "b" is not a finite number`,
		head + "1,1,2,1e39,a\n":         `line 2: column "y": "1e39" is not a finite number that 32`,
		head + "1,noon,2,3,a\n":         `line 2: column "when": "noon" is not a number: rows are in`,
		head + "1,,2,3,a\n":             `line 2: column "when": "" is not a number`,
		head + "1,1,2,3,\n":             `a.csv: no path has a label in "kind"`,
		head + "1,1,2,?,a\n":            `a.csv, line 2: channel 1 has no value`,
		head + "1,1,2,\"3\n,a\n":        "a.csv, line 3",
		head + "1,1,2,3,a\n2,1,2":       "a.csv, line 3: the row has 3 of 5 fields",
		head + "1,1,2,3,a\n1,2,2,3,b\n": `line 3: column "kind": the path 1 is b here, but a before`,
	} {
		_, err := OpenTable(usual, write(t, "a.csv", text))
		require.ErrorContains(t, err, want, "%q", text)
	}
	_, err := OpenTable(Columns{ID: "path"}, write(t, "a.csv", tableText))
	require.ErrorContains(t, err, "name the column")
}
