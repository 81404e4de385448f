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
// Errors are as in Rips. Radii are computed to about twelve digits.
func Cech(n int, coords []float64, radius float64, dim int) (*Complex, error) {
	if math.IsNaN(radius) || radius < 0 {
		return nil, fmt.Errorf("simplicial: radius %v, want 0 or more", radius)
	}
	upper, err := neighbours(n, coords, 2*radius)
	if err != nil {
		return nil, err
	}
	// A power of two changes no digit and keeps squares from overflow and underflow.
	scaled := slices.Clone(coords)
	_, e := math.Frexp(floats.Norm(coords, math.Inf(1)))
	for i, x := range coords {
		scaled[i] = math.Ldexp(x, -e)
	}
	b := &miniball{n: n, coords: scaled}
	limit := math.Ldexp(radius, -e)
	keep := func(clique []int32) bool { return b.radius(clique) <= limit }
	c, err := expand(n, slices.Clone(coords), upper, dim, keep)
	if err != nil {
		return nil, err
	}
	return c.prune(), nil
}

// prune returns the largest complex within the table c, in which rounding may have kept a simplex
// and refused a face.
func (c *Complex) prune() *Complex {
	for k := 2; k <= c.Dim(); k++ {
		face := make([]int32, k)
		kept := c.levels[k][:0]
		for j := range c.Count(k) {
			simplex := c.at(k, j)
			complete := true
			for i := 0; i <= k && complete; i++ {
				copy(face, simplex[:i])
				copy(face[i:], simplex[i+1:])
				complete = find(c.levels[k-1], face) >= 0
			}
			if complete {
				kept = append(kept, simplex...)
			}
		}
		c.levels[k] = kept
	}
	pruned := fromLevels(c.levels)
	pruned.ambient, pruned.coords = c.ambient, c.coords
	return pruned
}

// miniball finds smallest enclosing balls of few points in any dimension by the recursion of Welzl
// (Smallest enclosing disks, 1991) with the incremental circumscribed balls of Gärtner (Fast and
// robust smallest enclosing balls, 1999).
type miniball struct {
	n      int
	coords []float64
	// Level m describes the smallest ball with the first m+1 chosen points on its boundary.
	first   []float64   // the point chosen at level 0
	axis    [][]float64 // from the first point to the m-th, made orthogonal to the axes before
	scale   []float64   // 2|axis|²
	centre  [][]float64
	radius2 []float64
	current int // level of the smallest ball found so far, -1 if none
}

// A point counts as inside a ball up to slack, relative to the squared radius, and as affinely
// dependent on the boundary points if the squared sine of its angle with them is below flat.
// Rounding leaves errors of some 1e-15 in the former; the latter keeps what remains of it, divided
// by such a sine, below 1e-7 even for slivers.
const (
	slack = 1e-12
	flat  = 1e-20
)

// radius returns the radius of the smallest ball that holds the given points.
func (b *miniball) radius(points []int32) float64 {
	b.current = -1
	b.enclose(points, 0)
	return math.Sqrt(b.radius2[b.current])
}

// enclose makes current the smallest ball that holds the points and has the m chosen ones on its
// boundary.
func (b *miniball) enclose(points []int32, m int) {
	for i, p := range points {
		if b.outside(p) && b.choose(p, m) {
			b.enclose(points[:i], m+1)
		}
	}
}

func (b *miniball) point(p int32) []float64 { return b.coords[int(p)*b.n : (int(p)+1)*b.n] }

// outside reports whether a point lies outside the current ball.
func (b *miniball) outside(p int32) bool {
	return b.current < 0 || b.excess(p, b.current) > slack*b.radius2[b.current]
}

// excess returns the squared distance of a point from the centre at level m minus the squared
// radius.
func (b *miniball) excess(p int32, m int) float64 {
	d2 := 0.0
	for i, x := range b.point(p) {
		d := x - b.centre[m][i]
		d2 += d * d
	}
	return d2 - b.radius2[m]
}

// choose puts a point on the boundary at level m and makes that ball current.
// It reports false if the point depends on those chosen before.
func (b *miniball) choose(p int32, m int) bool {
	if m == len(b.axis) {
		b.axis = append(b.axis, make([]float64, b.n))
		b.centre = append(b.centre, make([]float64, b.n))
		b.scale = append(b.scale, 0)
		b.radius2 = append(b.radius2, 0)
	}
	x := b.point(p)
	if m == 0 {
		b.first = x
		copy(b.centre[0], x)
		b.radius2[0], b.current = 0, 0
		return true
	}
	axis, length2 := b.axis[m], 0.0
	for i := range axis {
		axis[i] = x[i] - b.first[i]
		length2 += axis[i] * axis[i]
	}
	for l := 1; l < m; l++ {
		dot := 0.0
		for i, a := range b.axis[l] {
			dot += a * axis[i]
		}
		for i, a := range b.axis[l] {
			axis[i] -= 2 * dot / b.scale[l] * a
		}
	}
	b.scale[m] = 0
	for _, a := range axis {
		b.scale[m] += 2 * a * a
	}
	if b.scale[m] <= 2*flat*length2 {
		return false
	}
	e := b.excess(p, m-1)
	f := e / b.scale[m]
	for i, a := range axis {
		b.centre[m][i] = b.centre[m-1][i] + f*a
	}
	b.radius2[m] = b.radius2[m-1] + e*f/2
	b.current = m
	return true
}
