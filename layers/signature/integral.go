package signature

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Integrals returns the iterated integrals of a bundle of ℓ 1-forms along polylines, from the first vertex to
// every vertex: [..., T, words] for paths [..., T, n], T > 1. The last row holds the integrals along the
// whole paths. The integral of the word j_1 … j_r is Chen's
//
//	∫_{s_1<…<s_r<t} γ*ω_{j_1}(s_1) ⋯ γ*ω_{j_r}(s_r).
//
// Within an edge integrals are nested by the points t_q of the form's rule, Gauss(3) where it has none: with
// their Lagrange polynomials L_p and A_{qp} = ∫_0^{t_q} L_p,
//
//	∫_0^1 f(t) ∫_0^t g = Σ_q w_q f(t_q) Σ_p A_{qp} g(t_p),
//
// and so on for longer words: exact for polynomials f and g, g's degree below the number of points, where the
// rule is exact to the degree deg f + deg g + 1. The rule has to integrate the Lagrange polynomials of its
// points: Gauss rules do, subdivided ones do not. The time is linear in T and in the number of different
// prefixes of the words.
func Integrals(form exterior.Form, paths *Node, words []Word) *Node {
	dims := pathDims("Integrals", paths)
	if form.Degree != 1 || dims[len(dims)-1] != form.Dim {
		exceptions.Panicf("signature.Integrals: %d-forms in dimension %d along paths %s: want 1-forms in "+
			"their dimension", form.Degree, form.Dim, paths.Shape())
	}
	rule := form.Rule
	if rule == nil {
		rule = quadrature.Gauss(3)
	}
	nodes, err := rule.Nodes(1)
	if err != nil {
		exceptions.Panicf("signature.Integrals: %v", err)
	}
	if count := nodes.Len(); nodes.Exact < count-1 {
		exceptions.Panicf("signature.Integrals: %v is exact to degree %d on its %d points: want one exact "+
			"to %d, such as Gauss(%d)", rule, nodes.Exact, count, count-1, count)
	}
	i := iterated{along: along(form, paths, nodes), weights: nodes.Weights, nested: nested(nodes),
		known: map[string]iterate{}}
	columns := make([]*Node, len(words))
	for j, word := range words {
		columns[j] = i.of(word).running
	}
	return Concatenate(columns, -1)
}

// iterated computes the integrals of words along paths.
type iterated struct {
	along   []*Node // γ*ω at each point of the rule, [..., T-1, ℓ]
	weights []float64
	nested  [][]float64        // A
	known   map[string]iterate // by word
}

// iterate is the integral of a word.
type iterate struct {
	running *Node   // up to every vertex, [..., T, 1]
	within  []*Node // up to each point of the rule on every edge, [..., T-1, 1]
}

// of returns the integral of a word, by that of the word without its last letter.
func (i iterated) of(word Word) iterate {
	name := fmt.Sprint([]int(word))
	if x, ok := i.known[name]; ok {
		return x
	}
	x := iterate{within: make([]*Node, len(i.along))}
	if last := len(word) - 1; last < 0 {
		x.running = AddScalar(running(ZerosLike(SliceAxis(i.along[0], -1, AxisElem(0)))), 1)
		for q, f := range i.along {
			x.within[q] = OnesLike(SliceAxis(f, -1, AxisElem(0)))
		}
	} else {
		if letters := i.along[0].Shape().Dim(-1); word[last] < 0 || word[last] >= letters {
			exceptions.Panicf("signature.Integrals: word %v has the letter %d: want 0 to %d", word,
				word[last], letters-1)
		}
		before := i.of(word[:last])
		products := make([]*Node, len(i.along))
		for q, f := range i.along {
			products[q] = Mul(before.within[q], SliceAxis(f, -1, AxisElem(word[last])))
		}
		x.running = running(combine(products, i.weights))
		start, _ := ends(x.running)
		for q := range x.within {
			x.within[q] = Add(start, combine(products, i.nested[q]))
		}
	}
	i.known[name] = x
	return x
}

// along returns the pull-backs of ℓ 1-forms to the edges of polylines [..., T, n],
//
//	γ*ω_j(t) = Σ_i f_{ij}(γ(t)) · (v_1 - v_0)_i,   γ(t) = (1-t) v_0 + t v_1,
//
// at the points of a rule: a node [..., T-1, ℓ] for each of them.
func along(form exterior.Form, paths *Node, nodes *quadrature.Nodes) []*Node {
	from, to := ends(paths)
	dims := slices.Clone(from.Shape().Dimensions)
	dims[len(dims)-1] = form.Count
	rows := func(x *Node) *Node { return Reshape(x, -1, form.Dim) }
	step := ExpandAxes(rows(Sub(to, from)), -1)
	along := make([]*Node, nodes.Len())
	for q := range along {
		at := combine([]*Node{from, to}, nodes.Point(q))
		along[q] = Reshape(ReduceSum(Mul(form.At(rows(at)), step), 1), dims...)
	}
	return along
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
	exact, err := quadrature.Gauss(len(t)/2 + 1).Nodes(1)
	if err != nil {
		exceptions.Panicf("signature.Integrals: %v", err)
	}
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
