package house_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// said returns what a command line prints in a folder. There is no network: what asks for a web page is sent
// to where nobody listens. Nothing else keeps go-xla from downloading.
func said(t *testing.T, folder, line string, env ...string) string {
	t.Helper()
	const nowhere = "http://127.0.0.1:9"
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = folder
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "GOMLX_NO_AUTO_INSTALL=") // also when it is empty
	})
	cmd.Env = append(cmd.Env, "GOWORK=off", "GOMLX_BACKEND=", "HTTP_PROXY="+nowhere, "HTTPS_PROXY="+nowhere,
		"http_proxy="+nowhere, "https_proxy="+nowhere,
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -ldflags=-w") // which links in less time
	cmd.Env = append(cmd.Env, env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", line, stderr.String())
	return string(out)
}

// TestProgramOfAnotherModule writes the program of README.md, its go.mod and nothing else into a folder
// outside of the module, and runs it as README.md says, without a network.
func TestProgramOfAnotherModule(t *testing.T) {
	backendtest.NeedLong(t)
	beside := t.TempDir()
	require.NoError(t, os.Symlink(must(filepath.Abs(root)), filepath.Join(beside, "nkf")))
	folder := filepath.Join(beside, "hello")
	require.NoError(t, os.Mkdir(folder, 0o777))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	readme := readText("README.md")
	write("go.mod", blocks(readme, "go.mod")[0])
	for _, program := range blocks(readme, "go") {
		if strings.HasPrefix(program, "package main") {
			write("main.go", program)
		}
	}
	typed := slices.DeleteFunc(blocks(readme, "sh"), func(block string) bool {
		return !strings.Contains(block, "go.sum")
	})
	require.Len(t, typed, 1)

	// Guessing gets a third right; the published network of this data gets nearly all.
	right := regexp.MustCompile(`^accuracy (9\d|100)\.\d+ ± [\d.]+ %, 5 trainings, \d+ parameters\n$`)
	require.Regexp(t, right, said(t, folder, typed[0], "CGO_ENABLED=0"))
	written := string(must(os.ReadFile(filepath.Join(folder, "go.mod"))))
	require.NotRegexp(t, "gonum.org/v1/plot|janpfeifer/gonb", written, "what imports layers gets neither")

	xlatest.Real(t)
	require.Regexp(t, right, said(t, folder, typed[0]))

	// Any import keeps GoMLX's own door from downloading.
	write("main.go", `package main

import (
	"fmt"

	"github.com/gomlx/compute"

	_ "github.com/neuralkforms/nkf/layers/backends"
)

func main() { fmt.Println(compute.NewWithConfig("xla:cpu")) }
`)
	require.Equal(t, "xla <nil>\n", said(t, folder, typed[0]))
}
