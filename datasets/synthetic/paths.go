package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Paths generates piecewise linear paths in the plane of three classes,
// oriented from their first point to their last:
//
//	rising   (r·u + a, r·sin u + b),  u ascending in [-1, 1]
//	falling  (r·u + a, -r·sin u + b)
//	circle   r·(cos θ, sin θ),  θ ascending over 2π/κ from a random phase
//
// with r uniform in [0.2, 2.5], a and b uniform in {-2, -1, 0, 1}, κ in {1, 2,
// 3}, and uniform noise on every coordinate. Circles are about the origin and
// run anticlockwise.
type Paths struct {
	Points int     // of a path
	Noise  float64 // bound of the noise
	// Degree of the simplices: 1 for the edges of the paths, in order, and 0
	// for their points.
	Degree int
}

// NewPaths returns the published set-up: 50 points, noise 0.05, edges.
func NewPaths() Paths { return Paths{Points: 50, Noise: 0.05, Degree: 1} }

// PathClasses names the classes of Paths.
var PathClasses = []string{"rising", "falling", "circle"}

// Sample returns perClass paths of each class; the paper has 100. It is an
// error if a path has no simplices of the degree, or if an option makes no
// sense.
func (p Paths) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	// A path of N points has N simplices of degree 0, N-1 of degree 1, and
	// no others.
	if p.Degree < 0 || p.Degree > 1 || p.Points <= p.Degree {
		return nil, fmt.Errorf("paths: no simplices of degree %d in a path of %d points: use degree 0 or 1, "+
			"and more points than that", p.Degree, p.Points)
	}
	if err := finite("paths: noise", p.Noise); err != nil {
		return nil, err
	}
	var simplices []int32
	for i := range p.Points - p.Degree {
		for j := range p.Degree + 1 {
			simplices = append(simplices, int32(i+j))
		}
	}
	return complexes{
		name: "paths", dim: 2, degree: p.Degree, classes: PathClasses,
		simplices: func(int) []int32 { return simplices }, vertices: p.path,
		perClass: perClass, seed: seed, part: part,
	}.collect()
}

// path returns the points of a path, [Points, 2].
func (p Paths) path(r *rand.Rand, class int) []float64 {
	scale := between(r, 0.2, 2.5)
	centre := [2]float64{float64(r.IntN(4) - 2), float64(r.IntN(4) - 2)}
	sign := 1.0
	low, high := -1.0, 1.0
	switch PathClasses[class] {
	case "falling":
		sign = -1
	case "circle":
		centre = [2]float64{}
		low = between(r, 0, 2*math.Pi)
		high = low + 2*math.Pi/float64(1+r.IntN(3))
	}
	u := make([]float64, p.Points)
	for i := range u {
		u[i] = between(r, low, high)
	}
	slices.Sort(u)
	points := make([]float64, 0, 2*p.Points)
	for _, u := range u {
		x, y := u, sign*math.Sin(u)
		if PathClasses[class] == "circle" {
			x = math.Cos(u)
		}
		points = append(points,
			centre[0]+scale*x+between(r, -p.Noise, p.Noise),
			centre[1]+scale*y+between(r, -p.Noise, p.Noise))
	}
	return points
}
