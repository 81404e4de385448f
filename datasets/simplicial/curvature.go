package simplicial

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// AngleDefects returns the curvature of a surface at each vertex v,
//
//	2π - π·(edges at v - triangles at v) - Σ (angles of triangles at v),
//
// which is 2π less the angles inside, the integral of the Gaussian curvature over what belongs to the
// vertex, and π less the angles on the boundary, its turning. By the theorem of Gauss and Bonnet the sum
// is 2πχ, χ the Euler characteristic, on complexes that are not manifolds as well.
//
// It is an error if the complex has no coordinates, is of a dimension above 2, or has a triangle with
// corners that coincide.
func (c *Complex) AngleDefects() ([]float64, error) {
	if c.Dim() > 2 {
		return nil, fmt.Errorf("simplicial: angle defects of a complex of dimension %d, want at most 2",
			c.Dim())
	}
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	defects := make([]float64, c.Count(0))
	floats.AddConst(2*math.Pi, defects)
	for _, v := range c.Simplices(1) {
		defects[v] -= math.Pi
	}
	for i, v := range c.Simplices(2) {
		triangle := c.at(2, i/3)
		corners := c.points(triangle)
		corners[0], corners[i%3] = corners[i%3], corners[0]
		d := edges(corners)
		if floats.Norm(d[0], 2) == 0 || floats.Norm(d[1], 2) == 0 {
			return nil, fmt.Errorf("simplicial: the triangle of vertices %v has corners that coincide: "+
				"it has no angles", triangle)
		}
		_, _, area, _ := frame(corners)
		defects[v] += math.Pi - math.Atan2(2*area, floats.Dot(d[0], d[1]))
	}
	return defects, nil
}
