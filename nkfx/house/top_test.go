package house_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTopLevel: the rooms, and nothing beside them but what every repository has.
func TestTopLevel(t *testing.T) {
	list := exec.Command("git", "ls-files")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	var top []string
	for path := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimSpace(path), "/")
		if !strings.HasPrefix(name, ".") {
			top = append(top, name)
		}
	}
	slices.Sort(top)
	require.Equal(t, []string{
		"CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE", "Makefile", "README.md",
		"datasets", "go.mod", "go.sum", "layers", "nkfx", "notebooks",
	}, slices.Compact(top))
}
