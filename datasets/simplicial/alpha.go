package simplicial

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Alpha returns the Delaunay triangulation of the points coords [N, n], for n up to 4, and for each simplex,
// by degree, the radius from which on it is in the alpha complex: that of its smallest circumsphere if no
// point is inside, otherwise the least of the simplices that it is a face of (Edelsbrunner and Mücke,
// Three-dimensional alpha shapes, ACM Transactions on Graphics 13, 1994). Sublevel takes out the complex
// of a radius, and Persistence the homology of all.
//
// The alpha complex of a radius has the homotopy type of the union of the balls (the nerve theorem), as the
// whole Čech complex has, with far fewer simplices. Where more than n+1 points lie on a sphere with none
// inside, as on grids, the triangulation is one of several, and which simplices there are is exact however
// the points lie. Radii that agree up to the rounding of the coordinates are made equal, so that the corners
// of a square enclose one loop and not two, one of them of length 1e-16.
//
// It is an error if the coordinates are not rows of n finite numbers, if two points coincide, if all
// lie in a hyperplane, or if the complex would exceed MaxSize. Time grows with N in the plane, and in
// space where points do not lie on a few curves.
func Alpha(n int, coords []float64) (c *Complex, radii [][]float64, err error) {
	if c, err = delaunay(n, coords); err != nil {
		return nil, nil, err
	}
	// A power of two changes no digit and keeps squares from overflow and underflow.
	_, e := math.Frexp(floats.Norm(coords, math.Inf(1)))
	p := &predicates{n: n, coords: make([]float64, len(coords))}
	for i, x := range coords {
		p.coords[i] = math.Ldexp(x, -e)
	}
	radii = make([][]float64, n+1)
	for k := n; k >= 0; k-- {
		radii[k] = make([]float64, c.Count(k))
		for i := range radii[k] {
			radii[k][i] = p.radius(c.at(k, i))
		}
		faces, _ := c.Faces(k + 1)
		for at, face := range faces {
			i, corner := at/(k+2), at%(k+2)
			if k > 0 && p.encloses(c.at(k, int(face)), c.at(k+1, i)[corner]) {
				radii[k][face] = math.Inf(1)
			}
		}
		for at, face := range faces {
			radii[k][face] = min(radii[k][face], radii[k+1][at/(k+2)])
		}
	}
	level(radii)
	for _, values := range radii {
		for i, x := range values {
			values[i] = math.Ldexp(x, e)
		}
	}
	return c, radii, nil
}

// level makes values equal where they agree up to rounding.
//
// Rounding moves points of coordinates below 1 by less than 2⁻⁵², and persistence is stable: what it makes of
// one value lies within twice as much (Cohen-Steiner, Edelsbrunner and Harer, Stability of persistence
// diagrams, 2007). Radii are computed to 1e-12 of them.
func level(values [][]float64) {
	var all []*float64
	for _, list := range values {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	slices.SortFunc(all, func(a, b *float64) int { return cmp.Compare(*a, *b) })
	last := 0.0
	for i, x := range all {
		next := *x
		if i > 0 && next-last <= 0x1p-49+4e-12*next {
			*x = *all[i-1]
		}
		last = next
	}
}
