package simplicial

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Alpha returns the Delaunay triangulation of the points coords [N, n] and for each simplex, by degree,
// the radius from which on it is in the alpha complex: that of its smallest circumsphere if no point is
// inside, otherwise the least of the simplices that it is a face of (Edelsbrunner and Mücke,
// Three-dimensional alpha shapes, ACM Transactions on Graphics 13, 1994). Sublevel takes out the complex
// of a radius, and Persistence the homology of all.
//
// Simplices on a common sphere have the same radius: radii of a simplex and a face are equal where they
// agree up to the rounding of the coordinates, 2⁻⁵³ of the largest. So the corners of a square, wherever it
// lies, enclose one loop and not two, one of them of length 1e-16.
//
// The alpha complex of a radius has the homotopy type of the union of the balls (the nerve theorem), as the
// whole Čech complex has, of which [Cech] returns the part up to a degree, with far fewer simplices.
// Errors are those of Delaunay.
func Alpha(n int, coords []float64) (c *Complex, radii [][]float64, err error) {
	if c, err = Delaunay(n, coords); err != nil {
		return nil, nil, err
	}
	// A power of two changes no digit and keeps squares from overflow and underflow.
	_, e := math.Frexp(floats.Norm(coords, math.Inf(1)))
	scaled := &Complex{ambient: n, coords: make([]float64, len(coords)), levels: c.levels}
	for i, x := range coords {
		scaled.coords[i] = math.Ldexp(x, -e)
	}
	a := newAlpha(scaled)
	a.cells()
	a.level()
	radii = make([][]float64, n+1)
	for k := range radii {
		for i := range c.Count(k) {
			radii[k] = append(radii[k], math.Ldexp(a.value[a.find(a.first[k]+i)], e))
		}
	}
	return c, radii, nil
}

// alpha is a filtration under construction. Simplices of all degrees are numbered: those of degree k from
// first[k] on.
type alpha struct {
	*Complex
	unit   float64 // how far rounding moves a point
	first  []int
	pairs  [][2]int  // a simplex of degree 1 or more and a coface
	value  []float64 // of a root: the radius
	spread []float64 // and its error
	group  []int     // leads to the root, the most precise of the simplices with the same value
}

func newAlpha(c *Complex) *alpha {
	a := &alpha{Complex: c, first: []int{0}}
	for k := range c.Dim() + 1 {
		a.first = append(a.first, a.first[k]+c.Count(k))
	}
	// Rounding of coordinates below 1 moves a point by √n 2⁻⁵³. The operations on edges, at most 2√n long,
	// act as further moves (Gram-Schmidt with reorthogonalization and substitution are backward stable, by
	// columns): for n ≤ 4 some 10 operations for each of the n coordinates.
	a.unit = 32 * float64(c.ambient) * 0x1p-53
	for id := range a.first[c.Dim()+1] {
		a.group = append(a.group, id)
	}
	a.value, a.spread = make([]float64, len(a.group)), make([]float64, len(a.group))
	return a
}

// circumspheres returns those of the simplices of degree k, and sets the values.
func (a *alpha) circumspheres(k int) []ball {
	balls := make([]ball, a.Count(k))
	for i := range balls {
		points := a.points(a.at(k, i))
		b, ok := circumsphere(points)
		if !ok || !(a.unit*b.weight < 1e-6*b.radius) { // half of the digits are left, or all are taken
			slope := b.slope
			b = exactCircumsphere(points)
			b.slope = slope
		}
		balls[i] = b
		a.value[a.first[k]+i], a.spread[a.first[k]+i] = b.radius, a.unit*b.weight
	}
	return balls
}

// cells finds the simplices that have one circumsphere up to rounding, such as those that a square is cut
// into and the flat tetrahedra that rounding makes of it, and sets the values of each such group.
func (a *alpha) cells() {
	var attached [][2]int // pairs where the circumsphere of the first has a point of the second inside
	a.circumspheres(a.Dim())
	for k := a.Dim(); k > 1; k-- {
		faces, _ := a.Faces(k)
		balls := a.circumspheres(k - 1)
		for at, face := range faces {
			i, corner := at/(k+1), at%(k+1)
			pair := [2]int{a.first[k-1] + int(face), a.first[k] + i}
			a.pairs = append(a.pairs, pair)
			b, opposite := balls[face], a.points(a.at(k, i)[corner : corner+1])[0]
			outside := floats.Distance(b.center, opposite, 2) - b.radius
			near := floats.Distance(opposite, a.points(a.at(k-1, int(face)))[0], 2) / b.radius
			// Where points move by dp, the center moves by dc and the distance from the sphere changes by
			// ⟨n, dp⟩ - ⟨n_0, dp_0⟩ - ⟨n-n_0, dc⟩, with the directions n from the center to the point and
			// n_0 to a corner, |n-n_0| = near; |dc| is at most weight units normal to the face, and in the
			// face Σ b_i ∇λ_i with |b_i| at most 2R units.
			bound := a.unit * (2 + near*(b.weight+2*b.radius*b.slope))
			if a.unit*b.weight < b.radius && math.Abs(outside) <= bound {
				a.join(pair[0], pair[1])
			} else if outside < 0 {
				attached = append(attached, pair)
			}
		}
	}
	for _, p := range attached {
		if f, g := a.find(p[0]), a.find(p[1]); f != g {
			a.value[f] = math.Inf(1)
		}
	}
	a.lower()
}

// level makes values equal where they agree up to rounding along a face.
func (a *alpha) level() {
	for _, p := range a.pairs {
		f, g := a.find(p[0]), a.find(p[1])
		// The curvature 1/R changes by dR/R², also where R becomes infinite.
		if v := a.value[g]; v/(1+a.spread[g]/v) <= a.value[f]+a.spread[f] {
			a.join(f, g)
		}
	}
	a.lower()
}

// lower makes values at most those of cofaces.
func (a *alpha) lower() {
	for again := true; again; {
		again = false
		for _, p := range a.pairs {
			if f, g := a.find(p[0]), a.find(p[1]); a.value[f] > a.value[g] {
				a.value[f], a.spread[f], again = a.value[g], a.spread[g], true
			}
		}
	}
}

// find returns the root of a simplex.
func (a *alpha) find(id int) int {
	for a.group[id] != id {
		a.group[id] = a.group[a.group[id]]
		id = a.group[id]
	}
	return id
}

// join gives two simplices the same value.
func (a *alpha) join(i, j int) {
	i, j = a.find(i), a.find(j)
	if a.spread[j] < a.spread[i] {
		i, j = j, i
	}
	a.group[j] = i
}

// Sublevel returns the complex of all vertices and of the simplices whose values, values[k][i] for the i-th
// k-simplex, are at most upTo. Errors in the values are those of Persistence.
func (c *Complex) Sublevel(values [][]float64, upTo float64) (*Complex, error) {
	if err := c.checkFiltration(values); err != nil {
		return nil, err
	}
	if math.IsNaN(upTo) {
		return nil, fmt.Errorf("simplicial: a threshold that is not a number")
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: slices.Clone(c.levels)}
	for k := 1; k <= c.Dim(); k++ {
		out.levels[k] = nil
		for i, v := range values[k] {
			if v <= upTo {
				out.levels[k] = append(out.levels[k], c.at(k, i)...)
			}
		}
	}
	out.trim()
	return out, nil
}
