package nkfx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/gomlx/go-xla/installer"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// The plug-in that everybody gets: one build, known by the SHA-256 of the Python wheel that carries it.
const (
	wheelPackage = "xla-cpu-pjrt"
	wheelVersion = "0.0.1"
	wheelLibrary = "xla_cpu_pjrt.so"
)

// platform is the machine that the program runs on, as wheels has it.
const platform = runtime.GOOS + "/" + runtime.GOARCH

// wheels are the pinned wheels by platform: how their file names spell it, and their SHA-256.
var wheels = map[string]struct{ name, sum string }{
	"linux/amd64": {"x86_64", "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc"},
	"linux/arm64": {"aarch64", "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9"},
}

// answerLimit bounds the wait for the address of a file, since closed networks may drop what they refuse.
const answerLimit = 30 * time.Second

// source is a place from which the plug-in can come: fetch gets it into a scratch folder and returns its path
// there.
type source func(ctx context.Context, dir string) (string, error)

// storedPlugin is the file name under which the plug-in is stored.
const storedPlugin = "pjrt_c_api_cpu_v" + wheelVersion + "_plugin.so"

// Setup makes sure that XLA's CPU plug-in is installed, with Go alone.
//
// A plug-in on the search path that works is kept. Otherwise the pinned wheel is taken from the Python
// package index. (The release page of go-xla has plug-ins, too, but publishes no checksums, and nothing is
// loaded here that was fetched unchecked.)
//
// The plug-in goes to the first folder of PJRT_PLUGIN_LIBRARY_PATH, or to go-xla's folder of the user, under
// its final name only once it is whole, and with its SHA-256 beside it. Several processes may do so at once.
// What happens is told to progress (which may be nil), line by line. An error says what is left to do.
func Setup(ctx context.Context, progress io.Writer) error {
	s, err := newSetup(progress)
	if err != nil {
		return err
	}
	return s.run(ctx)
}

// SetupFromWheel installs XLA's CPU plug-in like [Setup], but from the pinned wheel in a file.
func SetupFromWheel(ctx context.Context, file string, progress io.Writer) error {
	s, err := newSetup(progress)
	if err != nil {
		return err
	}
	return s.install(ctx, wheelFile(file, wheels[platform].sum))
}

// setup holds what [Setup] works with.
type setup struct {
	search   []string // folders in which plug-ins are looked for
	target   string   // folder that gets a new one
	source   source
	try      func(xla.Plugin) error
	progress io.Writer
}

func newSetup(progress io.Writer) (*setup, error) {
	if !xla.Linked {
		return nil, fmt.Errorf("a plug-in would not be used: %w", xla.ErrNotLinked)
	}
	target, err := xla.InstallDir()
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = io.Discard
	}
	return &setup{
		search: xla.SearchPath(), target: target, try: tryPlugin, progress: progress,
		source: publishedWheel(wheels[platform].sum),
	}, nil
}

// wheelSource returns a wheel with the given SHA-256 that get stores in a scratch folder, or has already.
func wheelSource(sum string, get func(ctx context.Context, dir string) (wheel string, err error)) source {
	return func(ctx context.Context, dir string) (string, error) {
		if sum == "" {
			return "", fmt.Errorf("there is no %s wheel for %s", wheelPackage, platform)
		}
		wheel, err := get(ctx, dir)
		if err != nil {
			return "", err
		}
		got, err := datasets.FileSHA256(wheel)
		if err != nil {
			return "", err
		}
		if got != sum {
			return "", fmt.Errorf("%s is not the pinned file (SHA-256 %s, not %s)", wheel, got, sum)
		}
		path := filepath.Join(dir, wheelLibrary)
		if err := installer.ExtractFileFromZip(wheel, wheelLibrary, path); err != nil {
			return "", fmt.Errorf("unpacking %s: %w", wheelLibrary, err)
		}
		return path, nil
	}
}

// wheelFile returns the wheel in a file.
func wheelFile(file, sum string) source {
	return wheelSource(sum, func(context.Context, string) (string, error) { return file, nil })
}

// publishedWheel returns the wheel on the Python package index.
func publishedWheel(sum string) source {
	return wheelSource(sum, func(ctx context.Context, dir string) (string, error) {
		info, err := within(ctx, answerLimit, func() (*installer.PipPackageInfo, error) {
			return installer.GetPipInfo(wheelPackage)
		})
		if err != nil {
			return "", err
		}
		name := regexp.MustCompile("-manylinux.*_" + wheels[platform].name + `\.whl$`)
		release, err := installer.PipSelectRelease(info.Releases[wheelVersion], name, true)
		if err != nil {
			return "", err
		}
		finder := datasets.Finder{Cache: dir}
		wheel, err := finder.Find(ctx, datasets.Source{
			Name: wheelPackage, Path: release.Filename, URL: release.URL, SHA256: sum,
		})
		if cause := errors.Unwrap(err); cause != nil {
			return "", cause // the rest of the sentence is about data sets
		}
		return wheel, err
	})
}

// run does what [Setup] promises.
func (s *setup) run(ctx context.Context) error {
	ready, err := s.installed()
	if ready {
		return nil
	}
	if err != nil {
		fmt.Fprintf(s.progress, "%v\n", err)
	}
	fmt.Fprintf(s.progress, "XLA's CPU plug-in: fetching %s %s\n", wheelPackage, wheelVersion)
	if err = s.install(ctx, s.source); err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("XLA's CPU plug-in could not be installed, so programs run on the pure Go backend, "+
		"about 10 times slower; where there is a network, run `pip download --no-deps %s==%s`, then here "+
		"`nkf setup --wheel FILE`: %w", wheelPackage, wheelVersion, err)
}

// installed returns whether the CPU plug-in that [Backend] would take is sound and works, and if not, why.
func (s *setup) installed() (bool, error) {
	found, ok, damaged := xla.CPU(xla.Find(s.search))
	if !ok {
		return false, damaged
	}
	if err := xla.Verify(found.Path); err != nil && !errors.Is(err, xla.ErrNoSum) {
		return false, err
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

// install fetches the plug-in of src and moves it to where it is searched for.
//
// All is made ready in a folder beside it. The SHA-256 goes in before the plug-in, so that whoever is
// interrupted in between leaves no plug-in without its record.
func (s *setup) install(ctx context.Context, src source) error {
	if err := os.MkdirAll(s.target, 0o755); err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be made: %w", err)
	}
	dir, remove, err := scratch(s.target, ".nkf-setup-")
	if err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be written to: %w", err)
	}
	defer remove()
	library, err := src(ctx, dir)
	if err != nil {
		return err
	}
	if err := xla.CheckLibrary(library); err != nil {
		return err
	}
	if err := os.Chmod(library, 0o755); err != nil {
		return err
	}
	sum, err := datasets.FileSHA256(library)
	if err != nil {
		return err
	}
	record := filepath.Join(dir, "sum")
	if err := os.WriteFile(record, []byte(sum+"  "+storedPlugin+"\n"), 0o644); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	final := filepath.Join(s.target, storedPlugin)
	if err := errors.Join(os.Rename(record, xla.SumFile(final)), os.Rename(library, final)); err != nil {
		return err
	}
	if ready, err := s.installed(); !ready {
		return fmt.Errorf("installed %s, but: %w", final, err)
	}
	return nil
}

// within returns what f returns, or an error if ctx ends or limit passes before; f itself cannot be stopped.
func within[T any](ctx context.Context, limit time.Duration, f func() (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() { done <- r }()
		defer xla.Recover(&r.err)
		r.value, r.err = f()
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}
