// Package nkftest gives tests the program nkf, machines and molecules.
package nkftest

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// Program returns the path of nkf: the one that NKF_PROGRAM names, which make builds once for all tests, or
// else one that is built into the folder.
func Program(folder string) (string, error) {
	if path := os.Getenv("NKF_PROGRAM"); path != "" {
		return path, nil
	}
	path := filepath.Join(folder, "nkf")
	const source = "github.com/neuralkforms/nkf/nkfx/cmd/nkf"
	out, err := exec.Command("go", "build", "-ldflags=-w", "-o", path, source).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building nkf: %w: %s", err, out)
	}
	return path, nil
}

// EmptyMachine leaves no plug-in, card, data, kernel or network to find, and returns the home folder, which
// is new and the current one.
func EmptyMachine(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Chdir(home)
	for _, name := range []string{
		"JUPYTER_PATH", "JUPYTER_DATA_DIR", "VIRTUAL_ENV", "NKF_DATA", "XDG_DATA_HOME", "XDG_CACHE_HOME",
		"GOMLX_BACKEND", "CUDA_VISIBLE_DEVICES",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", home)
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", filepath.Join(home, "lib"))
	NoNetwork(t)
	return home
}

// NoNetwork lets every request fail as it does without a network.
func NoNetwork(t *testing.T) {
	t.Helper()
	Network(t, func(*http.Request) (*http.Response, error) { return nil, errors.New("no such host") })
}

// network answers requests.
type network func(*http.Request) (*http.Response, error)

// RoundTrip answers a request.
func (n network) RoundTrip(r *http.Request) (*http.Response, error) { return n(r) }

// Network puts a function in the place of the network.
func Network(t *testing.T, answer func(*http.Request) (*http.Response, error)) {
	t.Helper()
	before := http.DefaultTransport
	t.Cleanup(func() { http.DefaultTransport = before })
	http.DefaultTransport = network(answer)
}

// Molecules returns 30 chains of atoms with two answers each, or with numbers.
func Molecules(task datasets.Task) (*moleculenet.Molecules, error) {
	text := "smiles,a,b\n"
	for i := range 30 {
		chain := strings.Repeat("C", 1+i%7) + strings.Repeat("O", i%3) + strings.Repeat("N", i%2)
		text += fmt.Sprintf("%s,%d,%d\n", chain, i%2, i%3/2)
	}
	return moleculenet.Read(strings.NewReader(text), "some.csv",
		moleculenet.Columns{SMILES: "smiles", Labels: []string{"a", "b"}, Task: task})
}
