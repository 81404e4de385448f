package series

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/fileio"
)

// Set is a data set of paths with its default split.
type Set struct {
	*datasets.Collection
	Header
	Split datasets.Fold // the paths of the training file and those of the test file; Validation is empty
	// Label is what the classes or values to be learned are called: "class" or "target", or the column of
	// tracks; "" where there are none.
	Label string
	// IDs are what tracks are called, "" without a name; nil for time series.
	IDs      []string
	columns  Columns   // of tracks, as they were asked for
	tests    []string  // SHA-256 of what is tested with, file after file
	forecast *forecast // that these are pieces for; nil of other paths
	groups   []int32   // as Groups returns them
	numbers  []int32   // of paths in the files; nil where they count from 0 on

	filled    int  // values that were missing and are interpolated
	unlabeled int  // paths that were left out, because they have no label
	untimed   int  // observations without a time, for which the times of all others are not kept
	calendar  bool // all times are numbers that look like dates, as 20240131
	skipped   int  // features of GeoJSON without a line and tracks of GPX without a point, left out
	crossing  int  // tracks that cross the date line, over which their longitudes run on
}

// build returns the paths that were read as one collection.
func (r *reader) build() (*Set, error) {
	s := &r.set
	info, err := r.learn()
	if err != nil {
		return nil, err
	}
	s.Label, s.tests, s.groups = r.label, append(s.tests, r.sums[1:]...), r.groups()
	if !r.tracks {
		for c := range r.n {
			s.Coordinates, s.Units = append(s.Coordinates, "c"+strconv.Itoa(c)), append(s.Units, "")
		}
	}
	timed, err := r.takeTimes()
	if err != nil {
		return nil, err
	}
	if err := r.takeClock(); err != nil {
		return nil, err
	}
	b := datasets.NewBuilder(len(s.Coordinates))
	b.Info = info
	b.Name, b.Features, b.SHA256 = r.title, "channels", r.sums[0]
	if r.tracks {
		b.Features = strings.Join(s.Coordinates, ",")
	}
	for g := range r.paths {
		p := &r.paths[g]
		if !timed {
			p.times = nil
		}
		filled, err := p.complete()
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", p.file, p.line, err)
		}
		s.filled += filled
		if timed {
			p.wind(r.periods)
		}
		if s.Label == "" {
			b.AddPath(p.points)
		} else {
			b.AddPath(p.points, p.target)
		}
		if timed {
			b.SetCochain(0, p.times)
		}
		if r.tracks {
			s.IDs = append(s.IDs, p.id)
		}
		s.numbers = append(s.numbers, p.number)
		if p.part == 0 {
			s.Split.Train = append(s.Split.Train, int32(g))
		} else {
			s.Split.Test = append(s.Split.Test, int32(g))
		}
		p.points, p.times = nil, nil // the builder has them
	}
	s.Collection, err = b.Collection()
	return s, err
}

// complete leaves out the observations without any value, and interpolates what else is missing, which it
// counts. It is an error if a channel has no value at all.
func (p *path) complete() (filled int, err error) {
	var numbers []int // of the observations that stay
	for t := range len(p.points) / p.n {
		if slices.ContainsFunc(p.row(t), func(x float64) bool { return !math.IsNaN(x) }) {
			numbers = append(numbers, t)
		}
	}
	if len(numbers) == 0 {
		return 0, errors.New("a series without a single value")
	}
	if len(numbers) < len(p.points)/p.n {
		p.track = p.pick(numbers)
	}
	if !slices.ContainsFunc(p.points, math.IsNaN) {
		return 0, nil
	}
	clock := p.times
	if clock == nil {
		for _, t := range numbers {
			clock = append(clock, float64(t))
		}
	}
	for c := range p.n {
		known := track{n: 1}
		for i, at := range clock {
			if x := p.row(i)[c]; !math.IsNaN(x) {
				known.points, known.times = append(known.points, x), append(known.times, at)
			}
		}
		if known.times == nil {
			return 0, fmt.Errorf("channel %d has no value: leave the series out, or the channel", c)
		}
		for i, x := range known.at(known.times, clock) {
			if math.IsNaN(p.row(i)[c]) {
				p.row(i)[c] = x
				filled++
			}
		}
	}
	return filled, nil
}

// Notes reports the sizes of the paths and their coordinates, how many values were missing and are
// interpolated, what was left out, and what is not as it looks, see [datasets.Noter].
func (s *Set) Notes() []string {
	shortest, longest := math.MaxInt, 0
	for g := range s.Len() {
		shortest, longest = min(shortest, s.Count(0, g)), max(longest, s.Count(0, g))
	}
	notes := []string{fmt.Sprintf("%s of %d to %d points, coordinates %s",
		english.Plural(s.Len(), "path", ""), shortest, longest, fileio.Printable(s.Features))}
	for _, n := range []struct {
		count           int
		one, many, then string
	}{
		{s.filled, "value is", "values are", "missing and interpolated"},
		{s.unlabeled, "path", "", "without a label left out"},
		{s.untimed, "point has", "points have", "no time, so that no times are used: name them (--t) to " +
			"see where"},
		{s.skipped, "feature or track", "features or tracks", "without a line left out"},
		{s.crossing, "track crosses", "tracks cross", "the date line, over which longitudes run on"},
	} {
		if n.count > 0 {
			notes = append(notes, english.Plural(n.count, n.one, n.many)+" "+n.then)
		}
	}
	if s.calendar {
		notes = append(notes, "times look like dates, but are read as numbers: from 20240131 to 20240201 is "+
			"70, not one (write 2024-01-31)")
	}
	return notes
}

// Degrees reports whether an encoder takes coordinates for a longitude and a latitude in degrees, by their
// units or by their names: paths to train on have no latitude beyond 90.
func (s *Set) Degrees() bool { return newChart(s.Collection, s.Header, s.Split.Train) != nil }

// track returns path g.
func (s *Set) track(g int) track { return trackOf(s.Collection, g) }

// trackOf returns path g of a collection.
func trackOf(c *datasets.Collection, g int) track {
	t := track{n: c.Dim, points: c.Points(g)}
	if c.Simplices[0].Width == 1 {
		t.times = c.Simplices[0].Cochain[c.VertexStart[g]:c.VertexStart[g+1]]
	}
	return t
}

// Header names the columns of paths.
type Header struct {
	// Coordinates are the names of the coordinates, in their order; c0, c1, … of time series.
	Coordinates []string `json:"coordinates"`
	// Units are those of the coordinates: "degrees" of longitudes and latitudes and "meters" of elevations in
	// GPX and GeoJSON, "" where the file does not say.
	Units []string `json:"units"`
	// Time is the name of the times that order the observations; "" where they have none.
	Time string `json:"time,omitempty"`
	// Dates is whether times were dates, and are seconds; else they are numbers in a unit of their own.
	Dates bool `json:"dates,omitempty"`
	// Clock are the periods of which the last coordinates are, the cosine and the sine of each.
	Clock []string `json:"clock,omitempty"`
}

// units returns those that GPX and GeoJSON have by definition.
func units(coordinates []string) []string {
	out := make([]string, len(coordinates))
	for i, name := range coordinates {
		out[i] = map[string]string{"lon": "degrees", "lat": "degrees", "ele": "meters"}[name]
	}
	return out
}

// earth returns the numbers of the coordinates that are a longitude and a latitude, -1 for none: those with
// such names, or else the first two in degrees.
func (h Header) earth() (lon, lat int) {
	find := func(names ...string) int {
		return slices.IndexFunc(h.Coordinates, func(s string) bool {
			return slices.Contains(names, strings.ToLower(s))
		})
	}
	lon, lat = find("lon", "lng", "long", "longitude"), find("lat", "latitude")
	if first := slices.Index(h.Units, "degrees"); (lon < 0 || lat < 0) && first >= 0 {
		if next := slices.Index(h.Units[first+1:], "degrees"); next >= 0 {
			return first, first + 1 + next
		}
	}
	return lon, lat
}

// takes returns an error unless paths with the header given can stand for paths with this header: the same
// coordinates in the same order, in units that do not contradict, the same clock, and times if these have
// times.
func (h Header) takes(given Header) error {
	list := func(names []string) string { return fileio.Printable(strings.Join(names, ", ")) }
	if !slices.Equal(given.Clock, h.Clock) {
		none := func(clock []string) string { return cmp.Or(list(clock), "none") }
		return fmt.Errorf("the periods of the clock are %s in place of %s: give --clock as in the training",
			none(given.Clock), none(h.Clock))
	}
	if len(given.Coordinates) != len(h.Coordinates) {
		return fmt.Errorf("there are the coordinates %s in place of %s", list(given.Coordinates),
			list(h.Coordinates))
	}
	for i, name := range given.Coordinates {
		if name != h.Coordinates[i] {
			return fmt.Errorf("coordinate %d is %q in place of %q: name the coordinates %s, in this order",
				i+1, name, h.Coordinates[i], list(h.Coordinates))
		}
		if a, b := given.Units[i], h.Units[i]; a != b && a != "" && b != "" {
			return fmt.Errorf("coordinate %q is in %s in place of %s", name, a, b)
		}
	}
	kinds := map[bool]string{false: "numbers", true: "dates"}
	switch {
	case h.Time == "":
		return nil
	case given.Time == h.Time && given.Dates != h.Dates:
		return fmt.Errorf("the times are %s in place of %s: write them as in the training",
			kinds[given.Dates], kinds[h.Dates])
	case given.Time == h.Time:
		return nil
	case given.Time == "":
		return fmt.Errorf("there are no times in place of %q, which orders the observations: "+
			"name the column of times", h.Time)
	}
	return fmt.Errorf("the times are %q in place of %q", given.Time, h.Time)
}

// WriteCSV writes the paths as a table of tracks, with a row for every observation, for other programs: the
// columns are id, the coordinates, the time if there is one, and the label; of pieces, the changes to be
// forecast.
func (s *Set) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := append([]string{"id"}, s.Coordinates...)
	if s.Time != "" {
		head = append(head, s.Time)
	}
	switch {
	case s.forecast != nil:
		head = append(head, s.Tasks...)
	case s.Label != "":
		head = append(head, s.Label)
	}
	rows := [][]string{head}
	spell := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for g := range s.Len() {
		t := s.track(g)
		for i := range len(t.points) / t.n {
			row := []string{strconv.Itoa(g)}
			for _, x := range t.row(i) {
				row = append(row, spell(x))
			}
			if s.Time != "" {
				row = append(row, spell(t.times[i]))
			}
			switch {
			case s.Label != "" && s.Classes != nil:
				row = append(row, s.Classes[s.Labels[g]])
			case s.Label != "":
				for _, y := range target(s.Collection, g) {
					row = append(row, spell(y))
				}
			}
			rows = append(rows, row)
		}
	}
	if i := slices.Index(head[1:], "id"); i >= 0 {
		return fmt.Errorf("column %d is called id, as the column that names the paths", i+1)
	}
	return out.WriteAll(rows)
}

// target returns the target of path g, in the form of [datasets.Builder.Add].
func target(c *datasets.Collection, g int) (values []float64) {
	if c.Tasks == nil {
		return []float64{float64(c.Labels[g])}
	}
	for _, y := range c.Targets[g*len(c.Tasks) : (g+1)*len(c.Tasks)] {
		values = append(values, float64(y))
	}
	return values
}
