package exterior

import . "github.com/gomlx/gomlx/core/graph"

// Star returns the Hodge duals ⋆ω_j, (n-k)-forms, for the Euclidean metric
// and the standard orientation: ω ∧ ⋆ω = |ω|² dx_1 ∧ … ∧ dx_n, that is
//
//	⋆dx_I = sign(I, J) dx_J,   J the complement of I.
//
// Applied twice it is (-1)^(k(n-k)).
func (f Form) Star() Form {
	// The terms of dx_I ∧ dx_J for complements, all of one component.
	pairs := shuffles(f.Dim, f.Degree, f.Dim-f.Degree)
	terms, pick := make([]shuffle, len(pairs)), make([]int32, len(pairs))
	for _, pair := range pairs {
		terms[pair.right] = shuffle{out: pair.right, sign: pair.sign}
		pick[pair.right] = int32(pair.left)
	}
	return f.derived(f.Dim, f.Dim-f.Degree, f.Count, func(points *Node) *Node {
		rows := takeRows(Transpose(f.At(points), 0, 1), pick)
		return Transpose(signedSums(rows, terms), 0, 1)
	})
}
