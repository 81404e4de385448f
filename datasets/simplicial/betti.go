package simplicial

import (
	"slices"

	"github.com/neuralkforms/nkf/datasets/internal/modular"
)

// Betti returns the rational Betti numbers dim H_k(·; Q) for k = 0..Dim(): components, loops, voids
// and so on.
//
// They are Count(k) - rank ∂_k - rank ∂_{k+1}, with ranks computed without rounding over the field
// of p = 2^61-1 elements. A rank modulo p is the rational rank unless p divides an invariant factor
// of ∂_k, that is, unless the integral homology in degree k-1 has torsion of an order divisible by
// p. There is none for k = 1, and by Hadamard's bound on minors that order is at most (k+1)^(r/2),
// r the rank: less than p for r <= 76 if k = 2 and r <= 60 if k = 3. Larger complexes with such
// torsion can be built on purpose but are not met. Small torsion, like that of the Klein bottle, is
// as invisible modulo p as it is over Q.
func (c *Complex) Betti() []int {
	betti := make([]int, c.Dim()+1)
	for k, killers := range c.killers() {
		betti[k] += c.Count(k)
		for _, killer := range killers {
			if killer >= 0 {
				betti[k]--
				betti[k+1]--
			}
		}
	}
	return betti
}

// killers reduces the boundary matrices. For each k-simplex it returns the (k+1)-simplex whose reduced
// boundary ends with it, -1 for none.
//
// A simplex that ends a reduced boundary has a boundary that depends on earlier ones, so that the columns of
// simplices that were killed are skipped (Chen and Kerber, Persistent homology computation with a twist,
// 2011).
func (c *Complex) killers() [][]int32 {
	killers := make([][]int32, c.Dim()+1)
	for k := c.Dim(); k >= 0; k-- {
		killers[k] = slices.Repeat([]int32{-1}, c.Count(k))
		if k == c.Dim() {
			continue
		}
		faces, signs := c.faces(k + 1)
		columns := func(yield func(int32, []modular.Entry) bool) {
			column := make([]modular.Entry, k+2)
			for j := range int32(c.Count(k + 1)) {
				if killers[k+1][j] >= 0 {
					continue
				}
				for i := range column {
					p := int(j)*(k+2) + i
					column[k+1-i] = modular.Entry{Row: faces[p], Value: modular.Sign(signs[p])}
				}
				if !yield(j, column) {
					return
				}
			}
		}
		killers[k], _ = modular.Reduce(c.Count(k), columns)
	}
	return killers
}
