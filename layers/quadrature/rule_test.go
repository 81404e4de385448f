package quadrature

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"
)

// monomial returns the integral over Δᵏ of Π_a λ_a^e_a, which is
// Π e_a! / (k + Σ e_a)! (a Dirichlet integral).
func monomial(exponents []int) float64 {
	total := len(exponents) - 1
	log := 0.0
	for _, e := range exponents {
		total += e
		l, _ := math.Lgamma(float64(e) + 1)
		log += l
	}
	l, _ := math.Lgamma(float64(total) + 1)
	return math.Exp(log - l)
}

// apply returns the rule's value for a function of barycentric coordinates.
func apply(n *Nodes, f func(lambda []float64) float64) float64 {
	sum := 0.0
	for q, w := range n.Weights {
		sum += w * f(n.Point(q))
	}
	return sum
}

// exponentsOf calls f with every exponent vector of the given length and
// degree.
func exponentsOf(length, degree int, f func([]int)) {
	e := make([]int, length)
	var fill func(a, left int)
	fill = func(a, left int) {
		if a == length-1 {
			e[a] = left
			f(e)
			return
		}
		for v := 0; v <= left; v++ {
			e[a] = v
			fill(a+1, left-v)
		}
	}
	fill(0, degree)
}

// worst returns the largest error of the rule over monomials of the degree.
func worst(n *Nodes, degree int) float64 {
	largest := 0.0
	exponentsOf(n.K+1, degree, func(e []int) {
		got := apply(n, func(lambda []float64) float64 {
			p := 1.0
			for a, x := range lambda {
				p *= math.Pow(x, float64(e[a]))
			}
			return p
		})
		largest = math.Max(largest, math.Abs(got-monomial(e)))
	})
	return largest
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
			t.Run(fmt.Sprintf("%v/k=%d", rule, k), func(t *testing.T) {
				n, err := rule.Nodes(k)
				require.NoError(t, err)
				for degree := 0; degree <= n.Exact; degree++ {
					// Rounding: values below 1, a few ulps each.
					require.Less(t, worst(n, degree), 1e-14, "degree %d", degree)
				}
				require.Greater(t, worst(n, n.Exact+1), 1e-9, "degree %d is beyond it", n.Exact+1)
			})
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

// TestTrapezoid has the weights of the paper's rule in closed form.
func TestTrapezoid(t *testing.T) {
	n, err := Trapezoid(5).Nodes(1)
	require.NoError(t, err)
	require.Equal(t, []float64{1. / 8, 1. / 4, 1. / 4, 1. / 4, 1. / 8}, n.Weights)
	require.Equal(t, []float64{1, 0, .75, .25, .5, .5, .25, .75, 0, 1}, n.Barycentric)
}

// TestTriangleSubdivision: of the m² triangles three meet in an inner point of
// an edge, six in an inner point, one in a corner.
func TestTriangleSubdivision(t *testing.T) {
	const m = 4
	n, err := Subdivision(m).Nodes(2)
	require.NoError(t, err)
	require.Equal(t, (m+1)*(m+2)/2, n.Len())
	for q, w := range n.Weights {
		zeros := 0
		for _, x := range n.Point(q) {
			if x == 0 {
				zeros++
			}
		}
		triangles := map[int]float64{0: 6, 1: 3, 2: 1}[zeros]
		require.InDelta(t, triangles/(3*2*m*m), w, 1e-16)
	}
}

// TestOrderOfConvergence: the error falls as the square of the number of
// parts, and twice as many Gauss points square it for an analytic function.
func TestOrderOfConvergence(t *testing.T) {
	// e^(x_1+2x_2+…): smooth, and no symmetry that would help a rule.
	f := func(lambda []float64) float64 {
		s := 0.0
		for a, x := range lambda {
			s += float64(a) * x
		}
		return math.Exp(s)
	}
	for k := 1; k <= 3; k++ {
		reference, err := Gauss(14).Nodes(k)
		require.NoError(t, err)
		exact := apply(reference, f)
		fault := func(rule Rule) float64 {
			n, err := rule.Nodes(k)
			require.NoError(t, err)
			return math.Abs(apply(n, f) - exact)
		}
		// The measured order is 2 + O(1/m²): 8 to 16 parts is well within.
		order := math.Log2(fault(Subdivision(8)) / fault(Subdivision(16)))
		require.InDelta(t, 2, order, 0.05, "k=%d", k)
		require.Less(t, fault(Gauss(6)), 1e-3*fault(Gauss(3)), "k=%d", k)
		require.Less(t, fault(Gauss(10)), 1e-12, "k=%d", k)
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
	for k, points := range map[int]int{1: 3, 4: 30, 5: 243} { // beyond the table it is Gauss
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
	n, err := rule.Nodes(3)
	require.NoError(t, err)
	require.Less(t, worst(n, 2), 1e-15)
	require.Greater(t, worst(n, 3), 1e-6)
	_, err = rule.Nodes(2)
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
		{Gauss(0), 1, "1 or more"},
		{Gauss(3), -1, "dimension -1"},
		{Subdivision(3), -1, "dimension -1"},
		{Gauss(1000), 3, "fewer points"},
		{Subdivision(100), 9, "fewer points"},
		{Subdivision(2), 200, "fewer points"},
		{Cubature(400), 3, "fewer points"},
		{Cubature(40), 20, "fewer points"},
		{Cubature(-1), 2, "0 or more"},
		{Cubature(3), -1, "dimension -1"},
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

// TestCubatureTable: every rule of the table is exact to its degree and not beyond, has positive weights
// that sum to the volume and points inside, and degrees ascend. 1e-14: some rounding of sums of 147 terms.
func TestCubatureTable(t *testing.T) {
	for k := 2; k <= 4; k++ {
		degree := 0
		for _, c := range tables()[k] {
			require.Greater(t, c.degree, degree)
			degree = c.degree
			n, err := Cubature(degree).Nodes(k)
			require.NoError(t, err)
			require.Equal(t, degree, n.Exact)
			require.Less(t, worst(n, degree), 1e-14, "k=%d degree=%d", k, degree)
			require.Greater(t, worst(n, degree+1), 1e-12, "k=%d degree=%d", k, degree)
			for i, w := range n.Weights {
				require.Positive(t, w)
				for _, l := range n.Point(i) {
					require.Greater(t, l, 1e-7)
				}
			}
		}
		require.Equal(t, map[int]int{2: 17, 3: 12, 4: 8}[k], degree, "the last of the documented degrees")
	}
}
