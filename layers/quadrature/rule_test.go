package quadrature_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/neuralkforms/nkf/layers/exterior/laws"
	. "github.com/neuralkforms/nkf/layers/quadrature"
)

// apply returns the rule's value for a function of barycentric coordinates.
func apply(n *Nodes, f func(lambda []float64) float64) float64 {
	sum := 0.0
	for q, w := range n.Weights {
		sum += w * f(n.Point(q))
	}
	return sum
}

// rules are those whose every dimension is tested.
func rules() []Rule {
	return []Rule{
		Subdivision(1), Subdivision(2), Subdivision(3), Trapezoid(5),
		Gauss(1), Gauss(2), Gauss(3), Gauss(5), Cubature(0), Cubature(3), Cubature(4), Cubature(5),
		Cubature(8),
	}
}

func TestWeightsSumToVolumeAndPointsAreBarycentric(t *testing.T) {
	for _, rule := range rules() {
		for k := 0; k <= 4; k++ {
			n, err := rule.Nodes(k)
			require.NoError(t, err)
			require.Equal(t, k, n.K)
			require.Len(t, n.Barycentric, n.Len()*(k+1))
			total := 0.0
			for q, w := range n.Weights {
				require.Positive(t, w, "%v, k=%d", rule, k)
				total += w
				sum := 0.0
				for _, x := range n.Point(q) {
					require.GreaterOrEqual(t, x, 0.0)
					sum += x
				}
				// A sum of at most five rounded numbers.
				require.InDelta(t, 1, sum, 1e-15*8)
			}
			// Rounding of up to 625 positive terms that sum to at most one.
			require.InDelta(t, 1/math.Gamma(float64(k)+1), total, 1e-13)
		}
	}
}

func TestExactToDegreeAndNotBeyond(t *testing.T) {
	for _, rule := range rules() {
		for k := 1; k <= 4; k++ {
			requireExact(t, rule, k)
		}
	}
}

// requireExact asks a rule to be exact to the degree that it states, and not beyond. 1e-11: some rounding of
// sums of up to 625 terms, which are much larger than integrals of high degree.
func requireExact(t *testing.T, rule Rule, k int) *Nodes {
	t.Helper()
	n, err := rule.Nodes(k)
	require.NoError(t, err)
	require.NoError(t, laws.Exactness(n, k, n.Exact, 1e-11), "%v, k=%d", rule, k)
	require.ErrorIs(t, laws.Exactness(n, k, n.Exact+1, 1e-6), laws.ErrViolated, "%v, k=%d", rule, k)
	return n
}

// TestGrundmannMoeller: beyond the table, rules are symmetric and exact; the sums of the sizes of their
// weights, by which rounding grows, are those of the documentation.
func TestGrundmannMoeller(t *testing.T) {
	for _, c := range []struct {
		k, degree, points int
		sizes             float64 // in volumes
	}{{5, 1, 1, 1}, {5, 5, 28, 9.1}, {6, 7, 120, 27.5}, {7, 4, 45, 13.6}, {2, 19, 220, 811.5}} {
		n := requireExact(t, Cubature(c.degree), c.k)
		require.Equal(t, c.points, n.Len())
		sizes := 0.0
		for _, w := range n.Weights {
			sizes += math.Abs(w)
		}
		require.InEpsilon(t, c.sizes, sizes*math.Gamma(float64(c.k+1)), 5e-3)
	}
	for _, k := range []int{5, 6} {
		n, err := Cubature(5).Nodes(k)
		require.NoError(t, err)
		last := slices.Repeat([]float64{0}, k+1)
		first := slices.Clone(last)
		for q, w := range n.Weights {
			for a, x := range n.Point(q) {
				first[a] += w * math.Exp(x)
				last[a] += w * math.Exp(2*x) * n.Point(q)[(a+1)%(k+1)]
			}
		}
		for a := range first { // sums in another order
			require.InEpsilon(t, first[0], first[a], 1e-13)
			require.InEpsilon(t, last[0], last[a], 1e-13)
		}
	}
}

func TestVertexIsExactForEverything(t *testing.T) {
	n, err := Gauss(4).Nodes(0)
	require.NoError(t, err)
	require.Equal(t, &Nodes{K: 0, Barycentric: []float64{1}, Weights: []float64{1}, Exact: math.MaxInt}, n)
}

// TestGaussIsLegendreOnEdges compares with gonum's Gauss–Legendre rule.
func TestGaussIsLegendreOnEdges(t *testing.T) {
	for points := 1; points <= 12; points++ {
		n, err := Gauss(points).Nodes(1)
		require.NoError(t, err)
		x, w := make([]float64, points), make([]float64, points)
		quad.Legendre{}.FixedLocations(x, w, 0, 1)
		for q := range x {
			// gonum's points descend. Both come from iterations that end a few ulps from the value.
			require.InDelta(t, x[points-1-q], n.Point(q)[1], 1e-14)
			require.InDelta(t, w[points-1-q], n.Weights[q], 1e-14)
		}
	}
}

// TestCubatureIsSymmetric: a function and the same with its arguments moved
// have one value, which Gauss gives to its accuracy only.
func TestCubatureIsSymmetric(t *testing.T) {
	f := func(a, b, c float64) float64 { return math.Exp(3*a) / (1 + b*b + 2*c) }
	n, err := Gauss(3).Nodes(2)
	require.NoError(t, err)
	fault := func(n *Nodes) float64 {
		return math.Abs(apply(n, func(l []float64) float64 { return f(l[0], l[1], l[2]) }) -
			apply(n, func(l []float64) float64 { return f(l[1], l[2], l[0]) }))
	}
	require.Greater(t, fault(n), 1e-5)
	s, err := Cubature(5).Nodes(2)
	require.NoError(t, err)
	require.Less(t, fault(s), 1e-15)
	for k, points := range map[int]int{1: 3, 4: 30, 5: 28} {
		n, err := Cubature(5).Nodes(k)
		require.NoError(t, err)
		require.Equal(t, points, n.Len())
	}
}

// TestNodesAreARule: a rule may be a list of points, here the four of degree 2 on the tetrahedron.
func TestNodesAreARule(t *testing.T) {
	const a, b, w = 0.5854101966249685, 0.1381966011250105, 1. / 24 // (5±3√5)/20 and (5-√5)/20
	var rule Rule = &Nodes{K: 3, Barycentric: []float64{a, b, b, b, b, a, b, b, b, b, a, b, b, b, b, a},
		Weights: []float64{w, w, w, w}, Exact: 2}
	requireExact(t, rule, 3)
	_, err := rule.Nodes(2)
	require.ErrorContains(t, err, "dimension 3, not 2")
}

func TestWrongArguments(t *testing.T) {
	for _, test := range []struct {
		rule Rule
		k    int
		want string
	}{
		{Subdivision(0), 1, "1 or more"},
		{Trapezoid(1), 2, "2 or more points"},
		{Gauss(0), 1, "use 1 to"},
		{Gauss(3), -1, "dimension -1"},
		{Subdivision(3), -1, "dimension -1"},
		{Gauss(500), 3, "fewer points"},
		{Gauss(3000), 1, "use 1 to 512"},
		{Subdivision(100), 9, "fewer points"},
		{Subdivision(2), 200, "fewer points"},
		{Cubature(400), 3, "fewer points"},
		{Cubature(40), 20, "fewer points"},
		{Cubature(-1), 2, "0 or more"},
		{Cubature(3), -1, "dimension -1"},
		{&Nodes{K: 1, Barycentric: []float64{1}, Weights: []float64{1}}, 1, "1 barycentric coordinates"},
		{&Nodes{K: 1}, 1, "one or more"},
	} {
		_, err := test.rule.Nodes(test.k)
		require.ErrorContains(t, err, test.want, "%v", test.rule)
	}
}

func ExampleGauss() {
	nodes, err := Gauss(2).Nodes(1)
	if err != nil {
		panic(err)
	}
	for q, w := range nodes.Weights {
		fmt.Printf("t = %.4f  weight %.1f\n", nodes.Point(q)[1], w)
	}
	fmt.Println("exact to degree", nodes.Exact)
	// Output:
	// t = 0.2113  weight 0.5
	// t = 0.7887  weight 0.5
	// exact to degree 3
}

func ExampleSubdivision() {
	nodes, err := Subdivision(2).Nodes(2) // the paper's rule on a triangle
	if err != nil {
		panic(err)
	}
	for q, w := range nodes.Weights {
		fmt.Printf("%v  %.4f\n", nodes.Point(q), w)
	}
	// Output:
	// [1 0 0]  0.0417
	// [0.5 0.5 0]  0.1250
	// [0.5 0 0.5]  0.1250
	// [0 1 0]  0.0417
	// [0 0.5 0.5]  0.1250
	// [0 0 1]  0.0417
}

// TestCubatureTable: every rule of the table is exact to its degree, not beyond, and has points inside.
func TestCubatureTable(t *testing.T) {
	for k, last := range map[int]int{2: 17, 3: 12, 4: 8} {
		for degree := 0; degree <= last; {
			n := requireExact(t, Cubature(degree), k)
			require.LessOrEqual(t, degree, n.Exact)
			require.LessOrEqual(t, n.Exact, last)
			require.Greater(t, slices.Min(n.Barycentric), 1e-7)
			require.Positive(t, slices.Min(n.Weights))
			degree = n.Exact + 1
		}
	}
}
