package xla_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
)

func TestCheckLibrary(t *testing.T) {
	sound := xlatest.Plugin(t)
	foreign := append([]byte(nil), sound...)
	foreign[18] = 8 // e_machine: MIPS
	// A segment that the headers place past the end of the file kills a process that loads it.
	long := append([]byte(nil), sound...)
	const firstFilesz = 64 + 32 // program headers follow the 64 bytes of the file header; p_filesz is at 32
	copy(long[firstFilesz:], []byte{0, 0, 0, 0, 1, 0, 0, 0})
	dir := t.TempDir()
	for _, test := range []struct {
		name string
		data []byte
		want string // part of the error
	}{
		{"sound", sound, ""},
		{"empty", nil, "no readable ELF headers"},
		{"text", []byte("<html>not found</html>"), "no readable ELF headers"},
		{"one byte short", sound[:len(sound)-1], "damaged"},
		{"half", sound[:len(sound)/2], "damaged"},
		{"headers only", sound[:64], "damaged"},
		{"a segment past the end", long, "in the middle of a segment"},
		{"another machine", foreign, "built for EM_MIPS"},
		{"another library", xlatest.Library(t, "Other"), "does not export GetPjrtApi"},
	} {
		path := xlatest.Write(t, t.TempDir(), "pjrt_c_api_cpu_plugin.so", test.data)
		err := CheckLibrary(path)
		if test.want == "" {
			require.NoError(t, err, test.name)
			continue
		}
		require.ErrorContains(t, err, test.want, test.name)
		require.ErrorContains(t, err, path, test.name)
		require.ErrorContains(t, err, "nkf setup", test.name)
	}
	require.ErrorContains(t, CheckLibrary(dir), "not a regular file")
	require.ErrorIs(t, CheckLibrary(filepath.Join(dir, "absent")), os.ErrNotExist)
}

func TestFind(t *testing.T) {
	sound := xlatest.Plugin(t)
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "with,comma")
	require.NoError(t, os.Mkdir(second, 0o777))
	xlatest.Write(t, first, "pjrt_c_api_cuda_plugin.so", sound)
	xlatest.Write(t, first, "pjrt_c_api_cpu_v2.0_plugin.so", sound[:100])
	xlatest.Write(t, first, "readme.txt", nil)
	xlatest.Write(t, first, "pjrt_c_api_cpu_v2.0_plugin.so.sha256", nil)
	xlatest.Write(t, second, "pjrt_plugin_cpu.so", sound)
	xlatest.Write(t, second, "pjrt_c_api_cpux_plugin.so", sound)

	plugins := Find([]string{first, filepath.Join(first, "absent"), second})
	var names []string
	for _, p := range plugins {
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"cpu_v2.0", "cuda", "cpux", "cpu"}, names)

	found, ok, damaged := CPU(plugins)
	require.True(t, ok)
	require.Equal(t, filepath.Join(second, "pjrt_plugin_cpu.so"), found.Path)
	require.ErrorContains(t, damaged, "cpu_v2.0")

	_, ok, damaged = CPU(plugins[:2])
	require.False(t, ok)
	require.ErrorContains(t, damaged, "cpu_v2.0")
}

func TestPluginConfig(t *testing.T) {
	for path, want := range map[string]string{
		"/lib/pjrt_c_api_cpu_v1_plugin.so":       "xla:/lib/pjrt_c_api_cpu_v1_plugin.so",
		"/a,b/pjrt_c_api_cpu_v1_plugin.so":       "xla:cpu_v1",
		"/barraCUDA/pjrt_c_api_cpu_v1_plugin.so": "xla:cpu_v1",
	} {
		p := Plugin{Name: "cpu_v1", Path: path}
		require.Equal(t, want, p.Config())
		// And back, also with options.
		name := strings.TrimPrefix(want, "xla:") + ",shared_buffers=false"
		require.Equal(t, "cpu_v1", PluginOf(name).Name)
		require.True(t, PluginOf(name).IsCPU())
	}
	for _, name := range []string{"cuda", "/lib/pjrt_c_api_cuda_v1_plugin.so", "/cpu/other.so"} {
		require.False(t, PluginOf(name).IsCPU(), name)
	}
}

func TestSearchPath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("LD_LIBRARY_PATH", "relative:/opt/lib")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "/a::/b")
	require.Equal(t, []string{"/a", "/b"}, SearchPath())
	dir, err := InstallDir()
	require.NoError(t, err)
	require.Equal(t, "/a", dir)

	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "")
	require.Empty(t, SearchPath())
	_, err = InstallDir()
	require.ErrorContains(t, err, "set HOME")

	require.NoError(t, os.Unsetenv("PJRT_PLUGIN_LIBRARY_PATH"))
	dirs := SearchPath()
	require.Contains(t, dirs, "/opt/lib")
	require.NotContains(t, dirs, "relative")
	dir, err = InstallDir()
	require.NoError(t, err)
	require.Equal(t, dirs[0], dir)
	require.True(t, filepath.IsAbs(dir))
	rel, err := filepath.Rel(home, dir)
	require.NoError(t, err)
	require.True(t, filepath.IsLocal(rel), "%s is not below HOME", dir)
}

func TestRecover(t *testing.T) {
	cause := errors.New("cause")
	for _, p := range []any{cause, "cause"} {
		err := func() (err error) {
			defer Recover(&err)
			panic(p)
		}()
		require.EqualError(t, err, "gave up: cause")
		require.Equal(t, p == any(cause), errors.Is(err, cause))
	}
}
