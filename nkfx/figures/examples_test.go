package figures_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryGoldenImageIsDrawn: every image is the output of an example.
func TestEveryGoldenImageIsDrawn(t *testing.T) {
	tests, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var text string
	for _, name := range tests {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		text += string(data)
	}
	images, err := filepath.Glob("testdata/*.png")
	require.NoError(t, err)
	for _, image := range images {
		require.Regexp(t, `(?m)^\t// (Output: )?`+regexp.QuoteMeta(filepath.Base(image))+`$`, text)
	}
}
