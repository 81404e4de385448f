package exterior

import (
	"slices"

	"github.com/gomlx/gomlx/support/exceptions"
	"gonum.org/v1/gonum/stat/combin"
)

// MultiIndices returns the increasing multi-indices i_1 < … < i_k out of
// 0, …, n-1 in lexicographic order: the names of the components of a k-form,
// or of a k-vector, on Rⁿ. For k = 0 there is one, the empty one; for k > n
// or k < 0 the list is empty. It panics if there are more than 2²⁴.
func MultiIndices(n, k int) [][]int {
	switch {
	case k < 0 || k > n:
		return nil
	case k == 0:
		// combin.Combinations has no empty combination.
		return [][]int{{}}
	}
	Components(n, k) // panics if there are too many
	return combin.Combinations(n, k)
}

// Components returns C(n,k), the number of components of a k-form on Rⁿ. It
// panics if there are more than 2²⁴, which is certainly a mistake.
func Components(n, k int) int {
	if k < 0 || k > n {
		return 0
	}
	const most = 1 << 24
	if combin.GeneralizedBinomial(float64(n), float64(k)) > most+0.5 { // Binomial may overflow
		exceptions.Panicf("exterior: %d-forms in dimension %d have more than %d components", k, n, most)
	}
	return combin.Binomial(n, k)
}

// index returns the place of an increasing multi-index in the order of
// MultiIndices(n, len(multi)).
func index(multi []int, n int) int {
	if len(multi) == 0 {
		return 0
	}
	return combin.CombinationIndex(multi, n, len(multi))
}

// shuffle is one term of a wedge product: component out gets
// sign · left component · right component.
type shuffle struct {
	left, right, out int
	sign             float64
}

// shuffles returns the terms of the wedge product of a p-form and a q-form on
// Rⁿ: for every multi-index of degree p+q, the ways to split it in p and q
// entries, C(p+q,p) of them, with the sign of the permutation that puts the
// p before the q. Terms of one component stand together, in the order of the
// components.
func shuffles(n, p, q int) []shuffle {
	var terms []shuffle
	splits := MultiIndices(p+q, p)
	for out, multi := range MultiIndices(n, p+q) {
		for _, split := range splits {
			left, right := make([]int, 0, p), make([]int, 0, q)
			inversions := 0
			for place, i := range multi {
				if slices.Contains(split, place) {
					left = append(left, i)
					// Every entry already on the right moves past this one.
					inversions += len(right)
				} else {
					right = append(right, i)
				}
			}
			sign := 1.0
			if inversions%2 == 1 {
				sign = -1
			}
			terms = append(terms, shuffle{index(left, n), index(right, n), out, sign})
		}
	}
	return terms
}
