package machine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gomlx/go-xla/installer"

	"github.com/neuralkforms/nkf/layers/backends/xla"
)

const (
	cudaLibrary = "xla_cuda_plugin.so"        // in its wheel
	cudaPlugin  = "pjrt_c_api_cuda_plugin.so" // its name on the search path
)

// newCUDASetup returns an installation of the plug-in for NVIDIA's cards, with the libraries that it loads.
//
// It keeps a plug-in on the search path that is whole. Otherwise it links to those of a JAX for CUDA 13 that
// the active Python has, or unpacks the wheels. All of it is one folder, [xla.CUDAFolder]. Without a card it
// does all of this but try the plug-in, and says so to progress.
func newCUDASetup(wheels []wheel, from string, progress io.Writer) (*setup, error) {
	s, err := newSetup(wheels, from, progress)
	if err == nil {
		s.name, s.advice = "XLA's plug-in for NVIDIA cards", ""
		s.choose, s.card, s.stage = xla.CUDA, xla.HasCard, s.stageCUDA
	}
	return s, err
}

// stageCUDA makes the folder of CUDA.
func (s *setup) stageCUDA(ctx context.Context, dir string) error {
	staged := filepath.Join(dir, xla.CUDAFolder)
	if s.from != "" || !s.linkJAX(ctx, staged) {
		if err := s.unpack(ctx, staged); err != nil {
			return err
		}
	}
	err := xla.CheckLibrary(filepath.Join(staged, cudaPlugin))
	for name, to := range xla.CUDALinks {
		err = errors.Join(err, os.Symlink(to, filepath.Join(staged, name)))
	}
	return err
}

// unpack stores the plug-in and the libraries of the wheels in a folder, in their layout, with the SHA-256 of
// the plug-in.
func (s *setup) unpack(ctx context.Context, staged string) error {
	if err := os.MkdirAll(staged, 0o755); err != nil {
		return err
	}
	if err := s.store(ctx, cudaLibrary, filepath.Join(staged, cudaPlugin)); err != nil {
		return err
	}
	for i := 1; i < len(s.wheels); i++ {
		path, err := s.fetch(ctx, i)
		if err != nil {
			return err
		}
		if err := installer.ExtractDirFromZip(path, "nvidia", staged); err != nil {
			return fmt.Errorf("unpacking %s: %w", path, err)
		}
	}
	return nil
}

// askJAX prints the folders of JAX's plug-in and of NVIDIA's libraries, without importing either.
const askJAX = `import importlib.util as u
for name in "jax_plugins.xla_cuda13", "nvidia":
    print(list(u.find_spec(name).submodule_search_locations)[0])`

// linkJAX fills a folder with links to the plug-in and the libraries of the JAX that the active Python has,
// and returns false if it has none for CUDA 13 or not all of them.
func (s *setup) linkJAX(ctx context.Context, staged string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	python := cmp.Or(os.Getenv("NKF_PYTHON"), "python3")
	out, err := exec.CommandContext(ctx, python, "-c", askJAX).Output()
	folders := strings.Split(string(bytes.TrimSpace(out)), "\n")
	if err != nil || len(folders) != 2 {
		return false
	}
	plugin, libraries := filepath.Join(folders[0], cudaLibrary), folders[1]
	wanted := map[string]bool{}
	for _, library := range xla.NVIDIALibraries {
		if _, err := os.Stat(filepath.Join(libraries, filepath.FromSlash(library))); err != nil {
			fmt.Fprintf(s.progress, "nkf: the JAX of %s is not used: it lacks %s\n", python, library)
			return false
		}
		wanted[strings.Split(library, "/")[0]] = true
	}
	err = os.MkdirAll(staged, 0o755)
	for folder := range wanted {
		err = errors.Join(err, linkTree(filepath.Join(libraries, folder), filepath.Join(staged, folder)))
	}
	if err = errors.Join(err, os.Symlink(plugin, filepath.Join(staged, cudaPlugin))); err != nil {
		fmt.Fprintf(s.progress, "nkf: the JAX of %s is not used: %v\n", python, err)
		_ = os.RemoveAll(staged)
		return false
	}
	fmt.Fprintf(s.progress, "XLA's plug-in for NVIDIA cards: that of JAX, %s\n", plugin)
	return true
}

// linkTree makes a folder with links to the files of another. The folders are real ones: libraries look for
// others by their way up from their own folder.
func linkTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		return os.Symlink(path, filepath.Join(to, rel))
	})
}
