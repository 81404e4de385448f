package synthetic

import (
	"fmt"
	"math"
)

// Circles generates points near two circles about the origin, as scikit-learn
// does (make_circles): half of them at equal angles on the unit circle, the
// other half on one of radius Ratio, with Gaussian noise on every coordinate.
type Circles struct {
	Points int     // in all
	Noise  float64 // standard deviation
	Ratio  float64 // of the inner radius to the outer one
}

// NewCircles returns the published set-up: 100 points, noise 0.2, ratio 0.8.
func NewCircles() Circles { return Circles{Points: 100, Noise: 0.2, Ratio: 0.8} }

// Sample returns the points [Points, 2], those of the unit circle first. It is
// an error if there are none.
func (c Circles) Sample(seed uint64) ([]float64, error) {
	if c.Points < 1 {
		return nil, fmt.Errorf("circles: %d points: use 1 or more", c.Points)
	}
	r := source(seed, Train)
	points := make([]float64, 0, 2*c.Points)
	outer := c.Points / 2
	for _, circle := range []struct {
		count  int
		radius float64
	}{{outer, 1}, {c.Points - outer, c.Ratio}} {
		for i := range circle.count {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(circle.count))
			points = append(points, circle.radius*cos+c.Noise*r.NormFloat64(),
				circle.radius*sin+c.Noise*r.NormFloat64())
		}
	}
	return points, nil
}
