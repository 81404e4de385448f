package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"
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
// an error if an option makes no sense.
func (c Circles) Sample(seed uint64) ([]float64, error) {
	if c.Points < 1 {
		return nil, fmt.Errorf("circles: %d points: use 1 or more", c.Points)
	}
	if err := finite("circles: noise and ratio", c.Noise, c.Ratio); err != nil {
		return nil, err
	}
	r := source(seed, Train)
	points := make([]float64, 0, 2*c.Points)
	outer := c.Points / 2
	points = c.circle(points, r, outer, 1)
	return c.circle(points, r, c.Points-outer, c.Ratio), nil
}

// circle appends points at equal angles, with noise.
func (c Circles) circle(points []float64, r *rand.Rand, count int, radius float64) []float64 {
	for i := range count {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(count))
		points = append(points, radius*cos+c.Noise*r.NormFloat64(), radius*sin+c.Noise*r.NormFloat64())
	}
	return points
}
