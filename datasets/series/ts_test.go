package series

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

// write writes a file and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestMultivariate(t *testing.T) {
	train := write(t, "a.ts",
		"\ufeff# a comment\r\n@problemName Waves\r\n@univariate false\r\n@equalLength false\r\n"+
			"@classLabel true up down\r\n@data\r\n1,2,3:4,5,6:down\r\n# another\n7,8:9,10:up\n")
	test := write(t, "b.ts", "@classLabel true up down\n@data\n1:2:up\n")
	s := must(OpenTS(train, test))
	require.Equal(t, "Waves", s.Name)
	require.Equal(t, 2, s.Dim)
	require.Equal(t, []string{"up", "down"}, s.Classes)
	require.Equal(t, []int32{1, 0, 0}, s.Labels)
	require.Equal(t, datasets.Fold{Train: []int32{0, 1}, Test: []int32{2}}, s.Split)
	require.Equal(t, []float64{1, 4, 2, 5, 3, 6}, s.Points(0))
	require.Equal(t, []int32{0, 1, 1, 2}, s.Corners(1, 0))
	require.Empty(t, s.Corners(1, 2))
}

func TestMissingValues(t *testing.T) {
	s := must(OpenTS(write(t, "a.ts",
		"@missing true\n@targetlabel true\n@data\n?,1,?,?,4,?:0,0,NaN,?,1,2:-2.5\n")))
	require.Equal(t, []string{"target"}, s.Tasks)
	require.Equal(t, []float32{-2.5}, s.Targets)
	require.Equal(t, 2, s.filled) // observations 2 and 3 are not there at all
	require.Equal(t, []float64{1, 0, 1, 0, 4, 1, 4, 2}, s.Points(0))
	for _, values := range []string{"1,,3,", "1,NA,3,NaN"} { // at the end as well as within
		s = must(OpenTS(write(t, "a.ts", "@equalLength true\n@data\n"+values+":4,5,6,7\n")))
		require.Equal(t, []float64{1, 4, 2, 5, 3, 6, 3, 7}, s.Points(0), values)
	}
}

func TestFaults(t *testing.T) {
	for content, want := range map[string]string{
		"":                                   "a.ts: no line @data",
		"@data\n":                            "a.ts: no series",
		"1,2,3\n":                            `a.ts, line 1: "1,2,3" before @data`,
		"@classLabel true a a\n@data\n1:a\n": "line 1: a class is declared twice",
		"@classLabel true a b\n@data\n1:c\n": `line 3, column "class": the label c is not among the ` +
			`classes that the file declares: "a", "b"`,
		"@classLabel true a\n@data\n\n1,2\n": "line 4: no channel before the class",
		"@classLabel true a\n@data\n1,2:\n":  "line 3: no class after the last colon",
		"@timestamps true\n@data\n(1,2)\n":   "line 1: @timestamps: series with times of their own",
		"@data\n1,x\n":                       `line 2: channel 0: value 1: "x" is not a finite number`,
		"@data\n1,inf\n":                     "not a finite number",
		"@data\n1,1e400\n":                   "not a finite number",
		"@data\n1,2:1\n":                     "line 2: channel 1 has 1 values, but channel 0 has 2",
		"@data\n1,2:1,2\n1,2\n":              "line 3: 1 channels, but the first series has 2",
		"@data\n?,?\n":                       "line 2: a series without a single value",
		"@data\n1,2:?,?\n":                   "line 2: channel 1 has no value",
		"@targetlabel true\n@data\n1,2:a\n":  `line 3, column "target": the label a is not a number`,
	} {
		_, err := OpenTS(write(t, "a.ts", content))
		require.ErrorContains(t, err, want, content)
	}
	_, err := OpenTS(write(t, "a.ts", "@data\n1\n"), write(t, "b.ts", "@targetlabel true\n@data\n1:2\n"))
	require.ErrorContains(t, err, "a.ts and b.ts")
	require.True(t, math.IsNaN(must(number(" ? "))))
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestDeclared: series are what the header declares, so that a file that was cut anywhere in a series is an
// error.
func TestDeclared(t *testing.T) {
	const head = "@univariate false\n@dimensions 2\n@equalLength true\n@seriesLength 3\n" +
		"@classLabel true a b\n"
	const whole = head + "@data\n1,2,3:4,5,6:a\n1,2,3:4,5,6:b"
	must(OpenTS(write(t, "a.ts", whole)))
	for cut := len(whole) - len("1,2,3:4,5,6:b") + 1; cut < len(whole); cut++ {
		_, err := OpenTS(write(t, "a.ts", whole[:cut]))
		require.ErrorContains(t, err, "a.ts, line 8: ", whole[:cut])
	}
	for content, want := range map[string]string{
		"@dimensions 3\n@data\n1:2\n":            "line 3: 2 channels, but the header declares 3",
		"@dimension 1\n@data\n1:2\n":             "line 3: 2 channels, but the header declares 1",
		"@univariate true\n@data\n1:2\n":         "line 3: 2 channels, but the header declares 1",
		"@seriesLength 3\n@data\n1,2\n":          "channel 0: 2 values, but the header declares",
		"@equalLength true\n@data\n1,2\n1,2,3\n": "line 4: channel 0: 3 values, but the header",

		"@seriesLength x\n@data\n1\n":                         `line 1: @seriesLength: "x" is not a number`,
		"@dimensions\n@data\n1\n":                             "line 1: @dimensions: want one number",
		"@classLabel true\n@data\n1,2:3,4\n":                  `"3,4" after the last colon is a channel`,
		"@relation waves\n@attribute x numeric\n@data\n1,2\n": "line 1: @relation: this is an ARFF file",
	} {
		_, err := OpenTS(write(t, "a.ts", content))
		require.ErrorContains(t, err, want, content)
	}
	// Where lengths differ, the declared one says nothing.
	s := must(OpenTS(write(t, "a.ts", "@equalLength false\n@seriesLength 9\n@data\n1,2\n1,2,3\n")))
	require.Equal(t, 2, s.Len())
}

// TestUnlabeledSeries: series without a label are left out and counted where others have one, or stay where
// they are to be predicted; rows have the numbers that they have in the file, either way. Where none has
// one, there is nothing to be learned.
func TestUnlabeledSeries(t *testing.T) {
	for _, missing := range []string{"?", "NaN", "NA", "null"} {
		s := must(OpenTS(write(t, "a.ts", "@classLabel true a b\n@data\n1:a\n2:"+missing+"\n3:b\n")))
		require.Equal(t, 1, s.unlabeled)
		require.Equal(t, []int32{0, 1}, s.Labels)
		require.Equal(t, 2, s.Row(1)[0].Value)
		s = must(OpenTS("", write(t, "a.ts", "@classLabel true a b\n@data\n1:a\n2:"+missing+"\n3:b\n")))
		require.Zero(t, s.unlabeled)
		require.Equal(t, []string{"a", "b", ""}, s.Classes)
		require.Equal(t, []int32{0, 2, 1}, s.Labels)
		require.NoError(t, s.Validate())
		s = must(OpenTS("", write(t, "a.ts", "@targetLabel true\n@data\n1:"+missing+"\n2:0.5\n")))
		require.True(t, math.IsNaN(float64(s.Targets[0])))
		require.Equal(t, float32(0.5), s.Targets[1])
		s = must(OpenTS(write(t, "a.ts", "@targetLabel true\n@data\n1:0.5\n2:"+missing+"\n")))
		require.Equal(t, []float32{0.5}, s.Targets)
		s = must(OpenTS(write(t, "a.ts", "@classLabel true a b\n@data\n1:"+missing+"\n2:"+missing+"\n")))
		require.Equal(t, 2, s.Len())
		require.Empty(t, s.Label)
	}
}

// TestDeclaredAsMissing: classes that are called as what is missing elsewhere are classes where the file
// declares them, in the spelling that it declares.
func TestDeclaredAsMissing(t *testing.T) {
	for _, class := range []string{"none", "NA", "Null", "nan"} {
		head := "@classLabel true " + class + " fault\n@data\n1:fault\n"
		s := must(OpenTS(write(t, "a.ts", head+"2:"+class+"\n3:"+class+"\n4:?\n")))
		require.Equal(t, []string{class, "fault"}, s.Classes)
		require.Equal(t, []int32{1, 0, 0}, s.Labels)
		require.Equal(t, 1, s.unlabeled)
		s = must(OpenTS(write(t, "a.ts", head), write(t, "b.ts", head[:len(head)-8]+"2:"+class+"\n")))
		require.Equal(t, []int32{1, 0}, s.Labels, "a test file of that class alone")
		other := strings.ToUpper(class)
		if other == class {
			other = strings.ToLower(class)
		}
		_, err := OpenTS(write(t, "a.ts", head+"2:"+other+"\n"))
		require.ErrorContains(t, err, "is not among the classes that the file declares")
	}
}

const tsText = "# a comment\n@problemName Waves\n@timeStamps false\n@missing true\n@univariate false\n" +
	"@dimensions 2\n@equalLength false\n@classLabel true up down\n@data\n" +
	"1,2.5,-3e0:4,?,6:down\n7,8:9,10:up\n" +
	"0.1,0.2,0.3,0.4:1,2,NaN,4:up\n"

// sound are files that can be read, by the ending of their names.
var sound = []struct {
	ending, text string
	columns      Columns
}{
	{".ts", tsText, Columns{}}, {".csv", tableText, usual},
}

// open reads a file in one of the formats.
func open(name string, columns Columns) (*Set, error) {
	if filepath.Ext(unpacked(name)) == ".ts" {
		return OpenTS(name)
	}
	return OpenTable(columns, name)
}

// TestMemory: a file takes a few times its bytes, whatever the lengths of its lines. The bounds are about 1.5
// times what was measured: the collector runs when it will.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files of 8 MB")
	}
	const size = 8 << 20
	repeat := func(head, text, tail string) string {
		return head + strings.Repeat(text, (size-len(head))/len(text)) + tail
	}
	const head = "path,when,x,y,kind\n"
	for name, c := range map[string]struct {
		file, text string
		times      uint64
	}{
		// A path takes about 150 bytes beside its values, which counts where it has three of them.
		"short":     {"a.ts", repeat("@data\n", "0.12345,0.34567,0.45678\n", ""), 24},
		"series":    {"a.ts", repeat("@data\n", strings.Repeat("0.12345,", 50)+"1\n", ""), 10},
		"one line":  {"a.ts", repeat("@data\n", "0.12345,", "1\n"), 10},
		"one word":  {"a.ts", repeat("@data\n", "1234567890", "\n"), 6},
		"table":     {"a.csv", repeat(head, "12,100.25,0.123,0.456,a\n", ""), 8},
		"paths":     {"a.csv", repeat(head, "a,1,2,3,4\nb,1,2,3,5\n", ""), 16},
		"one field": {"a.csv", repeat(head, "\"aaaaaaaaa", "\n"), 6},
	} {
		columns := Columns{}
		if c.file == "a.csv" {
			columns = usual
		}
		path := write(t, c.file, c.text)
		grown := heap.Peak(func() { _, _ = open(path, columns) })
		t.Logf("%s: %.1f times the file", name, float64(grown)/size)
		require.Less(t, grown, c.times*size, name)
	}
}

// fuzz fuzzes a format, from files that can be read.
func fuzz(f *testing.F, ending string) {
	var columns Columns
	for _, c := range sound {
		if c.ending == ending {
			columns = c.columns
			f.Add([]byte(c.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := open(write(t, "a"+ending, string(text)), columns)
		if err != nil {
			require.Contains(t, err.Error(), "a"+ending)
			return
		}
		require.NoError(t, s.Validate())
	})
}

func FuzzTS(f *testing.F)    { fuzz(f, ".ts") }
func FuzzTable(f *testing.F) { fuzz(f, ".csv") }
