package laws

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Convergence checks that the rule's error on the form falls with its order:
// a rule of degree p on simplices of size h errs by h^(k+p+1) on each, which
// is h^(p+1) on a triangulated region. The simplices are halved towards their
// first vertices and compared with a much finer rule. It returns the order
// that was measured, p+1 or more where the law holds (the tolerance is a
// quarter), and infinity where the error is not above rounding. Integrals that
// are not finite violate it. The simplices should be small against the
// features of the form: see [Subject].Size.
func Convergence(s Subject) (order float64, err error) {
	k, rule := s.Form.Degree, s.Form.Rule
	values, err := s.run("Convergence", func(d sample) []*Node {
		halves := make([][]int32, len(d.simplices))
		for i, simplex := range d.simplices {
			for _, v := range simplex {
				half := make([]float64, d.Form.Dim)
				for axis := range half {
					half[axis] = (d.at(v)[axis] + d.at(simplex[0])[axis]) / 2
				}
				halves[i] = append(halves[i], d.vertex(half))
			}
		}
		var out []*Node
		for _, simplices := range [][][]int32{d.simplices, halves} {
			exact := plain(d.Form)
			exact.Rule = quadrature.Gauss(fine)
			out = append(out, d.integral(d.Form, simplices), d.integral(exact, simplices))
		}
		return out
	})
	if err != nil {
		return 0, err
	}
	if rule == nil {
		rule = quadrature.Gauss(3)
	}
	nodes, err := rule.Nodes(k)
	if err != nil {
		return 0, fmt.Errorf("laws: Convergence: %w", err)
	}
	large, scale := meanError(values[0], values[1])
	small, halved := meanError(values[2], values[3])
	for _, x := range []float64{large, small, scale, halved} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return math.NaN(), violated("Convergence", math.NaN(), 0.25, "%v errs by %g on %d-forms of "+
				"mean integral %g, at half the size by %g of %g, want finite numbers", rule, large, k, scale,
				small, halved)
		}
	}
	// A hundred units in the last place of float64, and the form is exact.
	if k == 0 || !(large > 1e-14*scale) {
		return math.Inf(1), nil
	}
	order = math.Log2(large/small) - float64(k)
	if want := float64(nodes.Exact) + 1; !(order > want-0.25) {
		return order, violated("Convergence", want-order, 0.25,
			"%v converges with order %.2f on %d-forms, want %g", rule, order, k, want)
	}
	return order, nil
}

// fine is the number of Gauss points per direction that counts as exact: for
// polynomials to degree 19.
const fine = 10

// meanError returns the mean of |got-want| and of |want|.
func meanError(got, want []float64) (off, scale float64) {
	for i := range want {
		off += math.Abs(got[i]-want[i]) / float64(len(want))
		scale += math.Abs(want[i]) / float64(len(want))
	}
	return off, scale
}

// Exactness checks that a rule integrates all polynomials on the k-simplex up
// to the given degree, within a relative tolerance: the monomials in
// barycentric coordinates, whose integrals are Π e_a! / (k + Σ e_a)!.
func Exactness(rule quadrature.Rule, k, degree int, tolerance float64) error {
	nodes, err := rule.Nodes(k)
	if err != nil {
		return fmt.Errorf("laws: Exactness: %w", err)
	}
	exponents := make([]int, k+1)
	var visit func(a, left int) error
	visit = func(a, left int) error {
		if a < k {
			for e := range left + 1 {
				exponents[a] = e
				if err := visit(a+1, left-e); err != nil {
					return err
				}
			}
			return nil
		}
		exponents[k] = left
		got, want := monomial(nodes, exponents), dirichlet(exponents)
		if off := math.Abs(got-want) / want; !(off <= tolerance) {
			return violated("Exactness", off, tolerance, "%v gives %.10g for the monomial of exponents %v, "+
				"want %.10g", rule, got, exponents, want)
		}
		return nil
	}
	// In barycentric coordinates, which sum to one, the monomials of one
	// degree span all polynomials up to it.
	return visit(0, degree)
}

// monomial returns the rule's integral of Π λ_a^e_a.
func monomial(nodes *quadrature.Nodes, exponents []int) float64 {
	sum := 0.0
	for q, w := range nodes.Weights {
		for a, x := range nodes.Point(q) {
			w *= math.Pow(x, float64(exponents[a]))
		}
		sum += w
	}
	return sum
}

// dirichlet returns ∫ Π λ_a^e_a over the standard simplex.
func dirichlet(exponents []int) float64 {
	total, log := len(exponents)-1, 0.0
	for _, e := range exponents {
		l, _ := math.Lgamma(float64(e) + 1)
		log += l
		total += e
	}
	l, _ := math.Lgamma(float64(total) + 1)
	return math.Exp(log - l)
}
