package series

import (
	"errors"
	"fmt"
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
	Split datasets.Fold // the paths of the training file and those of the test file; Validation is empty
	// Coordinates are the names of the coordinates, in their order; c0, c1, … of time series.
	Coordinates []string
	// Label is what the classes or values to be learned are called: "class" or "target", or the column of a
	// table; "" where there are none.
	Label string
	// IDs are what the paths of a table are called; nil for time series.
	IDs     []string
	columns Columns // of a table, as they were asked for
	numbers []int32 // of paths in the files; nil where they count from 0 on

	tally
}

// tally counts what notes are about.
type tally struct {
	paths, shortest, longest int // and the numbers of their points
	filled                   int // values that were missing and are interpolated
	unlabeled                int // paths that were left out, because they have no label
}

// add adds what was counted of other paths.
func (t *tally) add(o tally) {
	if t.paths == 0 {
		t.shortest = o.shortest
	}
	t.paths, t.filled, t.unlabeled = t.paths+o.paths, t.filled+o.filled, t.unlabeled+o.unlabeled
	t.shortest, t.longest = min(t.shortest, o.shortest), max(t.longest, o.longest)
}

// build returns the paths that were read as one collection.
func (r *reader) build() (*Set, error) {
	info, err := r.learn()
	if err != nil {
		return nil, err
	}
	s, err := r.some(info, 0, len(r.paths))
	if err != nil {
		return nil, err
	}
	s.unlabeled = r.unlabeled
	s.Settings, s.Notes = r.settings(), s.notes(s.Features)
	return s, nil
}

// some returns the paths from to to-1, whose values are then those of the set alone.
func (r *reader) some(info datasets.Info, from, to int) (*Set, error) {
	s := &Set{Label: r.label, Coordinates: r.columns.Coordinates, columns: r.asked}
	if !r.table {
		for c := range r.n {
			s.Coordinates = append(s.Coordinates, "c"+strconv.Itoa(c))
		}
	}
	b := datasets.NewBuilder(r.n)
	b.Info = info
	b.Name, b.Features, b.SHA256 = r.title, r.features(), r.sums[0]
	for g := range r.paths[from:to] {
		p := &r.paths[from+g]
		filled, err := p.complete()
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", r.names[p.part], p.line, err)
		}
		points := len(p.points) / p.n
		s.add(tally{1, points, points, filled, 0})
		if s.Label == "" {
			b.AddPath(p.points)
		} else {
			b.AddPath(p.points, p.target)
		}
		if r.table {
			s.IDs = append(s.IDs, p.id)
		}
		s.numbers = append(s.numbers, p.number)
		if p.part == 0 {
			s.Split.Train = append(s.Split.Train, int32(g))
		} else {
			s.Split.Test = append(s.Split.Test, int32(g))
		}
		p.observed = nil // the builder has the points
	}
	var err error
	s.Collection, err = b.Collection()
	return s, err
}

// features says what the coordinates are.
func (r *reader) features() string {
	if r.table {
		return strings.Join(r.columns.Coordinates, ",")
	}
	return "channels"
}

// settings returns the columns of a table and the checksums of the test files.
func (r *reader) settings() any {
	columns := r.asked
	columns.Task = datasets.Automatic // what came of it counts
	return struct {
		Columns Columns
		Tests   []string
	}{columns, r.sums[1:]}
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
		p.pick(numbers)
	}
	if !slices.ContainsFunc(p.points, math.IsNaN) {
		return 0, nil
	}
	for c := range p.n {
		missing, ok := p.fill(c, numbers)
		if !ok {
			return 0, fmt.Errorf("channel %d has no value: leave the series out, or the channel", c)
		}
		filled += missing
	}
	return filled, nil
}

// fill interpolates the missing values of a channel, linearly between observations with given numbers, and
// counts them. It is not ok if all are missing.
func (p *path) fill(channel int, numbers []int) (missing int, ok bool) {
	value := func(i int) *float64 { return &p.row(i)[channel] }
	before := -1 // the last observation with a value
	for i, number := range numbers {
		if math.IsNaN(*value(i)) {
			missing++
			continue
		}
		for j := before + 1; j < i; j++ {
			if before < 0 {
				*value(j) = *value(i)
				continue
			}
			share := float64(numbers[j]-numbers[before]) / float64(number-numbers[before])
			*value(j) = *value(before) + share*(*value(i)-*value(before))
		}
		before = i
	}
	for j := before + 1; before >= 0 && j < len(numbers); j++ {
		*value(j) = *value(before)
	}
	return missing, before >= 0
}

// notes reports the sizes of the paths and their coordinates, how many values were missing and are
// interpolated, and what was left out.
func (t tally) notes(coordinates string) []string {
	length := strconv.Itoa(t.longest)
	if t.shortest < t.longest {
		length = fmt.Sprintf("%d to %d", t.shortest, t.longest)
	}
	notes := []string{fmt.Sprintf("%s of %s points, coordinates %s", english.Plural(t.paths, "path", ""),
		length, fileio.Printable(coordinates))}
	if t.filled > 0 {
		notes = append(notes, english.Plural(t.filled, "value is", "values are")+" missing and interpolated")
	}
	if t.unlabeled > 0 {
		notes = append(notes, english.Plural(t.unlabeled, "path", "")+" without a label left out")
	}
	return notes
}
