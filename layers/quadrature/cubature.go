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

//go:generate go run -C ../../.tools/findrules . -table ../../layers/quadrature/cubature.txt

// byDegree is the symmetric rule of a degree.
type byDegree struct{ degree int }

// Cubature returns a rule with few points that is exact to the given degree and treats all vertices
// alike: permuting them changes an integral by no more than its sign. Neither Gauss beyond edges nor
// Subdivision beyond triangles does.
//
// On an edge it is the Gauss–Legendre rule. A table has rules with positive weights and points inside
// for triangles to degree 17, tetrahedra to 12 and 4-simplices to 8: triangles take 6 points for degree
// 4 and 25 for degree 10, tetrahedra 14 for degree 5. They were computed by the program in
// .tools/findrules, as by Witherden and Vincent (Comput. Math. Appl. 69, 2015). Beyond the table,
// Gauss is averaged over all orders of the vertices of triangles and tetrahedra; all other simplices
// have the rule of Grundmann and Möller (SIAM J. Numer. Anal. 15, 1978), whose points are inside, but
// whose weights have both signs: it loses about a digit for every two degrees.
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
	if err := checkSize(r, k, 0); err != nil {
		return nil, err
	}
	if k == 0 {
		return vertex(), nil
	}
	if k == 1 {
		return Gauss(r.degree/2 + 1).Nodes(1)
	}
	for _, c := range tables()[k] {
		if c.degree >= r.degree {
			return c.nodes(k), nil
		}
	}
	if k <= 3 {
		return r.averaged(k)
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

// averaged returns the average of the Gauss rule over all orders of the vertices. Points that coincide
// become one, in the place of the first.
func (r byDegree) averaged(k int) (*Nodes, error) {
	n, err := Gauss(r.degree/2 + 1).Nodes(k)
	if err != nil {
		return nil, err
	}
	orders := combin.Permutations(k+1, k+1)
	if err := checkSize(r, k, float64(n.Len()*len(orders))); err != nil {
		return nil, err
	}
	out := &Nodes{K: k, Exact: n.Exact}
	places := map[string]int{}
	moved := make([]float64, k+1)
	for q, w := range n.Weights {
		for _, order := range orders {
			for a, b := range order {
				moved[a] = n.Point(q)[b]
			}
			name := fmt.Sprintf("%.12f", moved) // so that rounded copies coincide
			place, seen := places[name]
			if !seen {
				place = out.Len()
				places[name] = place
				out.Barycentric = append(out.Barycentric, moved...)
				out.Weights = append(out.Weights, 0)
			}
			out.Weights[place] += w / float64(len(orders))
		}
	}
	return out, nil
}

// grundmannMoller returns the rule of odd degree 2s+1 with the points (2β+1)/(k+1+2|β|) for all β ≥ 0
// with |β| = s-i, i = 0..s, and for each i the weight
//
//	(-1)^i 2^(-2s) (k+1+2(s-i))^(2s+1) / (i! (k+1+2s-i)!).
func (r byDegree) grundmannMoller(k int) (*Nodes, error) {
	s := r.degree / 2
	points := math.Exp(combin.LogGeneralizedBinomial(float64(k+1+s), float64(s)))
	if err := checkSize(r, k, points); err != nil {
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
