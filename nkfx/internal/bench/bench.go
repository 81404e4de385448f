// Package bench times the integration of neural forms, value and gradient, beside other people's
// programs for the same work, for `nkf bench`: all take turns in one run, and the table shows
// medians.
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

// Case is a size of the work: simplices of a degree in a dimension.
type Case struct {
	Degree    int `json:"degree"`
	Dim       int `json:"dim"`
	Simplices int `json:"simplices"`
}

// Result is the time of one program on one case.
type Result struct {
	Case
	Timing
}

// Timing is the time of one program.
type Timing struct {
	Program string  `json:"program"`
	Seconds float64 `json:"seconds"` // median of Runs calls
	Least   float64 `json:"least"`   // the shortest
	Runs    int     `json:"runs"`
	Skipped string  `json:"skipped,omitempty"` // why there is no time
}

// Report holds the results of a run, and where they were measured.
type Report struct {
	Backend    string   `json:"backend"`
	CPUs       int      `json:"cpus"`
	Peers      []string `json:"peers"`
	Missing    []string `json:"missing,omitempty"`
	LoadBefore string   `json:"load_before"`
	LoadAfter  string   `json:"load_after"`
	Roofline   Roofline `json:"roofline"`
	Results    []Result `json:"results"`
	Mesh       []Mesh   `json:"mesh,omitempty"`

	Signatures []SignatureResult `json:"signatures,omitempty"`
}

// Options selects what to run.
type Options struct {
	Cases      []Case
	Signatures []Paths
	Seconds    float64   // for each program on each case, in several turns
	Python     string    // runs the peers
	Folder     string    // of the peers; empty for none
	Progress   io.Writer // gets a line for every case
}

// turns is how often the programs take turns on a case.
const turns = 5

// slow is the time of one call, in seconds, from which a program is left out of cases with more
// simplices.
const slow = 3

// Run times all programs on all cases. It reports a program that fails and a peer that is missing,
// and goes on.
func Run(ctx context.Context, backend compute.Backend, name string, o Options) (*Report, error) {
	report := &Report{Backend: name, CPUs: runtime.NumCPU(), LoadBefore: load()}
	var err error
	if report.Roofline, err = Measure(backend); err != nil {
		return nil, err
	}
	var started []*peer
	defer func() {
		for _, p := range started {
			p.close()
		}
	}()
	start := func(kinds ...string) (peers []*peer) {
		for _, kind := range kinds {
			if o.Folder == "" {
				break
			}
			p, err := startPeer(ctx, o.Python, kind, o.Folder)
			if err != nil {
				report.Missing = append(report.Missing, err.Error())
				continue
			}
			started, peers = append(started, p), append(peers, p)
			report.Peers = append(report.Peers, p.version)
		}
		return peers
	}
	var peers []*peer
	if len(o.Cases) > 0 {
		peers = start("torch", "jax")
	}
	tooSlow := map[string]bool{}
	for _, c := range o.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Progress, "%d-forms in dimension %d, %d simplices\n", c.Degree, c.Dim, c.Simplices)
		results, err := race(backend, peers, c, o.Seconds, tooSlow)
		if err != nil {
			return nil, err
		}
		report.Results = append(report.Results, results...)
	}
	if len(o.Signatures) > 0 {
		peers = start("signax", "pysiglib")
	}
	for _, c := range o.Signatures {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Progress, "signatures to depth %d of %d paths of %d points in dimension %d\n", c.Depth,
			c.Batch, c.Points, c.Dim)
		report.Signatures = append(report.Signatures, raceSignatures(backend, peers, c, o.Seconds)...)
	}
	report.LoadAfter = load()
	return report, nil
}

// program is one way to do the work of a case, ready to run.
type program struct {
	run  func(seconds float64) (times []float64, err error) // calls for that long, at least once
	free func()
}

// race lets all programs take turns on one case, except those too slow on an earlier one.
func race(backend compute.Backend, peers []*peer, c Case, seconds float64, tooSlow map[string]bool) (
	[]Result, error) {
	var results []Result
	var programs []program
	enter := func(name string, start func() (program, error)) {
		r, p := Result{c, Timing{Program: name}}, program{}
		if tooSlow[fmt.Sprint(c.Degree, c.Dim, name)] {
			r.Skipped = "too slow before"
		} else if started, err := start(); err != nil {
			r.Skipped = err.Error()
		} else {
			p = started
		}
		results, programs = append(results, r), append(programs, p)
	}
	defer func() {
		for _, p := range programs {
			if p.free != nil {
				p.free()
			}
		}
	}()
	for _, name := range []string{"corners", "vertices", "chunks"} {
		enter("nkf "+name, func() (program, error) { return own(backend, c, name) })
	}
	for _, p := range peers {
		var names []string
		if err := p.ask(map[string]any{"do": "names", "k": c.Degree}, &names); err != nil {
			return nil, err
		}
		defer func() { _ = p.ask(map[string]any{"do": "drop"}, new(bool)) }()
		for _, name := range names {
			enter(p.kind+" "+name, func() (program, error) { return p.enter(c, name) })
		}
	}
	timings := make([]*Timing, len(results))
	for i := range results {
		timings[i] = &results[i].Timing
	}
	takeTurns(programs, timings, seconds)
	for _, r := range results {
		if r.Skipped == "" {
			tooSlow[fmt.Sprint(c.Degree, c.Dim, r.Program)] = r.Seconds > slow
		}
	}
	return results, nil
}

// takeTurns times programs that are not skipped, turn by turn.
func takeTurns(programs []program, timings []*Timing, seconds float64) {
	times := make([][]float64, len(programs))
	for range turns {
		for i, r := range timings {
			// A program with long calls has had its time early.
			if r.Skipped != "" || len(times[i]) > 2 && floats.Sum(times[i]) > 4*seconds {
				continue
			}
			more, err := programs[i].run(seconds / turns)
			if times[i] = append(times[i], more...); err != nil {
				r.Skipped = err.Error()
			}
			time.Sleep(20 * time.Millisecond) // threads may spin for a moment after a call
		}
	}
	for i, r := range timings {
		if r.Runs = len(times[i]); r.Skipped == "" {
			slices.Sort(times[i])
			r.Seconds, r.Least = times[i][r.Runs/2], times[i][0]
		}
	}
}

// timed calls f for that many seconds, at least once, and returns the seconds of each call.
func timed(seconds float64, f func() error) (times []float64, err error) {
	for begin := time.Now(); len(times) == 0 || time.Since(begin).Seconds() < seconds; {
		start := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start).Seconds())
	}
	return times, nil
}

// load returns the load averages of the machine, or "unknown".
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}
