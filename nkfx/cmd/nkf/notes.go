package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
	"github.com/neuralkforms/nkf/datasets/moleculenet"
	"github.com/neuralkforms/nkf/datasets/series"
)

// note writes a line about some data to standard error.
func (a *app) note(name, format string, args ...any) {
	fmt.Fprintf(a.stderr, "nkf: %s: %s\n", fileio.Printable(name), fmt.Sprintf(format, args...))
}

// noteSkipped reports rows of a file that are not used: the first with their text, the others counted.
func (a *app) noteSkipped(m *moleculenet.Molecules) {
	const most = 3 // of each kind are listed
	for _, kind := range []struct {
		what string
		rows []moleculenet.Skipped
	}{{"no molecule", m.Refused}, {"no label", m.Unlabeled}} {
		if len(kind.rows) == 0 {
			continue
		}
		a.note(m.Name, "%d of %s left out, with %s", len(kind.rows),
			english.Plural(m.Len()+len(m.Refused)+len(m.Unlabeled), "row", ""), kind.what)
		for _, s := range kind.rows[:min(most, len(kind.rows))] {
			fmt.Fprintf(a.stderr, "  row %d, line %d: %s\n", s.Row, s.Line, fileio.Printable(s.Quoted()))
		}
		if more := len(kind.rows) - most; more > 0 {
			fmt.Fprintf(a.stderr, "  and %d more\n", more)
		}
	}
}

// noteTask reports what is learned of molecules.
func (a *app) noteTask(m *moleculenet.Molecules, asked datasets.Task) {
	what := fmt.Sprintf("the %s %s", english.Plural(len(m.Classes), "class", ""), quotedSome(m.Classes))
	task := datasets.Classification
	switch {
	case m.Regression:
		task = datasets.Regression
		what = "numbers: " + quotedSome(m.Tasks)
	case m.Tasks != nil:
		what = "0 or 1 of each of " + quotedSome(m.Tasks)
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

// quotedSome lists the first names.
func quotedSome(names []string) string {
	const listed = 6
	var out []string
	for _, name := range names[:min(listed+1, len(names))] {
		out = append(out, strconv.Quote(name))
	}
	return fileio.List(out)
}

// notePaths reports what was read, and what was changed or left out.
func (a *app) notePaths(set *series.Set) {
	shortest, longest := math.MaxInt, 0
	for g := range set.Len() {
		shortest, longest = min(shortest, set.Count(0, g)), max(longest, set.Count(0, g))
	}
	a.note(set.Name, "%s of %d to %d points, coordinates %s", english.Plural(set.Len(), "path", ""), shortest,
		longest, fileio.Printable(set.Features))
	for _, n := range []struct {
		count           int
		one, many, then string
	}{
		{set.Filled, "value is", "values are", "missing and interpolated"},
		{set.Unlabeled, "path", "", "without a label left out"},
		{set.Untimed, "point has", "points have", "no time, so that no times are used: name them (--t) to " +
			"see where"},
		{set.Skipped, "feature or track", "features or tracks", "without a line left out"},
		{set.Crossing, "track crosses", "tracks cross", "the date line, over which longitudes run on"},
	} {
		if n.count > 0 {
			a.note(set.Name, "%s %s", english.Plural(n.count, n.one, n.many), n.then)
		}
	}
	if set.Calendar {
		a.note(set.Name, "times look like dates, but are read as numbers: from 20240131 to 20240201 is 70, "+
			"not one (write 2024-01-31)")
	}
}

// noteClock reports what places and times of paths stand for.
func (a *app) noteClock(set *series.Set) {
	if set.Degrees() {
		a.note(set.Name, "places are on the sphere, in meters from the center of the Earth")
	}
	if set.IDs != nil && set.Time == "" {
		why := "there are no times, so that speeds are not known (--t has them)"
		if set.Untimed > 0 {
			why = "speeds are not known"
		}
		a.note(set.Name, "%s: the clock of a track is its length", why)
	}
}

// forecasts returns pieces of tracks to learn from, and reports them.
func (a *app) forecasts(tracks *series.Set, ahead, history float64) (datasets.Source, error) {
	pieces, err := tracks.Forecast(ahead, history)
	if err != nil {
		return nil, err
	}
	unit := ""
	if tracks.Degrees() {
		unit = "; east and north are in meters"
	}
	a.note(tracks.Name, "%s of %s, to learn the displacement in the next %g: %s%s",
		english.Plural(pieces.Len(), "piece", ""), english.Plural(tracks.Len(), "track", ""), ahead,
		quotedSome(pieces.Tasks), unit)
	return pieces, nil
}
