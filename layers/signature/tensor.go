package signature

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// maxEntries bounds the entries of a signature: a depth with more is a mistake.
const maxEntries = 1 << 24

// Entries returns n + n² + … + n^depth, the number of entries of the signature
// of a path in n dimensions. It panics if they are more than 2²⁴.
func Entries(n, depth int) int {
	entries, power := 0, 1
	for range max(0, depth) {
		if n < 1 {
			return 0
		}
		power *= n
		if entries += power; entries > maxEntries {
			exceptions.Panicf("signature: depth %d in %d dimensions: more than %d entries", depth, n,
				maxEntries)
		}
	}
	return entries
}

// split cuts tensors [..., entries] into their levels, [..., n^k] for k = 1 to
// depth.
func split(function string, x *Node, n, depth int) []*Node {
	if n < 1 || depth < 1 || x.Rank() == 0 || x.Shape().Dimensions[x.Rank()-1] != Entries(n, depth) {
		exceptions.Panicf("signature.%s: tensors of shape %s are not [..., n + … + n^depth] for n = %d and "+
			"depth %d", function, x.Shape(), n, depth)
	}
	levels := make([]*Node, depth)
	from, power := 0, 1
	for k := range levels {
		power *= n
		levels[k] = SliceAxis(x, -1, AxisRange(from, from+power))
		from += power
	}
	return levels
}

// tensor returns the outer products of the last axes of [..., p] and [..., q],
// [..., p·q].
func tensor(a, b *Node) *Node {
	dims := slices.Clone(a.Shape().Dimensions)
	dims[len(dims)-1] = -1
	return Reshape(Mul(ExpandAxes(a, -1), ExpandAxes(b, -2)), dims...)
}

// multiply returns the levels of (alpha + a) ⊗ (beta + b) above level 0, for
// numbers alpha and beta. A nil b is zero.
func multiply(alpha float64, a []*Node, beta float64, b []*Node) []*Node {
	product := make([]*Node, len(a))
	for k := range product {
		sum := MulScalar(a[k], beta)
		if b != nil {
			if alpha != 0 {
				sum = Add(sum, MulScalar(b[k], alpha))
			}
			for i := range k {
				sum = Add(sum, tensor(a[i], b[k-1-i]))
			}
		}
		product[k] = sum
	}
	return product
}

// Product returns the tensor product of signatures [..., entries] in n
// dimensions: by Chen's identity S(γ)⊗S(η) = S(γ·η) that of the path γ followed by
// η. Tensors are truncated at the depth, and their level 0, the number one, is
// left out.
func Product(a, b *Node, n, depth int) *Node {
	if !a.Shape().Equal(b.Shape()) {
		exceptions.Panicf("signature.Product: signatures of shapes %s and %s", a.Shape(), b.Shape())
	}
	x, y := split("Product", a, n, depth), split("Product", b, n, depth)
	return Concatenate(multiply(1, x, 1, y), -1)
}

// Antipode returns the inverse of signatures [..., entries] in n dimensions, the
// signature of the path run backwards: its entry at a word is that at the word
// reversed, negated for odd lengths. It is that of a signature, not of any
// tensor.
func Antipode(signature *Node, n, depth int) *Node {
	levels := split("Antipode", signature, n, depth)
	for k, x := range levels {
		dims := x.Shape().Dimensions
		lead := len(dims) - 1
		axes := make([]int, lead+k+1)
		for i := range axes {
			if axes[i] = i; i >= lead {
				axes[i] = 2*lead + k - i
			}
		}
		x = Reshape(x, append(slices.Clone(dims[:lead]), slices.Repeat([]int{n}, k+1)...)...)
		x = Reshape(TransposeAllAxes(x, axes...), dims...)
		if k%2 == 0 {
			x = Neg(x)
		}
		levels[k] = x
	}
	return Concatenate(levels, -1)
}

// Logarithm returns the tensor logarithm of signatures [..., entries] in n dimensions,
//
//	log(1 + x) = x - x⊗x/2 + x⊗x⊗x/3 - …,
//
// with all its entries: a Lie series, of which [LogSignature] keeps the
// coefficients of Lyndon words.
func Logarithm(signature *Node, n, depth int) *Node {
	x := split("Logarithm", signature, n, depth)
	// x ⊗ (1 - x ⊗ (1/2 - x ⊗ (1/3 - … ))), from the inside.
	var bracket []*Node
	for k := depth; k > 1; k-- {
		bracket = multiply(0, x, 1/float64(k), bracket)
		for i := range bracket {
			bracket[i] = Neg(bracket[i])
		}
	}
	return Concatenate(multiply(0, x, 1, bracket), -1)
}

// LogSignature returns the logarithms of signatures of paths [..., T, n] at the
// Lyndon words, in the order of [Lyndon]: the coordinates that signatory and
// signax call "words". They determine the signature and are independent of each
// other (Reizenstein and Graham, The iisignature library, 2018).
func LogSignature(paths *Node, depth int) *Node {
	n := pathDims("LogSignature", paths)[paths.Rank()-1]
	return LyndonEntries(Logarithm(Signature(paths, depth), n, depth), n, depth)
}

// LyndonEntries returns the entries at Lyndon words of tensors [..., entries] in
// n dimensions.
func LyndonEntries(x *Node, n, depth int) *Node {
	split("LyndonEntries", x, n, depth) // checks the shape
	words := Lyndon(n, depth)
	columns := make([]int, len(words))
	for i, w := range words {
		columns[i] = Entry(w, n)
	}
	return pick(x, columns)
}

// Entry returns the place of a word of one letter or more among the entries of
// a signature in n dimensions.
func Entry(word Word, n int) int {
	checkWords("Entry", []Word{word}, n)
	if len(word) == 0 {
		exceptions.Panicf("signature.Entry: the empty word has no entry: it is the number one")
	}
	place := Entries(n, len(word)-1)
	power := 1
	for i := len(word) - 1; i >= 0; i-- {
		place += word[i] * power
		power *= n
	}
	return place
}
