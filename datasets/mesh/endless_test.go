//go:build unix

package mesh

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipesAreNotOpened: neither a mesh nor labels that are a pipe hold anybody up.
func TestPipesAreNotOpened(t *testing.T) {
	for _, name := range []string{"x.off", "x.seg"} {
		folder := written(t, map[string]string{
			"x.off": tent, "x.seg": "1 1 1 1 1 0", "y.off": tent, "y.seg": "1 1 1 1 1 0",
			"t.csv": "mesh\nx.off\n",
		})
		require.NoError(t, os.Remove(filepath.Join(folder, name)))
		require.NoError(t, syscall.Mkfifo(filepath.Join(folder, name), 0o644))
		for _, place := range []string{folder, filepath.Join(folder, "t.csv")} {
			_, err := Open(place, Faces)
			require.ErrorContains(t, err, name+" is not a file", place)
		}
	}
}
