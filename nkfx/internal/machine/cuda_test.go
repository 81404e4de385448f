package machine

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/backends/xla/xlatest"
	"github.com/neuralkforms/nkf/nkfx/internal/nkftest"
)

// archive returns a zip file.
func archive(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var buffer bytes.Buffer
	out := zip.NewWriter(&buffer)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		must(must(out.Create(name)).Write(files[name]))
	}
	require.NoError(t, out.Close())
	return buffer.Bytes()
}

// cudaWheels returns wheels in the layout of the real ones: that of the plug-in, and two with libraries.
func cudaWheels(t *testing.T) (wheels []wheel, contents [][]byte) {
	t.Helper()
	first, second := map[string][]byte{}, map[string][]byte{"nvidia/cudnn/lib/libcudnn_ops.so.9": {1}}
	for i, library := range xla.NVIDIALibraries {
		[]map[string][]byte{first, second}[i%2]["nvidia/"+library] = []byte(library)
	}
	for i, files := range []map[string][]byte{
		{"jax_plugins/xla_cuda13/" + cudaLibrary: xlatest.Plugin(t), "jax_plugins/__init__.py": nil},
		first, second,
	} {
		contents = append(contents, archive(t, files))
		name := []string{"jax-cuda", "nvidia-first", "nvidia-second"}[i]
		wheels = append(wheels, wheel{name, "1.2.3", map[string]string{platform: sumOf(contents[i])}})
	}
	return wheels, contents
}

// newCUDA returns an installation of CUDA into a new folder, from an index of this test, with no Python.
func newCUDA(t *testing.T) (s *setup, site *web, contents [][]byte, progress *bytes.Buffer) {
	t.Helper()
	xlatest.NeedLinked(t)
	wheels, contents := cudaWheels(t)
	site = newWeb(t, nil)
	for i, w := range wheels {
		site.offer(w, "../..", contents[i]) // relative to the page of the index, as mirrors have it
	}
	dir := filepath.Join(t.TempDir(), "lib", "go-xla")
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", dir)
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	t.Setenv("NKF_PYTHON", filepath.Join(t.TempDir(), "none"))
	progress = new(bytes.Buffer)
	s = must(newCUDASetup(wheels, "", progress))
	s.try = func(xla.Plugin) error { return errors.New("tried") }
	return s, site, contents, progress
}

// TestSetupCUDA: without a card everything is installed in the layout of the wheels and found again, but not
// tried, which is said.
func TestSetupCUDA(t *testing.T) {
	s, site, _, progress := newCUDA(t)
	require.NoError(t, s.run(t.Context()))
	path := filepath.Join(s.target, xla.CUDAFolder, cudaPlugin)
	require.Contains(t, progress.String(), "XLA's plug-in for NVIDIA cards is installed, but not tried: "+
		"CUDA_VISIBLE_DEVICES hides all NVIDIA cards: "+path+"\n")
	require.Contains(t, progress.String(), "fetching nvidia-second 1.2.3 (3 of 3)")
	require.Equal(t, []string{xla.CUDAFolder}, listing(s.target), "downloads are gone")
	for _, library := range xla.NVIDIALibraries {
		text := must(os.ReadFile(filepath.Join(s.target, xla.CUDAFolder, library)))
		require.Equal(t, library, string(text))
	}
	for _, way := range []string{"cublas/lib/libcublas.so.13", "cuda_nvrtc/lib/libnvrtc.so.13", "bin/ptxas",
		"nvvm/libdevice/libdevice.10.bc"} {
		require.FileExists(t, filepath.Join(s.target, xla.CUDAFolder, way))
	}
	require.NoError(t, xla.Verify(path))
	found, ok, damaged := xla.CUDA(xla.Find(s.search))
	require.NoError(t, damaged)
	require.True(t, ok)
	require.Equal(t, path, found.Path)

	before := site.requests.Load()
	require.NoError(t, s.run(t.Context()), "nothing left to do")
	require.Equal(t, before, site.requests.Load(), "asked the network for what is there")

	xlatest.Card(t, "580.65.06")
	require.ErrorContains(t, s.run(t.Context()), "does not work: tried")
	s.try = func(xla.Plugin) error { return nil }
	require.NoError(t, s.run(t.Context()))
	require.Contains(t, progress.String(), "XLA's plug-in for NVIDIA cards works: "+path)
	require.Equal(t, before, site.requests.Load())
}

// TestSetupCUDAMends: a plug-in that was changed and a library that is missing are installed again.
func TestSetupCUDAMends(t *testing.T) {
	s, _, _, progress := newCUDA(t)
	require.NoError(t, s.run(t.Context()))
	folder := filepath.Join(s.target, xla.CUDAFolder)
	for says, spoil := range map[string]func() error{
		"needs NVIDIA's libcudnn.so.9: run `nkf setup --cuda`": func() error {
			return os.Remove(filepath.Join(folder, "cudnn/lib/libcudnn.so.9"))
		},
		"has changed since it was installed": func() error {
			return os.WriteFile(filepath.Join(folder, cudaPlugin), append(xlatest.Plugin(t), 0), 0o755)
		},
		"is damaged or not a plug-in": func() error {
			return os.Truncate(filepath.Join(folder, cudaPlugin), 9)
		},
	} {
		require.NoError(t, spoil())
		_, ok, damaged := xla.CUDA(xla.Find(s.search))
		require.False(t, ok)
		require.ErrorContains(t, damaged, says)
		require.ErrorContains(t, damaged, "`nkf setup --cuda`")
		require.NoError(t, s.run(t.Context()))
		require.Contains(t, progress.String(), says)
		_, ok, _ = xla.CUDA(xla.Find(s.search))
		require.True(t, ok)
		require.Equal(t, []string{xla.CUDAFolder}, listing(s.target))
	}
}

// TestSetupCUDAGoesOn: what was fetched whole is not fetched again after an interruption, and nothing appears
// before it is complete.
func TestSetupCUDAGoesOn(t *testing.T) {
	s, site, contents, _ := newCUDA(t)
	site.pages["/files/nvidia-second"] = contents[1]
	err := s.run(t.Context())
	require.ErrorContains(t, err, "nvidia-second 1.2.3: ")
	require.ErrorContains(t, err, "it is another version or was damaged")
	require.ErrorContains(t, err, "wheels that are whole stay in "+s.downloads())
	require.Equal(t, []string{".nkf-wheels"}, listing(s.target))
	require.Len(t, listing(s.downloads()), 2)

	site.pages["/files/nvidia-second"] = contents[2]
	// A wheel that was damaged since is fetched again.
	require.NoError(t, os.WriteFile(s.wheels[1].in(s.downloads()), []byte("PK"), 0o644))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	require.ErrorContains(t, s.run(ctx), "enough")
	before := site.requests.Load()
	require.NoError(t, s.run(t.Context()))
	require.EqualValues(t, 4, site.requests.Load()-before, "two pages of the index and two wheels")
}

// TestSetupCUDAFromFolder: where there is no network, wheels come from a folder.
func TestSetupCUDAFromFolder(t *testing.T) {
	s, _, contents, _ := newCUDA(t)
	nkftest.NoNetwork(t)
	s.from = t.TempDir()
	require.ErrorContains(t, s.run(t.Context()), "run `pip download --no-deps jax-cuda==1.2.3` there")
	for i, w := range s.wheels {
		name := strings.ReplaceAll(w.name, "-", "_") + "-1.2.3-py3-none-" + machines[platform] + ".whl"
		write(t, s.from, name, contents[i])
	}
	path := s.wheels[2].in(s.from)
	require.NoError(t, os.Rename(path, path+"x"))
	write(t, s.from, filepath.Base(path), []byte("PK"))
	require.ErrorContains(t, s.run(t.Context()), "is not the pinned file")
	require.NoError(t, os.Rename(path+"x", path))
	require.NoError(t, s.run(t.Context()))
	require.Len(t, listing(s.from), 3, "they are the user's")
}

// TestSetupCUDAOfJAX: the plug-in and the libraries of the active Python's JAX are linked to, unless some are
// missing.
func TestSetupCUDAOfJAX(t *testing.T) {
	s, site, _, progress := newCUDA(t)
	packages := t.TempDir()
	write(t, packages, "jax_plugins/xla_cuda13/"+cudaLibrary, xlatest.Plugin(t))
	for _, library := range xla.NVIDIALibraries {
		write(t, packages, "nvidia/"+library, []byte("JAX's"))
	}
	python := write(t, t.TempDir(), "python", []byte(
		"#!/bin/sh\necho '"+packages+"/jax_plugins/xla_cuda13'\necho '"+packages+"/nvidia'\n"))
	require.NoError(t, os.Chmod(python, 0o755))
	t.Setenv("NKF_PYTHON", python)
	before := site.requests.Load()
	require.NoError(t, s.run(t.Context()))
	require.Equal(t, before, site.requests.Load(), "nothing is downloaded")
	require.Contains(t, progress.String(), "that of JAX, "+packages)
	folder := filepath.Join(s.target, xla.CUDAFolder)
	text, err := os.ReadFile(filepath.Join(folder, "cudnn/lib/../../cublas/lib/libcublas.so.13"))
	require.NoError(t, err, "as cuDNN looks for it")
	require.Equal(t, "JAX's", string(text))
	require.ErrorIs(t, xla.Verify(filepath.Join(folder, cudaPlugin)), xla.ErrNoSum, "it may be upgraded")

	// Without JAX its links lead nowhere: the wheels are installed.
	require.NoError(t, os.Remove(filepath.Join(packages, "nvidia/nccl/lib/libnccl.so.2")))
	require.NoError(t, s.run(t.Context()))
	require.Contains(t, progress.String(), "needs NVIDIA's libnccl.so.2")
	require.Contains(t, progress.String(), python+" is not used: it lacks nccl/lib/libnccl.so.2")
	require.NoError(t, xla.Verify(filepath.Join(folder, cudaPlugin)))
}

// TestSetupCUDAErrors: where it cannot be, the error says so, and nothing appears.
func TestSetupCUDAErrors(t *testing.T) {
	s, site, contents, _ := newCUDA(t)
	delete(site.pages, "/pypi/nvidia-first/json")
	require.ErrorContains(t, s.run(t.Context()), "nvidia-first 1.2.3: https://pypi.org/")
	s.wheels[0].sums = map[string]string{platform: sumOf(contents[1])}
	site.pages["/files/jax-cuda"] = contents[1]
	require.NoError(t, os.RemoveAll(s.downloads()))
	require.ErrorContains(t, s.run(t.Context()), "unpacking ")
	require.NoDirExists(t, filepath.Join(s.target, xla.CUDAFolder))
	s.wheels[0].sums = nil
	require.ErrorContains(t, s.run(t.Context()), "there is no jax-cuda wheel for "+platform)
	for _, w := range append([]wheel{cpuWheel, cudaWheel}, nvidiaWheels...) {
		require.Len(t, w.sums, 2)
		for system, sum := range w.sums {
			require.Regexp(t, "^[0-9a-f]{64}$", sum, system)
		}
	}
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
