package series

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
)

// Set is a data set of paths with its default split.
type Set struct {
	*datasets.Collection
	Header
	Columns Columns       // of tracks, as they were asked for
	Split   datasets.Fold // the paths of the training file and those of the test file; Validation is empty
	Filled  int           // values that were missing and are interpolated
	// Label is what the classes or values to be learned are called: "class" or "target", or the column of
	// tracks; "" where there are none.
	Label string
	// IDs are what tracks are called, "" without a name; nil for time series.
	IDs       []string
	Tests     []string // SHA-256 of what is tested with, file after file
	Unlabeled int      // paths that were left out, because they have no label
	Skipped   int      // features of GeoJSON without a line and tracks of GPX without a point, left out
	Crossing  int      // tracks that cross the date line, over which their longitudes run on
}

// MaxLength returns the number of vertices of the longest of the given paths.
func (s *Set) MaxLength(ids []int32) int {
	longest := 0
	for _, g := range ids {
		longest = max(longest, s.Count(0, int(g)))
	}
	return longest
}

// path is one series: rows of values, NaN where missing, and what it belongs to.
type path struct {
	line     int
	id       string
	channels [][]float64 // [n][T]
	times    []float64   // [T]; nil for none
	timeless bool        // whether an observation of a track has no time
	label    string      // as the file has it
	target   float64     // the value that the label is, or the number of its class
}

// points returns the observations [T, n] without those that lack all channels, their times, and how many
// values were interpolated. It is an error if a channel has no value at all.
func (p *path) points() (points, times []float64, filled int, err error) {
	n, length := len(p.channels), 0
	if n > 0 {
		length = len(p.channels[0])
	}
	var keep []int
	for t := range length {
		if slices.ContainsFunc(p.channels, func(c []float64) bool { return !math.IsNaN(c[t]) }) {
			keep = append(keep, t)
		}
	}
	if len(keep) == 0 {
		return nil, nil, 0, fmt.Errorf("a series without a single value")
	}
	at := func(t int) float64 {
		if p.times != nil {
			return p.times[t]
		}
		return float64(t)
	}
	points = make([]float64, len(keep)*n)
	for c, values := range p.channels {
		known := slices.DeleteFunc(slices.Clone(keep), func(t int) bool { return math.IsNaN(values[t]) })
		if len(known) == 0 {
			return nil, nil, 0, fmt.Errorf("channel %d has no value: leave the series out, or the channel", c)
		}
		filled += len(keep) - len(known)
		for i, t := range keep {
			points[i*n+c] = interpolate(values, known, at, t)
		}
	}
	for _, t := range keep {
		if p.times != nil {
			times = append(times, p.times[t]-p.times[keep[0]])
		}
	}
	return points, times, filled, nil
}

// interpolate returns the value at time t, of those that are known at some.
func interpolate(values []float64, known []int, at func(t int) float64, t int) float64 {
	i, found := slices.BinarySearch(known, t)
	switch {
	case found:
		return values[t]
	case i == 0:
		return values[known[0]]
	case i == len(known):
		return values[known[i-1]]
	}
	a, b := known[i-1], known[i]
	share := (at(t) - at(a)) / (at(b) - at(a))
	if at(a) == at(b) { // a track may have several observations at a time
		share = float64(t-a) / float64(b-a)
	}
	return values[a] + share*(values[b]-values[a])
}

// file is what one file holds.
type file struct {
	name        string // of the file
	sum         string
	title       string   // of the data set
	coordinates []string // names, of tracks
	units       []string // of the coordinates
	clock       string   // name of the times
	classes     []string // as declared; nil for none
	task        string   // name of the class or the value to be learned
	regression  bool
	labeled     bool
	folders     bool // of tracks: classes are those of folders
	tracks      bool
	paths       []path
	values      int  // of all paths
	times       int  // that were read
	dates       bool // whether these are dates; else they are numbers
	skipped     int  // features without a line, or tracks without a point
	crossing    int  // tracks that cross the date line
}

// newSet returns the paths of parts as one collection, the first of which is to be trained on and the others
// to be tested with. What is to be learned of them is what the task says.
func newSet(parts []part, task datasets.Task) (*Set, error) {
	var files []*file
	for _, p := range parts {
		if !slices.ContainsFunc(p.files, func(f *file) bool { return len(f.paths) > 0 }) {
			return nil, fmt.Errorf("%s: no series", p.name)
		}
		files = append(files, p.files...)
	}
	first := files[0]
	learned, err := learn(parts, task)
	if err != nil {
		return nil, err
	}
	n := dimension(files)
	b := datasets.NewBuilder(n)
	b.Name, b.Features, b.SHA256 = parts[0].title, "channels", parts[0].sum
	b.Classes, b.Tasks, b.Regression = learned.classes, learned.tasks, learned.tasks != nil
	timed := !slices.ContainsFunc(files, func(f *file) bool {
		return slices.ContainsFunc(f.paths, func(p path) bool { return p.times == nil })
	})
	s := &Set{
		Header: Header{Coordinates: first.coordinates, Units: first.units},
		Label:  learned.label, Unlabeled: learned.without,
	}
	if timed {
		s.Time = cmp.Or(first.clock, "time")
	}
	if first.tracks {
		b.Features = strings.Join(first.coordinates, ",")
	} else {
		for c := range n {
			s.Coordinates, s.Units = append(s.Coordinates, "c"+strconv.Itoa(c)), append(s.Units, "")
		}
	}
	for _, f := range files {
		s.Skipped, s.Crossing = s.Skipped+f.skipped, s.Crossing+f.crossing
		if f.times > 0 && first.times > 0 && f.dates != first.dates {
			return nil, fmt.Errorf("%s and %s: the times of one are dates, and of the other numbers",
				first.name, f.name)
		}
	}
	for i, p := range parts {
		if i > 0 {
			s.Tests = append(s.Tests, p.sum)
		}
		if err := s.addPart(b, p, i > 0, timed); err != nil {
			return nil, err
		}
	}
	s.Collection, err = b.Collection()
	return s, err
}

// dimension returns the number of channels of the first path.
func dimension(files []*file) int {
	for _, f := range files {
		for _, p := range f.paths {
			return len(p.channels)
		}
	}
	return 0
}

// addPart adds the paths of a part to the builder, to be trained on or tested with, with times or without.
func (s *Set) addPart(b *datasets.Builder, part part, test, timed bool) error {
	to := &s.Split.Train
	if test {
		to = &s.Split.Test
	}
	for _, f := range part.files {
		for p := range slices.Values(f.paths) {
			if !timed {
				p.times = nil
			}
			if err := s.add(b, &p); err != nil {
				return fmt.Errorf("%s, line %d: %w", f.name, p.line, err)
			}
			if f.tracks {
				s.IDs = append(s.IDs, p.id)
			}
			*to = append(*to, int32(len(s.Split.Train)+len(s.Split.Test)))
		}
	}
	return nil
}

// add adds a path to the builder.
func (s *Set) add(b *datasets.Builder, p *path) error {
	if n := len(s.Coordinates); len(p.channels) != n {
		return fmt.Errorf("%d channels, but the first series has %d", len(p.channels), n)
	}
	points, times, filled, err := p.points()
	if err != nil {
		return err
	}
	s.Filled += filled
	if s.Label == "" {
		b.AddPath(points)
	} else {
		b.AddPath(points, p.target)
	}
	if times != nil {
		b.SetCochain(0, times)
	}
	return nil
}
