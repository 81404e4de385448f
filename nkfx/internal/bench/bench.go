// Package bench compares the speed of nkf with programs in other tools: integrals of neural
// forms with their gradients and epochs of trainings against PyTorch and JAX, signatures of paths
// against signax and pysiglib. The programs, in the folder peers, are embedded. All take turns in one
// run, and the tables show medians. [Check] tests laws and reference values on a backend.
package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/floats"
)

// The races.
const (
	Integrals  = "integrals"
	Signatures = "signatures"
	Epochs     = "epochs"
	Meshes     = "meshes"
)

// Races lists all races. Meshes are run first, while the peak memory of the process is theirs.
var Races = []string{Meshes, Epochs, Integrals, Signatures}

// Case is work of some size; the fields that a race has no use for are zero.
type Case struct {
	Race      string `json:"race"`
	Degree    int    `json:"degree,omitempty"`    // integrals: of the forms
	Dim       int    `json:"dim,omitempty"`       // integrals and signatures: of the space
	Simplices int    `json:"simplices,omitempty"` // integrals and meshes
	Depth     int    `json:"depth,omitempty"`     // signatures
	Points    int    `json:"points,omitempty"`    // signatures: of a path
	Batch     int    `json:"batch,omitempty"`     // signatures: paths
	Gradient  bool   `json:"gradient,omitempty"`  // signatures: by the paths, of the sum of squares
	Dataset   string `json:"dataset,omitempty"`   // epochs
	Model     string `json:"model,omitempty"`     // epochs: one of package models
}

// String returns the case in words.
func (c Case) String() string {
	switch c.Race {
	case Signatures:
		return fmt.Sprintf("signatures to depth %d of %d paths of %d points in dimension %d", c.Depth,
			c.Batch, c.Points, c.Dim)
	case Epochs:
		return fmt.Sprintf("epochs of %s on %s", c.Model, c.Dataset)
	case Meshes:
		return fmt.Sprintf("2-forms on a mesh of %d triangles", c.Simplices)
	}
	return fmt.Sprintf("%d-forms in dimension %d, %d simplices", c.Degree, c.Dim, c.Simplices)
}

// Result is the time of one program on one case.
type Result struct {
	Case
	Program string  `json:"program"`
	Seconds float64 `json:"seconds"` // median of Runs calls
	Least   float64 `json:"least"`   // the shortest
	Runs    int     `json:"runs"`
	PeakGiB float64 `json:"peak_gib,omitempty"` // meshes: memory of the process, by then
	Skipped string  `json:"skipped,omitempty"`  // why there is no time
}

// Report holds the results of a run, and where they were measured.
type Report struct {
	Backend    string        `json:"backend"`
	CPUs       int           `json:"cpus"`
	Peers      []string      `json:"peers"`
	Missing    []string      `json:"missing,omitempty"`
	LoadBefore string        `json:"load_before"`
	LoadAfter  string        `json:"load_after"`
	Checks     []CheckResult `json:"checks,omitempty"`
	Results    []Result      `json:"results"`
	Left       []string      `json:"left,omitempty"` // cases that the time did not suffice for
}

// Options selects what to run.
type Options struct {
	Cases    []Case
	Seconds  float64       // for each program on each case, in several turns
	Limit    time.Duration // no case begins after it; 0: none
	Python   string        // runs the peers; empty for none
	Device   string        // of the peers: cpu or cuda
	Check    bool          // test laws and reference values first
	Progress io.Writer     // gets a line for every case

	Save func(*Report) error // gets the results so far after every case; nil for none
}

// turns is the number of turns that programs take on a case.
const turns = 5

// slow is the time of one call, in seconds, from which a program is left out of cases with more
// simplices.
const slow = 3

// tooSlowBefore is why such a program has no time.
const tooSlowBefore = "too slow before"

// Run times all programs on all cases. It reports a program that fails and a peer that is missing,
// and goes on.
func Run(ctx context.Context, backend compute.Backend, name string, o Options) (*Report, error) {
	begin := time.Now()
	report := &Report{Backend: name, CPUs: runtime.NumCPU(), LoadBefore: load(), Results: []Result{}}
	if o.Check {
		report.Checks = Check(backend)
	}
	folder, err := report.unpack(o.Python)
	defer os.RemoveAll(folder)
	if err != nil {
		return nil, err
	}
	tooSlow := map[Case]map[string]bool{}
	for _, c := range o.Cases {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if o.Limit > 0 && time.Since(begin) > o.Limit {
			report.Left = append(report.Left, c.String())
			continue
		}
		fmt.Fprintln(o.Progress, c)
		kind := c
		kind.Simplices = 0
		if tooSlow[kind] == nil {
			tooSlow[kind] = map[string]bool{}
		}
		peers := report.start(ctx, o, folder, c.Race)
		results, err := race(ctx, backend, peers, c, o.Seconds, tooSlow[kind])
		if err != nil {
			return nil, err
		}
		report.Results = append(report.Results, results...)
		if o.Save != nil {
			if err := o.Save(report); err != nil {
				return nil, err
			}
		}
	}
	report.LoadAfter = load()
	return report, nil
}

// program is one way to do the work of a case, ready to run.
type program struct {
	run  func(seconds float64) (times []float64, err error) // calls for that long, at least once
	free func()
}

// entry is a program before it is made ready.
type entry struct {
	name  string
	start func() (program, error)
}

// entries returns the programs of nkf for a case, what peers are asked for it, and what frees that.
func entries(ctx context.Context, backend compute.Backend, c Case) (own []entry,
	request map[string]any, free func(), err error) {
	free = func() {}
	switch c.Race {
	case Signatures:
		own = []entry{{"nkf", func() (program, error) { return ownSignature(backend, c) }}}
		request = map[string]any{"dim": c.Dim, "depth": c.Depth, "points": c.Points, "batch": c.Batch,
			"gradient": c.Gradient}
	case Epochs:
		t, err := newTraining(ctx, c)
		if err != nil {
			return nil, nil, free, err
		}
		own = []entry{{"nkf", func() (program, error) { return t.own(ctx, backend) }}}
		request, free = t.request(), t.free
	case Meshes:
		own = []entry{{"nkf", func() (program, error) { return ownMesh(backend, c) }}}
	default:
		for _, name := range []string{"corners", "vertices", "chunks"} {
			start := func() (program, error) { return ownIntegral(backend, c, name) }
			own = append(own, entry{"nkf " + name, start})
		}
		request, err = integralRequest(c)
	}
	return own, request, free, err
}

// race lets all programs take turns on one case, except those too slow on an earlier one, and ends the peers.
func race(ctx context.Context, backend compute.Backend, peers []*peer, c Case, seconds float64,
	tooSlow map[string]bool) ([]Result, error) {
	for _, p := range peers {
		defer p.close()
	}
	all, request, free, err := entries(ctx, backend, c)
	if err != nil {
		return nil, err
	}
	defer free()
	for _, p := range peers {
		others, err := p.entries(request)
		if err != nil { // the others go on
			others = []entry{{p.module, func() (program, error) { return program{}, err }}}
		}
		all = append(all, others...)
	}
	results, programs := make([]Result, len(all)), make([]program, len(all))
	defer func() {
		for _, p := range programs {
			if p.free != nil {
				p.free()
			}
		}
	}()
	for i, e := range all {
		results[i] = Result{Case: c, Program: e.name}
		if tooSlow[e.name] {
			results[i].Skipped = tooSlowBefore
		} else if programs[i], err = e.start(); err != nil {
			results[i].Skipped = err.Error()
		}
	}
	takeTurns(programs, results, seconds)
	if c.Race == Meshes {
		results[0].PeakGiB = peak()
	}
	for _, r := range results {
		if r.Skipped == "" {
			tooSlow[r.Program] = r.Seconds > slow
		}
	}
	return results, nil
}

// takeTurns times programs that are not skipped, turn by turn.
func takeTurns(programs []program, results []Result, seconds float64) {
	times := make([][]float64, len(programs))
	for range turns {
		for i := range results {
			r := &results[i]
			// A program with long calls has had its time early, after one call if that was very long.
			took := floats.Sum(times[i])
			if r.Skipped != "" || len(times[i]) > 2 && took > 4*seconds || took > 16*seconds {
				continue
			}
			more, err := programs[i].run(seconds / turns)
			if times[i] = append(times[i], more...); err != nil {
				r.Skipped = err.Error()
			}
			time.Sleep(20 * time.Millisecond) // threads may spin for a moment after a call
		}
	}
	for i := range results {
		r := &results[i]
		if r.Runs = len(times[i]); r.Skipped == "" {
			slices.Sort(times[i])
			r.Seconds, r.Least = times[i][r.Runs/2], times[i][0]
		}
	}
}

// timed calls f for that many seconds, at least once, and returns the seconds of each call, but of the first:
// it begins with what other programs left in caches and memory. Calls of a second or more may be the only
// ones.
func timed(seconds float64, f func() error) (times []float64, err error) {
	begin := time.Now()
	for len(times) == 0 || len(times) == 1 && times[0] < 1 || time.Since(begin).Seconds() < seconds {
		start := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start).Seconds())
	}
	return times[min(1, len(times)-1):], nil
}

// load returns the load averages of the machine, or "unknown".
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}
