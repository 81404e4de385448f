package series

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/datasets"
)

// forecast is a task: where a path will be a time after its last observation, by the path over a time before.
type forecast struct {
	Ahead   float64 `json:"ahead"`
	History float64 `json:"history"`
}

// lookback is the history of a forecast, in times that it looks ahead, if none is given.
const lookback = 3

// Forecast returns pieces of the tracks, to learn where a track will be a time after an observation: each is
// the track up to some observation, from which on its displacement over the time is to be learned. Encoders
// of pieces read the time history before their ends, three times the time ahead if it is 0. They read the
// same of whole tracks, so a model of pieces forecasts whole tracks beyond their ends. Units are those of the
// times: seconds of dates.
//
// The first piece of a track ends at the first observation after which the history is complete, and each
// further one at least the time ahead later. Pieces end at observations: a place between two of them would
// tell of what comes after. An observation ends no piece if there is no other in the second half of its
// history, or if the time ahead falls into an interval between observations that is longer than that time:
// the place there is interpolated.
//
// The tasks are the changes of the coordinates. On the Earth they are the distances along the great circle to
// the east and to the north, as seen at the end of the piece, in meters, and the changes of other
// coordinates. [Set.Groups] numbers the tracks of the pieces. Labels of tracks are not kept. It is an error
// if the tracks have no times, if they have a [Columns.Clock], or if there is no piece to train on, or none
// to test with where there are tests.
func (s *Set) Forecast(ahead, history float64) (*Set, error) {
	f := &forecast{ahead, history}
	if history == 0 {
		f.History = lookback * ahead
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if len(s.Clock) > 0 {
		return nil, fmt.Errorf("%s: the tracks have a clock, which forecasts do not take", s.Name)
	}
	if s.Time == "" {
		return nil, fmt.Errorf("%s: the tracks have no times to forecast by: name the column of times",
			s.Name)
	}
	out := *s
	out.forecast, out.Label, out.Split = f, "displacement", datasets.Fold{}
	out.IDs, out.groups, out.numbers = nil, nil, nil
	earth := newChart(s.Collection, s.Header, s.Split.Train)
	b := datasets.NewBuilder(s.Dim)
	b.Info = s.Info
	b.Classes, b.Tasks, b.Regression, b.Label = nil, s.changes(earth), true, ""
	longest, tests := 0.0, make([]bool, s.Len())
	for _, g := range s.Split.Test {
		tests[g] = true
	}
	for g := range s.Len() {
		t := s.track(g)
		longest = max(longest, t.times[len(t.times)-1])
		pieces, err := f.cut(b, t, earth)
		if err != nil {
			return nil, fmt.Errorf("%q, path %d: %w", s.Name, s.number(g), err)
		}
		part := &out.Split.Train
		if tests[g] {
			part = &out.Split.Test
		}
		for range pieces {
			*part = append(*part, int32(len(out.groups)))
			group := int32(g)
			if s.groups != nil {
				group = s.groups[g]
			}
			out.groups = append(out.groups, group)
			if s.IDs != nil {
				out.IDs = append(out.IDs, s.IDs[g])
			}
		}
	}
	if len(out.Split.Train) == 0 || len(out.Split.Test) == 0 && len(s.Split.Test) > 0 {
		return nil, fmt.Errorf("%s: no track to train on, or none to test with, can be forecast by %g after "+
			"%g: that takes tracks of %g, with observations at most %g apart, and the longest is %.6g",
			s.Name, ahead, f.History, ahead+f.History, min(ahead, f.History/2), longest)
	}
	var err error
	out.Collection, err = b.Collection()
	return &out, err
}

// cut adds the pieces of a track, and returns their number.
func (f *forecast) cut(b *datasets.Builder, t track, earth *chart) (int, error) {
	space, err := earth.spatial(t)
	if err != nil {
		return 0, err
	}
	ends := f.ends(t.times)
	var times []float64
	for _, last := range ends {
		times = append(times, t.times[last]+f.Ahead)
	}
	then := track{n: space.n, points: space.at(t.times, times)}
	for i, last := range ends {
		begin := t.times[last] - f.History
		from := max(0, sort.Search(last, func(i int) bool { return t.times[i] > begin })-1)
		b.AddPath(t.points[from*t.n:(last+1)*t.n], earth.displacement(space.row(last), then.row(i))...)
		own := slices.Clone(t.times[from : last+1])
		floats.AddConst(-t.times[from], own)
		b.SetCochain(0, own)
	}
	return len(ends), nil
}

// check returns an error for a task that cannot be.
func (f *forecast) check() error {
	for _, x := range []float64{f.Ahead, f.History} {
		if !(x > 0) || x > maxTime {
			return fmt.Errorf("a forecast by %g after %g: both are positive times", f.Ahead, f.History)
		}
	}
	return nil
}

// ends returns the numbers of the observations that end a piece, by the times of all.
func (f *forecast) ends(times []float64) (ends []int) {
	slack := f.Ahead * nearly
	next := times[0] + f.History - slack
	for i, at := range times {
		if at < next || i+1 < len(times) && times[i+1] == at { // of several at a time the last counts
			continue
		}
		half, _ := slices.BinarySearch(times, at-f.History/2-slack)
		then, _ := slices.BinarySearch(times, at+f.Ahead-slack)
		if then == len(times) {
			break
		}
		if times[half] < at && min(times[then]-times[then-1], times[then]-at) <= f.Ahead+slack {
			ends, next = append(ends, i), at+f.Ahead-slack
		}
	}
	return ends
}

// changes returns the names of displacements.
func (h Header) changes(earth *chart) (names []string) {
	rest := h.Coordinates
	if earth != nil {
		names, rest = []string{"east", "north"}, others(earth, rest)
	}
	for _, name := range rest {
		names = append(names, "change of "+name)
	}
	return names
}

// spatial returns a track in coordinates in which it can be interpolated: on the Earth, points of the unit
// sphere and after them those that are no longitudes or latitudes.
func (c *chart) spatial(t track) (track, error) {
	if c == nil {
		return t, nil
	}
	out := track{n: t.n + 1, times: t.times}
	for p := range slices.Chunk(t.points, t.n) {
		if err := onEarth(0, p[c.Lat]); err != nil {
			return out, err
		}
		v := sphere(p[c.Lon], p[c.Lat])
		out.points = append(append(out.points, v.X, v.Y, v.Z), others(c, p)...)
	}
	return out, nil
}

// degrees is the inverse of spatial. Longitudes begin within 180 degrees of the first of the track like,
// whether these are from -180 or from 0, and run on over the date line.
func (c *chart) degrees(t, like track) track {
	if c == nil {
		return t
	}
	out, before := track{n: t.n - 1, times: t.times}, 0.0
	if len(like.points) > 0 {
		before = like.points[c.Lon]
	}
	for p := range slices.Chunk(t.points, t.n) {
		lon := math.Atan2(p[1], p[0]) * 180 / math.Pi
		before = lon + 360*math.Round((before-lon)/360)
		row := slices.Clone(p[1:])
		row[c.Lon], row[c.Lat] = before, math.Atan2(p[2], math.Hypot(p[0], p[1]))*180/math.Pi
		rest := p[3:]
		for i := range row {
			if i != c.Lon && i != c.Lat {
				row[i], rest = rest[0], rest[1:]
			}
		}
		out.points = append(out.points, row...)
	}
	return out
}

// displacement returns the way from one place to another, both in spatial coordinates: on the Earth the
// length of the great circle, in meters, times its direction at the beginning to the east and to the north.
func (c *chart) displacement(from, to []float64) []float64 {
	if c == nil {
		return floats.SubTo(make([]float64, len(from)), to, from)
	}
	at, v := chartAt(c.Lon, c.Lat, vector(from)), r3.Unit(vector(to))
	east, north := r3.Dot(at.East, v), r3.Dot(at.North, v)
	length := 0.0
	if sine := math.Hypot(east, north); sine > 0 {
		length = earthRadius * math.Atan2(sine, r3.Dot(at.Up, v)) / sine
	}
	out := []float64{length * east, length * north}
	return append(out, floats.SubTo(make([]float64, len(from)-3), to[3:], from[3:])...)
}

// local returns the last part of paths as displacements from their ends, each as long as the history: a path
// that is shorter stays at its first place before.
func (f *forecast) local(c *datasets.Collection, earth *chart) (*datasets.Collection, error) {
	b := datasets.NewBuilder(c.Dim)
	b.Info = c.Info
	for g := range c.Len() {
		t := trackOf(c, g)
		space, err := earth.spatial(t)
		if err != nil {
			return nil, fmt.Errorf("%q, path %d: %w, which the training had", c.Name, g, err)
		}
		last := len(t.times) - 1
		begin := t.times[last] - f.History
		first := space.at(t.times, []float64{begin})
		points, times := earth.displacement(space.row(last), first), []float64{0}
		for i, at := range t.times {
			if at > begin && i < last {
				points = append(points, earth.displacement(space.row(last), space.row(i))...)
				times = append(times, at-begin)
			}
		}
		b.AddPath(append(points, make([]float64, c.Dim)...), target(c, g)...)
		b.SetCochain(0, append(times, f.History))
	}
	return b.Collection()
}

// short returns the number of paths that are shorter than the history.
func (f *forecast) short(c *datasets.Collection) (count int) {
	for g := range c.Len() {
		if t := trackOf(c, g).times; len(t) > 0 && t[len(t)-1]-t[0] < f.History-f.Ahead*nearly {
			count++
		}
	}
	return count
}

// Groups returns the numbers of the tracks that pieces of a forecast are of, see [datasets.Grouper]. Tracks
// that have the same name in [Columns.ID] have the same number. It is nil where each path stands alone.
func (s *Set) Groups() []int32 { return s.groups }

// Baselines returns what forecasts are worth nothing without being better than: that a track stays where it
// is, and that it goes on with the mean velocity of the time ahead, or of the history if that is shorter. See
// [datasets.Baseliner].
func (s *Set) Baselines() (names []string, predicted [][]float64, err error) {
	if s.forecast == nil {
		return nil, nil, nil
	}
	pieces, err := s.forecast.local(s.Collection, newChart(s.Collection, s.Header, s.Split.Train))
	if err != nil {
		return nil, nil, err
	}
	time := min(s.forecast.Ahead, s.forecast.History)
	var still, steady []float64
	for g := range pieces.Len() {
		t := trackOf(pieces, g)
		way := t.at(t.times, []float64{s.forecast.History - time})
		floats.Scale(-s.forecast.Ahead/time, way)
		steady = append(steady, way...)
		still = append(still, make([]float64, t.n)...)
	}
	return []string{"staying", "going on"}, [][]float64{still, steady}, nil
}
