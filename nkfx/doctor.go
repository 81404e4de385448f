package nkfx

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/gomlx/compute"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers/backends/xla"
)

// Report is what [Doctor] finds.
type Report struct {
	Versions Versions       `json:"versions"`
	Backend  BackendReport  `json:"backend"`
	Plugins  []PluginReport `json:"plugins"`
	Data     []DataReport   `json:"data"`
	Kernel   string         `json:"kernel,omitempty"` // kernel.json of the Jupyter kernel nkf, or empty
	Gopls    string         `json:"gopls,omitempty"`  // version of what completes cells, or empty
	Missing  []Remedy       `json:"missing"`
}

// BackendReport describes the backend that [Backend] returns.
type BackendReport struct {
	Name    string   `json:"name,omitempty"` // as GOMLX_BACKEND spells it
	Works   bool     `json:"works"`          // a small graph ran and gave the right number
	Devices []string `json:"devices"`
	API     string   `json:"api,omitempty"` // version of the PJRT interface that the XLA plug-in speaks
}

// PluginReport describes one XLA plug-in on the search path.
type PluginReport struct {
	Path     string `json:"path"`
	Verified bool   `json:"verified"`        // it is, byte for byte, what [Setup] installed
	Error    string `json:"error,omitempty"` // why it cannot be used
}

// Remedy is something that is missing, and the command that mends it.
type Remedy struct {
	What    string `json:"what"`
	Command string `json:"command"`
}

// Doctor looks at what neural k-forms need on this machine. It mends nothing and asks no network.
func Doctor(ctx context.Context) Report {
	r := Report{Versions: Version(), Plugins: []PluginReport{}, Missing: []Remedy{}}
	r.lookAtPlugins()
	r.lookAtBackend()
	r.lookForData(ctx)
	r.lookForKernel()
	return r
}

func (r *Report) miss(command, format string, args ...any) {
	r.Missing = append(r.Missing, Remedy{What: fmt.Sprintf(format, args...), Command: command})
}

func (r *Report) lookAtPlugins() {
	if !xla.Linked {
		if wheels[platform].sum != "" {
			r.miss("CGO_ENABLED=1 go install ./nkfx/cmd/nkf", "XLA, about 10 times faster: %v",
				xla.ErrNotLinked)
		}
		return
	}
	plugins := xla.Find(xla.SearchPath())
	for _, p := range plugins {
		report := PluginReport{Path: p.Path}
		err := p.Err
		if err == nil {
			err = xla.Verify(p.Path)
			report.Verified = err == nil
		}
		if err != nil && !errors.Is(err, xla.ErrNoSum) {
			report.Error = err.Error()
			r.miss("rm "+p.Path+"; nkf setup", "a sound XLA plug-in: %v", err)
		}
		r.Plugins = append(r.Plugins, report)
	}
	if _, ok, damaged := xla.CPU(plugins); !ok && damaged == nil {
		r.miss("nkf setup", "XLA's CPU plug-in; without it everything runs about 10 times slower")
	}
}

func (r *Report) lookAtBackend() {
	r.Backend.Devices = []string{}
	backend, err := Backend(WithNotice(io.Discard))
	if err != nil {
		r.miss("unset GOMLX_BACKEND", "a backend: %v", err)
		return
	}
	defer backend.Finalize()
	r.Backend.Name = BackendName(backend)
	for i := range backend.NumDevices() {
		r.Backend.Devices = append(r.Backend.Devices, backend.DeviceDescription(compute.DeviceNum(i)))
	}
	if client, ok := xla.Of(backend); ok {
		r.Backend.API = client.API()
	}
	if err := probe(backend); err != nil {
		r.miss("GOMLX_BACKEND=go", "a backend that computes: %s: %v", r.Backend.Name, err)
		return
	}
	r.Backend.Works = true
}

func (r *Report) lookForData(ctx context.Context) {
	finder := datasets.NewFinder()
	finder.Offline = true
	r.Data, _ = Data(ctx, finder)
	absent := 0
	for _, d := range r.Data {
		switch {
		case d.Path == "":
			absent++
		case d.Error != "":
			r.miss("rm "+d.Path+"; nkf data verify --download", "the published file of %s", d.Name)
		}
	}
	if absent > 0 {
		r.miss("nkf data verify --download", "%d of %d data sets, otherwise downloaded when first used",
			absent, len(r.Data))
	}
}

func (r *Report) lookForKernel() {
	for _, dir := range jupyterPath() {
		spec := filepath.Join(dir, "kernels", "nkf", "kernel.json")
		if _, err := os.Stat(spec); err == nil {
			r.Kernel = spec
			r.lookForGopls()
			return
		}
	}
}

// lookForGopls looks for gopls where the kernel does.
func (r *Report) lookForGopls() {
	content, err := os.ReadFile(r.Kernel)
	if err != nil {
		return
	}
	k, ok := kernelOf(content)
	if !ok {
		return
	}
	if info, err := buildinfo.ReadFile(k.program(gopls)); err == nil {
		r.Gopls = cmp.Or(info.Main.Version, "(devel)")
		return
	}
	command := "nkf kernel install --checkout " + k.Checkout
	if own, err := (Kernel{}).folder(); err != nil || own != filepath.Dir(r.Kernel) {
		inPrefix := filepath.Join("/", "share", "jupyter", "kernels", kernelName, "kernel.json")
		command += " --prefix " + strings.TrimSuffix(r.Kernel, inPrefix)
	}
	r.miss(command, "gopls, without which Tab and Shift-Tab do nothing in notebooks")
}

// jupyterPath returns the folders in which Jupyter looks for kernels, and that of a .venv in the current
// folder.
func jupyterPath() []string {
	dirs := filepath.SplitList(os.Getenv("JUPYTER_PATH"))
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		dirs = append(dirs, dir)
	} else if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		dirs = append(dirs, filepath.Join(dir, "jupyter"))
	} else if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".local", "share", "jupyter"))
	}
	for _, environment := range []string{os.Getenv("VIRTUAL_ENV"), ".venv", "/usr/local", "/usr"} {
		if environment != "" {
			dirs = append(dirs, filepath.Join(environment, "share", "jupyter"))
		}
	}
	return dirs
}

// Print writes the report to w as a table for people.
func (r Report) Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(what, format string, args ...any) {
		fmt.Fprintf(table, "%s\t%s\n", what, fmt.Sprintf(format, args...))
	}
	row("nkf", "%s", r.Versions.NKF)
	row("built with", "%s, GoMLX %s, go-xla %s", r.Versions.Go, r.Versions.GoMLX, r.Versions.GoXLA)
	row("processor", "%s", r.Versions.Processor)
	switch b := r.Backend; {
	case b.Works:
		row("backend", "%s, works", b.Name)
	case b.Name != "":
		row("backend", "%s, does not work", b.Name)
	default:
		row("backend", "none")
	}
	if len(r.Backend.Devices) > 0 {
		row("devices", "%d: %s", len(r.Backend.Devices), r.Backend.Devices[0])
	}
	if r.Backend.API != "" {
		row("PJRT API", "%s", r.Backend.API)
	}
	for _, p := range r.Plugins {
		state := "not installed by nkf, not verified"
		switch {
		case p.Error != "":
			state = "not loaded"
		case p.Verified:
			state = "verified"
		}
		row("plug-in", "%s (%s)", p.Path, state)
	}
	switch {
	case !xla.Linked:
		row("plug-in", "of no use: %v", xla.ErrNotLinked)
	case len(r.Plugins) == 0:
		row("plug-in", "none in %s", strings.Join(xla.SearchPath(), ", "))
	}
	for _, state := range []string{"verified", "not the published file", "not here"} {
		var names []string
		for _, d := range r.Data {
			if d.State == state {
				names = append(names, d.Name)
			}
		}
		if len(names) > 0 {
			row("data", "%s: %s", state, strings.Join(names, ", "))
		}
	}
	if r.Kernel != "" {
		row("kernel", "%s", r.Kernel)
		if r.Gopls != "" {
			row("completion", "gopls %s", r.Gopls)
		}
	} else {
		row("kernel", "no Jupyter kernel named nkf")
	}
	for _, m := range r.Missing {
		row("missing", "%s", m.What)
		row("", "  %s", m.Command)
	}
	return table.Flush()
}
