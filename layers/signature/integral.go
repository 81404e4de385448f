package signature

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Integrals returns the iterated integrals of a bundle of ℓ 1-forms along
// polylines, from the first vertex to every vertex: [..., T, words] for paths
// [..., T, n], T > 1. The last row holds the integrals along the whole paths.
//
// The integral of the word j_1 … j_r is Chen's
//
//	∫_{s_1<…<s_r<t} γ*ω_{j_1}(s_1) ⋯ γ*ω_{j_r}(s_r).
//
// Within an edge integrals are nested by the points of the form's rule, see
// [Iterate]; words of a single letter are integrated as by
// exterior.Integrate, by the form's own Integral where it has one. The time is
// linear in T and in the number of different prefixes of the words.
func Integrals(form exterior.Form, paths *Node, words []Word) *Node {
	checkPaths("Integrals", form, paths)
	checkWords("Integrals", words, form.Count)
	if slices.ContainsFunc(words, func(w Word) bool { return len(w) != 1 }) {
		return Iterate(Along(form, paths), rule(form), words)
	}
	letters := make([]int, len(words))
	for i, w := range words {
		letters[i] = w[0]
	}
	return Running(pick(exterior.IntegratePaths(form, paths), letters))
}

// Along returns the pull-backs of a bundle of ℓ 1-forms to the edges of
// polylines [..., T, n],
//
//	γ*ω_j(t) = Σ_i f_{ij}(γ(t)) · (v_1 - v_0)_i,   γ(t) = (1-t) v_0 + t v_1,
//
// at the points of the form's rule: a node [..., T-1, ℓ] for each of them.
func Along(form exterior.Form, paths *Node) []*Node {
	checkPaths("Along", form, paths)
	nodes := edgeNodes("Along", rule(form))
	from, to := ends(paths)
	dims := slices.Clone(from.Shape().Dimensions)
	dims[len(dims)-1] = form.Count
	step := ExpandAxes(rows(Sub(to, from)), -1)
	points := make([]*Node, nodes.Len())
	for q := range points {
		lambda := nodes.Point(q)
		points[q] = rows(Add(MulScalar(from, lambda[0]), MulScalar(to, lambda[1])))
	}
	values := form.At(Concatenate(points, 0))
	count := points[0].Shape().Dimensions[0]
	along := make([]*Node, nodes.Len())
	for q := range along {
		at := SliceAxis(values, 0, AxisRange(q*count, (q+1)*count))
		along[q] = Reshape(ReduceSum(Mul(at, step), 1), dims...)
	}
	return along
}

// Iterate returns the iterated integrals of functions along the edges of
// paths, from the first vertex to every vertex: [..., T, words] from the values
// of ℓ functions at the points of a rule on the edges, a node [..., T-1, ℓ] for
// each point as [Along] returns them. Any number of axes may lead.
//
// With the Lagrange polynomials L_p of the points t_q and A_{qp} = ∫_0^{t_q} L_p,
//
//	∫_0^1 f(t) ∫_0^t g = Σ_q w_q f(t_q) Σ_p A_{qp} g(t_p),
//
// and so on for longer words: exact for polynomials f and g, g's degree below the
// number of points, where the rule is exact to the degree of f·∫g, which is
// deg f + deg g + 1. The rule has to integrate the Lagrange polynomials of its
// points: Gauss rules do, subdivided ones do not.
func Iterate(along []*Node, rule quadrature.Rule, words []Word) *Node {
	nodes := edgeNodes("Iterate", rule)
	if nodes.Exact < nodes.Len()-1 {
		exceptions.Panicf("signature.Iterate: %v is exact to degree %d on its %d points: want one exact to "+
			"%d, such as Gauss(%d)", rule, nodes.Exact, nodes.Len(), nodes.Len()-1, nodes.Len())
	}
	if len(along) != nodes.Len() {
		exceptions.Panicf("signature.Iterate: values at %d points of %v, which has %d", len(along), rule,
			nodes.Len())
	}
	for _, x := range along {
		if x.Rank() < 2 || !x.Shape().Equal(along[0].Shape()) {
			exceptions.Panicf("signature.Iterate: values of shapes %s and %s: want [..., edges, forms]",
				along[0].Shape(), x.Shape())
		}
	}
	checkWords("Iterate", words, along[0].Shape().Dimensions[along[0].Rank()-1])
	if len(words) == 0 {
		exceptions.Panicf("signature.Iterate: no words")
	}
	tree := newPrefixes(words)
	matrix := nested(nodes)
	var inner, parts []*Node
	for k, level := range tree.levels {
		// products[q] holds the integrands of the last letters at point q.
		products := make([]*Node, len(along))
		for q, x := range along {
			if k == 0 {
				products[q] = pick(x, level.letters)
			} else {
				products[q] = times(inner[q], x, level)
			}
		}
		running := Running(combine(products, nodes.Weights))
		if k == 0 && tree.empty {
			parts = append(parts, OnesLike(SliceAxis(running, -1, AxisElem(0))))
		}
		parts = append(parts, running)
		if k == len(tree.levels)-1 {
			break
		}
		start := SliceAxis(running, -2, AxisRangeFromStart(-1))
		inner = make([]*Node, len(along))
		for q := range inner {
			inner[q] = Add(start, combine(products, matrix[q]))
		}
	}
	return pick(Concatenate(parts, -1), tree.order)
}

// combine returns Σ_i weights[i] · x[i].
func combine(x []*Node, weights []float64) *Node {
	sum := MulScalar(x[0], weights[0])
	for i := 1; i < len(x); i++ {
		sum = Add(sum, MulScalar(x[i], weights[i]))
	}
	return sum
}

// nested returns A_{qp} = ∫_0^{t_q} L_p for the points of a rule on the edge.
func nested(nodes *quadrature.Nodes) [][]float64 {
	t := make([]float64, nodes.Len())
	for q := range t {
		t[q] = nodes.Point(q)[1]
	}
	lagrange := func(p int, x float64) float64 {
		y := 1.0
		for r := range t {
			if r != p {
				y *= (x - t[r]) / (t[p] - t[r])
			}
		}
		return y
	}
	exact := edgeNodes("Iterate", quadrature.Gauss(len(t)/2+1))
	a := make([][]float64, len(t))
	for q := range a {
		a[q] = make([]float64, len(t))
		for p := range a[q] {
			for i, w := range exact.Weights {
				a[q][p] += w * t[q] * lagrange(p, t[q]*exact.Point(i)[1])
			}
		}
	}
	return a
}

// rule returns the rule of a form, or the default of package exterior.
func rule(form exterior.Form) quadrature.Rule {
	if form.Rule == nil {
		return quadrature.Gauss(3)
	}
	return form.Rule
}

// edgeNodes returns the points of a rule on an edge.
func edgeNodes(function string, rule quadrature.Rule) *quadrature.Nodes {
	nodes, err := rule.Nodes(1)
	if err != nil {
		exceptions.Panicf("signature.%s: %v", function, err)
	}
	return nodes
}

// ends returns the first and the last points of the edges of paths,
// [..., T-1, n] each.
func ends(paths *Node) (from, to *Node) {
	return SliceAxis(paths, -2, AxisRangeFromStart(-1)), SliceAxis(paths, -2, AxisRangeToEnd(1))
}

// rows flattens all axes but the last.
func rows(x *Node) *Node { return Reshape(x, -1, x.Shape().Dimensions[x.Rank()-1]) }

// checkPaths panics unless the forms can be integrated along the paths.
func checkPaths(function string, form exterior.Form, paths *Node) {
	if form.Degree != 1 {
		exceptions.Panicf("signature.%s: %d-forms: want 1-forms to integrate along paths", function,
			form.Degree)
	}
	if d := pathDims(function, paths); d[len(d)-1] != form.Dim {
		exceptions.Panicf("signature.%s: paths %s for forms in dimension %d", function, paths.Shape(),
			form.Dim)
	}
}

// pathDims returns the dimensions of paths [..., T > 1, n].
func pathDims(function string, paths *Node) []int {
	d := paths.Shape().Dimensions
	if len(d) < 2 || d[len(d)-2] < 2 || paths.Shape().Size() == 0 || !paths.DType().IsFloat() {
		exceptions.Panicf("signature.%s: paths of shape %s: want [..., points > 1, n] of floats", function,
			paths.Shape())
	}
	return d
}
