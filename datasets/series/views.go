package series

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat"
)

// row returns the columns of a path, group after group.
func (m *integrals) row(c *curve) []float64 {
	points := c.at(c.starts(0))
	middle := m.centered(c, points)
	out := m.motion(c, points, middle)
	for j := range c.n {
		column := pick(middle, j)
		out = append(out, quantiles(column, levels...)...)
		out = append(out, stat.Mean(column, nil), column[0], column[samples-1])
	}
	return append(out, forms(middle)...)
}

// centered returns the points about the center, in flat space as they are.
func (m *integrals) centered(c *curve, points track) track {
	if c.radius == 0 {
		return points
	}
	out := track{n: points.n, points: slices.Clone(points.points)}
	for i := range samples {
		for j := range c.place {
			out.row(i)[j] -= m.Center[j] / m.Scale[j]
		}
	}
	return out
}

// pick returns a column of points.
func pick(t track, j int) (column []float64) {
	for i := j; i < len(t.points); i += t.n {
		column = append(column, t.points[i])
	}
	return column
}

// motion returns what does not depend on the place: how far a path goes, how fast over windows, how it turns.
func (m *integrals) motion(c *curve, points, middle track) []float64 {
	variance := 0.0
	for j := range c.place {
		variance += stat.PopVariance(pick(points, j), nil)
	}
	spread := m.Speed * m.Interval
	length := c.length(points)
	out := []float64{
		math.Log(c.duration()/m.Duration + 1e-3), math.Log(length/spread + 1e-3),
		math.Log(math.Sqrt(variance)/spread + 1e-3),
		c.distance(points.row(0), points.row(samples-1)) / (length + 1e-6*spread),
		c.area(points) / (variance + 1e-6*spread*spread),
	}
	for j := range c.n - m.Hands {
		out = append(out, squash((middle.row(samples - 1)[j]-middle.row(0)[j])/spread))
	}
	out = append(out, make([]float64, m.Hands)...) // a clock does not move
	for w := range windows {
		tau := min(m.window(w), c.longest()/2)
		out = append(out, m.velocity(c, tau)...)
		out = append(out, m.turning(c, tau)...)
	}
	return out
}

// squash is a logarithm on both sides of 0.
func squash(x float64) float64 { return math.Copysign(math.Log1p(math.Abs(x)), x) }

// still is the share of the usual speed that is none.
const still = 1e-3

// steps returns the differences of points per time.
func steps(from, to track, time float64) track {
	out := track{n: from.n, points: make([]float64, len(from.points))}
	if time > 0 {
		floats.SubTo(out.points, to.points, from.points)
		floats.Scale(1/time, out.points)
	}
	return out
}

// velocity returns numbers of the velocities over windows of a time.
func (m *integrals) velocity(c *curve, tau float64) []float64 {
	times := c.starts(tau)
	a := c.at(times)
	floats.AddConst(tau, times)
	z := c.at(times)
	var speeds, logs []float64
	for i := range samples {
		speed := 0.0
		if tau > 0 {
			speed = c.distance(a.row(i), z.row(i)) / tau / m.Speed
		}
		speeds, logs = append(speeds, speed), append(logs, math.Log(speed+still))
	}
	mean, deviation := stat.PopMeanStdDev(speeds, nil)
	meanLog, deviationLog := stat.PopMeanStdDev(logs, nil)
	out := append(quantiles(logs, levels...), meanLog, deviationLog, math.Log(mean+still),
		deviation/(mean+still))
	v := steps(a, z, tau)
	for j := range c.n - m.Hands {
		for _, q := range quantiles(pick(v, j), 0.1, 0.5, 0.9) {
			out = append(out, squash(q/m.Speed))
		}
	}
	return append(out, make([]float64, 3*m.Hands)...)
}

// turning returns numbers of the angles between velocities over windows of a time, one after another.
func (m *integrals) turning(c *curve, tau float64) []float64 {
	times := c.starts(2 * tau)
	a := c.at(times)
	floats.AddConst(tau, times)
	b := c.at(times)
	floats.AddConst(tau, times)
	v, w := steps(a, b, tau), steps(b, c.at(times), tau)
	total := 1e-12 * m.Speed * m.Speed
	var angles, changes []float64
	var ahead, aside, left, turned float64
	for i := range samples {
		p, q := v.row(i)[:c.place], w.row(i)[:c.place]
		norm := floats.Norm(p, 2) * floats.Norm(q, 2)
		dot := floats.Dot(p, q)
		cross := math.Sqrt(max(0, norm*norm-dot*dot))
		total, ahead, aside = total+norm, ahead+dot, aside+cross
		left += c.left(b.row(i), p, q)
		angle := math.Atan2(cross, dot)
		turned += angle / samples
		angles = append(angles, angle)
		changes = append(changes, math.Log(floats.Distance(p, q, 2)/m.Speed+still))
	}
	out := []float64{ahead / total, aside / total, left / total, turned}
	out = append(out, quantiles(angles, 0.25, 0.5, 0.75, 0.9)...)
	return append(out, quantiles(changes, 0.1, 0.5, 0.9)...)
}

// left returns the product of the lengths of two velocities and the sine of the angle from one to the other
// to the left, as seen from above; 0 where there is no above.
func (c *curve) left(at, v, w []float64) float64 {
	switch {
	case c.radius > 0:
		return r3.Dot(vector(at), r3.Cross(vector(v), vector(w))) / c.radius
	case c.place == 2:
		return v[0]*w[1] - v[1]*w[0]
	}
	return 0
}

// wave is the function cos(⟨a, x⟩ + b).
type wave struct {
	a []float64
	b float64
}

// wavesOf returns the functions that forms on Rⁿ have: normal a of three lengths and uniform b, the same for
// all paths.
func wavesOf(n int) []wave {
	random := rand.New(rand.NewPCG(1, 1))
	out := make([]wave, waves)
	for k := range out {
		for range n {
			out[k].a = append(out[k].a, random.NormFloat64()*[]float64{0.5, 1, 2}[k%3])
		}
		out[k].b = 2 * math.Pi * random.Float64()
	}
	return out
}

// forms returns the integrals of cos(⟨a, x⟩ + b) dt, as a mean, and of cos(⟨a, x⟩ + b) dx_j.
func forms(points track) []float64 {
	n := points.n
	out := make([]float64, waves*(1+n))
	for k, w := range wavesOf(n) {
		before := 0.0
		for i := range samples {
			x := points.row(i)
			f := math.Cos(floats.Dot(w.a, x) + w.b)
			out[k] += f / samples
			for j := range n {
				if i > 0 {
					out[waves*(1+j)+k] += (f + before) / 2 * (x[j] - points.row(i - 1)[j])
				}
			}
			before = f
		}
	}
	return out
}
