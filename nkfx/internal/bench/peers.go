package bench

import (
	"bufio"
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
	command       *exec.Cmd
	in            io.WriteCloser
	out           *bufio.Scanner
}

// startPeer starts the programs of a kind, "torch" or "jax", that are in the folder.
func startPeer(ctx context.Context, python, kind, folder string) (*peer, error) {
	if _, err := os.Stat(filepath.Join(folder, kind+"_1form.py")); err != nil {
		return nil, err
	}
	p := &peer{kind: kind, command: exec.CommandContext(ctx, python, "-c", script, kind, folder)}
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var says strings.Builder
	p.command.Stderr = &says
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<26)
	var first struct{ Version string }
	if err := p.read(&first); err != nil {
		p.close()
		lines := strings.Split(strings.TrimSpace(says.String()), "\n")
		return nil, fmt.Errorf("%s does not start: %s", kind, lines[len(lines)-1])
	}
	p.version = first.Version
	return p, nil
}

// read reads one answer.
func (p *peer) read(into any) error {
	if !p.out.Scan() {
		return errors.Join(errors.New(p.kind+" has ended"), p.out.Err())
	}
	return json.Unmarshal(p.out.Bytes(), into)
}

// ask sends a command and stores the result.
func (p *peer) ask(command map[string]any, into any) error {
	line, err := json.Marshal(command)
	if err != nil {
		return err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%s has ended: %w", p.kind, err)
	}
	var answer struct {
		Result json.RawMessage
		Error  string
	}
	if err := p.read(&answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Result, into)
}

// enter makes the variant of that name ready for a case and returns what runs it.
func (p *peer) enter(c Case, name string) (func(seconds float64) ([]float64, error), error) {
	nodes, err := rule(c.Degree).Nodes(c.Degree)
	if err != nil {
		return nil, err
	}
	points := make([][]float64, nodes.Len())
	for q := range points {
		points[q] = nodes.Point(q)
	}
	err = p.ask(map[string]any{"do": "make", "name": name, "k": c.Degree, "n": c.Dim, "count": c.Simplices,
		"forms": formCount, "hidden": hiddenWidth, "points": points, "weights": nodes.Weights}, new(bool))
	return func(seconds float64) (times []float64, err error) {
		err = p.ask(map[string]any{"do": "run", "name": name, "seconds": seconds}, &times)
		return times, err
	}, err
}

// close ends the program.
func (p *peer) close() {
	_ = p.in.Close()
	_ = p.command.Wait()
}
