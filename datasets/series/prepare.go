package series

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
)

// preparation resamples paths to a fixed number of points and standardizes channels to mean 0 and standard
// deviation 1, for networks on a fixed grid. It is fitted to the training paths and applied to all.
type preparation struct {
	Points    int       `json:"points"`    // of every path
	Mean      []float64 `json:"mean"`      // [n]: of the channels
	Deviation []float64 `json:"deviation"` // [n]
	// Farthest are the largest distances from the mean of the observations that it was found on, in standard
	// deviations [n].
	Farthest []float64 `json:"farthest"`
	// Longest is the length of the longest path, where lengths differ: one more channel then has the length
	// of a path relative to it, from -1 to 1. It is 0 where they do not. Lengths are numbers of vertices, or,
	// by time, durations.
	Longest float64 `json:"longest,omitempty"`
	// Speed is the median speed, in deviations per time, if points are evenly spaced in time and durations
	// differ, so that differences of points are no velocities. As many more channels then have velocities,
	// relative to it and by a logarithm on both sides of 0. It is 0 where differences of points suffice.
	Speed float64 `json:"speed,omitempty"`
	// ByTime is whether points are evenly spaced in the time of the observations, and not in their number.
	ByTime bool `json:"by_time,omitempty"`
	// Hands is the number of coordinates of a clock, the last ones, which have no velocities.
	Hands int `json:"hands,omitempty"`
}

const (
	// rounding is the share of a coordinate below which a deviation is one of its last digits.
	rounding = 1e-12
	// nearly is the share of durations by which they differ where they are the same but for rounding: dates
	// of this century are known to 2e-7 seconds.
	nearly = 1e-5
)

// grid returns the number of points that paths of the given length are resampled to: the smallest of 9, 17,
// 33, 65 and 129 that is not below it, and 129 for all that are longer. Each is twice the next but one, so
// that every second point of a grid is a grid.
func grid(length int) int {
	points := 9
	for points < min(length, 129) {
		points = 2*points - 1
	}
	return points
}

// columnsOf returns the coordinates of some paths, column by column.
func columnsOf(c *datasets.Collection, ids []int32) [][]float64 {
	columns := make([][]float64, c.Dim)
	for _, g := range ids {
		for i, x := range c.Points(int(g)) {
			columns[i%c.Dim] = append(columns[i%c.Dim], x)
		}
	}
	return columns
}

// prepare returns the preparation of paths, found on those with the given numbers, of which the last
// coordinates are the hands of a clock; with the same points and channels as another, unless that is nil.
func prepare(c *datasets.Collection, ids []int32, byTime bool, hands int, like *preparation) *preparation {
	p := &preparation{ByTime: byTime, Hands: hands}
	most, shortest, longest := 0, math.Inf(1), 0.0
	for _, g := range ids {
		clock, length := p.clock(c, int(g))
		most, shortest, longest = max(most, len(clock)), min(shortest, length), max(longest, length)
	}
	p.Points = grid(most)
	if longest-shortest > nearly*longest {
		p.Longest = longest
	}
	if like != nil {
		p.Points = like.Points
		if p.Longest = 0; like.Longest > 0 {
			p.Longest = cmp.Or(longest, like.Longest)
		}
	}
	columns := columnsOf(c, ids)
	p.Mean, p.Deviation = meansAndDeviations(columns, 0, hands)
	for j, column := range columns {
		farthest := 0.0
		for _, x := range column {
			farthest = max(farthest, math.Abs(x-p.Mean[j])/p.Deviation[j])
		}
		p.Farthest = append(p.Farthest, farthest)
	}
	if !p.ByTime || p.Longest == 0 {
		return p
	}
	var speeds []float64
	for _, g := range ids {
		t, length := p.resampled(c, int(g))
		v := velocities(t, length)
		for i := range p.Points {
			speeds = append(speeds, floats.Norm(v.row(i)[:c.Dim-hands], 2))
		}
	}
	p.Speed = median(speeds)
	return p
}

// meansAndDeviations returns those of columns, 1 for the deviation of one that never changes or has no point.
// The first columns, as many as are common, have one deviation, and so has each pair of the hands of a clock,
// the last columns.
func meansAndDeviations(columns [][]float64, common, hands int) (means, deviations []float64) {
	for _, column := range columns {
		mean, deviation := stat.PopMeanStdDev(column, nil)
		means, deviations = append(means, mean), append(deviations, deviation)
	}
	round(deviations[:common])
	for pair := range slices.Chunk(deviations[len(columns)-hands:], 2) {
		round(pair)
	}
	for j := range deviations {
		size := math.Abs(means[j])
		if j < common {
			size = floats.Norm(means[:common], 2)
		}
		if !(deviations[j] > rounding*size) {
			deviations[j] = 1
		}
	}
	return means, deviations
}

// clock returns what the points of path g are spaced by, their times or their numbers, and its length.
func (p *preparation) clock(c *datasets.Collection, g int) (clock []float64, length float64) {
	t := trackOf(c, g)
	count := len(t.points) / t.n
	if p.ByTime {
		return t.times, t.times[count-1] - t.times[0]
	}
	for i := range count {
		clock = append(clock, float64(i))
	}
	return clock, float64(count)
}

// apply adds the prepared paths, linearly interpolated at points that are evenly spaced in the number of
// the observation, or by time, ends included.
func (p *preparation) apply(b *datasets.Builder, c *datasets.Collection) {
	for g := range c.Len() {
		t, length := p.resampled(c, g)
		v := velocities(t, length)
		points := make([]float64, 0, p.Points*p.channels())
		for i := range p.Points {
			points = append(points, t.row(i)...)
			if p.Speed > 0 {
				for _, x := range v.row(i)[:c.Dim-p.Hands] {
					points = append(points, squash(x/p.Speed))
				}
			}
			if p.Longest > 0 {
				points = append(points, 2*length/p.Longest-1)
			}
		}
		b.AddPath(points, target(c, g)...)
	}
}

// channels returns the number of channels of prepared paths.
func (p *preparation) channels() int {
	n := len(p.Mean)
	if p.Speed > 0 {
		n += n - p.Hands
	}
	if p.Longest > 0 {
		n++
	}
	return n
}

// resampled returns the points of path g, standardized, and its length.
func (p *preparation) resampled(c *datasets.Collection, g int) (t track, length float64) {
	clock, length := p.clock(c, g)
	first, last := clock[0], clock[len(clock)-1]
	times := make([]float64, p.Points)
	for i := range times {
		times[i] = first + float64(i)*(last-first)/float64(p.Points-1)
	}
	t = track{n: c.Dim, points: trackOf(c, g).at(clock, times)}
	for i := range t.points {
		j := i % c.Dim
		t.points[i] = (t.points[i] - p.Mean[j]) / p.Deviation[j]
	}
	return t, length
}

// velocities returns the velocities at points that are evenly spaced in a time, from differences over two
// points on either side, fewer at the ends. They are 0 for a path of one moment.
func velocities(t track, time float64) track {
	const reach = 2
	last := len(t.points)/t.n - 1
	out := track{n: t.n, points: make([]float64, len(t.points))}
	if !(time > 0) {
		return out
	}
	for i := range last + 1 {
		a, z := max(0, i-reach), min(last, i+reach)
		floats.SubTo(out.row(i), t.row(z), t.row(a))
		floats.Scale(float64(last)/float64(z-a)/time, out.row(i))
	}
	return out
}

// at returns the points [len(times), n] at ascending times, by an ascending clock of the observations: of
// several at a time the last, and before the first and after the last these.
func (t track) at(clock, times []float64) []float64 {
	out := make([]float64, 0, len(times)*t.n)
	from := 0
	for _, at := range times {
		for from+1 < len(clock) && clock[from+1] <= at {
			from++
		}
		to, share := min(from+1, len(clock)-1), 0.0
		if clock[to] > clock[from] {
			share = max(0, at-clock[from]) / (clock[to] - clock[from])
		}
		for j, a := range t.row(from) {
			out = append(out, a+share*(t.row(to)[j]-a))
		}
	}
	return out
}

// Bounds past which an observation is far from those that a preparation was found on: twice as many standard
// deviations from the mean as the farthest of these, and 3, for channels that hardly changed.
const (
	farther  = 2
	leastFar = 3
)

// far returns the largest distance of an observation of path g from the mean that the preparation was found
// with, in standard deviations of its channel, and the channel. It is 0 where no observation is far: more
// than twice as far as any that the preparation was found on, and more than 3 deviations.
func (p *preparation) far(c *datasets.Collection, g int) (channel int, deviations float64) {
	for i, x := range c.Points(g) {
		j := i % c.Dim
		d := math.Abs(x-p.Mean[j]) / p.Deviation[j]
		if d > max(leastFar, farther*p.Farthest[j]) && d > deviations {
			channel, deviations = j, d
		}
	}
	return channel, deviations
}

// check returns an error for a preparation that cannot have been found on paths of n coordinates.
func (p *preparation) check(n int) error {
	if p.Points != grid(p.Points) {
		return fmt.Errorf("paths of %d points: they have %d at least and %d at most", p.Points, grid(0),
			grid(math.MaxInt))
	}
	if n == 0 || len(p.Mean) != n || len(p.Deviation) != n || len(p.Farthest) != n {
		return fmt.Errorf("%d means, %d deviations and %d distances of %d channels", len(p.Mean),
			len(p.Deviation), len(p.Farthest), n)
	}
	for j := range n {
		if math.IsNaN(p.Mean[j]) || math.IsInf(p.Mean[j], 0) || !(p.Deviation[j] > 0) ||
			math.IsInf(p.Deviation[j], 0) || !(p.Farthest[j] >= 0) {
			return fmt.Errorf("channel %d has the mean %v, the deviation %v and the distance %v", j,
				p.Mean[j], p.Deviation[j], p.Farthest[j])
		}
	}
	if !(p.Longest >= 0 && p.Speed >= 0) || math.IsInf(p.Longest+p.Speed, 0) {
		return fmt.Errorf("the longest path has the length %v, and the usual speed is %v", p.Longest, p.Speed)
	}
	return nil
}
