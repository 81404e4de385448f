package exterior_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// TestWedgeOfManyTerms takes the way of gathers, which large products go: the
// square of a form of odd degree is zero, and a blade of dependent vectors.
func TestWedgeOfManyTerms(t *testing.T) {
	const n = 8
	sameForms(t, "ω∧ω", n, func(g *Graph) (got, want exterior.Form) {
		a := neural(1, n, 3, "tanh")
		return a.Wedge(a).Add(ones(g, n, 6)), ones(g, n, 6).Combine(Const(g, [][]float64{{1, 1}}))
	})
	sameForms(t, "ω∧η", n, func(g *Graph) (got, want exterior.Form) {
		a, b := neural(1, n, 2, "tanh"), neural(2, n, 3, "tanh")
		return a.Wedge(b), b.Wedge(a)
	})
}

// TestCodifferential compares with fields worked out by hand.
func TestCodifferential(t *testing.T) {
	sameForms(t, "δ(x² dx + xy dy + z dz) = -(2x + x + 1)", 3, func(g *Graph) (got, want exterior.Form) {
		field := exterior.Formula(3, 1, func(x []*Node) []*Node {
			return []*Node{Square(x[0]), Mul(x[0], x[1]), x[2]}
		})
		divergence := exterior.Formula(3, 0, func(x []*Node) []*Node {
			return []*Node{AddScalar(MulScalar(x[0], -3), -1)}
		})
		return field.Codifferential(), divergence
	})
}

// ones is the form with all coefficients one. What vanishes is compared with
// it, since a tolerance is relative.
func ones(g *Graph, n, k int) exterior.Form {
	return exterior.Formula(n, k, func([]*Node) []*Node {
		components := make([]*Node, exterior.Components(n, k))
		for i := range components {
			components[i] = Const(g, 1.0)
		}
		return components
	})
}

// TestFormulaFillsZerosAndConstants writes 3 dx + 0 dy + x dz.
func TestFormulaFillsZerosAndConstants(t *testing.T) {
	out := run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
		form := exterior.Formula(3, 1, func(x []*Node) []*Node { return []*Node{Const(g, 3.0), nil, x[0]} })
		return []*Node{form.At(Const(g, [][]float64{{5, 0, 0}, {7, 0, 0}}))}
	})
	require.Equal(t, []float64{3, 0, 5, 3, 0, 7}, flat(out[0]))
}

// TestBundlesPairUp multiplies and adds one form and a bundle.
func TestBundlesPairUp(t *testing.T) {
	sameForms(t, "f·ω_j", 3, func(g *Graph) (got, want exterior.Form) {
		f := exterior.Formula(3, 0, func(x []*Node) []*Node { return []*Node{x[0]} })
		a := neural(1, 3, 1, "tanh")
		twice := f.Combine(Const(g, [][]float64{{1, 1}}))
		return a.Wedge(f), twice.Wedge(a)
	})
	sameForms(t, "η + ω_j", 3, func(g *Graph) (got, want exterior.Form) {
		dx := exterior.Formula(3, 1, func(x []*Node) []*Node { return []*Node{OnesLike(x[0]), nil, nil} })
		a := neural(1, 3, 1, "tanh")
		return dx.Add(a), a.Add(dx)
	})
}

// TestImpossibleForms states in a sentence what cannot be.
func TestImpossibleForms(t *testing.T) {
	g := NewGraph(backendtest.Get(t, "go"), "impossible")
	defer g.Finalize()
	in := func(n, k int) exterior.Form { return neural(1, n, k, "tanh") }
	c, point := Const(g, make3()), Const(g, [][]float64{{1, 2}})
	ends, edge := Const(g, [][]float64{{1, 2}, {3, 4}}), Const(g, [][]int32{{0, 1}})
	cases := map[string]func(){
		"derivative of a 2-form in dimension 2":   func() { in(2, 2).D() },
		"2-form times a 2-form is zero":           func() { in(3, 2).Wedge(in(3, 2)) },
		"pull-back of a 2-form to dimension 1":    func() { in(2, 2).Pullback(1, bend(1, 2)) },
		"forms in dimensions 2 and 3":             func() { in(2, 1).Wedge(in(3, 1)) },
		"forms of degrees 1 and 2 have no sum":    func() { in(3, 1).Add(in(3, 2)) },
		"bundles of 2 and 3 forms do not pair up": func() { in(2, 1).Add(in(2, 1).Combine(c)) },
		"Formula: a 3-form in dimension 2":        func() { exterior.Formula(2, 3, nil) },
		"1 components of a 1-form in dimension 2": func() { short().At(Const(g, [][]float64{{1, 2}})) },
		"SegmentSum: rows of shape (Float64)": func() {
			exterior.SegmentSum(Const(g, 1.0), c, 1, true)
		},
		"shape (Float64)[2] are not [points, n = 2]": func() { in(2, 1).At(Const(g, []float64{1, 2})) },
		"1-forms in dimension 2 without coefficients": func() {
			exterior.Form{Dim: 2, Degree: 1, Count: 1}.At(Const(g, [][]float64{{1, 2}}))
		},
		"component 1 of a 1-form has shape (Float64)[2]: want a number for each point, (Float64)[1]": func() {
			exterior.Formula(2, 1, func([]*Node) []*Node {
				return []*Node{nil, Const(g, []float64{1, 2})}
			}).At(Const(g, [][]float64{{1, 2}}))
		},
		"2 2-forms in dimension 1: want one or more": func() { exterior.Neural(1, 2, 2, nil, nil) },
		"2 1-forms in dimension 2: want one or more, 0 ≤ k ≤ n, and affine functions": func() {
			exterior.Decomposable(2, 1, 2, nil, nil)
		},
		"the map is nil": func() { in(2, 1).Pullback(2, nil) },
		"bias B of (Float64)[1]: want [1, out] and [out]": func() {
			wide := exterior.Affine{W: Const(g, [][]float64{{1, 2}}), B: Const(g, []float64{1})}
			exterior.Neural(1, 0, 2, nil, func(*Node) []exterior.Affine { return []exterior.Affine{wide} }).
				At(Const(g, [][]float64{{1}}))
		},
		"weights W of shape (Float64)[2, 3]": func() {
			exterior.Affine{W: c}.Apply(Const(g, [][]float64{{1, 2, 3}}))
		},
		"of shape (Float64)[1, 3] at points of shape (Float64)[1, 2]: want 2 of each form": func() {
			exterior.Decomposable(2, 1, 1, exterior.Affine{W: c}.Apply, Tanh).At(point)
		},
		"the activation has the operation ReduceMax: want a function of each element": func() {
			net := randomNetwork(1, 2, 1, "tanh", 3)
			layers, _ := net.layers(g, dtypes.Float64)
			softmax := func(x *Node) *Node { return Softmax(x, -1) }
			form := exterior.Neural(2, 1, 2, softmax, func(*Node) []exterior.Affine { return layers })
			exterior.Integrate(form, ends, edge)
		},
		"the activation makes (Float64)[3, 1, 1] of (Float64)[3, 1, 2]": func() {
			same := func(x *Node) *Node { return x }
			total := func(x *Node) *Node { return ReduceAndKeep(x, ReduceSum, -1) }
			exterior.Integrate(exterior.Decomposable(2, 0, 2, same, total), ends,
				Const(g, [][]int32{{0}, {1}, {0}}))
		},
		"index 2 of vertices: want 0 to 1": func() {
			exterior.Integrate(in(2, 1), ends, Const(g, [][]int32{{0, 1}, {1, 2}}))
		},
		"index 255 of vertices": func() {
			exterior.Integrate(in(2, 1), ends, Const(g, [][]uint8{{0, 255}}))
		},
		"no vertices: want one or more": func() {
			exterior.Integrate(in(2, 1), Zeros(g, shapes.Make(dtypes.Float64, 0, 2)), edge)
		},
		"index -1 of simplices: want 0 to 1": func() {
			zero := Const(g, []int32{0})
			exterior.Chains(c, Const(g, []int32{-1}), zero, Const(g, []float64{1}), 1)
		},
		"CornerPoints: vertices of shape (Float64)[2, 3], simplices (Int32)[1]": func() {
			exterior.CornerPoints(c, Const(g, []int32{0}))
		},
		"2 layers: want one or more, and an activation": func() {
			layer := exterior.Affine{W: Const(g, [][]float64{{1}})}
			exterior.Neural(1, 0, 1, nil, func(*Node) []exterior.Affine {
				return []exterior.Affine{layer, layer}
			}).At(Const(g, [][]float64{{1}}))
		},
	}
	for sentence, act := range cases {
		func() {
			defer func() {
				err, _ := recover().(error)
				require.ErrorContains(t, err, sentence, sentence)
			}()
			act()
		}()
	}
}

// make3 is a [2, 3] matrix.
func make3() [][]float64 { return [][]float64{{1, 2, 3}, {4, 5, math.Pi}} }

// short is a formula that lacks a component.
func short() exterior.Form {
	return exterior.Formula(2, 1, func(x []*Node) []*Node { return x[:1] })
}

// TestComponents: a number that no integer holds, or no form has, is an error and not another number.
func TestComponents(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 1}, {3, 4, 0}, {3, -1, 0}, {26, 13, 10400600}, {4000, 3998, 7998000}} {
		require.Equal(t, c[2], exterior.Components(c[0], c[1]), "%v", c[:2])
	}
	for _, c := range [][2]int{{70, 35}, {28, 14}, {1000, 500}} {
		err := exceptions.TryCatch[error](func() { exterior.MultiIndices(c[0], c[1]) })
		require.ErrorContains(t, err, "have more than 16777216 components", "%v", c)
	}
}
