// Package bench times the integration of neural forms, value and gradient, beside other people's
// programs for the same work: all take turns in one run, and the table shows medians. It is what
// `nkf bench` prints.
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
	Program string `json:"program"`
	// Seconds is the median of Runs calls, and Least the shortest.
	Seconds float64 `json:"seconds"`
	Least   float64 `json:"least"`
	Runs    int     `json:"runs"`
	// Skipped says why there is no time.
	Skipped string `json:"skipped,omitempty"`
}

// Report is all results of a run, and where they were measured.
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
}

// Options says what to run.
type Options struct {
	Cases []Case
	// Seconds is the time that each program gets on each case, in several turns.
	Seconds float64
	// Python runs the peers, which are in Folder; an empty folder is none.
	Python, Folder string
	// Progress gets a line for every case.
	Progress io.Writer
}

// turns is how often the programs take turns on a case.
const turns = 5

// slow is the time of one call, in seconds, from which a program is left out of the cases with more
// simplices: its times grow with their number.
const slow = 3

// Run measures. A program that fails, or a peer that is not there, is reported and not fatal.
func Run(ctx context.Context, backend compute.Backend, name string, o Options) (*Report, error) {
	report := &Report{Backend: name, CPUs: runtime.NumCPU(), LoadBefore: load()}
	var err error
	if report.Roofline, err = Measure(backend); err != nil {
		return nil, err
	}
	var peers []*peer
	if o.Folder != "" {
		for _, kind := range []string{"torch", "jax"} {
			p, err := startPeer(ctx, o.Python, kind, o.Folder)
			if err != nil {
				report.Missing = append(report.Missing, err.Error())
				continue
			}
			defer p.close()
			peers = append(peers, p)
			report.Peers = append(report.Peers, p.version)
		}
	}
	left := map[string]bool{}
	for _, c := range o.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Progress, "%d-forms in dimension %d, %d simplices\n", c.Degree, c.Dim, c.Simplices)
		results, err := race(backend, peers, c, o.Seconds, left)
		if err != nil {
			return nil, err
		}
		report.Results = append(report.Results, results...)
	}
	report.LoadAfter = load()
	return report, nil
}

// entry is a program in a race: it runs for some seconds and returns the times of its calls.
type entry struct {
	name  string
	run   func(seconds float64) ([]float64, error)
	times []float64
	err   error
}

// race lets all programs take turns on one case. Those in left are left out, and those that turn
// out slow are added to it.
func race(backend compute.Backend, peers []*peer, c Case, seconds float64, left map[string]bool) (
	[]Result, error) {
	var entries []*entry
	var out []Result
	key := func(name string) string { return fmt.Sprint(c.Degree, c.Dim, name) }
	enter := func(name string, start func() (func(float64) ([]float64, error), error)) {
		if left[key(name)] {
			out = append(out, Result{Case: c, Program: name, Skipped: "too slow before"})
			return
		}
		run, err := start()
		entries = append(entries, &entry{name: name, run: run, err: err})
	}
	var frees []func()
	defer func() {
		for _, free := range frees {
			free()
		}
	}()
	for _, name := range []string{"corners", "vertices", "chunks"} {
		enter("nkf "+name, func() (func(float64) ([]float64, error), error) {
			p, err := graphProgram(backend, c, name)
			if name == "chunks" {
				p, err = chunkProgram(backend, c)
			}
			if err != nil {
				return nil, err
			}
			frees = append(frees, p.free)
			_, err = p.run()
			return p.turn, err
		})
	}
	for _, p := range peers {
		var names []string
		if err := p.ask(map[string]any{"do": "names", "k": c.Degree}, &names); err != nil {
			return nil, err
		}
		frees = append(frees, func() { _ = p.ask(map[string]any{"do": "drop"}, new(bool)) })
		for _, name := range names {
			enter(p.kind+" "+name, func() (func(float64) ([]float64, error), error) {
				return p.enter(c, name)
			})
		}
	}
	for range turns {
		for _, e := range entries {
			// A program whose calls are long has had its time after some.
			if e.err != nil || len(e.times) > 2 && sum(e.times) > 4*seconds {
				continue
			}
			times, err := e.run(seconds / turns)
			e.times, e.err = append(e.times, times...), err
			// Threads of one program may spin for a moment after a call.
			time.Sleep(20 * time.Millisecond)
		}
	}
	for _, e := range entries {
		r := Result{Case: c, Program: e.name, Runs: len(e.times)}
		if e.err != nil {
			r.Skipped = e.err.Error()
		} else {
			slices.Sort(e.times)
			r.Seconds, r.Least = e.times[len(e.times)/2], e.times[0]
			left[key(e.name)] = r.Seconds > slow
		}
		out = append(out, r)
	}
	return out, nil
}

// sum returns the sum of the times.
func sum(times []float64) float64 {
	total := 0.0
	for _, t := range times {
		total += t
	}
	return total
}

// load returns the load averages of the machine, or that they are unknown.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}
