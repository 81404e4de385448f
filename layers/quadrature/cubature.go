package quadrature

import (
	"fmt"
	"math"
	"slices"
)

//go:generate go run ./internal/findrules -write .

// byDegree is the symmetric rule for a degree.
type byDegree struct{ degree int }

// Cubature returns a rule with few points that is exact to the given degree and treats all vertices
// alike: a permutation of them changes an integral by no more than its sign.
//
// On an edge that is the Gauss–Legendre rule. On simplices of dimension 2 to 4 a table has rules with
// positive weights and points inside, up to the degrees of [CubatureDegree]; triangles take 6 points
// for degree 4 and 25 for degree 10, tetrahedra 14 for degree 5. They were computed by the program in
// internal/findrules, as Witherden and Vincent did (Comput. Math. Appl. 69, 2015). Beyond the table
// triangles and tetrahedra have an average of [Gauss] (see [Symmetric]), and all other simplices the
// rule of Grundmann and Möller (SIAM J. Numer. Anal. 15, 1978), whose points are inside, but whose
// weights have both signs: it loses a digit or so for every two degrees.
func Cubature(degree int) Rule { return byDegree{degree} }

// CubatureDegree returns the largest degree for which [Cubature] has a rule with positive weights and
// points inside in its table for dimension k; on points and edges there is no such limit.
func CubatureDegree(k int) int {
	table := cubatures(k)
	switch {
	case k == 0 || k == 1:
		return math.MaxInt
	case len(table) == 0:
		return 1
	}
	return table[len(table)-1].degree
}

// cubature is a rule of the table: of each orbit a row with the weight of one point, in parts of the
// volume, and its barycentric coordinates.
type cubature struct {
	degree int
	orbits [][]float64
}

// cubatures returns the table of one dimension, by ascending degree.
func cubatures(k int) []cubature {
	tables := [][]cubature{2: cubature2, 3: cubature3, 4: cubature4}
	if k < 0 || k >= len(tables) {
		return nil
	}
	return tables[k]
}

// String returns "Cubature(degree)".
func (r byDegree) String() string { return fmt.Sprintf("Cubature(%d)", r.degree) }

// Nodes returns the points orbit after orbit.
func (r byDegree) Nodes(k int) (*Nodes, error) {
	if r.degree < 0 {
		return nil, fmt.Errorf("quadrature: %v is exact to no degree: use 0 or more", r)
	}
	if err := checkSize(r, k, 0); err != nil {
		return nil, err
	}
	if k == 0 {
		return vertex(), nil
	}
	if k == 1 {
		return Gauss(r.degree/2 + 1).Nodes(1)
	}
	for _, c := range cubatures(k) {
		if c.degree >= r.degree {
			return c.nodes(k), nil
		}
	}
	if k <= 3 {
		return average(r, Gauss(r.degree/2+1), k)
	}
	return r.grundmannMoller(k)
}

// nodes returns the points of a rule of the table.
func (c cubature) nodes(k int) *Nodes {
	volume := 1 / math.Gamma(float64(k)+1)
	n := &Nodes{K: k, Exact: c.degree}
	for _, orbit := range c.orbits {
		point := slices.Sorted(slices.Values(orbit[1:]))
		for more := true; more; more = nextPermutation(point) {
			n.Barycentric = append(n.Barycentric, point...)
			n.Weights = append(n.Weights, orbit[0]*volume)
		}
	}
	return n
}

// nextPermutation moves the numbers to the next order in the lexicographic sense, which leaves equal
// ones as they are. It reports whether there was one.
func nextPermutation(x []float64) bool {
	i := len(x) - 2
	for i >= 0 && x[i] >= x[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(x) - 1
	for x[j] <= x[i] {
		j--
	}
	x[i], x[j] = x[j], x[i]
	slices.Reverse(x[i+1:])
	return true
}

// grundmannMoller returns the rule of odd degree 2s+1 with the points (2β+1)/(k+1+2|β|) for all β ≥ 0
// with |β| = s-i, i = 0..s, and for each i the weight
//
//	(-1)^i 2^(-2s) (k+1+2(s-i))^(2s+1) / (i! (k+1+2s-i)!).
func (r byDegree) grundmannMoller(k int) (*Nodes, error) {
	s := r.degree / 2
	// C(k+1+s, s) points.
	if err := checkSize(r, k, math.Exp(logFactorial(k+1+s)-logFactorial(k+1)-logFactorial(s))); err != nil {
		return nil, err
	}
	n := &Nodes{K: k, Exact: 2*s + 1}
	beta := make([]float64, k+1)
	for i := range s + 1 {
		base := float64(k + 1 + 2*(s-i))
		weight := math.Exp(float64(2*s+1)*math.Log(base) - float64(2*s)*math.Ln2 -
			logFactorial(i) - logFactorial(k+1+2*s-i))
		if i%2 == 1 {
			weight = -weight
		}
		var fill func(a, left int)
		fill = func(a, left int) {
			if a == k {
				beta[k] = float64(left)
				for _, b := range beta {
					n.Barycentric = append(n.Barycentric, (2*b+1)/base)
				}
				n.Weights = append(n.Weights, weight)
				return
			}
			for b := 0; b <= left; b++ {
				beta[a] = float64(b)
				fill(a+1, left-b)
			}
		}
		fill(0, s-i)
	}
	return n, nil
}

// logFactorial returns log n!.
func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
