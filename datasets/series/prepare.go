package series

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
)

// Preparation makes paths of any lengths ones of as many points, of channels with mean 0 and standard
// deviation 1: what networks on a fixed grid take. It is found on the paths that are trained on, and applied
// to all.
type Preparation struct {
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
	// ByTime is whether points are evenly spaced in the time of the observations, and not in their number.
	ByTime bool `json:"by_time,omitempty"`
}

// Grid returns the number of points that paths of the given length are resampled to: the smallest of 9, 17,
// 33, 65 and 129 that is not below it, and 129 for all that are longer. Each is twice the next but one, so
// that every second point of a grid is a grid.
func Grid(length int) int {
	points := 9
	for points < min(length, 129) {
		points = 2*points - 1
	}
	return points
}

// Prepare returns the preparation of the paths of a collection, found on those with the given numbers.
func Prepare(c *datasets.Collection, ids []int32) (*Preparation, error) {
	return prepare(c, ids, false)
}

// PrepareByTime is [Prepare] with points that are evenly spaced in time. It is an error if the paths have no
// times, a cochain of one column on their vertices.
func PrepareByTime(c *datasets.Collection, ids []int32) (*Preparation, error) {
	return prepare(c, ids, true)
}

func prepare(c *datasets.Collection, ids []int32, byTime bool) (*Preparation, error) {
	if len(ids) == 0 {
		return nil, fmt.Errorf("%q: no paths to prepare by", c.Name)
	}
	p := &Preparation{ByTime: byTime}
	columns := make([][]float64, c.Dim)
	most, shortest, longest := 0, math.Inf(1), 0.0
	for _, g := range ids {
		for i, x := range c.Points(int(g)) {
			columns[i%c.Dim] = append(columns[i%c.Dim], x)
		}
		clock, err := p.clock(c, int(g))
		if err != nil {
			return nil, err
		}
		length := p.length(clock)
		most, shortest, longest = max(most, len(clock)), min(shortest, length), max(longest, length)
	}
	p.Points = Grid(most)
	for _, column := range columns {
		mean, deviation := stat.PopMeanStdDev(column, nil)
		if !(deviation > 0) { // a channel that never changes, or no point at all
			deviation = 1
		}
		p.Mean, p.Deviation = append(p.Mean, mean), append(p.Deviation, deviation)
		p.Farthest = append(p.Farthest, farthest(column, mean, deviation))
	}
	if shortest != longest {
		p.Longest = longest
	}
	return p, nil
}

// clock returns what the points of path g are spaced by: their times or their numbers.
func (p *Preparation) clock(c *datasets.Collection, g int) ([]float64, error) {
	clock := make([]float64, c.Count(0, g))
	if len(clock) == 0 {
		return nil, fmt.Errorf("%q: path %d has no points", c.Name, g)
	}
	if p.ByTime && c.Simplices[0].Width != 1 {
		return nil, fmt.Errorf("%q: the paths have no times to be resampled by: name the column of times",
			c.Name)
	}
	for i := range clock {
		clock[i] = float64(i)
		if p.ByTime {
			clock[i] = c.Simplices[0].Cochain[int(c.VertexStart[g])+i]
		}
	}
	return clock, nil
}

// length returns the length of a path by its clock.
func (p *Preparation) length(clock []float64) float64 {
	if p.ByTime {
		return clock[len(clock)-1] - clock[0]
	}
	return float64(len(clock))
}

// Apply returns the prepared paths, linearly interpolated at points that are evenly spaced in the number of
// the observation, or by time, ends included. It is an error if the paths have other channels, one has no
// points, or they have no times where they need them.
func (p *Preparation) Apply(c *datasets.Collection) (*datasets.Collection, error) {
	if c.Dim != len(p.Mean) || p.Points < 2 || len(p.Deviation) != len(p.Mean) {
		return nil, fmt.Errorf("%q has %d channels: the preparation is for %d", c.Name, c.Dim, len(p.Mean))
	}
	n := c.Dim
	if p.Longest > 0 {
		n++
	}
	b := datasets.NewBuilder(n)
	b.Info = c.Info
	if p.ByTime {
		b.Features += ", evenly in time"
	}
	for g := range c.Len() {
		clock, err := p.clock(c, g)
		if err != nil {
			return nil, err
		}
		points := make([]float64, 0, p.Points*n)
		first, last := clock[0], clock[len(clock)-1]
		from := 0
		for i := range p.Points {
			at := first + float64(i)*(last-first)/float64(p.Points-1)
			for from+1 < len(clock) && clock[from+1] <= at {
				from++
			}
			to, share := min(from+1, len(clock)-1), 0.0
			if clock[to] > clock[from] {
				share = (at - clock[from]) / (clock[to] - clock[from])
			}
			for j := range c.Dim {
				a, z := c.Points(g)[from*c.Dim+j], c.Points(g)[to*c.Dim+j]
				points = append(points, (a+share*(z-a)-p.Mean[j])/p.Deviation[j])
			}
			if p.Longest > 0 {
				points = append(points, 2*p.length(clock)/p.Longest-1)
			}
		}
		b.AddPath(points, c.Target(g)...)
	}
	return b.Collection()
}

// Bounds past which an observation is far from those that a preparation was found on: twice as many standard
// deviations from the mean as the farthest of these, and 3, for channels that hardly changed.
const (
	farther  = 2
	leastFar = 3
)

// Far returns the largest distance of an observation of path g from the mean that the preparation was found
// with, in standard deviations of its channel, and the channel. It is 0 where no observation is far: more
// than twice as far as any that the preparation was found on, and more than 3 deviations.
func (p *Preparation) Far(c *datasets.Collection, g int) (channel int, deviations float64) {
	for i, x := range c.Points(g) {
		j := i % c.Dim
		d := math.Abs(x-p.Mean[j]) / p.Deviation[j]
		if d > max(leastFar, farther*p.Farthest[j]) && d > deviations {
			channel, deviations = j, d
		}
	}
	return channel, deviations
}

// Check returns an error for a preparation that cannot have been found on paths.
func (p *Preparation) Check() error {
	n := len(p.Mean)
	if p.Points != Grid(p.Points) {
		return fmt.Errorf("paths of %d points: they have %d at least and %d at most", p.Points, Grid(0),
			Grid(math.MaxInt))
	}
	if n == 0 || len(p.Deviation) != n || len(p.Farthest) != n {
		return fmt.Errorf("%d means, %d deviations and %d distances of channels", n, len(p.Deviation),
			len(p.Farthest))
	}
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for j := range n {
		if !finite(p.Mean[j]) || !finite(p.Deviation[j]) || p.Deviation[j] <= 0 || !(p.Farthest[j] >= 0) {
			return fmt.Errorf("channel %d has the mean %v, the deviation %v and the distance %v", j,
				p.Mean[j], p.Deviation[j], p.Farthest[j])
		}
	}
	if !finite(p.Longest) || p.Longest < 0 {
		return fmt.Errorf("the longest path has the length %v", p.Longest)
	}
	return nil
}

// farthest returns the largest distance of values from their mean, in standard deviations.
func farthest(values []float64, mean, deviation float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return max(slices.Max(values)-mean, mean-slices.Min(values)) / deviation
}
