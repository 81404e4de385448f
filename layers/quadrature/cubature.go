package quadrature

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat/combin"
)

// byDegree is the symmetric rule of a degree.
type byDegree struct{ degree int }

// Cubature returns a rule with few points that is exact to the given degree and is symmetric: permuting the
// vertices changes only the sign of an integral. Gauss is symmetric only on edges, and Subdivision up to
// triangles.
//
// On an edge it is the Gauss–Legendre rule. A table has rules with positive weights and points inside
// for triangles to degree 17, tetrahedra to 12 and 4-simplices to 8: triangles take 6 points for degree
// 4 and 25 for degree 10, tetrahedra 14 for degree 5. A program computed them (.tools/findrules of nkf
// v0.3.0) as Witherden and Vincent do (Comput. Math. Appl. 69, 2015).
//
// Beyond the table it is the rule of Grundmann and Möller (SIAM J. Numer. Anal. 15, 1978), 28 points for
// degree 5 on the 5-simplex. Some of its weights are negative: the integral of a positive function may come
// out negative where the function is rough, and rounding grows by the sum of their sizes, 9 times the volume
// in that case and 811 times for degree 19 on triangles. Gauss has positive weights.
func Cubature(degree int) Rule { return byDegree{degree} }

// cubature is a rule of the table: for each orbit the weight of one point, in parts of the volume, and
// its barycentric coordinates.
type cubature struct {
	degree int
	orbits [][]float64
}

//go:embed cubature.txt
var cubatureText string

// tables holds the rules of cubature.txt for each dimension, by ascending degree.
var tables = sync.OnceValue(func() map[int][]cubature {
	tables := map[int][]cubature{}
	k := 0
	for line := range strings.Lines(cubatureText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, _, ok := strings.Cut(line, ":"); ok {
			numbers := parse(head)
			k = int(numbers[0])
			tables[k] = append(tables[k], cubature{degree: int(numbers[1])})
			continue
		}
		last := &tables[k][len(tables[k])-1]
		last.orbits = append(last.orbits, parse(line))
	}
	return tables
})

// parse returns the numbers on a line of the table.
func parse(line string) (numbers []float64) {
	for _, field := range strings.Fields(line) {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil {
			panic(fmt.Errorf("quadrature: cubature.txt: %w", err))
		}
		numbers = append(numbers, x)
	}
	return numbers
}

// String returns "Cubature(degree)".
func (r byDegree) String() string { return fmt.Sprintf("Cubature(%d)", r.degree) }

// Nodes returns the points orbit after orbit.
func (r byDegree) Nodes(k int) (*Nodes, error) {
	if r.degree < 0 {
		return nil, fmt.Errorf("quadrature: %v is exact to no degree: use 0 or more", r)
	}
	if k < 2 {
		return Gauss(r.degree/2 + 1).Nodes(k)
	}
	for _, c := range tables()[k] {
		if c.degree >= r.degree {
			return c.nodes(k), nil
		}
	}
	s := r.degree / 2
	// Σ_i C(k+i, k) = C(k+s+1, s)
	if err := checkSize(r, k, combin.GeneralizedBinomial(float64(k+s+1), float64(s))); err != nil {
		return nil, err
	}
	return grundmann(k, s), nil
}

// grundmann returns the rule of Grundmann and Möller of degree d = 2s+1: for i = 0, …, s the points with the
// coordinates (2b+1)/(d+k-2i), where b are k+1 integers with the sum s-i, all with the weight
//
//	(-1)^i · (d+k-2i)^d / (4^s · i! · (d+k-i)!).
func grundmann(k, s int) *Nodes {
	d := 2*s + 1
	n := &Nodes{K: k, Exact: d}
	for i := range s + 1 {
		base, weight := float64(d+k-2*i), math.Ldexp(1, -2*s)
		for j := 1; j <= d+k; j++ { // in this order nothing overflows
			if j <= d+k-i {
				weight /= float64(j)
			}
			if j <= d {
				weight *= base
			}
			if j <= i {
				weight /= float64(-j)
			}
		}
		var visit func(point []float64, left int)
		visit = func(point []float64, left int) {
			if len(point) == k {
				n.Barycentric = append(append(n.Barycentric, point...), float64(2*left+1)/base)
				n.Weights = append(n.Weights, weight)
				return
			}
			for b := range left + 1 {
				visit(append(point, float64(2*b+1)/base), left-b)
			}
		}
		visit(make([]float64, 0, k), s-i)
	}
	return n
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
