package series

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
)

// preparation resamples paths to a fixed number of points and standardizes channels to mean 0 and standard
// deviation 1, for networks on a fixed grid. It is fitted to the training paths and applied to all.
type preparation struct {
	Points    int       `json:"points"`    // of every path
	Mean      []float64 `json:"mean"`      // [n]: of the channels
	Deviation []float64 `json:"deviation"` // [n]
	// Longest is the number of vertices of the longest path, where their numbers differ: one more channel
	// then has that of a path relative to it, from -1 to 1. It is 0 where they do not.
	Longest float64 `json:"longest,omitempty"`
}

// rounding is the share of a coordinate below which a deviation is one of its last digits.
const rounding = 1e-12

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

// prepare returns the preparation of paths, found on those with the given numbers. The number of points, and
// whether there is a channel for lengths, are those for all paths: the parts of a cross-validation have the
// same columns.
func prepare(c *datasets.Collection, ids []int32) preparation {
	p := preparation{}
	shortest, longest := lengths(c, c.IDs())
	p.Points = grid(longest)
	if shortest < longest {
		_, longest := lengths(c, ids)
		p.Longest = float64(longest)
	}
	for i := range c.Dim {
		var column []float64
		for _, g := range ids {
			for at := i; at < len(c.Points(int(g))); at += c.Dim {
				column = append(column, c.Points(int(g))[at])
			}
		}
		mean, deviation := stat.PopMeanStdDev(column, nil)
		if !(deviation > rounding*math.Abs(mean)) {
			deviation = 1 // of a channel that never changes
		}
		p.Mean, p.Deviation = append(p.Mean, mean), append(p.Deviation, deviation)
	}
	return p
}

// lengths returns the least and the greatest number of vertices of some paths.
func lengths(c *datasets.Collection, ids []int32) (shortest, longest int) {
	shortest = math.MaxInt
	for _, g := range ids {
		shortest, longest = min(shortest, c.Count(0, int(g))), max(longest, c.Count(0, int(g)))
	}
	return shortest, longest
}

// apply adds the prepared paths, linearly interpolated at points that are evenly spaced in the number of the
// observation, ends included.
func (p *preparation) apply(b *datasets.Builder, c *datasets.Collection) {
	for g := range c.Len() {
		count := c.Count(0, g)
		points := make([]float64, 0, p.Points*p.channels())
		for i := range p.Points {
			at := float64(i) * float64(count-1) / float64(p.Points-1)
			from := int(at)
			to := min(from+1, count-1)
			for j := range c.Dim {
				a, z := c.Points(g)[from*c.Dim+j], c.Points(g)[to*c.Dim+j]
				x := a + (at-float64(from))*(z-a)
				points = append(points, (x-p.Mean[j])/p.Deviation[j])
			}
			if p.Longest > 0 {
				points = append(points, 2*float64(count)/p.Longest-1)
			}
		}
		b.AddPath(points, c.Target(g)...)
	}
}

// channels returns the number of channels of prepared paths.
func (p *preparation) channels() int {
	if p.Longest > 0 {
		return len(p.Mean) + 1
	}
	return len(p.Mean)
}

// check returns an error for a preparation that cannot have been found on paths of n coordinates.
func (p *preparation) check(n int) error {
	if p.Points != grid(p.Points) {
		return fmt.Errorf("paths of %d points: they have %d at least and %d at most", p.Points, grid(0),
			grid(math.MaxInt))
	}
	if n == 0 || len(p.Mean) != n || len(p.Deviation) != n {
		return fmt.Errorf("%d means and %d deviations of %d channels", len(p.Mean), len(p.Deviation), n)
	}
	for j := range n {
		if math.IsNaN(p.Mean[j]) || math.IsInf(p.Mean[j], 0) || !(p.Deviation[j] > 0) ||
			math.IsInf(p.Deviation[j], 0) {
			return fmt.Errorf("channel %d has the mean %v and the deviation %v", j, p.Mean[j], p.Deviation[j])
		}
	}
	if !(p.Longest >= 0) || math.IsInf(p.Longest, 0) {
		return fmt.Errorf("the longest path has %v vertices", p.Longest)
	}
	return nil
}
