package backends

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend" // registers "go"

	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// said has the sentences that were said: a program that makes many backends does not repeat them.
var said sync.Map

// say writes a sentence to notice, unless that is nil, the first time.
func say(notice io.Writer, format string, args ...any) {
	text := fmt.Sprintf("nkf: "+format+"\n", args...)
	if notice == nil {
		return
	}
	if _, again := said.LoadOrStore(text, true); !again {
		fmt.Fprint(notice, text)
	}
}

// New returns a new GoMLX backend: the one that GOMLX_BACKEND names, or else XLA on the CPU if its plug-in is
// found and works, or else the pure Go backend, about ten times slower, which it says once on standard error.
func New() (compute.Backend, error) { return Open("", os.Stderr) }

// Open returns a new backend of one kind, "go", "xla:cpu" or "xla:cuda", also with GoMLX's options after a
// comma; for "" it chooses as [New] does. It says on notice, unless that is nil, why it takes the Go backend,
// and why compiled programs are not kept.
//
// A backend that was asked for by name and is not there is an error, never replaced by another. A plug-in is
// not loaded if it is damaged, or is not what `nkf setup` installed under its name.
func Open(config string, notice io.Writer) (compute.Backend, error) {
	if config = cmp.Or(config, os.Getenv(compute.ConfigEnvVar)); config != "" {
		resolved, err := resolve(config)
		if err != nil {
			return nil, err
		}
		backend, err := open(resolved, notice)
		if err != nil {
			return nil, fmt.Errorf("the backend %q does not start: %w; `nkf doctor` shows what there is",
				config, err)
		}
		return backend, nil
	}
	backend, reason := openCPU(notice)
	if reason == nil {
		return backend, nil
	}
	say(notice, "running on the pure Go backend, about 10 times slower than XLA: %v", reason)
	return open("go", notice)
}

// openCPU returns XLA's backend for the CPU, or why there is none.
func openCPU(notice io.Writer) (compute.Backend, error) {
	if !xla.Linked {
		return nil, xla.ErrNotLinked
	}
	found, ok, damaged := xla.CPU(xla.Find(xla.SearchPath()))
	if !ok && damaged == nil {
		return nil, errors.New("no XLA plug-in found; `nkf setup` installs one")
	}
	if !ok {
		return nil, damaged
	}
	backend, err := open(found.Config(), notice)
	if err != nil {
		return nil, fmt.Errorf("the XLA plug-in %s does not start: %w", found.Path, err)
	}
	return backend, nil
}

// resolve returns the GoMLX configuration for what a user asked for, with the path of the CPU plug-in in it.
func resolve(config string) (string, error) {
	name, rest, _ := strings.Cut(config, ":")
	switch name {
	case "go":
		return config, nil
	case "xla", "stablehlo", "hlo", "shlo":
	default:
		return "", fmt.Errorf("there is no backend %q: set %s to go, xla:cpu or xla:cuda, or leave it unset",
			config, compute.ConfigEnvVar)
	}
	if !xla.Linked {
		return "", fmt.Errorf("there is no backend %q: %w", config, xla.ErrNotLinked)
	}
	wanted, options, hasOptions := strings.Cut(rest, ",")
	if filepath.IsAbs(wanted) {
		return config, xla.Check(wanted)
	}
	plugins := xla.Find(xla.SearchPath())
	if wanted == "cpu" {
		found, ok, damaged := xla.CPU(plugins)
		switch {
		case damaged != nil && !ok:
			return "", damaged
		case !ok:
			return "", fmt.Errorf("the backend %q needs XLA's CPU plug-in, which is not in %s: "+
				"run `nkf setup`", config, strings.Join(xla.SearchPath(), ", "))
		}
		config = found.Config()
		if hasOptions {
			config += "," + options
		}
		return config, nil
	}
	// From here go-xla searches for itself, and loads all that it finds.
	for _, p := range plugins {
		if p.Err != nil {
			return "", p.Err
		}
	}
	return config, nil
}

// opening serialises the search for plug-ins in go-xla, which keeps its findings in plain variables.
var opening sync.Mutex

// open makes the backend of a GoMLX configuration and turns its panics into errors.
func open(config string, notice io.Writer) (backend compute.Backend, err error) {
	opening.Lock()
	defer opening.Unlock()
	defer xla.Recover(&err)
	xla.KeepHeap()
	if config == "go" {
		// With operations side by side, all workers of GoMLX's pool (compute v0.1.3) may come to wait for one
		// more, and a run hangs. Each operation still uses all cores.
		config = "go:ops_sequential"
	}
	if name, ok := strings.CutPrefix(config, "xla:"); ok && xla.PluginOf(name).IsCPU() {
		if err := keepPrograms(xla.PluginOf(name)); err != nil {
			say(notice, "programs are compiled again in every process: %v", err)
		}
		return xla.Open(name, devices())
	}
	return compute.NewWithConfig(config)
}

// devices returns how many devices XLA's CPU client is to present: four, as by default, but no more than
// there are processors. The client has a thread for each of them at least, and threads that share a processor
// wait for each other at the end of every small product.
func devices() int64 { return int64(min(4, runtime.GOMAXPROCS(0))) }

// Name returns the name of a backend as GOMLX_BACKEND spells it: "go", "xla:cpu" or "xla:cuda".
func Name(backend compute.Backend) string {
	if client, ok := xla.Of(backend); ok {
		return "xla:" + client.Kind
	}
	return strings.ToLower(strings.TrimSuffix(backend.Name(), " Backend")) // the Go backend says "Go Backend"
}
