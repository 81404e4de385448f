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
	"github.com/gomlx/go-xla/pjrt"
)

// The plug-in that everybody gets: one build, known by the SHA-256 of the Python wheel that carries it.
const (
	wheelPackage = "xla-cpu-pjrt"
	wheelVersion = "0.0.1"
	wheelLibrary = "xla_cpu_pjrt.so"
)

// wheels are the pinned wheels by GOARCH.
var wheels = map[string]struct{ platform, sum string }{
	"amd64": {"x86_64", "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc"},
	"arm64": {"aarch64", "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9"},
}

// answerLimit bounds the wait for the address of a file, since closed networks may drop what they refuse.
const answerLimit = 30 * time.Second

// source is one place from which the plug-in can come.
type source struct {
	name    string                                    // for messages
	library string                                    // file name under which the plug-in is stored
	sum     string                                    // SHA-256 of the archive, empty if nobody published it
	locate  func() (url string, err error)            // address of the archive
	extract func(archive, dir string) (string, error) // unpacks the plug-in into dir, returns its path
}

// Setup makes sure that XLA's CPU plug-in is installed, with Go alone.
//
// A plug-in on the search path that works is kept. Otherwise the pinned wheel is taken from the Python package
// index, and if that fails the plug-in that go-xla's own installer would take, from its release page. The
// wheel comes first because its SHA-256 is pinned, so every machine gets the same bits, where the release
// page publishes no checksums; and because many closed networks reach the former only.
//
// The plug-in goes to the first folder of PJRT_PLUGIN_LIBRARY_PATH, or to go-xla's folder of the user, under its
// final name only once it is whole, and with its SHA-256 beside it. Several processes may do so at once. What
// happens is told to progress (which may be nil), line by line. An error says what is left to do.
func Setup(ctx context.Context, progress io.Writer) error {
	s, err := newSetup(progress)
	if err != nil {
		return err
	}
	return s.run(ctx)
}

// SetupFromWheel installs XLA's CPU plug-in like [Setup], from the pinned wheel in a file instead of the network.
func SetupFromWheel(ctx context.Context, file string, progress io.Writer) error {
	s, err := newSetup(progress)
	if err != nil {
		return err
	}
	return s.fromFile(ctx, wheelSource(), file)
}

// setup holds what [Setup] works with.
type setup struct {
	search   []string // folders in which plug-ins are looked for
	target   string   // folder that gets a new one
	sources  []source
	try      func(plugin) error
	progress io.Writer
}

func newSetup(progress io.Writer) (*setup, error) {
	target, err := installDir()
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = io.Discard
	}
	return &setup{
		search: searchPath(), target: target, try: tryPlugin, progress: progress,
		sources: []source{wheelSource(), releaseSource()},
	}, nil
}

// wheelSource returns the pinned wheel for this machine.
func wheelSource() source {
	wheel := wheels[runtime.GOARCH]
	return source{
		name:    wheelPackage + " " + wheelVersion,
		library: "pjrt_c_api_cpu_v" + wheelVersion + "_plugin.so",
		sum:     wheel.sum,
		locate: func() (string, error) {
			if runtime.GOOS != "linux" || wheel.sum == "" {
				return "", fmt.Errorf("there is no such wheel for %s/%s", runtime.GOOS, runtime.GOARCH)
			}
			info, err := installer.GetPipInfo(wheelPackage)
			if err != nil {
				return "", err
			}
			platform := regexp.MustCompile("-manylinux.*_" + wheel.platform + `\.whl$`)
			release, err := installer.PipSelectRelease(info.Releases[wheelVersion], platform, true)
			if err != nil {
				return "", err
			}
			return release.URL, nil
		},
		extract: func(archive, dir string) (string, error) {
			path := filepath.Join(dir, wheelLibrary)
			if err := installer.ExtractFileFromZip(archive, wheelLibrary, path); err != nil {
				return "", fmt.Errorf("unpacking %s: %w", wheelLibrary, err)
			}
			return path, nil
		},
	}
}

// releaseSource returns the plug-in that this version of go-xla was tested with.
func releaseSource() source {
	version := pjrt.DefaultCPUVersion
	return source{
		name:    "go-xla's release " + version,
		library: "pjrt_c_api_cpu_" + version + "_plugin.so",
		locate: func() (string, error) {
			return installer.CPUGetDownloadURL(runtime.GOOS+"_"+runtime.GOARCH, version)
		},
		extract: func(archive, dir string) (string, error) {
			files, err := installer.Untar(archive, dir)
			if err != nil {
				return "", err
			}
			for _, file := range files {
				if pluginNames.MatchString(filepath.Base(file)) && checkLibrary(file) == nil {
					return file, nil
				}
			}
			return "", errors.New("there is no plug-in in the archive")
		},
	}
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
	var failures error
	for _, src := range s.sources {
		err := s.fetch(ctx, src)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Fprintf(s.progress, "%s: %v\n", src.name, err)
		failures = errors.Join(failures, fmt.Errorf("%s: %w", src.name, err))
	}
	return fmt.Errorf("XLA's CPU plug-in could not be installed, so programs run on the pure Go backend, about "+
		"10 times slower; where there is a network, run `pip download --no-deps %s==%s`, then here "+
		"`nkf setup --wheel FILE`: %w", wheelPackage, wheelVersion, failures)
}

// installed returns whether the CPU plug-in that [Backend] would take is sound and works, and if not, why.
func (s *setup) installed() (bool, error) {
	found, ok, damaged := cpuPlugin(findPlugins(s.search))
	if !ok {
		return false, damaged
	}
	if err := checkSum(found.path); err != nil && !errors.Is(err, errNoSum) {
		return false, err
	}
	if err := s.try(found); err != nil {
		return false, fmt.Errorf("the XLA plug-in %s does not work: %w", found.path, err)
	}
	if damaged != nil {
		fmt.Fprintf(s.progress, "%v\n", damaged)
	}
	fmt.Fprintf(s.progress, "XLA's CPU plug-in works: %s\n", found.path)
	return true, nil
}

// fetch downloads the archive of src and installs its plug-in.
func (s *setup) fetch(ctx context.Context, src source) error {
	url, err := within(ctx, answerLimit, src.locate)
	if err != nil {
		return err
	}
	return s.inScratch(func(dir string) error {
		archive := filepath.Join(dir, "archive"+filepath.Ext(url))
		fmt.Fprintf(s.progress, "downloading %s\n", url)
		if err := download(ctx, url, archive); err != nil {
			return err
		}
		return s.install(ctx, src, archive, dir)
	})
}

// fromFile installs the plug-in of src from an archive that is there already.
func (s *setup) fromFile(ctx context.Context, src source, archive string) error {
	return s.inScratch(func(dir string) error { return s.install(ctx, src, archive, dir) })
}

// inScratch calls f with a new folder beside the plug-ins, so that what is ready there can be moved in at once.
func (s *setup) inScratch(f func(dir string) error) error {
	if err := os.MkdirAll(s.target, 0o755); err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be made: %w", err)
	}
	dir, err := os.MkdirTemp(s.target, ".nkf-setup-")
	if err != nil {
		return fmt.Errorf("the folder for the plug-in cannot be written to: %w", err)
	}
	defer os.RemoveAll(dir)
	return f(dir)
}

// install unpacks an archive of src into the folder dir and moves the plug-in to where it is searched for.
//
// The SHA-256 goes in before the plug-in: whoever is interrupted in between leaves no plug-in without its record.
func (s *setup) install(ctx context.Context, src source, archive, dir string) error {
	if src.sum != "" {
		got, err := fileSum(archive)
		if err != nil {
			return err
		}
		if got != src.sum {
			return fmt.Errorf("the file is not the pinned one (SHA-256 %s, not %s): nothing was installed",
				got, src.sum)
		}
	}
	library, err := src.extract(archive, dir)
	if err != nil {
		return err
	}
	if err := checkLibrary(library); err != nil {
		return err
	}
	if err := os.Chmod(library, 0o755); err != nil {
		return err
	}
	sum, err := fileSum(library)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	final := filepath.Join(s.target, src.library)
	record := filepath.Join(dir, "sum")
	if err := os.WriteFile(record, []byte(sum+"  "+src.library+"\n"), 0o644); err != nil {
		return err
	}
	if err := errors.Join(os.Rename(record, sumFile(final)), os.Rename(library, final)); err != nil {
		return err
	}
	if ready, err := s.installed(); !ready {
		return fmt.Errorf("installed %s, but: %w", final, err)
	}
	return nil
}
