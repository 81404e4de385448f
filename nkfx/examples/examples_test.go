package examples_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestExamples runs the programs that have no test of their own. Each is a page, imports included.
func TestExamples(t *testing.T) {
	backendtest.NeedLong(t)
	number := regexp.MustCompile(`-?\d+\.\d+`)
	for name, want := range map[string]string{
		// Percent of test parts; of half a hundred of each class all but two or so.
		"torus": `accuracy (9[5-9]|100)\.`, "points": `accuracy (9[5-9]|100)\.`,
		// The work has standard deviation 0.4, the differences 0.3: a small part of that.
		"polyline": `RMSE 0\.[01]`, "exact": `RMSE 0\.0`,
		"trainer": `loss[^.]* 0\.[0-2]`, // a fair coin has 0.69
		"siren":   `\.\d`,
	} {
		t.Run(name, func(t *testing.T) {
			program, err := os.ReadFile(name + "/main.go")
			require.NoError(t, err)
			require.LessOrEqual(t, strings.Count(string(program), "\n"), 40, "lines")
			out, err := exec.Command("go", "run", "./"+name).CombinedOutput()
			said := string(out)
			require.NoError(t, err, said)
			require.Regexp(t, want, said)
			require.Contains(t, said, "<nil>")
			if name == "siren" {
				// Stokes. The first layer's weights are within ±1/2, so that its sines have frequencies
				// up to 30·√2/2 and 40 points an edge integrate them exactly: what is left is single
				// precision, 2⁻²⁴ of sums whose terms (derivatives of 16 sines) come to 16·30·1/2·1/2.
				var numbers []float64
				for _, text := range number.FindAllString(said, -1) {
					x, err := strconv.ParseFloat(text, 64)
					require.NoError(t, err)
					numbers = append(numbers, x)
				}
				require.Len(t, numbers, 6)
				require.InDeltaSlice(t, numbers[:3], numbers[3:], 1e-3)
			}
		})
	}
}
