//go:build !linux

package layers_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// mapped returns a file.
func mapped(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}
