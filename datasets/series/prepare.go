package series

import (
	"fmt"
	"math"

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
	// Longest is the number of vertices of the longest path, where lengths differ: one more channel then has
	// the length of a path relative to it, from -1 to 1. It is 0 where they do not.
	Longest int `json:"longest,omitempty"`
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
	if len(ids) == 0 {
		return nil, fmt.Errorf("%q: no paths to prepare by", c.Name)
	}
	columns := make([][]float64, c.Dim)
	shortest, longest := math.MaxInt, 0
	for _, g := range ids {
		points := c.Points(int(g))
		for i, x := range points {
			columns[i%c.Dim] = append(columns[i%c.Dim], float64(x))
		}
		shortest, longest = min(shortest, c.Count(0, int(g))), max(longest, c.Count(0, int(g)))
	}
	p := &Preparation{Points: Grid(longest)}
	for _, column := range columns {
		mean, deviation := stat.PopMeanStdDev(column, nil)
		if !(deviation > 0) { // a channel that never changes, or no point at all
			deviation = 1
		}
		p.Mean, p.Deviation = append(p.Mean, mean), append(p.Deviation, deviation)
	}
	if shortest != longest {
		p.Longest = longest
	}
	return p, nil
}

// Apply returns the prepared paths, linearly interpolated at points that are evenly spaced in the number of
// the observation, ends included. It is an error if the paths have other channels, or one has no points.
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
	for g := range c.Len() {
		length := c.Count(0, g)
		if length == 0 {
			return nil, fmt.Errorf("%q: path %d has no points", c.Name, g)
		}
		points := make([]float64, 0, p.Points*n)
		for i := range p.Points {
			at := float64(i) * float64(length-1) / float64(p.Points-1)
			from := min(int(at), length-1)
			to, share := min(from+1, length-1), at-math.Floor(at)
			for j := range c.Dim {
				a, z := float64(c.Points(g)[from*c.Dim+j]), float64(c.Points(g)[to*c.Dim+j])
				points = append(points, (a+share*(z-a)-p.Mean[j])/p.Deviation[j])
			}
			if p.Longest > 0 {
				points = append(points, 2*float64(length)/float64(p.Longest)-1)
			}
		}
		if c.Tasks == nil {
			b.AddPath(points, float64(c.Labels[g]))
			continue
		}
		var target []float64
		for _, y := range c.Targets[g*len(c.Tasks) : (g+1)*len(c.Tasks)] {
			target = append(target, float64(y))
		}
		b.AddPath(points, target...)
	}
	return b.Collection()
}
