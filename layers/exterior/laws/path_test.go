package laws_test

import (
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/layers/signature"
)

// coordinates are dx_1, …, dx_n.
func coordinates(n int) exterior.Form {
	form := exterior.Form{Dim: n, Degree: 1, Count: n, Rule: quadrature.Gauss(2)}
	form.Coefficients = func(x *Node) *Node {
		identity := make([][]float64, n)
		for i := range identity {
			identity[i] = make([]float64, n)
			identity[i][i] = 1
		}
		one := ExpandAxes(ConstAsDType(x.Graph(), x.DType(), identity), 0)
		return BroadcastToDims(one, x.Shape().Dimensions[0], n, n)
	}
	return form
}

// entries picks integrals of words out of signatures.
func entries(paths *Node, words []signature.Word) *Node {
	n, depth := paths.Shape().Dimensions[2], 4
	s, all := signature.Signature(paths, depth), signature.Words(n, depth)
	var columns []*Node
	for _, w := range words {
		at := slices.IndexFunc(all, func(v signature.Word) bool { return slices.Equal(v, w) })
		columns = append(columns, SliceAxis(s, -1, AxisElem(at)))
	}
	return Concatenate(columns, -1)
}

// TestLawsOfPaths: the signature obeys all laws up to rounding, which for words
// of four letters are the integrals of coordinates by the two Gauss points that
// cubic polynomials take; forms in general up to the error of six Gauss points
// on edges of size 0.5, the twelfth derivative of a sine of slope 2 times
// h^12/12!.
func TestLawsOfPaths(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for n := 1; n <= 3; n++ {
		s := laws.Subject{Backend: backend, Form: coordinates(n), Tolerance: 1e-13, Seed: uint64(n)}
		require.NoError(t, laws.Paths(s), "integrals, n = %d", n)
		s.Iterated = entries
		require.NoError(t, laws.Paths(s), "signatures, n = %d", n)
	}
	s := laws.Subject{Backend: backend, Form: by(quadrature.Gauss(6), waves(3, 1)), Size: 0.3,
		Tolerance: 1e-7}
	require.NoError(t, laws.Paths(s))
	for n := 2; n <= 4; n++ {
		s := laws.Subject{Backend: backend, Form: coordinates(n), Tolerance: 1e-14, Seed: uint64(n)}
		require.NoError(t, laws.LevyArea(s))
		s.Iterated = entries
		require.NoError(t, laws.LevyArea(s))
	}
}

// TestSignaturesOnXLA: XLA's program for signatures is another one.
func TestSignaturesOnXLA(t *testing.T) {
	s := laws.Subject{Backend: backendtest.Get(t, "xla:cpu"), Form: coordinates(2), Iterated: entries,
		Tolerance: 1e-13}
	require.NoError(t, laws.Paths(s))
	require.NoError(t, laws.LevyArea(s))
}

// TestLawsOfPathsFail: integrals that are not iterated violate every law.
func TestLawsOfPathsFail(t *testing.T) {
	backend := backendtest.Get(t, "go")
	wrong := map[string]func(paths *Node, words []signature.Word) *Node{
		// Longer words lose what the last letters have.
		"scaled": func(paths *Node, words []signature.Word) *Node {
			x := entries(paths, words)
			scale := make([]float64, len(words))
			for i, w := range words {
				scale[i] = 1 + 0.1*float64(len(w)) + 0.01*float64(w[0])
			}
			return Mul(x, ConstAsDType(x.Graph(), x.DType(), [][]float64{scale}))
		},
		"by the number of points": func(paths *Node, words []signature.Word) *Node {
			return MulScalar(entries(paths, words), float64(paths.Shape().Dimensions[1]))
		},
	}
	fails := map[string][]string{
		"scaled":                  {"Chen", "Shuffle", "Reversal"},
		"by the number of points": {"Chen", "Shuffle", "Reparametrization", "TreeLike"},
	}
	for name, iterated := range wrong {
		s := laws.Subject{Backend: backend, Form: coordinates(2), Iterated: iterated}
		err := laws.Paths(s)
		require.ErrorIs(t, err, laws.ErrViolated, name)
		for _, law := range fails[name] {
			require.ErrorContains(t, err, "laws: "+law+": ", name)
		}
		require.Error(t, laws.LevyArea(s))
	}
}
