package laws_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// waves is a bundle of two smooth forms without symmetry: component I of form
// j at x is sin(Σ_i a_i x_i + b), where a and b depend on i, I and j. Five Gauss
// points integrate them.
func waves(n, k int) exterior.Form {
	coefficients := func(x *Node) *Node {
		columns := 2 * exterior.Components(n, k)
		a, b := make([]float64, n*columns), make([]float64, columns)
		for i := range a {
			a[i] = math.Sin(float64(7*i + 1))
		}
		for i := range b {
			b[i] = math.Cos(float64(3 * i))
		}
		g := x.Graph()
		phase := Dot(x, Reshape(ConstAsDType(g, x.DType(), a), n, columns)).Product()
		phase = Add(phase, Reshape(ConstAsDType(g, x.DType(), b), 1, columns))
		return Reshape(Sin(phase), x.Shape().Dimensions[0], exterior.Components(n, k), 2)
	}
	return exterior.Form{Dim: n, Degree: k, Count: 2, Coefficients: coefficients, Rule: quadrature.Gauss(5)}
}

// TestRulesThatAreNotExact: the rules of package quadrature, whose tests run the law, are.
func TestRulesThatAreNotExact(t *testing.T) {
	err := laws.Exactness(quadrature.Subdivision(3), 2, 2, 1e-6)
	require.ErrorIs(t, err, laws.ErrViolated)
	require.ErrorContains(t, err, "laws: Exactness: ")
	require.ErrorContains(t, laws.Exactness(quadrature.Gauss(0), 1, 1, 1e-6), "laws: Exactness: quadrature")
}

// TestViolations breaks one thing at a time and expects the law that forbids
// it to say so.
func TestViolations(t *testing.T) {
	backend := backendtest.Get(t, "go")
	good := laws.Subject{
		Backend: backend, Form: waves(3, 1), Size: 0.3, Tolerance: 1e-6,
	}
	type integral = func(corners []*Node, nodes *quadrature.Nodes) *Node
	integrate := func(change func(x *Node) *Node) integral {
		return func(corners []*Node, _ *quadrature.Nodes) *Node {
			return change(exterior.IntegrateCorners(waves(3, 1), Stack(corners, 1)))
		}
	}
	absolute := integrate(Abs)
	shifted := integrate(func(x *Node) *Node { return AddScalar(x, 1) })
	length := func(c []*Node, _ *quadrature.Nodes) *Node {
		return Sqrt(ReduceAndKeep(Square(Sub(c[1], c[0])), ReduceSum, 1))
	}
	cases := []struct {
		name     string
		law      func(laws.Subject) error
		integral integral
	}{
		{"Stokes", laws.Stokes, shifted},
		{"Orientation", laws.Orientation, absolute},
		{"Subdivision", laws.Subdivision, shifted},
		{"Linearity", laws.Linearity, absolute},
		{"Pullback", laws.Pullback, absolute},
		{"Padding", laws.Padding, shifted},
		{"Agreement", laws.Agreement, absolute},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := good
			require.NoError(t, c.law(s))
			s.Form.Integral = c.integral
			err := c.law(s)
			require.ErrorIs(t, err, laws.ErrViolated)
			require.ErrorContains(t, err, "laws: "+c.name+": ")
			var off, tolerance float64
			_, figures, _ := strings.Cut(err.Error(), "off by ")
			_, scanned := fmt.Sscanf(figures, "%g of the largest value, more than the tolerance %g", &off,
				&tolerance)
			require.NoError(t, scanned)
			require.Greater(t, off, tolerance)
		})
	}
	t.Run("gradient of padding", func(t *testing.T) {
		// The length of a squeezed edge is zero, its gradient is not a number.
		s := good
		s.Form = exterior.Formula(3, 1, func(x []*Node) []*Node { return x })
		s.Form.Integral = length
		require.Error(t, laws.Padding(s))
	})
}

func TestSubjectsThatCannotBeChecked(t *testing.T) {
	backend := backendtest.Get(t, "go")
	require.ErrorContains(t, laws.Stokes(laws.Subject{}), "needs a Backend")
	// The 2-forms of the plane have no derivative.
	s := laws.Subject{Backend: backend, Form: waves(2, 2)}
	require.ErrorContains(t, laws.Stokes(s), "has no components")
	require.ErrorContains(t, laws.Closed(s), "has no components")
	s.Form.Rule = quadrature.Gauss(0)
	err := laws.Padding(s)
	require.ErrorContains(t, err, "Gauss(0)")
	require.NotErrorIs(t, err, laws.ErrViolated, "a check that cannot run is no violation")
}
