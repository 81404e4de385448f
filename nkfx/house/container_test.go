package house_test

import (
	"encoding/json"
	"go/version"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// instructions returns the instructions of the Dockerfile as words and the rest, lines that go on joined.
func instructions(t *testing.T) (list [][2]string) {
	t.Helper()
	text := readText(t, "Dockerfile")
	joined := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
	joined = strings.ReplaceAll(joined, "\\\n", " ")
	for line := range strings.Lines(joined) {
		if word, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			list = append(list, [2]string{word, rest})
		}
	}
	return list
}

// TestDockerfile: a base image by version and digest, with the Go of go.mod or a newer one, nothing
// fetched past the checks of the Makefile, steps that the Makefile has, and no root at the end.
func TestDockerfile(t *testing.T) {
	module := readText(t, "go.mod")
	least := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(module)[1]
	stages := map[string]bool{"${BASE}": true}
	user, base, command, cuda := "root", "", "", false
	for _, instruction := range instructions(t) {
		word, rest := instruction[0], instruction[1]
		switch word {
		case "ARG":
			base = strings.TrimPrefix(rest, "BASE=")
		case "FROM":
			image, name, _ := strings.Cut(rest, " AS ")
			require.True(t, stages[image], "%s: images come in by BASE", image)
			stages[name] = true
			cuda = strings.Contains(name+image, "cuda")
		case "RUN":
			for _, fetcher := range []string{"curl", "wget", "pip", "git clone", "go install", "@latest"} {
				require.NotRegexp(t, `(^|\s)`+regexp.QuoteMeta(fetcher)+`\s`, rest)
			}
			if targets, ok := strings.CutPrefix(rest, "make "); ok {
				targets, _, _ = strings.Cut(targets, " &&")
				require.NoError(t, run(root, append([]string{"make", "-n"}, strings.Fields(targets)...)...))
			}
		case "USER":
			user = rest
		case "CMD":
			command = rest
		case "COPY":
			require.Equal(t, cuda, strings.Contains(rest, "cuda"), "the last image, the default, has no CUDA")
		case "SHELL", "ENV", "WORKDIR", "EXPOSE":
		default:
			t.Errorf("the test has no rule for %s %s", word, rest)
		}
	}
	require.False(t, cuda, "the last image is the default")
	pinned := regexp.MustCompile(`^golang:([\d.]+)-\w+@sha256:[0-9a-f]{64}$`).FindStringSubmatch(base)
	require.NotNil(t, pinned, "%s: a version on some Debian, and its digest", base)
	require.GreaterOrEqual(t, version.Compare("go"+pinned[1], "go"+least), 0, "not older than in go.mod")
	require.Regexp(t, `^[1-9]\d*$`, user, "a number that is not root's")
	var words []string
	require.NoError(t, json.Unmarshal([]byte(command), &words), "the form that passes signals on")
	require.NoError(t, run(root, append([]string{"make", "-n"}, words[1:]...)...))
}

// TestJupyterStaysHome: JupyterLab listens on this machine alone and asks for its token.
func TestJupyterStaysHome(t *testing.T) {
	cmd := exec.Command("make", "-n", "lab")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "LABFLAGS=")
	text, err := cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(text), "--ServerApp.ip=localhost ")
	for _, open := range []string{"token=", "password=", "disable_check_xsrf", "allow_origin", "0.0.0.0"} {
		require.NotContains(t, string(text), open)
	}
}
