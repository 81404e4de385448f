package kernel

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckoutAround(t *testing.T) {
	dir := t.TempDir()
	below, other := filepath.Join(dir, "notebooks", "deep"), filepath.Join(dir, "other")
	require.NoError(t, errors.Join(os.MkdirAll(below, 0o755), os.MkdirAll(other, 0o755)))
	module := func(dir, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644))
	}
	module(dir, "// A fork.\r\nmodule github.com/neuralkforms/nkf\r\n\r\ngo 1.26.5\r\n")
	module(other, "module github.com/neuralkforms/nkf/tools\n")
	for _, from := range []string{dir, below, other} {
		found, err := checkoutAround(from)
		require.NoError(t, err)
		require.Equal(t, dir, found)
	}
	_, err := checkoutAround("/")
	require.ErrorContains(t, err, "is not in a checkout of nkf")
}
