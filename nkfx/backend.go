package nkfx

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"
	_ "github.com/gomlx/gomlx/backends/default" // registers "go" and "xla"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// XLA would download plug-ins by itself, on every first use and without a time limit.
func init() { xla.EnableAutoInstall(false) }

// Option changes what [Backend] does.
type Option func(*backendOptions)

type backendOptions struct {
	config string
	notice io.Writer
}

// WithConfig asks for one backend, "go", "xla:cpu" or "xla:cuda" (also with GoMLX's options after a comma),
// instead of the one that GOMLX_BACKEND names.
func WithConfig(config string) Option { return func(o *backendOptions) { o.config = config } }

// WithNotice sends the sentence that says why the slower Go backend is used to w instead of standard error.
func WithNotice(w io.Writer) Option { return func(o *backendOptions) { o.notice = w } }

// noticed keeps a program that makes many backends from saying the same thing again.
var noticed sync.Once

// Backend returns a new GoMLX backend: the one that GOMLX_BACKEND names, or else XLA on the CPU if its
// plug-in is found and works, or else the pure Go backend, about ten times slower, which it says once.
//
// A backend that was asked for by name and is not there is an error, never replaced by another.
func Backend(opts ...Option) (compute.Backend, error) {
	o := backendOptions{config: os.Getenv(compute.ConfigEnvVar), notice: os.Stderr}
	for _, opt := range opts {
		opt(&o)
	}
	if o.config != "" {
		config, err := resolve(o.config, findPlugins(searchPath()))
		if err != nil {
			return nil, err
		}
		backend, err := open(config)
		if err != nil {
			return nil, fmt.Errorf("the backend %q does not start: %w; `nkf doctor` shows what there is",
				o.config, err)
		}
		return backend, nil
	}

	found, ok, reason := cpuPlugin(findPlugins(searchPath()))
	if ok {
		backend, err := open(found.config())
		if err == nil {
			return backend, nil
		}
		reason = fmt.Errorf("the XLA plug-in %s does not start: %w", found.path, err)
	}
	if reason == nil {
		reason = errors.New("no XLA plug-in found; `nkf setup` installs one")
	}
	noticed.Do(func() {
		fmt.Fprintf(o.notice, "nkf: running on the pure Go backend, about 10 times slower than XLA: %v\n",
			reason)
	})
	return open("go")
}

// resolve returns the GoMLX configuration for what a user asked for, with the path of the CPU plug-in in it.
func resolve(config string, plugins []plugin) (string, error) {
	name, rest, _ := strings.Cut(config, ":")
	switch name {
	case "go":
		return config, nil
	case "xla", "stablehlo", "hlo", "shlo":
	default:
		return "", fmt.Errorf("there is no backend %q: set %s to go, xla:cpu or xla:cuda, or leave it unset",
			config, compute.ConfigEnvVar)
	}
	wanted, options, hasOptions := strings.Cut(rest, ",")
	if filepath.IsAbs(wanted) {
		return config, checkLibrary(wanted)
	}
	if wanted == "cpu" {
		found, ok, damaged := cpuPlugin(plugins)
		switch {
		case damaged != nil && !ok:
			return "", damaged
		case !ok:
			return "", fmt.Errorf("the backend %q needs XLA's CPU plug-in, which is not in %s: "+
				"run `nkf setup`", config, strings.Join(searchPath(), ", "))
		}
		config = found.config()
		if hasOptions {
			config += "," + options
		}
		return config, nil
	}
	// From here go-xla searches for itself, and loads all that it finds.
	for _, p := range plugins {
		if p.err != nil {
			return "", p.err
		}
	}
	return config, nil
}

// opening serialises the search for plug-ins in go-xla, which keeps its findings in plain variables.
var opening sync.Mutex

// open makes the backend of a GoMLX configuration and turns what it panics with into an error.
func open(config string) (backend compute.Backend, err error) {
	opening.Lock()
	defer opening.Unlock()
	defer recoverTo(&err)
	keepHeap()
	if config == "go" {
		// With operations side by side, all workers of GoMLX's pool (compute v0.1.3) may come to wait for one
		// more, and a run hangs. Each operation still uses all cores.
		config = "go:ops_sequential"
	}
	if name, ok := strings.CutPrefix(config, "xla:"); ok && pluginOf(name).isCPU() {
		_ = keepPrograms(pluginOf(name)) // without, programs are compiled in every process
		return xla.NewWithOptions(name, pjrt.NamedValuesMap{"cpu_device_count": devices()})
	}
	return compute.NewWithConfig(config)
}

// devices returns how many devices XLA's CPU client is to present: four, as by default, but no more than
// there are processors. The client has a thread for each of them at least, and threads that share a processor
// wait for each other at the end of every small product.
func devices() int64 { return int64(min(4, runtime.GOMAXPROCS(0))) }

// recoverTo stores what the surrounding function panicked with, if it did, in err.
func recoverTo(err *error) {
	switch p := recover().(type) {
	case nil:
	case error:
		*err = fmt.Errorf("gave up: %w", p)
	default:
		*err = fmt.Errorf("gave up: %v", p)
	}
}

// BackendName returns the name of a backend as GOMLX_BACKEND spells it: "go", "xla:cpu" or "xla:cuda".
func BackendName(backend compute.Backend) string {
	b, ok := backend.(*xla.Backend)
	switch {
	case !ok: // the Go backend says "Go Backend"
		return strings.ToLower(strings.TrimSuffix(backend.Name(), " Backend"))
	case b.IsCUDA():
		return "xla:cuda"
	case b.IsCPU():
		return "xla:cpu"
	default:
		return "xla:" + b.PluginName()
	}
}

// probe runs a graph on backend, the sum of the squares of 1, 2 and 3, and returns an error unless it is 14.
func probe(backend compute.Backend) (err error) {
	defer recoverTo(&err)
	sumOfSquares := func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(graph.Square(x)) }
	sum, err := graph.CallOnce(backend, sumOfSquares, []float32{1, 2, 3})
	if err != nil {
		return err
	}
	if got := tensors.ToScalar[float32](sum); got != 14 {
		return fmt.Errorf("1 + 4 + 9 came out as %g", got)
	}
	return nil
}

// tryPlugin loads the plug-in at path and runs a graph on it.
func tryPlugin(p plugin) error {
	backend, err := open(p.config())
	if err != nil {
		return err
	}
	defer backend.Finalize()
	return probe(backend)
}
