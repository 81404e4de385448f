package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// An orbit is a pattern of equal barycentric coordinates, such as 2+1: the points that have two of one
// value and one of another.
type orbit []int

// points returns the number of points.
func (o orbit) points() int {
	n, count := 0, 1
	for _, m := range o {
		for i := 1; i <= m; i++ {
			n++
			count = count * n / i
		}
	}
	return count
}

// rule is a choice of orbits with the unknowns: of each the logarithm of the weight of all its points,
// and of all but its first value the logarithm of the ratio to the first. So weights are positive and
// points inside of the simplex.
type rule struct {
	orbits   []orbit
	unknowns []float64
}

// count returns the number of points.
func (r *rule) count() int {
	n := 0
	for _, o := range r.orbits {
		n += o.points()
	}
	return n
}

// begin makes random unknowns.
func (r *rule) begin(rng *rand.Rand) {
	r.unknowns = r.unknowns[:0]
	for _, o := range r.orbits {
		r.unknowns = append(r.unknowns, math.Log(float64(o.points())/float64(r.count())))
		for range o[1:] {
			r.unknowns = append(r.unknowns, 2*rng.NormFloat64())
		}
	}
}

// place returns the weight of an orbit and one of its points, from its unknowns.
func (o orbit) place(u []float64) (weight float64, values []float64) {
	values = make([]float64, len(o))
	sum := 0.0
	for i, m := range o {
		values[i] = 1
		if i > 0 {
			values[i] = math.Exp(u[i])
		}
		sum += float64(m) * values[i]
	}
	for i := range values {
		values[i] /= sum
	}
	return math.Exp(u[0]), values
}

// spread returns a point with the values as often as the pattern says.
func (o orbit) spread(values []float64) []float64 {
	var x []float64
	for i, m := range o {
		for range m {
			x = append(x, values[i])
		}
	}
	return x
}

// residual returns by how much the rule is off for each member of the basis, and into jacobian [size,
// unknowns] the derivatives.
func (r *rule) residual(b *basis, jacobian []float64) []float64 {
	m, n := b.size(), len(r.unknowns)
	f := make([]float64, m)
	f[0] = -1
	slopes := make([]float64, m*(b.k+1))
	at := 0
	for _, o := range r.orbits {
		weight, values := o.place(r.unknowns[at:])
		phi := b.values(o.spread(values), slopes)
		for j, v := range phi {
			f[j] += weight * v
			jacobian[j*n+at] = weight * v
			// The derivative by the logarithm of value i is value_i (g_i - m_i Σ_l values_l g_l), g_l
			// the sum of the slopes in the coordinates that have it.
			g := make([]float64, len(o))
			mean, a := 0.0, 0
			for l, count := range o {
				for range count {
					g[l] += slopes[j*(b.k+1)+a]
					a++
				}
				mean += values[l] * g[l]
			}
			for i := 1; i < len(o); i++ {
				jacobian[j*n+at+i] = weight * values[i] * (g[i] - float64(o[i])*mean)
			}
		}
		at += len(o)
	}
	return f
}

// solve searches for a rule without error by the method of Levenberg and Marquardt from where the
// unknowns are, and returns the norm of the error.
func (r *rule) solve(b *basis, rounds int) float64 {
	n := len(r.unknowns)
	jacobian := make([]float64, b.size()*n)
	f := r.residual(b, jacobian)
	norm := length(f)
	damping := 1.0
	trial := &rule{orbits: r.orbits, unknowns: make([]float64, n)}
	other := make([]float64, len(jacobian))
	for round := 0; round < rounds && norm > 1e-15; round++ {
		if round == 60 && norm > 0.1 || round == 150 && norm > 1e-3 {
			break
		}
		step, ok := dampedStep(jacobian, f, n, damping*min(1, norm))
		if !ok {
			break
		}
		for i, s := range step {
			trial.unknowns[i] = r.unknowns[i] - s
		}
		g := trial.residual(b, other)
		if now := length(g); now < norm {
			small := now > 0.9*norm && norm < 1e-13
			f, norm = g, now
			copy(r.unknowns, trial.unknowns)
			jacobian, other = other, jacobian
			damping = max(damping/3, 1e-12)
			if small {
				break
			}
			continue
		}
		if damping *= 4; damping > 1e12 {
			break
		}
	}
	return norm
}

// dampedStep returns the x that minimizes ‖J x - f‖² + damping ‖x‖².
func dampedStep(jacobian, f []float64, n int, damping float64) ([]float64, bool) {
	m := len(f)
	a := mat.NewDense(m+n, n, nil)
	y := mat.NewVecDense(m+n, nil)
	for j := range m {
		a.SetRow(j, jacobian[j*n:(j+1)*n])
		y.SetVec(j, f[j])
	}
	for i := range n {
		a.Set(m+i, i, math.Sqrt(damping))
	}
	var qr mat.QR
	qr.Factorize(a)
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, y); err != nil {
		return nil, false
	}
	for _, v := range x.RawVector().Data {
		if math.IsNaN(v) || math.Abs(v) > 50 {
			return nil, false
		}
	}
	return x.RawVector().Data, true
}

// length returns the Euclidean norm.
func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// margin returns the least coordinate of the points: how far they are from the boundary.
func (r *rule) margin() float64 {
	least, at := 1.0, 0
	for _, o := range r.orbits {
		_, values := o.place(r.unknowns[at:])
		least = min(least, slices.Min(values))
		at += len(o)
	}
	return least
}
