package simplicial

import (
	"fmt"
	"math"
)

// Mollify returns the same complex, of edges and triangles, with a metric that no triangle is degenerate
// in: the length of every edge is increased by the smallest number, the same for all, that makes each
// triangle inequality l₁ + l₂ ≥ l₃ + δ hold, where δ is a factor, such as 1e-5, times the mean length.
// Meshes with degenerate triangles or edges become fit for WithMetric that way, and of others nothing
// changes but by some δ: where no triangle is so narrow, nothing at all. Volumes, WithMetric and
// AngleDefects go by these lengths; coordinates, and the fields of vectors that go by them, stay as they
// are.
//
// It is an error if the complex has no coordinates or simplices of more than three vertices, or if the
// factor is not positive.
//
// Source: Sharp and Crane, A Laplacian for Nonmanifold Triangle Meshes, Symposium on Geometry Processing,
// 2020.
func (c *Complex) Mollify(factor float64) (*Complex, error) {
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	if c.Dim() > 2 {
		return nil, fmt.Errorf("simplicial: mollification of a complex of dimension %d, want at most 2",
			c.Dim())
	}
	if !(factor > 0) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("simplicial: mollification by %v, want a positive number", factor)
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: c.levels, lengths: []float64{}}
	if c.Dim() < 1 {
		return out, nil
	}
	mean := 0.0
	for i := range c.Count(1) {
		p := c.points(c.at(1, i))
		length := distance(p[0], p[1])
		out.lengths = append(out.lengths, length)
		mean += length / float64(c.Count(1))
	}
	if mean == 0 {
		return nil, fmt.Errorf("simplicial: all %d edges have length 0: there is no metric to mollify",
			c.Count(1))
	}
	more := 0.0
	for _, length := range out.lengths {
		more = math.Max(more, factor*mean-length)
	}
	for i := range c.Count(2) {
		l := out.sides(c.at(2, i))
		more = math.Max(more, factor*mean-(l[0]+l[1]+l[2]-2*math.Max(l[0], math.Max(l[1], l[2]))))
	}
	for i := range out.lengths {
		out.lengths[i] += more
	}
	return out, nil
}

// distance returns that of two points.
func distance(p, q []float64) float64 {
	length := 0.0
	for i := range p {
		length = math.Hypot(length, p[i]-q[i])
	}
	return length
}

// sides returns the lengths of the edges from vertex 0 to 1, 0 to 2 and 1 to 2.
func (c *Complex) sides(triangle []int32) (l [3]float64) {
	for i, ends := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
		l[i] = c.lengths[find(c.levels[1], []int32{triangle[ends[0]], triangle[ends[1]]})]
	}
	return l
}

// shape returns points that have the distances of the vertices of a simplex in the metric: their own, or
// others where lengths are given.
func (c *Complex) shape(simplex []int32) [][]float64 {
	switch {
	case c.lengths == nil:
		return c.points(simplex)
	case len(simplex) == 1:
		return [][]float64{{0}}
	case len(simplex) == 2:
		return [][]float64{{0}, {c.lengths[find(c.levels[1], simplex)]}}
	}
	l := c.sides(simplex)
	fourArea := 4 * area(l[0], l[1], l[2])
	along := (l[0]*l[0] + (l[1]-l[2])*(l[1]+l[2])) / (2 * l[0])
	return [][]float64{{0, 0}, {l[0], 0}, {along, fourArea / (2 * l[0])}}
}
