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

// split cuts tensors [..., entries] into their levels, [..., n^k] for k = 1 to depth.
func split(x *Node, n, depth int) []*Node {
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

// product returns the tensor product of signatures [..., entries] in n dimensions: by Chen's identity
// S(γ)⊗S(η) = S(γ·η) that of the path γ followed by η. Tensors are truncated at the depth.
func product(a, b *Node, n, depth int) *Node {
	return Concatenate(multiply(1, split(a, n, depth), 1, split(b, n, depth)), -1)
}

// logarithm returns the tensor logarithm of signatures [..., entries] in n dimensions,
//
//	log(1 + x) = x - x⊗x/2 + x⊗x⊗x/3 - …,
//
// with all its entries: a Lie series.
func logarithm(signature *Node, n, depth int) *Node {
	x := split(signature, n, depth)
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

// LogSignature returns the logarithms of signatures of paths [..., T, n] at the Lyndon words, in the order of
// [Lyndon]: the coordinates that signatory and signax call "words". They determine the signature and are
// independent of each other (Reizenstein and Graham, The iisignature library, 2018).
func LogSignature(paths *Node, depth int) *Node {
	n := pathDims("LogSignature", paths)[paths.Rank()-1]
	x := logarithm(Signature(paths, depth), n, depth)
	// Runs of neighbors are sliced: the gradient of a gather would scatter.
	var runs []*Node
	words := Lyndon(n, depth)
	for i := 0; i < len(words); {
		from := place(words[i], n)
		to := from + 1
		for i++; i < len(words) && place(words[i], n) == to; i++ {
			to++
		}
		runs = append(runs, SliceAxis(x, -1, AxisRange(from, to)))
	}
	return Concatenate(runs, -1)
}

// place returns the place of a word of one letter or more among the entries of a signature in n dimensions.
func place(word Word, n int) int {
	place, power := Entries(n, len(word)-1), 1
	for _, letter := range slices.Backward(word) {
		place += letter * power
		power *= n
	}
	return place
}
