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
	down, up := c.Boundary(k).transpose(), c.Boundary(k+1)
	pairs := 0
	for _, m := range []*Operator{down, up} {
		for j := range m.cols {
			d := m.start[j+1] - m.start[j]
			pairs += d * (d + 1) / 2
		}
	}
	if pairs > sparse.MaxEntries/2 {
		return nil, fmt.Errorf("simplicial: %d pairs of simplices of degree %d share a face or a coface, "+
			"want at most %d for a Laplacian", pairs, k, sparse.MaxEntries/2)
	}
	entries := make([]sparse.Entry, 0, pairs)
	// addOuter adds scale times an operator times its transpose.
	addOuter := func(m *Operator, scale float64) {
		for j := range m.cols {
			row, val := m.row[m.start[j]:m.start[j+1]], m.val[m.start[j]:m.start[j+1]]
			for p, i := range row {
				for q := range row[:p+1] {
					entries = append(entries, sparse.Entry{I: i, J: row[q], V: scale * val[p] * val[q]})
				}
			}
		}
	}
	addOuter(down, 1)
	addOuter(up, alpha)
	return sparse.New(count, entries)
}
