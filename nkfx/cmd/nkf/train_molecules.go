package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
)

// tellSkipped says which rows of a file are not used.
func (a *app) tellSkipped(m *moleculenet.Molecules) {
	const most = 20 // of each kind are listed
	for _, kind := range []struct {
		what string
		rows []moleculenet.Skipped
	}{{"no molecule", m.Refused}, {"no label", m.Unlabeled}} {
		if len(kind.rows) == 0 {
			continue
		}
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %s left out, with %s\n", m.Name, len(kind.rows),
			english.Plural(m.Len()+len(m.Refused)+len(m.Unlabeled), "row", ""), kind.what)
		for _, s := range kind.rows[:min(most, len(kind.rows))] {
			fmt.Fprintf(a.stderr, "  row %d, line %d: %s\n", s.Row, s.Line, datasets.Printable(s.Reason))
		}
		if more := len(kind.rows) - most; more > 0 {
			fmt.Fprintf(a.stderr, "  and %d more\n", more)
		}
	}
}

// tellTask says what is to be learned.
func (a *app) tellTask(m *moleculenet.Molecules, asked datasets.Task) {
	what := fmt.Sprintf("the %s %s", english.Plural(len(m.Classes), "class", ""), quotedSome(m.Classes))
	switch {
	case m.Tasks != nil && m.Task == datasets.Regression:
		what = "numbers: " + quotedSome(m.Tasks)
	case m.Tasks != nil:
		what = "0 or 1 of each of " + quotedSome(m.Tasks)
	}
	hint := ""
	if asked == datasets.Automatic {
		hint = " (--task takes other choices)"
	}
	fmt.Fprintf(a.stderr, "nkf: %s: %v, to learn %s%s\n", m.Name, m.Task, what, hint)
	if gaps := gaps(m.Targets); gaps > 0 {
		fmt.Fprintf(a.stderr, "nkf: %s: %d of %d labels are missing and count for nothing\n", m.Name, gaps,
			len(m.Targets))
	}
}

// quotedSome lists the first names.
func quotedSome(names []string) string {
	var out []string
	for _, name := range names[:min(listed+1, len(names))] {
		out = append(out, strconv.Quote(name))
	}
	return some(out)
}

// listed is how many values of a kind are listed.
const listed = 6

// some lists the first values.
func some(values []string) string {
	if len(values) > listed {
		values = append(slices.Clone(values[:listed]), "…")
	}
	return strings.Join(values, ", ")
}

// gaps returns how many of the targets are missing.
func gaps(targets []float32) int {
	count := 0
	for _, y := range targets {
		if math.IsNaN(float64(y)) {
			count++
		}
	}
	return count
}
