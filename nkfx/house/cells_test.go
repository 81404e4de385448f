package house_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/internal/cell"
)

// TestNotebooksCompile holds the notebooks to the packages they import, without running them.
func TestNotebooksCompile(t *testing.T) {
	goTool, err := exec.LookPath("go")
	require.NoError(t, err)
	packages := &cell.Packages{Go: goTool, Dir: root}
	list, err := packages.List(t.Context(), "std", module+"/layers/...", module+"/datasets/...",
		module+"/nkfx/...")
	require.NoError(t, err)
	packages.Add(list)
	eachNotebook(t, func(t *testing.T, path string) {
		memory := &cell.Memory{}
		for i, c := range readNotebook(t, path).code() {
			built, mistakes := memory.Program(cell.New(string(c.Source), i+1), packages, false)
			for _, m := range mistakes {
				t.Error(m)
			}
			if mistakes == nil {
				memory = built.After
			}
		}
	})
}
