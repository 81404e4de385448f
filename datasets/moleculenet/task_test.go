package moleculenet

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// readColumns reads a file whose columns a, b and c hold the given rows of labels, beside methane in all.
func readColumns(task datasets.Task, labels string, columns ...string) (*Molecules, error) {
	text := "smiles,a,b,c\nC," + strings.ReplaceAll(labels, ";", "\nC,") + "\n"
	return Read(strings.NewReader(text), "file.csv", Columns{SMILES: "smiles", Labels: columns, Task: task})
}

// TestTasks: what the labels are, said or guessed, and which targets they make.
func TestTasks(t *testing.T) {
	nan := math.NaN()
	many := strings.Repeat("1;2;3;4;5;6;7;", 3) + "8;9;10;11;12;13;14;15;16;17;18;19;20"
	large := strings.ReplaceAll(many, ";", "e19;") + "e19;21e19"
	for _, c := range []struct {
		asked   datasets.Task
		labels  string
		columns string
		task    datasets.Task
		classes int // 0 for targets
		targets []float64
	}{
		{datasets.Automatic, "0;1;1.0;", "a", datasets.Classification, 2, nil},
		{datasets.Automatic, many, "a", datasets.Classification, 20, nil},
		{datasets.Automatic, many + ";21", "a", datasets.Regression, 0, nil},
		{datasets.Classification, many + ";21", "a", datasets.Classification, 21, nil},
		{datasets.Automatic, "0;0.5;1e3", "a", datasets.Regression, 0, []float64{0, 0.5, 1000}},
		{datasets.Regression, "0;1;;NA;1", "a", datasets.Regression, 0, []float64{0, 1, 1}},
		{datasets.Regression, "2;NAN;Nan;#N/A;#n/a;n/a;none;NULL;1", "a", datasets.Regression, 0,
			[]float64{2, 1}},
		{datasets.Regression, "9007199254740993;1e19", "a", datasets.Regression, 0, []float64{1 << 53, 1e19}},
		{datasets.Automatic, "9007199254740993;9007199254740992", "a", datasets.Classification, 2, nil},
		{datasets.Automatic, large, "a", datasets.Regression, 0, nil},
		{datasets.Classification, large, "a", datasets.Classification, 21, nil},
		{datasets.Automatic, "1e19,0;0,1", "a b", datasets.Regression, 0, []float64{1e19, 0, 0, 1}},
		{datasets.Classification, "1.5;2.5;>10", "a", datasets.Classification, 3, nil},
		{datasets.Classification, `"1,5";"2,5"`, "a", datasets.Classification, 2, nil},
		{datasets.Automatic, `x;y;x;y;"2,5"`, "a", datasets.Classification, 3, nil},
		{datasets.Automatic, "low;high;high;mid", "a", datasets.Classification, 3, nil},
		{datasets.Automatic, "0,1;,1.0;,;1", "a b", datasets.Classification, 0, []float64{0, 1, nan, 1,
			1, nan}},
		{datasets.Automatic, "0,2;1,nan", "a b", datasets.Regression, 0, []float64{0, 2, 1, nan}},
		{datasets.Regression, "0,1;,0;1,", "b a", datasets.Regression, 0, []float64{1, 0, 0, nan, nan, 1}},
		{datasets.Classification, "0,-7,1;1,,0", "a c", datasets.Classification, 0, []float64{0, 1, 1, 0}},
	} {
		m, err := readColumns(c.asked, c.labels, strings.Fields(c.columns)...)
		require.NoError(t, err, c.labels)
		require.Equal(t, c.task == datasets.Regression, m.Regression, c.labels)
		require.Len(t, m.Classes, c.classes, c.labels)
		require.Len(t, m.Targets, m.Len())
		if c.classes > 0 {
			require.Nil(t, m.Tasks)
			continue
		}
		require.Equal(t, strings.Fields(c.columns), m.Tasks)
		if c.targets != nil {
			require.Equal(t, fmt.Sprint(c.targets), fmt.Sprint(slices.Concat(m.Targets...)))
		}
		data := must(m.Collection(Numbers))
		require.NoError(t, data.Validate())
		require.Equal(t, len(m.Tasks), data.Outputs())
	}
}

// TestTasksThatCannotBe: the error names the line and the column.
func TestTasksThatCannotBe(t *testing.T) {
	for want, c := range map[string]struct {
		task    datasets.Task
		labels  string
		columns string
	}{
		`file.csv, line 3, column "a": the label 0.5 is not whole`: {datasets.Classification, "0;0.5", "a"},
		`line 3, column "b": the label 2 is neither 0 nor 1`: {
			datasets.Classification, "0,1;1,2", "a b"},
		`line 2, column "a": the label yes is neither 0 nor 1`: {datasets.Automatic, "yes,1;no,0", "a b"},
		`line 3, column "a": the label high is not a number`:   {datasets.Regression, "0;high", "a"},
		`line 3, column "a": the label 1e39 is not a number`:   {datasets.Regression, "0;1e39", "a"},
		`line 2, column "a": the label -Inf is not a number`:   {datasets.Regression, "-Inf;1", "a"},
		`line 3, column "a": the label 1e400 is not a number`:  {datasets.Automatic, "0.5;1e400", "a"},
		`line 3, column "a": the label 2,5 has a comma`:        {datasets.Regression, `1.5;"2,5"`, "a"},
		`column "b" has no label: leave it out`:                {datasets.Automatic, "0,;1,NA", "a b"},
		`the column "A" is named twice`:                        {datasets.Automatic, "0,1;1,0", "a A"},
		`no column is called "d"`:                              {datasets.Automatic, "0,1;1,0", "a d"},
		`2 with nothing in any column of labels ("a", "b")`:    {datasets.Automatic, ",;,", "a b"},
	} {
		m, err := readColumns(c.task, c.labels, strings.Fields(c.columns)...)
		require.ErrorContains(t, err, want)
		require.Nil(t, m)
	}
}

// TestGuessesGoneAstray: what is nearly a regression does not become a classification, nor do names and
// numbers of molecules become classes; the error says what to do instead.
func TestGuessesGoneAstray(t *testing.T) {
	for _, c := range []struct{ labels, columns, want string }{
		{"1.5;NA;inf;2;x", "a", `line 4, column "a": the label inf is no number, while others are numbers`},
		{">10;2;2.5", "a", `line 2, column "a": the label >10 is no number, while others are numbers`},
		{"1,0;0,0.5;1,>10", "a b", `line 4, column "b": the label >10 is no number`},
		{`3;"1,5";"2,5"`, "a", `line 3, column "a": the label 1,5 has a comma: write numbers with decimal`},
		{`0,"-1,5e3"`, "a b", `line 2, column "b": the label -1,5e3 has a comma`},
		{"7;8;9;10;10", "a", `column "a" has 4 classes for 5 molecules, 3 of them in only one`},
	} {
		m, err := readColumns(datasets.Automatic, c.labels, strings.Fields(c.columns)...)
		require.ErrorContains(t, err, c.want)
		if !strings.Contains(c.columns, " ") {
			require.ErrorContains(t, err, "--task classification")
		}
		require.Nil(t, m)
	}
}

// TestCollections: the one-hot columns say what the numbers say.
func TestCollections(t *testing.T) {
	m := excerpt()
	require.Equal(t, "excerpt", m.Name)
	require.Len(t, m.SHA256, 64)
	require.Len(t, m.Refused, 2)
	numbers := must(m.Collection(Numbers))
	require.NoError(t, numbers.Validate())
	hot := must(m.Collection(OneHot))
	require.NoError(t, hot.Validate())
	require.Equal(t, 9, numbers.Dim)
	require.Equal(t, 177, hot.Dim)
	require.Equal(t, "numbers", numbers.Features)
	require.Equal(t, "one-hot", hot.Features)
	require.Equal(t, 1, numbers.Degree())
	var atoms [][9]int8
	var corners []int32
	for _, graph := range m.Graphs {
		for i := range graph.Atoms {
			atoms = append(atoms, graph.AtomFeatures(i))
		}
		for _, b := range graph.Bonds {
			corners = append(corners, min(b.Begin, b.End), max(b.Begin, b.End))
		}
	}
	require.Equal(t, corners, numbers.Simplices[1].Corners)
	kinds := map[[9]int8]bool{}
	for i, atom := range atoms {
		kinds[atom] = true
		x := hot.Vertices[177*int(hot.Rows[i]):]
		for j, w := range widths {
			require.InDelta(t, float64(atom[j]), numbers.Vertices[9*int(numbers.Rows[i])+j], 0)
			for v := range w {
				want := 0.0
				if int(atom[j]) == v {
					want = 1
				}
				require.Equal(t, want, x[v])
			}
			x = x[w:]
		}
	}
	require.Len(t, hot.Vertices, 177*len(kinds), "a row for each kind of atom")
	_, err := m.Collection("two")
	require.ErrorContains(t, err, `no features "two"`)
}
