package main

import (
	"math"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// basis is an orthonormal basis of the polynomials on the k-simplex up to a degree that do not change
// when vertices change places, with respect to the uniform probability.
//
// These are the polynomials in the elementary symmetric functions e_2, …, e_{k+1} of the barycentric
// coordinates. The basis comes from multiplying earlier members by one of these and making the product
// orthogonal to all before it, and is evaluated in the same way, which is stable where monomials are
// not (Brubeck, Nakatsukasa and Trefethen, Vandermonde with Arnoldi, SIAM Review 63, 2021).
type basis struct {
	k     int
	steps []step
}

// step makes the next member: (e_factor·member_parent - Σ coeff_l member_l)/norm.
type step struct {
	parent, factor int
	coeff          []float64
	norm           float64
}

// newBasis returns the basis up to a degree.
func newBasis(k, degree int) (*basis, error) {
	nodes, err := quadrature.Gauss(degree + 1).Nodes(k) // exact for products of two
	if err != nil {
		return nil, err
	}
	n := nodes.Len()
	volume := 1 / math.Gamma(float64(k)+1)
	weights := make([]float64, n)
	symmetric := make([][]float64, n)
	members := [][]float64{make([]float64, n)}
	for q := range n {
		weights[q] = nodes.Weights[q] / volume
		symmetric[q] = elementary(nodes.Point(q), nil)
		members[0][q] = 1
	}
	b := &basis{k: k}
	exponents := map[string]int{string(make([]byte, k)): 0}
	// In the order of degrees, so that parents come first.
	for d := 2; d <= degree; d++ {
		each(k, d, func(c []byte) {
			var s step
			for i := range c {
				if c[i] > 0 {
					c[i]--
					s.parent, s.factor = exponents[string(c)], i
					c[i]++
					break
				}
			}
			v := make([]float64, n)
			for q := range n {
				v[q] = symmetric[q][s.factor] * members[s.parent][q]
			}
			s.coeff = make([]float64, len(members))
			for range 2 {
				for l, m := range members {
					h := 0.0
					for q := range n {
						h += weights[q] * m[q] * v[q]
					}
					s.coeff[l] += h
					for q := range n {
						v[q] -= h * m[q]
					}
				}
			}
			for q := range n {
				s.norm += weights[q] * v[q] * v[q]
			}
			s.norm = math.Sqrt(s.norm)
			for q := range n {
				v[q] /= s.norm
			}
			exponents[string(c)] = len(members)
			members = append(members, v)
			b.steps = append(b.steps, s)
		})
	}
	return b, nil
}

// each calls f with all c for which Σ (i+2) c_i is the degree.
func each(k, degree int, f func(c []byte)) {
	c := make([]byte, k)
	var fill func(i, left int)
	fill = func(i, left int) {
		if i == k {
			if left == 0 {
				f(c)
			}
			return
		}
		for v := 0; v*(i+2) <= left; v++ {
			c[i] = byte(v)
			fill(i+1, left-v*(i+2))
		}
		c[i] = 0
	}
	fill(0, degree)
}

// size returns the number of members.
func (b *basis) size() int { return len(b.steps) + 1 }

// elementary returns e_2, …, e_{k+1} of k+1 numbers, and into derivative [k+1, k] their derivatives
// by each of the numbers if that is not nil.
func elementary(x []float64, derivative []float64) []float64 {
	n := len(x)
	product := func(skip int) []float64 {
		e := make([]float64, n+1)
		e[0] = 1
		for a, v := range x {
			if a == skip {
				continue
			}
			for j := n; j > 0; j-- {
				e[j] += v * e[j-1]
			}
		}
		return e
	}
	for a := range x {
		if derivative != nil {
			copy(derivative[a*(n-1):(a+1)*(n-1)], product(a)[1:n])
		}
	}
	return product(-1)[2:]
}

// values evaluates the members at a point, and into slopes [size, k+1] their derivatives by each
// barycentric coordinate.
func (b *basis) values(x []float64, slopes []float64) []float64 {
	k := b.k
	by := make([]float64, (k+1)*k)
	e := elementary(x, by)
	phi := make([]float64, b.size())
	phi[0] = 1
	clear(slopes[:k+1])
	for j, s := range b.steps {
		v := e[s.factor] * phi[s.parent]
		row := slopes[(j+1)*(k+1) : (j+2)*(k+1)]
		for a := range row {
			row[a] = by[a*k+s.factor]*phi[s.parent] + e[s.factor]*slopes[s.parent*(k+1)+a]
		}
		for l, h := range s.coeff {
			v -= h * phi[l]
			for a := range row {
				row[a] -= h * slopes[l*(k+1)+a]
			}
		}
		phi[j+1] = v / s.norm
		for a := range row {
			row[a] /= s.norm
		}
	}
	return phi
}
