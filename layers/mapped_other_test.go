//go:build !linux

package layers_test

import (
	"os"
	"testing"
)

// mapped returns a file.
func mapped(t *testing.T, path string) []byte {
	t.Helper()
	return must(os.ReadFile(path))
}
