// Package machine manages the dependencies of nkf on a machine: [Setup] installs XLA's
// plug-in, [Doctor] reports what is there and how to get what is missing, and [Data] finds the
// published data sets.
package machine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gomlx/go-xla/installer"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx/internal/scratch"
)

const (
	wheelLibrary = "xla_cpu_pjrt.so"
	storedPlugin = "pjrt_c_api_cpu_v0.0.1_plugin.so" // its name on the search path
)

// Setup makes sure that XLA's CPU plug-in is installed, with Go alone.
//
// With a file, it installs the pinned wheel from there. Without, it keeps a plug-in on the search
// path that works, and takes the wheel from the Python package index otherwise. (The release page
// of go-xla has plug-ins without checksums, and nothing is loaded here that was fetched unchecked.)
//
// The plug-in goes to the first folder of PJRT_PLUGIN_LIBRARY_PATH, or to go-xla's folder of the
// user, under its final name only once it is whole, and with its SHA-256 beside it. Several
// processes may install at once. Setup reports to progress, line by line, and its errors say what
// is left to do.
func Setup(ctx context.Context, file string, progress io.Writer) error {
	s, err := newSetup(cpuWheel, progress)
	if err != nil {
		return err
	}
	if file != "" {
		s.fetch = func(context.Context, string) (string, error) { return file, nil }
		return s.install(ctx)
	}
	return s.run(ctx)
}

// setup is an installation of a plug-in.
type setup struct {
	search   []string // folders in which plug-ins are looked for
	target   string   // folder for a new one
	wheel    wheel    // that has it
	fetch    func(ctx context.Context, dir string) (wheel string, err error)
	try      func(xla.Plugin) error
	progress io.Writer
}

// newSetup returns an installation of the plug-in of a wheel.
func newSetup(w wheel, progress io.Writer) (*setup, error) {
	if !xla.Linked {
		return nil, fmt.Errorf("a plug-in would not be used: %w", xla.ErrNotLinked)
	}
	target, err := xla.InstallDir()
	s := &setup{search: xla.SearchPath(), target: target, wheel: w, try: tryPlugin, progress: progress}
	s.fetch = func(ctx context.Context, dir string) (string, error) { return s.wheel.download(ctx, dir, nil) }
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

// run keeps a plug-in that works, or downloads one.
func (s *setup) run(ctx context.Context) error {
	ready, err := s.installed()
	if ready {
		return nil
	}
	if err != nil {
		fmt.Fprintf(s.progress, "%v\n", err)
	}
	fmt.Fprintf(s.progress, "XLA's CPU plug-in: fetching %s\n", s.wheel)
	if err = s.install(ctx); err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("XLA's CPU plug-in could not be installed, so programs run on the pure Go backend, "+
		"about 10 times slower; where there is a network, run `pip download --no-deps %s==%s`, then here "+
		"`nkf setup --wheel FILE`: %w", s.wheel.name, s.wheel.version, err)
}

// installed reports whether the CPU plug-in that [backends.New] would take is sound and works, and
// why not.
func (s *setup) installed() (bool, error) {
	found, ok, damaged := s.find(xla.CPU)
	if !ok {
		return false, damaged
	}
	if err := s.try(found); err != nil {
		return false, fmt.Errorf("the XLA plug-in %s does not work: %w", found.Path, err)
	}
	if damaged != nil {
		fmt.Fprintf(s.progress, "%v\n", damaged)
	}
	fmt.Fprintf(s.progress, "XLA's CPU plug-in works: %s\n", found.Path)
	return true, nil
}

// find returns the plug-in on the search path that one of package xla's functions chooses, if it is sound.
func (s *setup) find(choose func([]xla.Plugin) (xla.Plugin, bool, error)) (p xla.Plugin, ok bool,
	damaged error) {
	p, ok, damaged = choose(xla.Find(s.search))
	if ok {
		if err := xla.Verify(p.Path); err != nil && !errors.Is(err, xla.ErrNoSum) {
			return p, false, err
		}
	}
	return p, ok, damaged
}

// install fetches the wheel and moves its plug-in to the target, by way of a folder beside it. The
// SHA-256 goes first, so that an interruption leaves no plug-in without its record.
func (s *setup) install(ctx context.Context) error {
	if err := s.wheel.pinned(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.target, 0o755); err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be made: %w", err)
	}
	dir, remove, err := scratch.Make(s.target, ".nkf-setup-")
	if err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be written to: %w", err)
	}
	defer remove()
	file, err := s.fetch(ctx, dir)
	if err == nil {
		err = s.wheel.check(file)
	}
	if err != nil {
		return err
	}
	staged, final := filepath.Join(dir, storedPlugin), filepath.Join(s.target, storedPlugin)
	if err := store(file, wheelLibrary, staged); err != nil {
		return err
	}
	if err := cmp.Or(xla.CheckLibrary(staged), ctx.Err()); err != nil {
		return err
	}
	err = errors.Join(os.Rename(xla.SumFile(staged), xla.SumFile(final)), os.Rename(staged, final))
	if err != nil {
		return err
	}
	if ready, err := s.installed(); !ready {
		return fmt.Errorf("installed %s, but: %w", final, err)
	}
	return nil
}

// store unpacks a library of a wheel to a path, with its SHA-256 beside it.
func store(wheel, library, path string) error {
	if err := installer.ExtractFileFromZip(wheel, library, path); err != nil {
		return fmt.Errorf("unpacking %s: %w", library, err)
	}
	sum, err := datasets.FileSHA256(path)
	if err != nil {
		return err
	}
	return errors.Join(os.Chmod(path, 0o755),
		os.WriteFile(xla.SumFile(path), []byte(sum+"  "+filepath.Base(path)+"\n"), 0o644))
}

// indexAnswers bounds the wait for the package index, since closed networks may drop what they
// refuse.
const indexAnswers = 30 * time.Second

// getJSON reads the JSON document at an address, and returns the address that it came from in the end.
func getJSON(ctx context.Context, address string, into any) (from *url.URL, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, indexAnswers,
		fmt.Errorf("no answer within %v", indexAnswers))
	defer cancel()
	response, err := get(ctx, address)
	if err != nil {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	defer response.Body.Close()
	return response.Request.URL, json.NewDecoder(response.Body).Decode(into)
}
