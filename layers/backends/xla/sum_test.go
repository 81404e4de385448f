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

// installed stores a plug-in with its record, long enough ago that its dates tell it from what comes after.
func installed(t *testing.T, data []byte) (path string) {
	t.Helper()
	path = xlatest.Write(t, t.TempDir(), "pjrt_c_api_cpu_v1_plugin.so", data)
	record(t, path, data)
	settle()
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

// reads returns whether Unchanged reads the plug-in at path again, which begins a new note.
func reads(t *testing.T, path string) bool {
	t.Helper()
	date := func() time.Time {
		info, err := os.Stat(path + ".verified")
		require.NoError(t, err)
		return info.ModTime()
	}
	before := date()
	settle()
	require.NoError(t, Unchanged(path))
	return !date().Equal(before)
}

func TestUnchanged(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("plug-ins are installed on Linux alone")
	}
	path := installed(t, []byte("sound"))
	require.NoError(t, Unchanged(path))
	require.False(t, reads(t, path), "read once")

	// Set-up writes the plug-in and lets it be used in the same tick.
	path = xlatest.Write(t, t.TempDir(), "p.so", []byte("sound"))
	record(t, path, []byte("sound"))
	for range 5 {
		require.NoError(t, os.WriteFile(path, []byte("sound"), 0o644))
		require.NoError(t, Unchanged(path))
		require.NoError(t, os.WriteFile(path, []byte("other"), 0o644))
		require.ErrorContains(t, Unchanged(path), "has changed since it was installed")
	}
	require.NoError(t, os.WriteFile(path, []byte("sound"), 0o644))
	settle()
	require.True(t, reads(t, path))
	require.False(t, reads(t, path))
}

// TestChanged changes a plug-in that was read before, and its size and date do not tell.
func TestChanged(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"written to": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte("other"), 0o644))
		},
		"one byte": func(t *testing.T, path string) {
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = file.WriteAt([]byte("S"), 0)
			require.NoError(t, err)
			require.NoError(t, file.Close())
		},
		"another file": func(t *testing.T, path string) {
			other := xlatest.Write(t, filepath.Dir(path), "other", []byte("other"))
			require.NoError(t, os.Rename(other, path))
		},
		"a link": func(t *testing.T, path string) {
			other := xlatest.Write(t, filepath.Dir(path), "other", []byte("other"))
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Symlink(other, path))
		},
		"another record": func(t *testing.T, path string) { record(t, path, []byte("other")) },
	} {
		t.Run(name, func(t *testing.T) {
			path := installed(t, []byte("sound"))
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.NoError(t, Unchanged(path))
			change(t, path)
			require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
			for range 2 {
				err := Unchanged(path)
				require.ErrorContains(t, err, "the XLA plug-in "+path+" has changed since it was installed")
				require.ErrorContains(t, err, "run `nkf setup`")
			}
		})
	}
}

// TestUnchangedWithoutNotes: where nothing can be noted, the plug-in is read every time.
func TestUnchangedWithoutNotes(t *testing.T) {
	path := installed(t, []byte("sound"))
	require.NoError(t, os.Mkdir(path+".verified", 0o755))
	require.NoError(t, Unchanged(path))
	require.NoError(t, os.WriteFile(path, []byte("other"), 0o644))
	require.ErrorContains(t, Unchanged(path), "has changed")
	require.NoError(t, os.Remove(SumFile(path)))
	require.ErrorIs(t, Unchanged(path), ErrNoSum)
}

// TestFindRefusesWhatChanged: it is a library and exports what a plug-in must, but another was installed.
func TestFindRefusesWhatChanged(t *testing.T) {
	path := installed(t, xlatest.Plugin(t))
	_, ok, damaged := CPU(Find([]string{filepath.Dir(path)}))
	require.True(t, ok)
	require.NoError(t, damaged)

	require.NoError(t, os.WriteFile(path, append(xlatest.Plugin(t), 0), 0o644))
	_, ok, damaged = CPU(Find([]string{filepath.Dir(path)}))
	require.False(t, ok)
	require.ErrorContains(t, damaged, "has changed since it was installed")
}
