// Package machine manages the dependencies of nkf on a machine: [Setup] installs XLA's
// plug-in, [Doctor] reports what is there and how to get what is missing, and [Data] finds the
// published data sets.
package machine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/go-xla/installer"

	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
)

const (
	cpuLibrary = "xla_cpu_pjrt.so"                 // in its wheel
	cpuPlugin  = "pjrt_c_api_cpu_v0.0.1_plugin.so" // its name on the search path
)

// Setup makes sure that XLA's CPU plug-in is installed, or that for NVIDIA's cards, with Go alone.
//
// It keeps a plug-in on the search path that works. Otherwise it takes the pinned wheels from a file or a
// folder if one is given, or else from the Python package index. (The release page of go-xla has plug-ins
// without checksums, and nothing is loaded here that was fetched unchecked.)
//
// The plug-in goes to the first folder of PJRT_PLUGIN_LIBRARY_PATH, or to go-xla's folder of the user, once
// it is complete, and with its SHA-256 beside it. A download that is whole stays there until then, for the
// next try. Several processes may install at once. Setup reports to progress, line by line, and its errors
// say what is left to do.
func Setup(ctx context.Context, cuda bool, from string, progress io.Writer) error {
	prepare, wheels := newSetup, []wheel{cpuWheel}
	if cuda {
		prepare, wheels = newCUDASetup, slices.Concat([]wheel{cudaWheel}, nvidiaWheels)
	}
	s, err := prepare(wheels, from, progress)
	if err != nil {
		return err
	}
	return s.run(ctx)
}

// setup is an installation of a plug-in.
type setup struct {
	name     string // of the plug-in
	advice   string // what it means, and what else to do, if it cannot be installed
	choose   func([]xla.Plugin) (p xla.Plugin, ok bool, damaged error)
	search   []string                                    // folders in which plug-ins are looked for
	target   string                                      // folder for a new one
	wheels   []wheel                                     // that of the plug-in, and of what it loads
	from     string                                      // the wheel, or a folder of wheels; "": the network
	stage    func(ctx context.Context, dir string) error // puts into a folder what is moved to the target
	card     func() error                                // says why there is nothing to try it on; or nil
	try      func(xla.Plugin) error
	progress io.Writer
}

// newSetup returns an installation of the CPU plug-in from its wheel.
func newSetup(wheels []wheel, from string, progress io.Writer) (*setup, error) {
	if !xla.Linked {
		return nil, fmt.Errorf("a plug-in would not be used: %w", xla.ErrNotLinked)
	}
	target, err := xla.InstallDir()
	s := &setup{name: "XLA's CPU plug-in", choose: xla.CPU, search: xla.SearchPath(), target: target,
		wheels: wheels, from: from, try: tryPlugin, progress: progress}
	s.advice = fmt.Sprintf(", so programs run on the pure Go backend, about 10 times slower; where there is "+
		"a network, run `pip download --no-deps %s==%s`, then here `nkf setup --wheel FILE`", wheels[0].name,
		wheels[0].version)
	s.stage = func(ctx context.Context, dir string) error {
		return s.store(ctx, cpuLibrary, filepath.Join(dir, cpuPlugin))
	}
	return s, err
}

// tryPlugin loads a plug-in and runs a graph on it.
func tryPlugin(p xla.Plugin) error {
	backend, err := backends.Open(p.Config(), nil)
	if err != nil {
		return err
	}
	defer backend.Finalize()
	return probe(backend)
}

// run keeps a plug-in that is sound, or installs one.
func (s *setup) run(ctx context.Context) error {
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
		_ = os.Remove(s.downloads()) // which it had removed, unless others use it
		return err
	}
	if err := s.install(ctx); err != nil {
		left := ""
		if os.Remove(s.downloads()) != nil { // it is not empty
			left = fmt.Sprintf("; wheels that are whole stay in %s, so that the same command goes on",
				s.downloads())
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%s could not be installed%s: %w%s", s.name, s.advice, err, left)
	}
	ready, err := s.installed()
	if err == nil && !ready {
		_, _, err = s.choose(xla.Find([]string{s.target}))
		err = fmt.Errorf("%s is in %s, but: %w", s.name, s.target, err)
	}
	return errors.Join(err, os.RemoveAll(s.downloads()))
}

// downloads returns the folder for wheels.
func (s *setup) downloads() string { return filepath.Join(s.target, ".nkf-wheels") }

// installed reports whether a plug-in is there with all that it loads, and says so. One that does not work is
// an error, which installing it again would not mend.
func (s *setup) installed() (bool, error) {
	found, ok, damaged := s.choose(xla.Find(s.search))
	if ok {
		if err := xla.Verify(found.Path); err != nil && !errors.Is(err, xla.ErrNoSum) {
			ok, damaged = false, err
		}
	}
	if damaged != nil {
		fmt.Fprintf(s.progress, "nkf: %v\n", damaged)
	}
	if !ok {
		return false, nil
	}
	if s.card != nil {
		if none := s.card(); none != nil {
			fmt.Fprintf(s.progress, "%s is installed, but not tried: %v: %s\n", s.name, none, found.Path)
			return true, nil
		}
	}
	if err := s.try(found); err != nil {
		return true, fmt.Errorf("the XLA plug-in %s does not work: %w", found.Path, err)
	}
	fmt.Fprintf(s.progress, "%s works: %s\n", s.name, found.Path)
	return true, nil
}

// install puts the plug-in into a folder beside its place, and moves it there. A SHA-256 goes first, so that
// an interruption leaves no plug-in without its record.
func (s *setup) install(ctx context.Context) error {
	dir, remove, err := scratch.Make(s.target, ".nkf-setup-")
	if err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be written to: %w", err)
	}
	defer remove()
	staged := filepath.Join(dir, "new")
	if err := os.Mkdir(staged, 0o755); err != nil {
		return err
	}
	if err := errors.Join(s.stage(ctx, staged), ctx.Err()); err != nil {
		return err
	}
	entries, err := os.ReadDir(staged)
	if err != nil {
		return err
	}
	for _, entry := range slices.Backward(entries) { // a record has a longer name
		final := filepath.Join(s.target, entry.Name())
		if entry.IsDir() { // which cannot be replaced
			err := os.Rename(final, filepath.Join(dir, "old"))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := os.Rename(filepath.Join(staged, entry.Name()), final); err != nil {
			return err
		}
	}
	return nil
}

// store unpacks the plug-in from its wheel to a path, with its SHA-256 beside it.
func (s *setup) store(ctx context.Context, library, path string) error {
	wheel, err := s.fetch(ctx, 0)
	if err != nil {
		return err
	}
	if err := installer.ExtractFileFromZip(wheel, library, path); err != nil {
		return fmt.Errorf("unpacking %s: %w", library, err)
	}
	sum, err := fileio.SHA256(path)
	if err != nil {
		return err
	}
	return errors.Join(xla.CheckLibrary(path), os.Chmod(path, 0o755),
		os.WriteFile(xla.SumFile(path), []byte(sum+"  "+filepath.Base(path)+"\n"), 0o644))
}

// fetch returns the path of a wheel, whose SHA-256 it has checked.
func (s *setup) fetch(ctx context.Context, number int) (path string, err error) {
	w := s.wheels[number]
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", w, err)
		}
	}()
	if err := w.pinned(); err != nil {
		return "", err
	}
	if path = s.from; path != "" {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if path = w.in(s.from); path == "" {
				return "", fmt.Errorf("it is not in %s: where there is a network, run `pip download "+
					"--no-deps %s==%s` there", s.from, w.name, w.version)
			}
		}
		return path, w.check(path)
	}
	if path = w.in(s.downloads()); path != "" && w.check(path) == nil {
		return path, ctx.Err()
	}
	fmt.Fprintf(s.progress, "%s: fetching %s (%d of %d)\n", s.name, w, number+1, len(s.wheels))
	said := time.Now()
	return w.download(ctx, s.downloads(), func(done, total int64) {
		if time.Since(said) >= lineEvery && total > 0 {
			said = time.Now()
			fmt.Fprintf(s.progress, "  %d of %d MB\n", done/1e6, total/1e6)
		}
	})
}

// lineEvery is the time between two lines about a download.
const lineEvery = 5 * time.Second
