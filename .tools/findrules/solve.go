package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// An orbit is a pattern of equal barycentric coordinates, such as 2+1: the points that have two of one
// value and one of another.
type orbit []int

// points returns the number of points.
func (o orbit) points() int {
	n, count := 0, 1
	for _, m := range o {
		n += m
		count *= combin.Binomial(n, m)
	}
	return count
}

// place returns the weight of an orbit and one of its points, from its unknowns.
func (o orbit) place(u []float64) (weight float64, point []float64) {
	sum := 0.0
	for i, m := range o {
		value := 1.0
		if i > 0 {
			value = math.Exp(u[i])
		}
		sum += float64(m) * value
		point = append(point, slices.Repeat([]float64{value}, m)...)
	}
	for a := range point {
		point[a] /= sum
	}
	return math.Exp(u[0]), point
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

// find tries some random starts until one leads to a rule, and reports whether one did.
func (r *rule) find(b *basis, rng *rand.Rand, tries int) bool {
	for range tries {
		r.unknowns = r.unknowns[:0]
		for _, o := range r.orbits {
			r.unknowns = append(r.unknowns, math.Log(float64(o.points())/float64(r.count())))
			for range o[1:] {
				r.unknowns = append(r.unknowns, 2*rng.NormFloat64())
			}
		}
		// Some rounding of 60 residuals, and points that are apart from the boundary.
		if r.solve(b, 500) < 1e-13 && r.margin() > 1e-6 {
			return true
		}
	}
	return false
}

// margin returns the least coordinate of the points.
func (r *rule) margin() float64 {
	least, at := 1.0, 0
	for _, o := range r.orbits {
		_, point := o.place(r.unknowns[at:])
		least = min(least, slices.Min(point))
		at += len(o)
	}
	return least
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
		weight, point := o.place(r.unknowns[at:])
		for j, v := range b.values(point, slopes) {
			f[j] += weight * v
			jacobian[j*n+at] = weight * v
			// The derivative by the logarithm of value i is value_i (g_i - m_i Σ_l value_l g_l), g_l the sum
			// of the slopes in the coordinates that have it.
			g, values := make([]float64, len(o)), make([]float64, len(o))
			mean, a := 0.0, 0
			for l, count := range o {
				values[l] = point[a]
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
	for round := 0; round < rounds && norm > 1e-15 && damping <= 1e12; round++ {
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
		now := length(g)
		if now >= norm {
			damping *= 4
			continue
		}
		small := now > 0.9*norm && norm < 1e-13
		f, norm = g, now
		copy(r.unknowns, trial.unknowns)
		jacobian, other = other, jacobian
		damping = max(damping/3, 1e-12)
		if small {
			break
		}
	}
	return norm
}

// dampedStep returns the x that minimizes ‖J x - f‖² + damping ‖x‖².
func dampedStep(jacobian, f []float64, n int, damping float64) (step []float64, ok bool) {
	a := mat.NewDense(len(f)+n, n, append(slices.Clone(jacobian), make([]float64, n*n)...))
	for i := range n {
		a.Set(len(f)+i, i, math.Sqrt(damping))
	}
	var qr mat.QR
	qr.Factorize(a)
	var x mat.VecDense
	y := mat.NewVecDense(len(f)+n, append(slices.Clone(f), make([]float64, n)...))
	if err := qr.SolveVecTo(&x, false, y); err != nil {
		return nil, false
	}
	step = x.RawVector().Data
	return step, !slices.ContainsFunc(step, func(v float64) bool { return !(math.Abs(v) <= 50) })
}

// length returns the Euclidean norm.
func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}
