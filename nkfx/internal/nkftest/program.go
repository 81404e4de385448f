// Package nkftest gives tests the program nkf and molecules.
package nkftest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

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
