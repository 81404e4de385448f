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

// unpack writes the scripts to a folder, "" if there is no Python.
func (r *Report) unpack(python string) (folder string, err error) {
	if python == "" {
		return "", nil
	}
	if _, err := exec.LookPath(python); err != nil {
		r.miss(fmt.Sprintf("there is no Python at %s to run PyTorch and the others: `make bench` installs "+
			"one with them, and NKF_PYTHON names another", python))
		return "", nil
	}
	if folder, err = os.MkdirTemp("", "nkf-peers"); err == nil {
		err = os.CopyFS(folder, scripts)
	}
	return folder, err
}

// start starts the peers of a race, for one case, after which their memory is free. The report has those that
// are missing.
func (r *Report) start(ctx context.Context, o Options, folder, race string) (peers []*peer) {
	for _, module := range modules[race] {
		if folder == "" {
			break
		}
		p, err := startPeer(ctx, o.Python, filepath.Join(folder, "peers"), module, o.Device)
		if err != nil {
			r.miss(err.Error())
			continue
		}
		peers = append(peers, p)
		if !slices.Contains(r.Peers, p.version) {
			r.Peers = append(r.Peers, p.version)
		}
	}
	return peers
}

// miss notes once what is missing.
func (r *Report) miss(what string) {
	if !slices.Contains(r.Missing, what) {
		r.Missing = append(r.Missing, what)
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
			return program{run: func(seconds float64) (times []float64, err error) {
				err = p.ask(map[string]any{"do": "run", "name": name, "seconds": seconds}, &times)
				return times, err
			}}, err
		}})
	}
	return all, nil
}

// close ends the program.
func (p *peer) close() {
	_ = p.in.Close()
	_ = p.process.Wait()
}
