package simplicial

import (
	"fmt"

	"github.com/neuralkforms/nkf/datasets/simplicial/sparse"
)

// Laplacian returns the Hodge Laplacian L_k = ∂_kᵀ ∂_k + ∂_{k+1} ∂_{k+1}ᵀ on the k-simplices.
//
// It is an error if there are no k-simplices, or more than half of sparse.MaxEntries pairs of them
// share a face or a coface.
func (c *Complex) Laplacian(k int) (*sparse.Symmetric, error) { return c.laplacian(k, 1) }

// laplacian returns ∂_kᵀ ∂_k + alpha ∂_{k+1} ∂_{k+1}ᵀ.
func (c *Complex) laplacian(k int, alpha float64) (*sparse.Symmetric, error) {
	count := c.Count(k)
	if count == 0 {
		return nil, fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
	}
	// An operator with d entries in a column has d(d+1)/2 pairs of them.
	pairs := c.Count(k+1) * (k + 2) * (k + 3) / 2
	cofaces := make([]int, c.Count(k-1))
	faces, _ := c.Faces(k)
	for _, face := range faces {
		cofaces[face]++
		pairs += cofaces[face]
	}
	if pairs > sparse.MaxEntries/2 {
		return nil, fmt.Errorf("simplicial: %d pairs of simplices of degree %d share a face or a coface, "+
			"want at most %d for a Laplacian", pairs, k, sparse.MaxEntries/2)
	}
	entries := make([]sparse.Entry, 0, pairs)
	// addOuter adds scale times an operator times its transpose.
	addOuter := func(m *sparse.Matrix, scale float64) {
		_, cols := m.Dims()
		for j := range cols {
			rows, values := m.Column(j)
			for p, i := range rows {
				for q := range rows[:p+1] {
					v := scale * values[p] * values[q]
					entries = append(entries, sparse.Entry{I: i, J: rows[q], V: v})
				}
			}
		}
	}
	addOuter(c.Boundary(k).Transpose(), 1)
	addOuter(c.Boundary(k+1), alpha)
	return sparse.New(count, entries)
}
