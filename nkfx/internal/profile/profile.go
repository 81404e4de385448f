// Package profile measures how the time of a process is spent. There is at most one profile at a time, of
// the whole process; without one, recording functions return at once.
package profile

import (
	"sync"
	"sync/atomic"
	"time"
)

// Part is what time goes into.
type Part int

// The parts of a run, in the order of tables.
const (
	Start      Part = iota // of the process, until Begin
	Backend                // opening and closing it
	Reading                // data, and cutting them into folds
	Building               // graphs of programs, and writing them for XLA
	Compiling              // programs, or loading them
	Transfer               // of tables that stay on the device
	Steps                  // of trainings, with packing and transfer of their batches
	Evaluation             // predictions and their losses
	Writing                // journals, results and figures
	Rest                   // what nothing else claims
	parts
)

var names = [parts]string{"start of the process", "backend", "reading data", "building graphs", "compiling",
	"transfer to the device", "training steps", "evaluation", "writing", "rest"}

// Row is what went into a part.
type Row struct {
	Part string
	// Seconds of the wall clock. Where several parts go on at once they share them evenly, so that all rows
	// add up to the time that passed.
	Seconds float64
	Times   int // that it began
}

// Report is where time went.
type Report struct {
	Seconds float64 // from the start of the process
	Rows    []Row   // of all parts
}

// recorder divides the time that passes between the parts that go on.
type recorder struct {
	mu     sync.Mutex
	last   time.Time // until then time is divided
	active [parts]int
	spent  [parts]time.Duration
	times  [parts]int
}

var current atomic.Pointer[recorder]

// begun is when the packages of the process were initialized.
var begun = time.Now()

// Begin begins the profile of the process, in the place of any other.
func Begin() {
	r := &recorder{last: time.Now()}
	r.spent[Start], r.times[Start] = r.last.Sub(begun), 1
	current.Store(r)
}

// End ends the profile and returns its report, nil if there is none.
func End() *Report {
	r := current.Swap(nil)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance()
	report := &Report{Seconds: r.last.Sub(begun).Seconds()}
	for p, d := range r.spent {
		report.Rows = append(report.Rows, Row{names[p], d.Seconds(), r.times[p]})
	}
	return report
}

// nothing ends what no profile records.
func nothing() {}

// In says that a part goes on until end is called.
func In(p Part) (end func()) { return Instead(Rest, p) }

// Instead says that a part goes on until end is called, in the place of another if its caller is in that.
func Instead(outer, p Part) (end func()) {
	r := current.Load()
	if r == nil {
		return nothing
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance()
	waits := min(1, r.active[outer])
	r.active[outer] -= waits
	r.active[p]++
	r.times[p]++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.advance()
		r.active[p]--
		r.active[outer] += waits
	}
}

// advance divides the time since the last call between what went on.
func (r *recorder) advance() {
	now := time.Now()
	passed := now.Sub(r.last)
	r.last = now
	count := 0
	for _, n := range r.active {
		count += n
	}
	if count == 0 {
		r.spent[Rest] += passed
		return
	}
	for p, n := range r.active {
		r.spent[p] += passed * time.Duration(n) / time.Duration(count)
	}
}
