package series

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r3"
)

// curve is a path by its clock: the polyline through places at ascending times, or, on the sphere, along
// great circles. What is computed of it are integrals over the clock, so that more observations on the same
// polyline change nothing.
type curve struct {
	clock  []float64 // [N], ascending from 0; the last is the duration
	points []float64 // [N, n]
	n      int
	place  int     // the first coordinates, which have one unit and make a place
	radius float64 // of the sphere about the origin that the place is on; 0 in a flat space
}

// newCurve returns the curve through points [N, n] at times, of which the first of equal ones counts. Without
// times the clock is the length.
func newCurve(points, times []float64, n, place int, radius float64) *curve {
	c := &curve{n: n, place: place, radius: radius}
	at := 0.0
	for i := range len(points) / n {
		row := points[i*n : (i+1)*n]
		if times != nil {
			at = times[i] - times[0]
		} else if i > 0 {
			at += c.distance(points[(i-1)*n:i*n], row)
		}
		if last := len(c.clock) - 1; last >= 0 && !(at > c.clock[last]) {
			continue
		}
		c.clock, c.points = append(c.clock, at), append(c.points, row...)
	}
	return c
}

// duration returns the time from the first observation to the last.
func (c *curve) duration() float64 { return c.clock[len(c.clock)-1] }

// distance returns the length of the shortest way between two places.
func (c *curve) distance(a, b []float64) float64 {
	chord := floats.Distance(a[:c.place], b[:c.place], 2)
	if c.radius > 0 {
		return arc(chord, c.radius)
	}
	return chord
}

// at returns the points [len(times), n] at ascending times, which are those of the ends beyond the ends.
func (c *curve) at(times []float64) []float64 {
	out := make([]float64, 0, len(times)*c.n)
	from := 0
	for _, t := range times {
		for from+2 < len(c.clock) && c.clock[from+1] <= t {
			from++
		}
		to, share := min(from+1, len(c.clock)-1), 0.0
		if to > from {
			share = min(1, max(0, (t-c.clock[from])/(c.clock[to]-c.clock[from])))
		}
		a, z := c.points[from*c.n:(from+1)*c.n], c.points[to*c.n:(to+1)*c.n]
		begin := len(out)
		for j := range c.n {
			out = append(out, a[j]+share*(z[j]-a[j]))
		}
		if c.radius > 0 {
			p := out[begin : begin+c.place]
			floats.Scale(c.radius/floats.Norm(p, 2), p)
		}
	}
	return out
}

// length returns the length of the polyline through points [T, n].
func (c *curve) length(points []float64) (sum float64) {
	for i := c.n; i < len(points); i += c.n {
		sum += c.distance(points[i-c.n:i], points[i:i+c.n])
	}
	return sum
}

// area returns the area that the polyline through points encloses if it is closed by its chord, positive
// counterclockwise: on the sphere the integral of its area form over triangles to the middle of the chart, in
// flat space that of ½(x dy - y dx) in the first two coordinates.
func (c *curve) area(points []float64) (sum float64) {
	count := len(points) / c.n
	if c.place < 2 {
		return 0
	}
	for i := range count {
		a := points[i*c.n : (i+1)*c.n]
		b := points[(i+1)%count*c.n:][:c.n]
		if c.radius > 0 {
			sum += c.radius * c.radius * solidAngle(r3.Vec{Z: 1}, vector(a), vector(b))
		} else {
			o := points[:2] // digits are not lost to a far origin
			sum += ((a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])) / 2
		}
	}
	return sum
}

// vector returns the first three coordinates.
func vector(p []float64) r3.Vec { return r3.Vec{X: p[0], Y: p[1], Z: p[2]} }

// spaced returns the middles of count equal parts of an interval.
func spaced(from, to float64, count int) []float64 {
	out := make([]float64, count)
	for i := range out {
		out[i] = from + (to-from)*(float64(i)+0.5)/float64(count)
	}
	return out
}

// quantiles returns those of values at levels from 0 to 1, linearly between the sorted values.
func quantiles(values []float64, levels ...float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	out := make([]float64, len(levels))
	for i, level := range levels {
		at := level * float64(len(sorted)-1)
		from := int(math.Floor(at))
		to := min(from+1, len(sorted)-1)
		out[i] = sorted[from] + (at-float64(from))*(sorted[to]-sorted[from])
	}
	return out
}
