package laws

import (
	"fmt"
	"math"

	"github.com/neuralkforms/nkf/layers/quadrature"
)

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
