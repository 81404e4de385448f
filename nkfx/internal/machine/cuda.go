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
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/go-xla/installer"

	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
)

const (
	cudaLibrary = "xla_cuda_plugin.so"        // in its wheel
	cudaPlugin  = "pjrt_c_api_cuda_plugin.so" // its name on the search path
)

// cudaSetup is an installation of CUDA. Its target gets [xla.CUDAFolder].
type cudaSetup struct {
	*setup
	libraries []wheel
	wheels    string // folder of the user's with the wheels, "" to download them
}

// SetupCUDA makes sure that XLA's plug-in for NVIDIA's cards is installed, with the libraries that it loads.
//
// It keeps a plug-in on the search path that is whole. Otherwise it links to those of a JAX for CUDA 13 that
// the active Python has, or unpacks the pinned wheels, from a folder if one is given, or else from the Python
// package index. All of it goes to a folder below that of other plug-ins, which appears once it is complete.
// Downloads that are whole stay there until then, for the next try.
//
// Without a card it does all of this but try the plug-in, and says so to progress.
func SetupCUDA(ctx context.Context, wheels string, progress io.Writer) error {
	s, err := newSetup(cudaWheel, progress)
	if err != nil {
		return err
	}
	return (&cudaSetup{s, nvidiaWheels, wheels}).run(ctx)
}

// run keeps a plug-in that is whole, or installs one.
func (s *cudaSetup) run(ctx context.Context) error {
	if err := s.wheel.pinned(); err != nil {
		return err
	}
	if ready, err := s.installed(); ready || err != nil {
		return err
	}
	if err := os.MkdirAll(s.downloads(), 0o755); err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be made: %w", err)
	}
	lock := flock.New(s.downloads(), flock.SetFlag(os.O_RDONLY))
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	defer func() { _ = lock.Unlock() }()
	if ready, err := s.installed(); ready || err != nil { // by another process meanwhile
		return err
	}
	if err := s.install(ctx); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("XLA's plug-in for NVIDIA cards could not be installed: %w; wheels that are whole "+
			"stay in %s, so that the same command goes on", err, s.downloads())
	}
	ready, err := s.installed()
	if err == nil && !ready {
		_, _, err = xla.CUDA(xla.Find([]string{s.target}))
		err = fmt.Errorf("installed %s, but: %w", filepath.Join(s.target, xla.CUDAFolder), err)
	}
	return errors.Join(err, os.RemoveAll(s.downloads()))
}

// downloads returns the folder for wheels.
func (s *cudaSetup) downloads() string { return filepath.Join(s.target, ".nkf-wheels") }

// installed reports whether a plug-in is there with its libraries, and says so. One that does not work on the
// card is an error, which installing it again would not mend.
func (s *cudaSetup) installed() (bool, error) {
	found, ok, damaged := s.find(xla.CUDA)
	if damaged != nil {
		fmt.Fprintf(s.progress, "nkf: %v\n", damaged)
	}
	if !ok {
		return false, nil
	}
	if card := xla.HasCard(); card != nil {
		fmt.Fprintf(s.progress, "XLA's plug-in for NVIDIA cards is installed, but not tried: %v: %s\n", card,
			found.Path)
		return true, nil
	}
	if err := s.try(found); err != nil {
		return true, fmt.Errorf("the XLA plug-in %s does not work on this card: %w", found.Path, err)
	}
	fmt.Fprintf(s.progress, "XLA's plug-in for NVIDIA cards works: %s\n", found.Path)
	return true, nil
}

// install makes the folder of CUDA, beside its place, and moves it there.
func (s *cudaSetup) install(ctx context.Context) error {
	dir, remove, err := scratch.Make(s.target, ".nkf-setup-")
	if err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be written to: %w", err)
	}
	defer remove()
	staged := filepath.Join(dir, xla.CUDAFolder)
	linked := false
	if s.wheels == "" {
		linked = s.linkJAX(ctx, staged)
	}
	if !linked {
		if err := s.unpack(ctx, staged); err != nil {
			return err
		}
	}
	for name, to := range xla.CUDALinks {
		if err := os.Symlink(to, filepath.Join(staged, name)); err != nil {
			return err
		}
	}
	if err := xla.CheckLibrary(filepath.Join(staged, cudaPlugin)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	final := filepath.Join(s.target, xla.CUDAFolder)
	if err := os.Rename(final, filepath.Join(dir, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(staged, final)
}

// unpack stores the plug-in and the libraries of the wheels in a folder, in their layout, with the SHA-256 of
// the plug-in.
func (s *cudaSetup) unpack(ctx context.Context, staged string) error {
	if err := os.MkdirAll(staged, 0o755); err != nil {
		return err
	}
	all := slices.Concat([]wheel{s.wheel}, s.libraries)
	for i, w := range all {
		path, err := s.fetchOne(ctx, w, fmt.Sprintf("%d of %d", i+1, len(all)))
		if err != nil {
			return fmt.Errorf("%s: %w", w, err)
		}
		if i == 0 {
			err = store(path, cudaLibrary, filepath.Join(staged, cudaPlugin))
		} else if err = installer.ExtractDirFromZip(path, "nvidia", staged); err != nil {
			err = fmt.Errorf("unpacking %s: %w", path, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fetchOne returns the path of a wheel, whose SHA-256 it has checked, and says which of them all it is.
func (s *cudaSetup) fetchOne(ctx context.Context, w wheel, number string) (string, error) {
	if s.wheels != "" {
		path := w.in(s.wheels)
		if path == "" {
			return "", fmt.Errorf("it is not in %s: where there is a network, run `pip download --no-deps "+
				"%s==%s` there", s.wheels, w.name, w.version)
		}
		return path, w.check(path)
	}
	if path := w.in(s.downloads()); path != "" && w.check(path) == nil {
		return path, ctx.Err()
	}
	fmt.Fprintf(s.progress, "XLA's plug-in for NVIDIA cards: fetching %s (%s)\n", w, number)
	said := time.Now()
	return w.download(ctx, s.downloads(), func(done, total int64) {
		if time.Since(said) < lineEvery || total <= 0 {
			return
		}
		said = time.Now()
		fmt.Fprintf(s.progress, "  %d of %d MB\n", done/1e6, total/1e6)
	})
}

// lineEvery is the time between two lines about a download.
const lineEvery = 5 * time.Second

// askJAX prints the folders of JAX's plug-in and of NVIDIA's libraries, without importing either.
const askJAX = `import importlib.util as u
for name in "jax_plugins.xla_cuda13", "nvidia":
    print(list(u.find_spec(name).submodule_search_locations)[0])`

// linkJAX fills a folder with links to the plug-in and the libraries of the JAX that the active Python has,
// and returns false if it has none for CUDA 13 or not all of them.
func (s *cudaSetup) linkJAX(ctx context.Context, staged string) bool {
	ctx, cancel := context.WithTimeout(ctx, indexAnswers)
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
