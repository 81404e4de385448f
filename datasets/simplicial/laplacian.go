package simplicial

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// maxDense is the largest order of a dense matrix (512 MiB).
const maxDense = 1 << 13

// Laplacian returns the Hodge Laplacian L_k = ∂_kᵀ ∂_k + ∂_{k+1} ∂_{k+1}ᵀ on the k-simplices.
//
// It is an error if there are none, or more than fit a dense matrix; then see Boundary for sparse
// factors.
func (c *Complex) Laplacian(k int) (*mat.SymDense, error) { return c.laplacian(k, 1) }

// laplacian returns ∂_kᵀ ∂_k + alpha ∂_{k+1} ∂_{k+1}ᵀ.
func (c *Complex) laplacian(k int, alpha float64) (*mat.SymDense, error) {
	count := c.Count(k)
	if count == 0 {
		return nil, fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
	}
	if count > maxDense {
		return nil, fmt.Errorf("simplicial: dense Laplacian of %d simplices of degree %d, want at most %d",
			count, k, maxDense)
	}
	l := mat.NewSymDense(count, nil)
	c.Boundary(k).transpose().addOuter(l, 1)
	c.Boundary(k+1).addOuter(l, alpha)
	return l, nil
}
