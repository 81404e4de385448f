package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/backends"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/nkfx"
	"github.com/neuralkforms/nkf/nkfx/internal/kernel"
)

// Report is what [Doctor] finds.
type Report struct {
	Versions nkfx.Versions  `json:"versions"`
	Backend  BackendReport  `json:"backend"`
	Cards    xla.Cards      `json:"cards"` // of NVIDIA
	Plugins  []PluginReport `json:"plugins"`
	Data     []DataReport   `json:"data"`
	Kernel   string         `json:"kernel,omitempty"` // kernel.json of the Jupyter kernel nkf, or empty
	Gopls    string         `json:"gopls,omitempty"`  // version of gopls, which completes cells, or empty
	Missing  []Remedy       `json:"missing"`
}

// BackendReport describes the backend that [nkfx.Backend] returns.
type BackendReport struct {
	Name    string   `json:"name,omitempty"` // as GOMLX_BACKEND spells it
	Works   bool     `json:"works"`          // a small graph ran and gave the right number
	Devices []string `json:"devices"`
	API     string   `json:"api,omitempty"` // version of the PJRT interface of the XLA plug-in
}

// PluginReport describes an XLA plug-in on the search path.
type PluginReport struct {
	Path     string `json:"path"`
	Verified bool   `json:"verified"`        // it is, byte for byte, what [Setup] installed
	Error    string `json:"error,omitempty"` // why it cannot be used
}

// Remedy names something missing and the command that provides it.
type Remedy struct {
	What    string `json:"what"`
	Command string `json:"command"`
}

// Doctor examines what neural k-forms need on this machine. It changes nothing and asks no network.
func Doctor(ctx context.Context) Report {
	r := Report{
		Versions: nkfx.Version(), Plugins: []PluginReport{}, Missing: []Remedy{},
		Backend: BackendReport{Devices: []string{}}, Data: []DataReport{},
	}
	r.Cards = xla.FindCards(ctx)
	r.plugins()
	r.backend()
	r.kernel()
	r.data(ctx)
	return r
}

func (r *Report) kernel() {
	var k kernel.Kernel
	if r.Kernel, k = kernel.Find(); r.Kernel == "" {
		r.miss(kernel.LabCommand(), "JupyterLab with the kernel of Go notebooks")
	}
	if k.Checkout == "" {
		return
	}
	if missing := k.Missing(); len(missing) > 0 {
		r.miss(k.InstallCommand(), "%s, without which notebooks do not run", strings.Join(missing, " and "))
	}
	if r.Gopls = k.Gopls(); r.Gopls == "" {
		r.miss(k.InstallCommand(), "gopls, without which Tab and Shift-Tab do nothing in notebooks")
	}
}

func (r *Report) miss(command, format string, args ...any) {
	r.Missing = append(r.Missing, Remedy{What: fmt.Sprintf(format, args...), Command: command})
}

func (r *Report) plugins() {
	if !xla.Linked {
		if cpuWheel.pinned() == nil {
			r.miss("CGO_ENABLED=1 go install ./nkfx/cmd/nkf", "XLA, about 10 times faster: %v",
				xla.ErrNotLinked)
		}
		return
	}
	plugins := xla.Find(xla.SearchPath())
	for _, p := range plugins {
		err := p.Err
		if err == nil {
			err = xla.Verify(p.Path)
		}
		report := PluginReport{Path: p.Path, Verified: err == nil}
		if err != nil && !errors.Is(err, xla.ErrNoSum) {
			report.Error = err.Error()
			r.miss("rm "+p.Path+"; "+xla.SetupCommand(p.Path), "a sound XLA plug-in: %v", err)
		}
		r.Plugins = append(r.Plugins, report)
	}
	if _, ok, damaged := xla.CPU(plugins); !ok && damaged == nil {
		r.miss("nkf setup", "XLA's CPU plug-in; without it everything runs about 10 times slower")
	}
	if len(r.Cards.Cards) == 0 {
		return
	}
	if r.Cards.Error != "" {
		r.miss("nvidia-smi", "a card for XLA: %s", r.Cards.Error)
	}
	if _, ok, damaged := xla.CUDA(plugins); !ok && damaged == nil {
		r.miss("nkf setup --cuda", "XLA's plug-in for NVIDIA cards, without which the %s is not used",
			r.Cards.Cards[0].Name)
	}
}

func (r *Report) backend() {
	var notice strings.Builder
	backend, err := backends.Open("", &notice)
	if err != nil {
		r.miss("unset GOMLX_BACKEND", "a backend: %v", err)
		return
	}
	defer backend.Finalize()
	r.Backend.Name = backends.Name(backend)
	if text := strings.TrimSpace(notice.String()); strings.Contains(text, "NVIDIA") {
		r.miss("nkf setup --cuda", "%s", strings.TrimPrefix(text, "nkf: "))
	}
	for i := range backend.NumDevices() {
		r.Backend.Devices = append(r.Backend.Devices, backend.DeviceDescription(compute.DeviceNum(i)))
	}
	if client, ok := xla.Of(backend); ok {
		r.Backend.API = client.API()
	}
	err = probe(backend)
	if r.Backend.Works = err == nil; err != nil {
		r.miss("GOMLX_BACKEND=go", "a backend that computes: %s: %v", r.Backend.Name, err)
	}
}

// probe runs a graph on backend, the sum of the squares of 1, 2 and 3, and returns an error unless
// it is 14.
func probe(backend compute.Backend) (err error) {
	defer xla.Recover(&err)
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

func (r *Report) data(ctx context.Context) {
	r.Data = Data(ctx, false)
	for _, d := range r.Data {
		if d.State == Altered && d.Path != "" {
			r.miss("rm "+d.Path, "the published file of %s", d.Name)
		}
	}
}

// pluginTexts describes the XLA plug-ins.
func (r Report) pluginTexts() (texts []string) {
	for _, p := range r.Plugins {
		state := "not installed by nkf, not verified"
		switch {
		case p.Error != "":
			state = "not loaded"
		case p.Verified:
			state = "verified"
		}
		texts = append(texts, p.Path+" ("+state+")")
	}
	switch {
	case !xla.Linked:
		texts = append(texts, "of no use: "+xla.ErrNotLinked.Error())
	case len(texts) == 0:
		texts = append(texts, "none in "+strings.Join(xla.SearchPath(), ", "))
	}
	return texts
}

// Print writes the report to w as a table.
func (r Report) Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(what string, text ...any) { fmt.Fprintf(table, "%s\t%s\n", what, fmt.Sprint(text...)) }
	v, b := r.Versions, r.Backend
	row("nkf", v.NKF)
	row("built with", v.Go, ", GoMLX ", v.GoMLX, ", go-xla ", v.GoXLA)
	row("processor", v.Processor)
	works := map[bool]string{true: ", works", false: ", does not work"}[b.Works]
	row("backend", cmp.Or(b.Name, "none"), works)
	if n := len(b.Devices); n > 0 {
		row("devices", n, ": ", b.Devices[0])
	}
	if b.API != "" {
		row("PJRT API", b.API)
	}
	for _, c := range r.Cards.Cards {
		text := c.Name
		if c.Memory > 0 {
			text += fmt.Sprintf(", %d MiB", c.Memory)
		}
		row("card", text, ", driver ", cmp.Or(r.Cards.Driver, "unknown"))
	}
	if r.Cards.Error != "" {
		row("card", r.Cards.Error)
	}
	for _, text := range r.pluginTexts() {
		row("plug-in", text)
	}
	for _, state := range []string{Verified, Altered} {
		var names []string
		for _, d := range r.Data {
			if d.State == state {
				names = append(names, d.Name)
			}
		}
		if len(names) > 0 {
			row("data", state, ": ", strings.Join(names, ", "))
		}
	}
	row("kernel", cmp.Or(r.Kernel, "no Jupyter kernel named nkf"))
	if r.Gopls != "" {
		row("completion", "gopls ", r.Gopls)
	}
	for _, m := range r.Missing {
		row("missing", m.What)
		row("", "  ", m.Command)
	}
	return table.Flush()
}
