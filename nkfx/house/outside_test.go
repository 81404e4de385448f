package house_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// otherModule is a module beside the checkout, as README.md has it.
type otherModule struct{ folder string }

// newOtherModule writes what README.md says to write, does what it says to type, and returns the last
// command, which runs the program.
func newOtherModule(t *testing.T) (m otherModule, runs string) {
	t.Helper()
	backendtest.NeedLong(t)
	beside := t.TempDir()
	require.NoError(t, os.Symlink(must(filepath.Abs(root)), filepath.Join(beside, "nkf")))
	m = otherModule{filepath.Join(beside, "hello")}
	require.NoError(t, os.Mkdir(m.folder, 0o777))

	mod := blocks(t, "go.mod")
	require.Len(t, mod, 1)
	m.write(t, "go.mod", mod[0].text)
	for _, b := range blocks(t, "go") {
		if strings.HasPrefix(b.text, "package main") {
			require.NoFileExists(t, filepath.Join(m.folder, "main.go"), "one program")
			m.write(t, "main.go", b.text)
		}
	}
	for _, b := range blocks(t, "sh") {
		if !strings.Contains(b.text, "go.sum") {
			continue
		}
		for line := range strings.Lines(b.text) {
			if runs != "" {
				m.do(t, runs)
			}
			runs = strings.TrimSpace(line)
		}
	}
	require.NotEmpty(t, runs)
	return m, runs
}

// write makes a file of the module.
func (m otherModule) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(m.folder, name), []byte(text), 0o666))
}

// do runs a command line in the folder of the module, and returns what it prints. There is no network: what
// asks for a web page is sent to where nobody listens. Nothing else keeps go-xla from downloading.
func (m otherModule) do(t *testing.T, line string, env ...string) string {
	t.Helper()
	const nowhere = "http://127.0.0.1:9"
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = m.folder
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GOMLX_NO_AUTO_INSTALL=") // also when it is empty
	})
	cmd.Env = append(cmd.Env, "GOWORK=off", "GOMLX_BACKEND=", "HTTP_PROXY="+nowhere, "HTTPS_PROXY="+nowhere,
		"http_proxy="+nowhere, "https_proxy="+nowhere,
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -ldflags=-w") // which links in less time
	cmd.Env = append(cmd.Env, env...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", line, said.String())
	return string(out)
}

// TestProgramOfAnotherModule writes the program of README.md, its go.mod and nothing else into a folder
// outside of the module, and runs it as README.md says, without a network.
func TestProgramOfAnotherModule(t *testing.T) {
	m, runs := newOtherModule(t)
	// Guessing gets a third right; the published network of this data gets nearly all.
	accuracy := func(said string) float64 {
		found := regexp.MustCompile(`^accuracy ([\d.]+) ± [\d.]+ %, 5 trainings, \d+ parameters\n$`).
			FindStringSubmatch(said)
		require.NotNil(t, found, said)
		return must(strconv.ParseFloat(found[1], 64))
	}
	require.Greater(t, accuracy(m.do(t, runs, "CGO_ENABLED=0")), 90.)

	written := must(os.ReadFile(filepath.Join(m.folder, "go.mod")))
	for _, no := range []string{"gonum.org/v1/plot", "janpfeifer/gonb"} {
		require.NotContains(t, string(written), no, "what imports layers gets neither plotting nor notebooks")
	}

	xlatest.Real(t)
	require.Greater(t, accuracy(m.do(t, runs)), 90.)

	// Any import keeps GoMLX's own door from downloading.
	m.write(t, "main.go", `package main

import (
	"fmt"

	"github.com/gomlx/compute"

	_ "github.com/neuralkforms/nkf/layers/backends"
)

func main() { fmt.Println(compute.NewWithConfig("xla:cpu")) }
`)
	require.Equal(t, "xla <nil>\n", m.do(t, runs))
}

// TestExamples copies each program of nkfx/examples into a folder outside of the module and runs it there.
// Each is a page, imports included, and does what its first line says.
func TestExamples(t *testing.T) {
	m, runs := newOtherModule(t)
	number := regexp.MustCompile(`-?[0-9]+\.[0-9]+`)
	for name, bounds := range map[string]struct {
		what        string
		least, most float64 // of the first number
	}{
		// Percent of test parts; of half a hundred of each class all but two or so.
		"torus": {"accuracy", 95, 100}, "points": {"accuracy", 95, 100},
		// The work has standard deviation 0.4, the differences 0.3: a small part of that.
		"polyline": {"RMSE", 0, 0.2}, "exact": {"RMSE", 0, 0.1},
		"trainer": {"loss", 0, 0.3}, // a fair coin has 0.69
		"siren":   {"", math.Inf(-1), math.Inf(1)},
	} {
		t.Run(name, func(t *testing.T) {
			text := readText(filepath.Join("nkfx", "examples", name, "main.go"))
			require.LessOrEqual(t, strings.Count(text, "\n"), 40, "lines")
			m.write(t, "main.go", text)
			said := m.do(t, runs+" 2>&1")
			_, result, ok := strings.Cut(said, ":") // behind the time of day, if there is one
			if !ok || name == "siren" {
				result = said
			}
			var numbers []float64
			for _, text := range number.FindAllString(result, -1) {
				numbers = append(numbers, must(strconv.ParseFloat(text, 64)))
			}
			require.NotEmpty(t, numbers, said)
			require.True(t, bounds.least <= numbers[0] && numbers[0] <= bounds.most, said)
			require.Contains(t, said, bounds.what)
			require.Contains(t, said, "<nil>")
			if name == "siren" {
				// Stokes. The first layer's weights are within ±1/2, so that its sines have frequencies
				// up to 30·√2/2 and 40 points an edge integrate them exactly: what is left is single
				// precision, 2⁻²⁴ of sums whose terms (derivatives of 16 sines) come to 16·30·1/2·1/2.
				require.InDeltaSlice(t, numbers[:3], numbers[3:], 1e-3)
			}
		})
	}
}
