package xla_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

// installed stores a plug-in with its record.
func installed(t *testing.T, data []byte) (path string) {
	t.Helper()
	path = xlatest.Write(t, t.TempDir(), "pjrt_c_api_cpu_v1_plugin.so", data)
	settle()
	record(t, path, data)
	return path
}

// record records data as what was installed at path.
func record(t *testing.T, path string, data []byte) {
	t.Helper()
	line := fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(data), filepath.Base(path))
	require.NoError(t, os.WriteFile(SumFile(path), line, 0o644))
}

// settle waits until the next file has a later date than all that are there.
func settle() { time.Sleep(50 * time.Millisecond) }

// TestUnchanged: what is newer than its record is read, once, and refused unless it is what was recorded.
func TestUnchanged(t *testing.T) {
	path := installed(t, []byte("sound"))
	date := func() time.Time {
		info, err := os.Stat(SumFile(path))
		require.NoError(t, err)
		return info.ModTime()
	}
	before := date()
	require.NoError(t, Verify(path))
	require.NoError(t, Unchanged(path))
	require.Equal(t, before, date(), "it was not read")
	settle()
	require.NoError(t, os.WriteFile(path, []byte("sound"), 0o644)) // touched
	settle()
	require.NoError(t, Unchanged(path))
	require.True(t, date().After(before), "it was read")
	before = date()
	require.NoError(t, Unchanged(path))
	require.Equal(t, before, date(), "once")

	settle()
	require.NoError(t, os.WriteFile(path, []byte("other"), 0o644))
	for range 2 {
		err := Unchanged(path)
		require.ErrorContains(t, err, "the XLA plug-in "+path+" has changed since it was installed")
		require.ErrorContains(t, err, "run `nkf setup`")
	}
	require.ErrorContains(t, Verify(path), "has changed since it was installed")
	if runtime.GOOS == "linux" { // which notes the time of a change whatever date the file is given
		long := before.Add(-time.Hour)
		require.NoError(t, os.Chtimes(path, long, long))
		require.ErrorContains(t, Unchanged(path), "has changed since it was installed")
	}
	require.NoError(t, os.Remove(SumFile(path)))
	require.ErrorIs(t, Unchanged(path), ErrNoSum)
	require.ErrorIs(t, Verify(path), ErrNoSum)
}

// TestFindRefusesWhatChanged: it is a library and exports what a plug-in must, but another was installed.
func TestFindRefusesWhatChanged(t *testing.T) {
	path := installed(t, xlatest.Plugin(t))
	_, ok, damaged := CPU(Find([]string{filepath.Dir(path)}))
	require.True(t, ok)
	require.NoError(t, damaged)

	settle()
	require.NoError(t, os.WriteFile(path, append(xlatest.Plugin(t), 0), 0o644))
	_, ok, damaged = CPU(Find([]string{filepath.Dir(path)}))
	require.False(t, ok)
	require.ErrorContains(t, damaged, "has changed since it was installed")
}
