// Package nkftest gives tests the program nkf.
package nkftest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
