package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// Currents returns perClass paths in the plane of each of two classes: those of particles in a flow with a
// random walk, observed at irregular times, and such paths reversed. So the classes have the same lengths,
// angles and positions, and differ only in their direction at a position, which a 1-form measures.
//
// It is an error if there is no path.
func Currents(perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	if perClass < 1 {
		return nil, fmt.Errorf("%d paths of each class of Currents: use 1 or more", perClass)
	}
	r := source(seed, part)
	b := datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: "Currents", Classes: []string{"with", "against"}, Features: "x,y"}
	for range perClass {
		for class := range b.Classes {
			b.AddPath(drift(r, class == 1), float64(class))
		}
	}
	return b.Collection()
}

// drift returns the path of a particle in the flow of ψ = sin x · sin y + 0.5 cos(2x - y), which is
// (∂ψ/∂y, -∂ψ/∂x), or that path reversed. Observations are off by normal errors.
func drift(r *rand.Rand, reversed bool) (points []float64) {
	const step, noise = 0.02, 0.6 // of the integration; deviation of the walk in a unit of time
	const interval, deviation = 0.1, 0.02
	p, now := [2]float64{between(r, -3, 3), between(r, -3, 3)}, 0.0
	duration := between(r, 3, 6)
	for t := 0.0; t < duration; t += interval * (0.2 + 0.8*r.ExpFloat64()) {
		for ; now < t; now += step {
			sinX, cosX := math.Sincos(p[0])
			sinY, cosY := math.Sincos(p[1])
			wave := math.Sin(2*p[0] - p[1])
			p[0] += step*(sinX*cosY+0.5*wave) + noise*math.Sqrt(step)*r.NormFloat64()
			p[1] += step*(-cosX*sinY+wave) + noise*math.Sqrt(step)*r.NormFloat64()
		}
		points = append(points, p[0]+deviation*r.NormFloat64(), p[1]+deviation*r.NormFloat64())
	}
	if !reversed {
		return points
	}
	var back []float64
	for i := len(points) - 2; i >= 0; i -= 2 {
		back = append(back, points[i], points[i+1])
	}
	return back
}
