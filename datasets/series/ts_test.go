package series

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
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
	s, err := OpenTS(train, test)
	require.NoError(t, err)
	require.Equal(t, "Waves", s.Name)
	require.Equal(t, 2, s.Dim)
	require.Equal(t, []string{"up", "down"}, s.Classes)
	require.Equal(t, []int32{1, 0, 0}, s.Labels)
	require.Equal(t, datasets.Fold{Train: []int32{0, 1}, Test: []int32{2}}, s.Split)
	require.Equal(t, []float32{1, 4, 2, 5, 3, 6}, s.Points(0))
	require.Equal(t, []int32{0, 1, 1, 2}, s.Corners(1, 0))
	require.Empty(t, s.Corners(1, 2))
	require.Equal(t, 3, s.MaxLength(s.Split.Train))
}

func TestMissingValues(t *testing.T) {
	s, err := OpenTS(write(t, "a.ts",
		"@missing true\n@targetlabel true\n@data\n?,1,?,?,4,?:0,0,NaN,?,1,2:-2.5\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"target"}, s.Tasks)
	require.Equal(t, []float32{-2.5}, s.Targets)
	require.Equal(t, 2, s.Filled) // observations 2 and 3 are not there at all
	require.Equal(t, []float32{1, 0, 1, 0, 4, 1, 4, 2}, s.Points(0))
}

func TestTimes(t *testing.T) {
	s, err := OpenTS(write(t, "a.ts", "@timestamps true\n@data\n(0,1),(2,3):(0,5),(1,?),(1.5,6),(2,7)\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"0"}, s.Classes)
	require.Equal(t, []float32{1, 5, 2.5, 6, 3, 7}, s.Points(0))
	require.Equal(t, []float32{0, 1.5, 2}, s.Simplices[0].Cochain)
	require.Equal(t, 1, s.Filled)
}

func TestFaults(t *testing.T) {
	for content, want := range map[string]string{
		"":                                     "a.ts: no line @data",
		"@data\n":                              "a.ts: no series",
		"1,2,3\n":                              `a.ts, line 1: "1,2,3" before @data`,
		"@classLabel true a a\n@data\n1:a\n":   "line 1: a class is declared twice",
		"@classLabel true a b\n@data\n1:c\n":   `line 3: the class "c" is not among those declared: "a", "b"`,
		"@classLabel true a\n@data\n\n1,2\n":   "line 4: no channel before the class",
		"@classLabel true a\n@data\n1,2:\n":    "line 3: no class after the last colon",
		"@data\n1,x\n":                         `line 2: channel 0: value 1: "x" is not a finite number`,
		"@data\n1,inf\n":                       "not a finite number",
		"@data\n1,1e400\n":                     "not a finite number",
		"@data\n1,2:1\n":                       "line 2: channel 1 has 1 values, but channel 0 has 2",
		"@data\n1,2:1,2\n1,2\n":                "line 3: 1 channels, but the first series has 2",
		"@data\n?,?\n":                         "line 2: a series without a single value",
		"@data\n1,2:?,?\n":                     "line 2: channel 1 has no value",
		"@timestamps true\n@data\n(1,2),3\n":   `line 3: channel 0: "3" where (time,value) has to be`,
		"@timestamps true\n@data\n(1,2),(1,3)": "times have to ascend",
		"@targetlabel true\n@data\n1,2:a\n":    `line 3: the value to be learned: "a"`,
	} {
		_, err := OpenTS(write(t, "a.ts", content))
		require.ErrorContains(t, err, want, content)
	}
	_, err := OpenTS(write(t, "a.ts", "@data\n1\n"), write(t, "b.ts", "@targetlabel true\n@data\n1:2\n"))
	require.ErrorContains(t, err, "a.ts and b.ts")
	require.True(t, math.IsNaN(must(number(" ? "))))
}

func must(x float64, err error) float64 {
	if err != nil {
		panic(err)
	}
	return x
}
