package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed peers.py
var script string

// peer is a running Python program with other people's way to do the work.
type peer struct {
	kind, version string
	process       *exec.Cmd
	in            io.WriteCloser
	out           *json.Decoder
}

// startPeer starts the programs of a kind, "torch" or "jax", that are in the folder, or those of
// "signax" or "pysiglib", which are packages of their own.
func startPeer(ctx context.Context, python, kind, folder string) (*peer, error) {
	if kind == "torch" || kind == "jax" {
		if _, err := os.Stat(filepath.Join(folder, kind+"_1form.py")); err != nil {
			return nil, err
		}
	}
	p := &peer{kind: kind, process: exec.CommandContext(ctx, python, "-c", script, kind, folder)}
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
		return nil, fmt.Errorf("%s does not start: %s", kind, lines[len(lines)-1])
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
		return fmt.Errorf("%s has ended: %w", p.kind, err)
	case answer.Error != "":
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Result, into)
}

// enter makes the variant of that name ready for a case.
func (p *peer) enter(c Case, name string) (program, error) {
	nodes, err := rule(c.Degree).Nodes(c.Degree)
	if err != nil {
		return program{}, err
	}
	points := make([][]float64, nodes.Len())
	for q := range points {
		points[q] = nodes.Point(q)
	}
	err = p.ask(map[string]any{"do": "make", "name": name, "k": c.Degree, "n": c.Dim, "count": c.Simplices,
		"forms": formCount, "hidden": hiddenWidth, "points": points, "weights": nodes.Weights}, new(bool))
	return p.program(name), err
}

// program returns what was made under a name.
func (p *peer) program(name string) program {
	return program{run: func(seconds float64) (times []float64, err error) {
		err = p.ask(map[string]any{"do": "run", "name": name, "seconds": seconds}, &times)
		return times, err
	}}
}

// close ends the program.
func (p *peer) close() {
	_ = p.in.Close()
	_ = p.process.Wait()
}
