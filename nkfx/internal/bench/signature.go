package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/signature"
)

// Paths is a size of the work on paths: signatures of a batch of random walks.
type Paths struct {
	Dim    int `json:"dim"`
	Depth  int `json:"depth"`
	Points int `json:"points"`
	Batch  int `json:"batch"`
}

// SignatureResult is the time of one program on signatures: of their value, or of it with the
// gradient of the sum of their squares by the paths.
type SignatureResult struct {
	Paths
	Gradient bool `json:"gradient"`
	Timing
}

// raceSignatures lets all programs take turns.
func raceSignatures(backend compute.Backend, peers []*peer, c Paths, seconds float64) []SignatureResult {
	var results []SignatureResult
	var programs []program
	for _, gradient := range []bool{false, true} {
		enter := func(name string, start func() (program, error)) {
			r := SignatureResult{c, gradient, Timing{Program: name}}
			p, err := start()
			if err != nil {
				r.Skipped = err.Error()
			}
			results, programs = append(results, r), append(programs, p)
		}
		enter("nkf", func() (program, error) { return ownSignature(backend, c, gradient) })
		for _, p := range peers {
			enter(p.kind, func() (program, error) { return p.enterSignature(c, gradient) })
		}
	}
	timings := make([]*Timing, len(results))
	for i := range results {
		timings[i] = &results[i].Timing
	}
	takeTurns(programs, timings, seconds)
	for _, p := range programs {
		if p.free != nil {
			p.free()
		}
	}
	for _, p := range peers {
		_ = p.ask(map[string]any{"do": "drop"}, new(bool))
	}
	return results
}

// ownSignature returns nkf's program, called once.
func ownSignature(backend compute.Backend, c Paths, gradient bool) (program, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	steps := random(rng, c.Batch*c.Points*c.Dim)
	for i := range steps {
		steps[i] *= 0.1
		if i/c.Dim%c.Points > 0 {
			steps[i] += steps[i-c.Dim]
		}
	}
	x := tensors.FromFlatDataAndDimensions(steps, c.Batch, c.Points, c.Dim)
	exec, err := NewExec(backend, func(x *Node) []*Node {
		y := signature.Signature(x, c.Depth)
		if !gradient {
			return []*Node{y}
		}
		loss := ReduceAllSum(Square(y))
		return []*Node{loss, Gradient(loss, x)[0]}
	})
	if err != nil {
		return program{}, err
	}
	run := func() error {
		out, err := exec.Call(x)
		for _, y := range out {
			y.MustFinalizeAll()
		}
		return err
	}
	p := program{func(seconds float64) ([]float64, error) { return timed(seconds, run) }, func() {
		exec.Finalize()
		x.MustFinalizeAll()
	}}
	return p, run()
}

// enterSignature makes a peer ready for a case.
func (p *peer) enterSignature(c Paths, gradient bool) (program, error) {
	name := fmt.Sprintf("gradient %t", gradient)
	err := p.ask(map[string]any{"do": "make", "name": name, "gradient": gradient, "dim": c.Dim,
		"depth": c.Depth, "points": c.Points, "batch": c.Batch}, new(bool))
	return p.program(name), err
}
