package scratch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMake: the folder of a process that is gone goes when the next one makes its own; that of a living one,
// one that was just made and what is no scratch folder stay.
func TestMake(t *testing.T) {
	parent := t.TempDir()
	living, remove, err := Make(parent, "x-")
	require.NoError(t, err)
	dead, fresh, other := filepath.Join(parent, "x-1"), filepath.Join(parent, "x-2"), parent+"/x-a"
	future := filepath.Join(parent, "x-3") // of a clock that was set back
	for _, dir := range []string{dead, fresh, other, future} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "below"), 0o777))
	}
	old := time.Now().Add(-2 * abandoned)
	for _, dir := range []string{living, dead, other} {
		require.NoError(t, os.Chtimes(dir, old, old))
	}
	require.NoError(t, os.Chtimes(future, old, time.Now().Add(time.Hour)))
	second, removeSecond, err := Make(parent, "x-")
	require.NoError(t, err)
	left := func() []string {
		found, err := filepath.Glob(filepath.Join(parent, "*"))
		require.NoError(t, err)
		return found
	}
	require.ElementsMatch(t, []string{living, fresh, other, second}, left())
	began := time.Now()
	remove()
	removeSecond()
	require.Less(t, time.Since(began), time.Second, "what is gone is not removed again and again")
	require.ElementsMatch(t, []string{fresh, other}, left())
	_, _, err = Make(filepath.Join(parent, "absent"), "x-")
	require.ErrorIs(t, err, os.ErrNotExist)
}
