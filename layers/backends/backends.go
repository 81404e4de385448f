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

// New returns a new GoMLX backend: the one that GOMLX_BACKEND names, or else XLA on an NVIDIA card if there
// is one and CUDA's plug-in, or else XLA on the CPU if its plug-in is found and works, or else the pure Go
// backend, about ten times slower. It says once on standard error why it takes the Go backend, or leaves a
// card unused for which a plug-in is there.
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
	if !xla.Linked {
		return openGo(xla.ErrNotLinked, notice)
	}
	plugins := xla.Find(xla.SearchPath())
	if backend := openCUDA(plugins, notice); backend != nil {
		return backend, nil
	}
	found, ok, reason := xla.CPU(plugins)
	if !ok && reason == nil {
		reason = errors.New("no XLA plug-in found; `nkf setup` installs one")
	}
	if !ok {
		return openGo(reason, notice)
	}
	backend, err := open(found.Config(), notice)
	if err != nil {
		return openGo(fmt.Errorf("the XLA plug-in %s does not start: %w", found.Path, err), notice)
	}
	return backend, nil
}

// openGo returns the Go backend, having said why.
func openGo(reason error, notice io.Writer) (compute.Backend, error) {
	say(notice, "running on the pure Go backend, about 10 times slower than XLA: %v", reason)
	return open("go", notice)
}

// openCUDA returns XLA's backend for an NVIDIA card, nil if there is no card or no plug-in of CUDA. A plug-in
// that does not start on a card is said on notice.
func openCUDA(plugins []xla.Plugin, notice io.Writer) compute.Backend {
	found, ok, damaged := xla.CUDA(plugins)
	if !ok && damaged == nil || xla.HasCard() != nil {
		return nil
	}
	if !ok {
		say(notice, "the NVIDIA card is not used: %v", damaged)
		return nil
	}
	backend, err := open(fullPrecision(found.Config()), notice)
	if err != nil {
		say(notice, "the NVIDIA card is not used: the XLA plug-in %s does not start: %v", found.Path, err)
		return nil
	}
	return backend
}

// fullPrecision returns the configuration of a backend on a card with products of 32-bit floats in full, as
// on the CPU. Go-xla would round their factors to TF32, to 10 of 23 bits, unless told otherwise.
func fullPrecision(config string) string {
	if regexp.MustCompile(`,(no)?tf32\b`).MatchString(config) {
		return config
	}
	return config + ",tf32=false"
}

// resolve returns the GoMLX configuration for the backend that a user asked for, with the path of its
// plug-in.
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
	var found xla.Plugin
	var err error
	switch wanted {
	case "cpu":
		found, err = choose(xla.CPU, plugins, config, "nkf setup")
	case "cuda":
		if err := xla.HasCard(); err != nil {
			return "", fmt.Errorf("the backend %q needs an NVIDIA card: %w", config, err)
		}
		found, err = choose(xla.CUDA, plugins, config, "nkf setup --cuda")
	default:
		// From here go-xla searches for itself, and loads all that it finds.
		for _, p := range plugins {
			if p.Err != nil {
				return "", p.Err
			}
		}
		return config, nil
	}
	if err != nil {
		return "", err
	}
	config = found.Config()
	if hasOptions {
		config += "," + options
	}
	if wanted == "cuda" {
		config = fullPrecision(config)
	}
	return config, nil
}

// choose returns the plug-in of one kind for the backend that config names, or an error that says which
// command installs it.
func choose(of func([]xla.Plugin) (xla.Plugin, bool, error), plugins []xla.Plugin, config, command string) (
	xla.Plugin, error) {
	found, ok, damaged := of(plugins)
	switch {
	case ok:
		return found, nil
	case damaged != nil:
		return found, damaged
	}
	return found, fmt.Errorf("the backend %q needs a plug-in of XLA that is not in %s: run `%s`", config,
		strings.Join(xla.SearchPath(), ", "), command)
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
