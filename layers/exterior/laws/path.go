package laws

import (
	"errors"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/signature"
)

// Paths checks the laws of iterated integrals of forms along paths, see package
// signature:
//
//	Chen               ∫_{γη} w = Σ_{uv=w} ∫_γ u · ∫_η v
//	Shuffle            ∫u · ∫v = Σ ∫w over the shuffles w of u and v
//	Reversal           ∫ along the reversed path is ± the ∫ of the reversed word
//	Reparametrization  adding points on edges changes nothing
//	TreeLike           a detour there and back changes nothing
//
// The first holds up to rounding for any form and rule, the others up to the error of
// the rule. The error joins those of all laws that are violated.
func Paths(s Subject) error {
	return errors.Join(chen(s), shuffle(s), reversal(s), reparametrization(s), treeLike(s))
}

// points is the number of points of a random path.
const points = 5

// chen checks that the integrals along a path γ followed by η are
//
//	∫_{γη} w = Σ_{uv = w} ∫_γ u · ∫_η v
//
// over all ways to cut the word w (Chen, 1957).
func chen(s Subject) error {
	return s.equal("Chen", func(d sample) (got, want *Node) {
		first, second := d.paths(), d.paths()
		for i := range second {
			copy(second[i][0], first[i][points-1])
			first[i] = append(first[i], second[i][1:]...)
		}
		words := d.words()
		got = d.iterated(first, words)
		for i := range first {
			first[i] = first[i][:points]
		}
		of, then := d.iterated(first, words), d.iterated(second, words)
		var columns []*Node
		for i, w := range words {
			sum := Add(column(of, i), column(then, i))
			for cut := 1; cut < len(w); cut++ {
				u, v := place(words, w[:cut]), place(words, w[cut:])
				sum = Add(sum, Mul(column(of, u), column(then, v)))
			}
			columns = append(columns, sum)
		}
		return got, Concatenate(columns, -1)
	})
}

// shuffle checks that the product of two integrals along a path is the sum over
// the shuffles of their words (Ree, 1958).
func shuffle(s Subject) error {
	return s.equal("Shuffle", func(d sample) (got, want *Node) {
		path := d.paths()
		var products, sums []*Node
		for range 6 {
			u, v := d.word(1+d.rng.IntN(2)), d.word(1+d.rng.IntN(2))
			x := d.iterated(path, []signature.Word{u, v})
			products = append(products, Mul(column(x, 0), column(x, 1)))
			all := d.iterated(path, signature.Shuffle(u, v))
			sums = append(sums, ReduceAndKeep(all, ReduceSum, -1))
		}
		return Concatenate(products, -1), Concatenate(sums, -1)
	})
}

// reversal checks that the integral of a word along a path run backwards is that
// of the reversed word, negated for odd lengths.
func reversal(s Subject) error {
	return s.equal("Reversal", func(d sample) (got, want *Node) {
		path, words := d.paths(), d.words()
		x := d.iterated(path, words)
		var columns []*Node
		for _, w := range words {
			backwards := slices.Clone(w)
			slices.Reverse(backwards)
			if y := column(x, place(words, backwards)); len(w)%2 == 1 {
				columns = append(columns, Neg(y))
			} else {
				columns = append(columns, y)
			}
		}
		for i := range path {
			slices.Reverse(path[i])
		}
		return d.iterated(path, words), Concatenate(columns, -1)
	})
}

// reparametrization checks that points added on the edges of a path, some of them
// twice, change no integral: they only tell when a path is where.
func reparametrization(s Subject) error {
	return s.equal("Reparametrization", func(d sample) (got, want *Node) {
		path, words := d.paths(), d.words()
		want = d.iterated(path, words)
		for i, p := range path {
			path[i] = nil
			for t := range p[1:] {
				share, between := d.rng.Float64(), slices.Clone(p[t])
				for axis := range between {
					between[axis] += share * (p[t+1][axis] - p[t][axis])
				}
				path[i] = append(path[i], p[t], between, between)
			}
			path[i] = append(path[i], p[points-1])
		}
		return d.iterated(path, words), want
	})
}

// treeLike checks that a detour that is run through and back again changes no
// integral (Hambly and Lyons, Uniqueness for the signature of a path of bounded
// variation and the reduced path group, Ann. of Math. 171, 2010).
func treeLike(s Subject) error {
	return s.equal("TreeLike", func(d sample) (got, want *Node) {
		path, words := d.paths(), d.words()
		want = d.iterated(path, words)
		detour := d.paths()
		for i, p := range path {
			there := detour[i][:3]
			there[0] = p[2]
			back := slices.Clone(there[:2])
			slices.Reverse(back)
			path[i] = slices.Concat(p[:2], there, back, p[3:])
		}
		return d.iterated(path, words), want
	})
}

// LevyArea checks that the integrals of coordinates have
//
//	∫dx_i dx_j - ∫dx_j dx_i = det(D^ij),   D = [v_1-v_0 | v_2-v_0],
//
// along the path from v_0 over v_1 to v_2: twice the area of the triangle, or the
// components of the wedge of its edges. The subject's forms have to be dx_1, …,
// dx_n.
func LevyArea(s Subject) error {
	return s.equal("LevyArea", func(d sample) (got, want *Node) {
		n := d.Form.Dim
		path := d.paths()
		for i := range path {
			path[i] = path[i][:3]
		}
		x := d.nodeOf(path)
		corner := func(t int) *Node { return Squeeze(SliceAxis(x, 1, AxisElem(t)), 1) }
		u, v := Sub(corner(1), corner(0)), Sub(corner(2), corner(0))
		product := func(i, j int) *Node {
			return Mul(SliceAxis(u, 1, AxisElem(i)), SliceAxis(v, 1, AxisElem(j)))
		}
		var minors []*Node
		var words []signature.Word
		for _, pair := range exterior.MultiIndices(n, 2) {
			i, j := pair[0], pair[1]
			minors = append(minors, Sub(product(i, j), product(j, i)))
			words = append(words, signature.Word{i, j}, signature.Word{j, i})
		}
		want = Concatenate(minors, 1)
		y := Reshape(d.iterated(path, words), len(path), -1, 2)
		return Sub(SliceAxis(y, -1, AxisElem(0)), SliceAxis(y, -1, AxisElem(1))), ExpandAxes(want, -1)
	})
}

// paths draws paths [paths][points][n], each from a start of its own.
func (d sample) paths() [][][]float64 {
	all := make([][][]float64, len(d.simplices))
	for i := range all {
		for range points {
			all[i] = append(all[i], d.normals(d.Form.Dim))
		}
	}
	return all
}

// word draws a word of a length.
func (d sample) word(length int) signature.Word {
	w := make(signature.Word, length)
	for i := range w {
		w[i] = d.rng.IntN(d.Form.Count)
	}
	return w
}

// words returns all words of up to three letters, of two if forms are many.
func (d sample) words() []signature.Word {
	if d.Form.Count > 5 {
		return signature.Words(d.Form.Count, 2)
	}
	return signature.Words(d.Form.Count, 3)
}

// nodeOf returns paths on the graph, [paths, points, n].
func (d sample) nodeOf(paths [][][]float64) *Node {
	return ConvertDType(Const(d.graph, paths), d.DType)
}

// iterated returns the integrals of words along whole paths, [paths, words].
func (d sample) iterated(paths [][][]float64, words []signature.Word) *Node {
	if d.Iterated != nil {
		return d.Iterated(d.nodeOf(paths), words)
	}
	all := signature.Integrals(d.Form, d.nodeOf(paths), words)
	return Squeeze(SliceAxis(all, 1, AxisElem(-1)), 1)
}

// column returns a column of x [paths, words].
func column(x *Node, i int) *Node { return SliceAxis(x, 1, AxisElem(i)) }

// place returns the place of a word.
func place(words []signature.Word, w signature.Word) int {
	return slices.IndexFunc(words, func(v signature.Word) bool { return slices.Equal(v, w) })
}
