package house_test

import (
	"debug/elf"
	"encoding/json"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/nkfx/internal/machine"
)

// TestPlatforms vets everything, tests included, without cgo, and links the program: on macOS and Windows
// nobody runs it here.
func TestPlatforms(t *testing.T) {
	backendtest.NeedLong(t)
	t.Setenv("CGO_ENABLED", "0")
	platforms := [][2]string{{"linux", runtime.GOARCH}, {"darwin", "arm64"}, {"windows", "amd64"}}
	for _, platform := range platforms {
		t.Run(platform[0], func(t *testing.T) {
			t.Setenv("GOOS", platform[0])
			t.Setenv("GOARCH", platform[1])
			if platform[0] != runtime.GOOS {
				// What nobody runs need not be fast: everything compiles in less time.
				t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" '-gcflags=all=-N -l' -ldflags=-w")
			}
			require.NoError(t, run(root, "go", "vet", "./..."))
			program := filepath.Join(t.TempDir(), "nkf")
			require.NoError(t, run(root, "go", "build", "-o", program, "./nkfx/cmd/nkf"))
		})
	}
}

// TestStaticProgram: without cgo nkf is one file that needs no other, and does everything on the Go backend.
func TestStaticProgram(t *testing.T) {
	backendtest.NeedLong(t)
	guest := newGuest(t)
	guest.program = filepath.Join(t.TempDir(), "nkf")
	t.Setenv("CGO_ENABLED", "0")
	require.NoError(t, run(root, "go", "build", "-o", guest.program, "./nkfx/cmd/nkf"))
	if runtime.GOOS == "linux" {
		file := must(elf.Open(guest.program))
		defer file.Close()
		require.Empty(t, must(file.ImportedLibraries()))
		for _, segment := range file.Progs {
			require.NotEqual(t, elf.PT_INTERP, segment.Type, "it asks for a loader of libraries")
		}
	}
	t.Setenv("HOME", guest.home)
	nkf := func(backend string, args ...string) (said string, err error) {
		cmd := exec.Command(guest.program, args...)
		cmd.Dir, cmd.Env = guest.home, append(os.Environ(), "GOMLX_BACKEND="+backend)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	said, err := nkf("", "doctor", "--json")
	require.NoError(t, err, said)
	var report machine.Report
	require.NoError(t, json.Unmarshal([]byte(said), &report))
	require.True(t, report.Backend.Works)
	require.Equal(t, "go", report.Backend.Name)

	said, err = nkf("", "train", "graphs", "DATA.zip", "--epochs", "2", "--folds", "2")
	require.NoError(t, err, said)
	require.Contains(t, said, "this program was built without XLA")
	said, err = nkf("", "predict", "graphs", "DATA.zip", "--model", "results/models/DATA-nkf")
	require.NoError(t, err, said)
	said, err = nkf("xla:cpu", "run", "surfaces", "--epochs", "1")
	require.Error(t, err)
	require.Contains(t, said, `there is no backend "xla:cpu": this program was built without XLA`)
}

// instructions returns the instructions of the Dockerfile as words and the rest, lines that go on joined.
func instructions() (list [][2]string) {
	text := readText("Dockerfile")
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
	module := readText("go.mod")
	least := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(module)[1]
	stages := map[string]bool{"${BASE}": true}
	user, base, command, cuda := "root", "", "", false
	for _, instruction := range instructions() {
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
	text := must(cmd.Output())
	require.Contains(t, string(text), "--ServerApp.ip=localhost ")
	for _, open := range []string{"token=", "password=", "disable_check_xsrf", "allow_origin", "0.0.0.0"} {
		require.NotContains(t, string(text), open)
	}
}
