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
// 3}, and uniform noise on every coordinate; in the published code that of
// the second coordinate of rising and falling paths is added to u. Circles
// are about the origin and run counterclockwise.
type Paths struct {
	Points int     // of a path
	Noise  float64 // bound of the noise
	// Degree of the simplices: 1 for the edges of the paths, in order, and 0
	// for their points.
	Degree int
}

// NewPaths returns the published set-up: 50 points, noise 0.05, edges.
func NewPaths() Paths { return Paths{Points: 50, Noise: 0.05, Degree: 1} }

// pathClasses names the classes of Paths.
var pathClasses = []string{"rising", "falling", "circle"}

// Sample returns perClass paths of each class; the paper has 100. It is an
// error if a path has no simplices of the degree.
func (p Paths) Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	if p.Degree < 0 || p.Degree > 1 || p.Points <= p.Degree {
		return nil, fmt.Errorf("paths: no simplices of degree %d in a path of %d points: use degree 0 or 1, "+
			"and more points than that", p.Degree, p.Points)
	}
	return collect(p, "paths", 2, pathClasses, perClass, seed, part)
}

func (p Paths) simplices(int) [][]int32 {
	simplices := make([][]int32, p.Degree+1)
	for i := range int32(p.Points - 1) {
		if p.Degree == 1 {
			simplices[1] = append(simplices[1], i, i+1)
		}
	}
	return simplices
}

func (p Paths) vertices(r *rand.Rand, class int) []float64 {
	scale := between(r, 0.2, 2.5)
	center := [2]float64{float64(r.IntN(4) - 2), float64(r.IntN(4) - 2)}
	sign, low, high := 1.0, -1.0, 1.0
	first := math.Cos // coordinate of circles
	switch pathClasses[class] {
	case "rising":
		first = func(u float64) float64 { return u }
	case "falling":
		sign, first = -1, func(u float64) float64 { return u }
	default:
		center = [2]float64{}
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
		points = append(points,
			center[0]+scale*first(u)+between(r, -p.Noise, p.Noise),
			center[1]+scale*(sign*math.Sin(u))+between(r, -p.Noise, p.Noise))
	}
	return points
}
