package nkfx

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// libraries are the fake plug-ins by the symbol that they export, compiled once.
var libraries sync.Map

// fakeLibrary returns the bytes of a shared library that exports one symbol.
func fakeLibrary(t *testing.T, symbol string) []byte {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the headers of libraries are looked at on Linux only")
	}
	if library, ok := libraries.Load(symbol); ok {
		return library.([]byte)
	}
	dir := t.TempDir()
	code, library := filepath.Join(dir, "fake.c"), filepath.Join(dir, "fake.so")
	require.NoError(t, os.WriteFile(code, []byte("void *"+symbol+"(void) { return 0; }\n"), 0o600))
	output, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, code).CombinedOutput()
	require.NoError(t, err, "%s", output)
	data, err := os.ReadFile(library)
	require.NoError(t, err)
	libraries.Store(symbol, data)
	return data
}

// soundPlugin returns the bytes of a library that passes for a plug-in.
func soundPlugin(t *testing.T) []byte { return fakeLibrary(t, "GetPjrtApi") }

// write stores a file below a folder and returns its path.
func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func TestCheckLibrary(t *testing.T) {
	sound := soundPlugin(t)
	foreign := append([]byte(nil), sound...)
	foreign[18] = 8 // e_machine: MIPS
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
		{"another machine", foreign, "built for EM_MIPS"},
		{"another library", fakeLibrary(t, "Other"), "does not export GetPjrtApi"},
	} {
		path := write(t, dir, test.name, test.data)
		err := checkLibrary(path)
		if test.want == "" {
			require.NoError(t, err, test.name)
			continue
		}
		require.ErrorContains(t, err, test.want, test.name)
		require.ErrorContains(t, err, path, test.name)
		require.ErrorContains(t, err, "nkf setup", test.name)
	}
	require.ErrorContains(t, checkLibrary(dir), "not a regular file")
	require.ErrorIs(t, checkLibrary(filepath.Join(dir, "absent")), os.ErrNotExist)
}

// A segment that the headers place past the end of the file is what kills a process that loads it.
func TestCheckLibrarySegmentPastTheEnd(t *testing.T) {
	broken := append([]byte(nil), soundPlugin(t)...)
	const firstFilesz = 64 + 32 // program headers follow the 64 bytes of the file header; p_filesz is at 32
	copy(broken[firstFilesz:], []byte{0, 0, 0, 0, 1, 0, 0, 0})
	require.ErrorContains(t, checkLibrary(write(t, t.TempDir(), "a", broken)), "in the middle of a segment")
}

func TestFindPlugins(t *testing.T) {
	sound := soundPlugin(t)
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "with,comma")
	require.NoError(t, os.Mkdir(second, 0o777))
	write(t, first, "pjrt_c_api_cuda_plugin.so", sound)
	write(t, first, "pjrt_c_api_cpu_v2.0_plugin.so", sound[:100])
	write(t, first, "readme.txt", nil)
	write(t, first, "pjrt_c_api_cpu_v2.0_plugin.so.sha256", nil)
	write(t, second, "pjrt_plugin_cpu.so", sound)
	write(t, second, "pjrt_c_api_cpux_plugin.so", sound)

	plugins := findPlugins([]string{first, filepath.Join(first, "absent"), second})
	var names []string
	for _, p := range plugins {
		names = append(names, p.name)
	}
	require.Equal(t, []string{"cpu_v2.0", "cuda", "cpux", "cpu"}, names)

	found, ok, damaged := cpuPlugin(plugins)
	require.True(t, ok)
	require.Equal(t, filepath.Join(second, "pjrt_plugin_cpu.so"), found.path)
	require.ErrorContains(t, damaged, "cpu_v2.0")

	_, ok, damaged = cpuPlugin(plugins[:2])
	require.False(t, ok)
	require.ErrorContains(t, damaged, "cpu_v2.0")
}

func TestPluginConfig(t *testing.T) {
	for path, want := range map[string]string{
		"/lib/pjrt_c_api_cpu_v1_plugin.so":       "xla:/lib/pjrt_c_api_cpu_v1_plugin.so",
		"/a,b/pjrt_c_api_cpu_v1_plugin.so":       "xla:cpu_v1",
		"/barraCUDA/pjrt_c_api_cpu_v1_plugin.so": "xla:cpu_v1",
	} {
		p := plugin{name: "cpu_v1", path: path}
		require.Equal(t, want, p.config())
		// And back, also with options.
		name := strings.TrimPrefix(want, "xla:") + ",shared_buffers=false"
		require.Equal(t, "cpu_v1", pluginOf(name).name)
		require.True(t, pluginOf(name).isCPU())
	}
	for _, name := range []string{"cuda", "/lib/pjrt_c_api_cuda_v1_plugin.so", "/cpu/other.so"} {
		require.False(t, pluginOf(name).isCPU(), name)
	}
}

func TestSearchPath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("LD_LIBRARY_PATH", "relative:/opt/lib")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "/a::/b")
	require.Equal(t, []string{"/a", "/b"}, searchPath())
	dir, err := installDir()
	require.NoError(t, err)
	require.Equal(t, "/a", dir)

	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", "")
	require.Empty(t, searchPath())
	_, err = installDir()
	require.ErrorContains(t, err, "set HOME")

	require.NoError(t, os.Unsetenv("PJRT_PLUGIN_LIBRARY_PATH"))
	dirs := searchPath()
	require.Contains(t, dirs, "/opt/lib")
	require.NotContains(t, dirs, "relative")
	dir, err = installDir()
	require.NoError(t, err)
	require.Equal(t, dirs[0], dir)
	require.True(t, filepath.IsAbs(dir))
	rel, err := filepath.Rel(home, dir)
	require.NoError(t, err)
	require.True(t, filepath.IsLocal(rel), "%s is not below HOME", dir)
}

func TestCheckSum(t *testing.T) {
	path := write(t, t.TempDir(), "p", []byte("abc"))
	require.ErrorIs(t, checkSum(path), errNoSum)

	// SHA-256 of "abc": FIPS 180-2, appendix B.1.
	const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	require.NoError(t, os.WriteFile(sumFile(path), []byte(sum+"  p\n"), 0o600))
	require.NoError(t, checkSum(path))

	require.NoError(t, os.WriteFile(path, []byte("abd"), 0o600))
	require.ErrorContains(t, checkSum(path), "has changed since it was installed")
	require.NoError(t, os.Remove(path))
	require.ErrorIs(t, checkSum(path), os.ErrNotExist)
}
