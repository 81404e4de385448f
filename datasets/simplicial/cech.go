package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Cech returns the Čech complex of the points coords [N, n] up to degree dim: the sets of at most
// dim+1 points whose balls of the given radius have a point in common, that is, whose smallest
// enclosing ball has at most that radius.
//
// The radius is half the threshold of Rips: the two agree on edges, and Čech has fewer triangles.
// Errors are as in Rips. Enclosing balls of three and more points are as large as radius if they are
// so up to a relative difference of 1e-12.
func Cech(n int, coords []float64, radius float64, dim int) (*Complex, error) {
	if math.IsNaN(radius) || radius < 0 {
		return nil, fmt.Errorf("simplicial: radius %v, want 0 or more", radius)
	}
	upper, err := neighbors(n, coords, 2*radius)
	if err != nil {
		return nil, err
	}
	// A power of two changes no digit and keeps squares from overflow and underflow.
	scaled := slices.Clone(coords)
	_, e := math.Frexp(floats.Norm(coords, math.Inf(1)))
	for i, x := range coords {
		scaled[i] = math.Ldexp(x, -e)
	}
	b := newEnclosure(n, scaled, math.Ldexp(radius, -e))
	c, err := expand(n, slices.Clone(coords), upper, dim, b.holds)
	if err != nil {
		return nil, err
	}
	if c.Dim() > 2 { // rounding may have kept a simplex and refused a face
		return closed(n, c.coords, c.levels)
	}
	return c, nil
}

// enclosure decides whether points lie in a ball of a given radius.
//
// If they do, the smallest such ball is the smallest one with some of the points, affinely independent
// ones, on its boundary, so it is enough to look at those balls. Searching them all, with the
// incremental formulas of Gärtner (Fast and robust smallest enclosing balls, 1999), takes longer than
// his way from each to a better one, but for the few points of a simplex not much, and rounding cannot
// lead it astray: it ends with a center whose distances to all points were found small enough.
type enclosure struct {
	n      int
	coords []float64
	limit2 float64 // of the squared radius
	// Level m describes the smallest ball with the first m+1 chosen points on its boundary.
	first   []float64   // the point chosen at level 0
	axis    [][]float64 // from the first point to the m-th, made orthogonal to the axes before
	scale   []float64   // 2|axis|²
	center  [][]float64
	radius2 []float64
}

func newEnclosure(n int, coords []float64, radius float64) *enclosure {
	// The squares of distances computed in different ways differ by some 1e-15.
	return &enclosure{n: n, coords: coords, limit2: radius * radius * (1 + 2e-12)}
}

// holds reports whether a ball of the given radius holds the points.
func (b *enclosure) holds(points []int32) bool { return b.search(points, points, 0) }

// search reports whether a ball holds the points that has the first m chosen points and some of the
// rest on its boundary.
func (b *enclosure) search(points, rest []int32, m int) bool {
	for i, p := range rest {
		if b.choose(p, m) && (b.covers(points, m) || m < b.n && b.search(points, rest[i+1:], m+1)) {
			return true
		}
	}
	return false
}

func (b *enclosure) point(p int32) []float64 { return b.coords[int(p)*b.n : (int(p)+1)*b.n] }

// covers reports whether all points are close enough to the center at level m.
func (b *enclosure) covers(points []int32, m int) bool {
	for _, p := range points {
		if !(distance2(b.point(p), b.center[m]) <= b.limit2) {
			return false
		}
	}
	return true
}

// distance2 returns the squared distance of two points.
func distance2(x, y []float64) float64 {
	sum := 0.0
	for i, a := range x {
		sum += (a - y[i]) * (a - y[i])
	}
	return sum
}

// choose puts a point on the boundary at level m. It reports false if there is no such ball, as the
// point depends on those chosen before, or if the ball is too large; more points would only make it
// larger.
func (b *enclosure) choose(p int32, m int) bool {
	if m == len(b.axis) {
		b.axis = append(b.axis, make([]float64, b.n))
		b.center = append(b.center, make([]float64, b.n))
		b.scale = append(b.scale, 0)
		b.radius2 = append(b.radius2, 0)
	}
	x := b.point(p)
	if m == 0 {
		b.first = x
		copy(b.center[0], x)
		return true
	}
	axis := floats.SubTo(b.axis[m], x, b.first)
	for l := 1; l < m; l++ {
		floats.AddScaled(axis, -2*floats.Dot(b.axis[l], axis)/b.scale[l], b.axis[l])
	}
	b.scale[m] = 2 * floats.Dot(axis, axis)
	excess := distance2(x, b.center[m-1]) - b.radius2[m-1]
	floats.AddScaledTo(b.center[m], b.center[m-1], excess/b.scale[m], axis)
	b.radius2[m] = b.radius2[m-1] + excess*excess/(2*b.scale[m])
	// If the axis is 0, the radius is infinite or not a number, and not at most anything.
	return b.radius2[m] <= b.limit2
}
