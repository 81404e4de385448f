package simplicial

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/sparse"
)

// maxDense is the largest order of a dense matrix (512 MiB).
const maxDense = 1 << 13

// Laplacian returns the Hodge Laplacian L_k = ∂_kᵀ ∂_k + ∂_{k+1} ∂_{k+1}ᵀ on the k-simplices.
//
// It is an error if there are none, or more than fit a dense matrix; then see SparseLaplacian.
func (c *Complex) Laplacian(k int) (*mat.SymDense, error) { return c.laplacian(k, 1) }

// SparseLaplacian returns the Hodge Laplacian L_k as a sparse matrix.
//
// It is an error if there are no k-simplices, or more than half of sparse.MaxEntries pairs of them
// share a face or a coface.
func (c *Complex) SparseLaplacian(k int) (*sparse.Symmetric, error) {
	count := c.Count(k)
	if count == 0 {
		return nil, fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
	}
	terms := []*Operator{c.Boundary(k).transpose(), c.Boundary(k + 1)}
	pairs := 0
	for _, m := range terms {
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
	for _, m := range terms {
		for j := range m.cols {
			row, val := m.row[m.start[j]:m.start[j+1]], m.val[m.start[j]:m.start[j+1]]
			for p, i := range row {
				for q := range row[:p+1] {
					entries = append(entries, sparse.Entry{I: i, J: row[q], V: val[p] * val[q]})
				}
			}
		}
	}
	return sparse.New(count, entries)
}

// laplacian returns ∂_kᵀ ∂_k + alpha ∂_{k+1} ∂_{k+1}ᵀ.
func (c *Complex) laplacian(k int, alpha float64) (*mat.SymDense, error) {
	count := c.Count(k)
	if count == 0 {
		return nil, fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
	}
	if count > maxDense {
		return nil, fmt.Errorf("simplicial: dense Laplacian of %d simplices of degree %d, want at most %d; "+
			"SparseLaplacian has no such limit", count, k, maxDense)
	}
	l := mat.NewSymDense(count, nil)
	c.Boundary(k).transpose().addOuter(l, 1)
	c.Boundary(k+1).addOuter(l, alpha)
	return l, nil
}
