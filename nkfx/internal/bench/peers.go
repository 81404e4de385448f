package bench

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// scripts are the programs of other tools, and what serves them.
//
//go:embed peers/*.py
var scripts embed.FS

// modules names, for each race, the modules of peers that take part.
var modules = map[string][]string{
	Integrals:  {"integrals_torch", "integrals_jax"},
	Signatures: {"signatures_signax", "signatures_pysiglib"},
	Epochs:     {"epochs_torch"},
}

// peer is a running Python program with a module of peers.
type peer struct {
	module, version string
	process         *exec.Cmd
	in              io.WriteCloser
	out             *json.Decoder
}

// company starts the peers of one case after the other.
type company struct {
	Options
	report *Report
	folder string // of the scripts
	peers  []*peer
}

// come starts the peers of a race in the place of the ones before, whose memory is free then. The report
// has those that are missing.
func (c *company) come(ctx context.Context, race string) error {
	if c.Python == "" {
		return nil
	}
	if c.folder == "" {
		if _, err := exec.LookPath(c.Python); err != nil {
			c.report.miss(fmt.Sprintf("there is no Python at %s to run "+
				"PyTorch and the others: `make bench` installs one with them, and NKF_PYTHON names another",
				c.Python))
			c.Python = ""
			return nil
		}
		var err error
		if c.folder, err = os.MkdirTemp("", "nkf-peers"); err != nil {
			return err
		}
		if err := os.CopyFS(c.folder, scripts); err != nil {
			return err
		}
	}
	c.close()
	for _, module := range modules[race] {
		p, err := startPeer(ctx, c.Python, filepath.Join(c.folder, "peers"), module, c.Device)
		if err != nil {
			c.report.miss(err.Error())
			continue
		}
		c.peers = append(c.peers, p)
		if !slices.Contains(c.report.Peers, p.version) {
			c.report.Peers = append(c.report.Peers, p.version)
		}
	}
	return nil
}

// miss notes once what is missing.
func (r *Report) miss(what string) {
	if !slices.Contains(r.Missing, what) {
		r.Missing = append(r.Missing, what)
	}
}

func (c *company) close() {
	for _, p := range c.peers {
		p.close()
	}
	c.peers = nil
}

// leave ends the peers and removes their scripts.
func (c *company) leave() {
	c.close()
	if c.folder != "" {
		_ = os.RemoveAll(c.folder)
	}
}

// startPeer starts a module in a folder on a device.
func startPeer(ctx context.Context, python, folder, module, device string) (*peer, error) {
	serve := filepath.Join(folder, "serve.py")
	p := &peer{module: module, process: exec.CommandContext(ctx, python, "-B", serve, module, device)}
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(out)
	var says strings.Builder
	p.process.Stderr = &says
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	var first struct{ Version string }
	if err := p.out.Decode(&first); err != nil {
		p.close()
		lines := strings.Split(strings.TrimSpace(says.String()), "\n")
		return nil, fmt.Errorf("%s does not start: %s", module, lines[len(lines)-1])
	}
	p.version = first.Version
	return p, nil
}

// ask sends a command and stores the result.
func (p *peer) ask(command map[string]any, into any) error {
	var answer struct {
		Result json.RawMessage
		Error  string
	}
	err := json.NewEncoder(p.in).Encode(command)
	if err == nil {
		err = p.out.Decode(&answer)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s has ended: %w", p.module, err)
	case answer.Error != "":
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Result, into)
}

// entries returns the peer's programs for a case. Of integrals all must have the value of the first:
// they are drawn from the same seed.
func (p *peer) entries(request map[string]any) ([]entry, error) {
	var names []string
	if err := p.ask(map[string]any{"do": "names", "case": request}, &names); err != nil {
		return nil, fmt.Errorf("%s: %w", p.module, err)
	}
	tool, _, _ := strings.Cut(p.version, " ")
	var all []entry
	var first *float64
	for _, name := range names {
		label := name
		if name != tool {
			label = tool + " " + name
		}
		all = append(all, entry{label, func() (program, error) {
			var value float64
			err := p.ask(map[string]any{"do": "make", "name": name, "case": request}, &value)
			if err == nil && strings.HasPrefix(p.module, Integrals) {
				if first == nil {
					first = &value
				}
				// Sums of up to 10⁸ numbers of float32, in different orders.
				if d := value - *first; !(d*d <= 1e-6*value*value) {
					err = fmt.Errorf("its value is %g, that of %s %g", value, names[0], *first)
				}
			}
			return p.program(name), err
		}})
	}
	return all, nil
}

// program returns the program of a name, which has been made.
func (p *peer) program(name string) program {
	return program{run: func(seconds float64) (times []float64, err error) {
		err = p.ask(map[string]any{"do": "run", "name": name, "seconds": seconds}, &times)
		return times, err
	}}
}

// drop frees the programs that were made.
func (p *peer) drop() { _ = p.ask(map[string]any{"do": "drop"}, new(float64)) }

// close ends the program.
func (p *peer) close() {
	_ = p.in.Close()
	_ = p.process.Wait()
}
