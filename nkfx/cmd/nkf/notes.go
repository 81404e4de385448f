package main

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// note writes a line about some data to standard error.
func (a *app) note(name, format string, args ...any) {
	fmt.Fprintf(a.stderr, "nkf: %s: %s\n", fileio.Printable(name), fmt.Sprintf(format, args...))
}

// notes reports what was read of some data.
func (a *app) notes(data datasets.Source) {
	info := data.Describe()
	for _, note := range info.Notes {
		a.note(info.Name, "%s", note)
	}
}

// noteTask reports what is learned of molecules.
func (a *app) noteTask(m *moleculenet.Molecules, asked datasets.Task) {
	what := fmt.Sprintf("the %s %s", english.Plural(len(m.Classes), "class", ""), fileio.Quoted(m.Classes))
	task := datasets.Classification
	switch {
	case m.Regression:
		task = datasets.Regression
		what = "numbers: " + fileio.Quoted(m.Tasks)
	case m.Tasks != nil:
		what = "0 or 1 of each of " + fileio.Quoted(m.Tasks)
	}
	if asked == datasets.Automatic {
		what += " (--task takes other choices)"
	}
	a.note(m.Name, "%v, to learn %s", task, what)
	gaps := 0
	for _, targets := range m.Targets {
		for _, y := range targets {
			if math.IsNaN(y) {
				gaps++
			}
		}
	}
	if gaps > 0 {
		a.note(m.Name, "%d of %d labels are missing and are ignored", gaps, m.Len()*len(m.Tasks))
	}
}
