package experiments

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFileNames: whatever columns are called, the name can be read, and every file system takes it.
func TestFileNames(t *testing.T) {
	for want, columns := range map[string][]string{
		"rings-nkf": nil, "rings-a_b-nkf": {"a b"}, "rings-a+b-nkf": {"a", "b"},
		"rings-.._.._x-nkf": {"../../x"}, "rings-__31m-nkf": {"\x1b[31m"},
		"rings-" + strings.Repeat("漢", 31) + "-nkf": {strings.Repeat("漢", 100)},
	} {
		name := fileName("rings", columns, "nkf")
		require.Equal(t, want, name)
		require.NoError(t, ValidName(name))
	}
	require.Equal(t, "path_members_1", plain("path:members=1"))
}
