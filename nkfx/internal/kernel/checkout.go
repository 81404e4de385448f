package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// moduleLine is the line of go.mod by which a checkout is known.
var moduleLine = regexp.MustCompile(`(?m)^module github\.com/neuralkforms/nkf\s*$`)

// checkoutAround returns the nearest folder from dir upwards that holds the go.mod of nkf.
func checkoutAround(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		content, _ := os.ReadFile(filepath.Join(at, "go.mod")) // absent from most
		if moduleLine.Match(content) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not in a checkout of nkf: go there, or name its folder", dir)
		}
	}
}
