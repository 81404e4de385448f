package series

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r3"
)

// curve is a path by its clock: the polyline through places at ascending times from 0, or, on the sphere,
// along great circles. What is computed of it are integrals over the clock, so that more observations on the
// same polyline change nothing. Integrals leave out gaps, over which only the ends of the path are known.
type curve struct {
	track
	place  int          // the first coordinates, which have one unit and make a place
	radius float64      // of the sphere about the origin that the place is on; 0 in a flat space
	seen   [][2]float64 // intervals of the clock between gaps, ascending
}

// newCurve returns the curve through the observations of a track, of which the first of those at one time
// counts. Without times the clock is the length.
func newCurve(t track, place int, radius float64) *curve {
	c := &curve{track: track{n: t.n}, place: place, radius: radius}
	at := 0.0
	for i := range len(t.points) / t.n {
		if t.times != nil {
			at = t.times[i] - t.times[0]
		} else if i > 0 {
			at += c.distance(t.row(i-1), t.row(i))
		}
		if i == 0 || at > c.duration() {
			c.times, c.points = append(c.times, at), append(c.points, t.row(i)...)
		}
	}
	c.split(c.duration())
	return c
}

// split makes gaps of the intervals between observations that are longer than a time, which is not below the
// median of them.
func (c *curve) split(gap float64) {
	c.seen = [][2]float64{{}}
	for i, at := range c.times {
		if i > 0 && at-c.times[i-1] > gap {
			c.seen = append(c.seen, [2]float64{at})
		}
		c.seen[len(c.seen)-1][1] = at
	}
}

// intervals returns the times between observations.
func (c *curve) intervals() (out []float64) {
	for i := 1; i < len(c.times); i++ {
		out = append(out, c.times[i]-c.times[i-1])
	}
	return out
}

// longest returns the longest time without a gap.
func (c *curve) longest() (most float64) {
	for _, s := range c.seen {
		most = max(most, s[1]-s[0])
	}
	return most
}

// starts returns samples times, evenly spaced among those from which on a time passes without a gap, which is
// at most the longest.
func (c *curve) starts(time float64) []float64 {
	var parts [][2]float64
	total := 0.0
	for _, s := range c.seen {
		if length := s[1] - s[0] - time; length >= 0 {
			parts, total = append(parts, [2]float64{s[0], length}), total+length
		}
	}
	out, before := make([]float64, samples), 0.0 // before the first of the parts
	for i := range out {
		at := total * (float64(i) + 0.5) / samples
		for len(parts) > 1 && at > before+parts[0][1] {
			before, parts = before+parts[0][1], parts[1:]
		}
		out[i] = parts[0][0] + at - before
	}
	return out
}

// duration returns the time from the first observation to the last.
func (c *curve) duration() float64 { return c.times[len(c.times)-1] }

// distance returns the length of the shortest way between two places.
func (c *curve) distance(a, b []float64) float64 {
	chord := floats.Distance(a[:c.place], b[:c.place], 2)
	if c.radius > 0 {
		return 2 * c.radius * math.Asin(min(1, chord/(2*c.radius)))
	}
	return chord
}

// at returns the curve at ascending times.
func (c *curve) at(times []float64) track {
	out := track{n: c.n, points: c.track.at(c.times, times)}
	for i := range times {
		if p := out.row(i)[:c.place]; c.radius > 0 {
			floats.Scale(c.radius/floats.Norm(p, 2), p)
		}
	}
	return out
}

// length returns the length of a polyline.
func (c *curve) length(t track) (sum float64) {
	for i := 1; i < len(t.points)/t.n; i++ {
		sum += c.distance(t.row(i-1), t.row(i))
	}
	return sum
}

// area returns the area that a polyline encloses if it is closed by its chord, positive counterclockwise: on
// the sphere the integral of its area form over triangles to the middle of the chart, in flat space that of
// ½(x dy - y dx) in the first two coordinates.
func (c *curve) area(t track) (sum float64) {
	if c.place < 2 {
		return 0
	}
	count := len(t.points) / t.n
	o := t.row(0) // in flat space, so that digits are not lost to a far origin
	for i := range count {
		a, b := t.row(i), t.row((i+1)%count)
		if c.radius > 0 {
			sum += c.radius * c.radius * solidAngle(r3.Vec{Z: 1}, vector(a), vector(b))
		} else {
			sum += ((a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])) / 2
		}
	}
	return sum
}

// solidAngle returns the signed area of the spherical triangle of three directions on the unit sphere: the
// integral of the area form over it, positive if they go counterclockwise as seen from outside. Source: van
// Oosterom and Strackee, The solid angle of a plane triangle, 1983.
func solidAngle(a, b, c r3.Vec) float64 {
	a, b, c = r3.Unit(a), r3.Unit(b), r3.Unit(c)
	return 2 * math.Atan2(r3.Dot(a, r3.Cross(b, c)), 1+r3.Dot(a, b)+r3.Dot(b, c)+r3.Dot(c, a))
}

// vector returns the first three coordinates.
func vector(p []float64) r3.Vec { return r3.Vec{X: p[0], Y: p[1], Z: p[2]} }

// quantiles returns those of values at levels from 0 to 1, linearly between the sorted values.
func quantiles(values []float64, levels ...float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	out := make([]float64, len(levels))
	for i, level := range levels {
		at := level * float64(len(sorted)-1)
		from := int(math.Floor(at))
		to := min(from+1, len(sorted)-1)
		out[i] = sorted[from] + (at-float64(from))*(sorted[to]-sorted[from])
	}
	return out
}
