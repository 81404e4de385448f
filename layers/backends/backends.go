package backends

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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

// New returns a new GoMLX backend: the one that GOMLX_BACKEND names, or else XLA on an NVIDIA card if the
// card and the plug-in for CUDA are there, or else XLA on the CPU if its plug-in is found and works, or else
// the pure Go backend, about ten times slower. It reports once on standard error why it uses the Go backend,
// or why it does not use a card although there is a plug-in for it.
func New() (compute.Backend, error) { return Open("", os.Stderr) }

// Open returns a new backend of one kind, "go", "xla:cpu" or "xla:cuda", also with GoMLX's options after a
// comma; for "" it chooses as [New] does. It writes to notice, unless that is nil, why it uses the Go backend
// and why compiled programs are not kept.
//
// If a backend is requested by name and missing, this is an error; it is never replaced by another. A plug-in
// is not loaded if it is damaged, or differs from the one that `nkf setup` installed under its name.
func Open(config string, notice io.Writer) (compute.Backend, error) {
	if config = cmp.Or(config, os.Getenv(compute.ConfigEnvVar)); config == "" {
		return choose(notice)
	}
	resolved, err := resolve(config)
	if err != nil {
		return nil, err
	}
	backend, err := open(resolved, notice)
	if err != nil {
		return nil, fmt.Errorf("the backend %q does not start: %w; `nkf doctor` shows the available backends",
			config, err)
	}
	return backend, nil
}

// choose opens the fastest backend that works, and says on notice why it does not use a card for which a
// plug-in is there, and why it takes the Go backend.
func choose(notice io.Writer) (compute.Backend, error) {
	reason := xla.ErrNotLinked
	if xla.Linked {
		plugins := xla.Find(xla.SearchPath())
		if found, ok, damaged := xla.CUDA(plugins); (ok || damaged != nil) && xla.HasCard() == nil {
			backend, err := start(found, ok, damaged, notice)
			if err == nil {
				return backend, nil
			}
			say(notice, "the NVIDIA card is not used: %v", err)
		}
		found, ok, damaged := xla.CPU(plugins)
		if !ok && damaged == nil {
			damaged = errors.New("no XLA plug-in found; `nkf setup` installs one")
		}
		backend, err := start(found, ok, damaged, notice)
		if err == nil {
			return backend, nil
		}
		reason = err
	}
	say(notice, "running on the pure Go backend, about 10 times slower than XLA: %v", reason)
	return open("go", notice)
}

// start returns the backend of the plug-in that was found, if one was.
func start(found xla.Plugin, ok bool, damaged error, notice io.Writer) (compute.Backend, error) {
	if !ok {
		return nil, damaged
	}
	backend, err := open(found.Config(), notice)
	if err != nil {
		return nil, fmt.Errorf("the XLA plug-in %s does not start: %w", found.Path, err)
	}
	return backend, nil
}

// resolve returns the GoMLX configuration for the backend that a user asked for, with the path of its
// plug-in.
func resolve(config string) (string, error) {
	name, rest, _ := strings.Cut(config, ":")
	wanted, options, _ := strings.Cut(rest, ",")
	switch {
	case name == "go":
		return config, nil
	case !slices.Contains([]string{"xla", "stablehlo", "hlo", "shlo"}, name):
		return "", fmt.Errorf("there is no backend %q: set %s to go, xla:cpu or xla:cuda, or leave it unset",
			config, compute.ConfigEnvVar)
	case !xla.Linked:
		return "", fmt.Errorf("there is no backend %q: %w", config, xla.ErrNotLinked)
	case filepath.IsAbs(wanted):
		return config, xla.Check(wanted)
	}
	plugins, of, command := xla.Find(xla.SearchPath()), xla.CPU, "nkf setup"
	switch wanted {
	case "cpu":
	case "cuda":
		if err := xla.HasCard(); err != nil {
			return "", fmt.Errorf("the backend %q needs an NVIDIA card: %w", config, err)
		}
		of, command = xla.CUDA, "nkf setup --cuda"
	default:
		// From here go-xla searches for itself, and loads all that it finds.
		for _, p := range plugins {
			if p.Err != nil {
				return "", p.Err
			}
		}
		return config, nil
	}
	found, ok, damaged := of(plugins)
	switch {
	case !ok && damaged != nil:
		return "", damaged
	case !ok:
		return "", fmt.Errorf("the backend %q needs a plug-in of XLA that is not in %s: run `%s`", config,
			strings.Join(xla.SearchPath(), ", "), command)
	case options != "":
		return found.Config() + "," + options, nil
	}
	return found.Config(), nil
}

// opening serialises the search for plug-ins in go-xla, which keeps its findings in plain variables.
var opening sync.Mutex

// open makes the backend of a GoMLX configuration and turns its panics into errors.
func open(config string, notice io.Writer) (backend compute.Backend, err error) {
	opening.Lock()
	defer opening.Unlock()
	defer xla.Recover(&err)
	if config == "go" {
		// With operations side by side, all workers of GoMLX's pool (compute v0.1.3) may come to wait for one
		// more, and a run hangs. Each operation still uses all cores.
		config = "go:ops_sequential"
	}
	if name, ok := strings.CutPrefix(config, "xla:"); ok {
		switch p := xla.PluginOf(name); {
		case p.IsCPU():
			if err := xla.Room(); err != nil {
				return nil, err
			}
			if err := keepPrograms(p); err != nil {
				say(notice, "programs are compiled again in every process: %v", err)
			}
			return xla.Open(name, devices())
		case p.IsCUDA() && !precision.MatchString(name):
			config += ",tf32=false"
		}
	}
	return compute.NewWithConfig(config)
}

// precision is the option for products of 32-bit floats on a card. Without it go-xla rounds their factors to
// TF32, to 10 of 23 bits.
var precision = regexp.MustCompile(`,(no)?tf32\b`)

// devices returns how many devices XLA's CPU client is to present: four, as by default, but no more than
// there are processors. The client has a thread for each of them at least, and threads that share a processor
// wait for each other at the end of every small product. One device tells the client of [xla.OneThread] from
// others, where there are several processors.
func devices() int64 { return int64(min(4, max(runtime.GOMAXPROCS(0), min(2, runtime.NumCPU())))) }

// Name returns the name of a backend as GOMLX_BACKEND spells it: "go", "xla:cpu", "xla:cuda", or
// "xla:cuda,tf32" where factors of products are rounded to TF32.
func Name(backend compute.Backend) string {
	if client, ok := xla.Of(backend); ok {
		return "xla:" + client.Kind
	}
	return strings.ToLower(strings.TrimSuffix(backend.Name(), " Backend")) // the Go backend says "Go Backend"
}
