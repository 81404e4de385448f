package synthetic

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/neuralkforms/nkf/datasets"
)

// TrackSets names the sets that [Tracks] makes, and their classes.
var TrackSets = map[string][]string{
	"Vehicles": {"car", "bus"}, "Currents": {"with", "against"},
}

// Tracks returns perClass tracks in the plane of each of two classes, with the times of the observations,
// which are irregular.
//
// Vehicles drive along the streets of a grid, in meters and seconds. Cars and buses use the same routes
// and wait at some crossings; buses are slower, and stop every 536 m. So the classes differ only in speed and
// stops.
//
// Currents are tracks of particles in a flow in the plane with a random walk; those of the second class are
// reversed in time. So they have the same lengths, speeds, angles and positions as the others, and differ
// only in their direction at a position, which a 1-form measures.
//
// It is an error if there is no set of that name or no track.
func Tracks(name string, perClass int, seed uint64, part Part) (*datasets.Collection, error) {
	classes, known := TrackSets[name]
	if !known || perClass < 1 {
		return nil, fmt.Errorf("%d tracks of each class of %q: use 1 or more, of Vehicles or Currents",
			perClass, name)
	}
	r := source(seed, part)
	b := datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: name, Classes: classes, Features: "x,y"}
	for range perClass {
		for class := range classes {
			points, times := drive(r, class == 1)
			if name == "Currents" {
				points, times = drift(r, class == 1)
			}
			b.AddPath(points, float64(class))
			b.SetCochain(0, times)
		}
	}
	return b.Collection()
}

// observe returns a track by its place at a time, from 0 to a duration, at irregular times that are the mean
// interval apart, with normal errors of the place.
func observe(r *rand.Rand, duration, interval, deviation float64, place func(t float64) [2]float64) (
	points, times []float64) {
	for t := 0.0; t < duration; t += interval * (0.2 + 0.8*r.ExpFloat64()) {
		p := place(t)
		times = append(times, t)
		points = append(points, p[0]+deviation*r.NormFloat64(), p[1]+deviation*r.NormFloat64())
	}
	return points, times
}

// drive returns the track of a car or a bus.
func drive(r *rand.Rand, bus bool) (points, times []float64) {
	const block, meters = 180.0, 536.0 // between crossings, between stops
	speed := between(r, 7, 13)
	if bus {
		speed = between(r, 6, 11)
	}
	// Knots of the polyline in time: crossings, and where a vehicle waits.
	at := [2]float64{block * float64(r.IntN(12)), block * float64(r.IntN(12))}
	knots, when, heading, stop := [][2]float64{at}, []float64{0}, r.IntN(4), between(r, 0, meters)
	duration := between(r, 480, 960)
	wait := func(longest float64) {
		knots, when = append(knots, at), append(when, when[len(when)-1]+between(r, 5, longest))
	}
	move := func(way float64) {
		sin, cos := math.Sincos(float64(heading) * math.Pi / 2)
		at[0], at[1] = at[0]+way*cos, at[1]+way*sin
		knots = append(knots, at)
		when = append(when, when[len(when)-1]+way/(speed*between(r, 0.8, 1.2)))
	}
	for when[len(when)-1] < duration {
		if bus && stop < block {
			move(stop)
			wait(30)
			move(block - stop)
			stop += meters
		} else {
			move(block)
		}
		stop -= block
		if r.Float64() < 0.4 {
			wait(40)
		}
		heading += []int{0, 0, 1, 3}[r.IntN(4)]
	}
	i := 0
	return observe(r, duration, 12, 5, func(t float64) [2]float64 {
		for when[i+1] < t {
			i++
		}
		share := (t - when[i]) / (when[i+1] - when[i])
		a, z := knots[i], knots[i+1]
		return [2]float64{a[0] + share*(z[0]-a[0]), a[1] + share*(z[1]-a[1])}
	})
}

// drift returns the track of a particle in the flow of ψ = sin x · sin y + 0.5 cos(2x - y), which is
// (∂ψ/∂y, -∂ψ/∂x), or that track reversed in time.
func drift(r *rand.Rand, reversed bool) (points, times []float64) {
	const step, noise = 0.02, 0.6 // of the integration; deviation of the walk in a unit of time
	p, now := [2]float64{between(r, -3, 3), between(r, -3, 3)}, 0.0
	duration := between(r, 3, 6)
	points, times = observe(r, duration, 0.1, 0.02, func(t float64) [2]float64 {
		for ; now < t; now += step {
			sinX, cosX := math.Sincos(p[0])
			sinY, cosY := math.Sincos(p[1])
			wave := math.Sin(2*p[0] - p[1])
			p[0] += step*(sinX*cosY+0.5*wave) + noise*math.Sqrt(step)*r.NormFloat64()
			p[1] += step*(-cosX*sinY+wave) + noise*math.Sqrt(step)*r.NormFloat64()
		}
		return p
	})
	if !reversed {
		return points, times
	}
	var back, clock []float64
	for i := len(times) - 1; i >= 0; i-- {
		back = append(back, points[2*i:2*i+2]...)
		clock = append(clock, times[len(times)-1]-times[i])
	}
	return back, clock
}
