package simplicial

import (
	"fmt"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Laplacian returns the Hodge Laplacian on the k-simplices, the symmetric matrix
//
//	L_k = M_k ∂_kᵀ M_{k-1}⁻¹ ∂_k M_k + ∂_{k+1} M_{k+1} ∂_{k+1}ᵀ
//
// with the mass matrices of the metric, all the identity unless WithMetric set them: xᵀL_k x is
// ⟨δx, δx⟩ + ⟨dx, dx⟩, the Laplace-de Rham operator dδ + δd is M_k⁻¹ L_k, and its eigenvalues are those of
// L_k x = λ M_k x. With the metric Galerkin, where the inverse is not sparse, M_{k-1} is the
// Circumcentric star if that is positive, but for vertices, and otherwise the Barycentric one.
//
// It is an error if there are no k-simplices, or more than 2²⁶ pairs of them
// share a face or a coface.
func (c *Complex) Laplacian(k int) (*Symmetric, error) { return c.laplacian(k, 1) }

// laplacian has the second term times alpha.
func (c *Complex) laplacian(k int, alpha float64) (*sparse.Symmetric, error) {
	count := c.Count(k)
	if count == 0 {
		return nil, fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
	}
	// The terms are P Aᵀ, P = A W with W the identity where there is no metric.
	down, up := c.Boundary(k).Transpose(), c.Boundary(k+1)
	weightedDown, weightedUp := down, up
	var err error
	if c.masses != nil && k > 0 {
		inverse := make([]float64, c.Count(k-1))
		for i, d := range c.masses[k-1].diagonal {
			inverse[i] = 1 / d
		}
		w, err := sparse.Diagonal(inverse)
		if err != nil {
			return nil, err
		}
		if down, err = product(&c.masses[k].matrix.Matrix, down); err != nil {
			return nil, err
		}
		if weightedDown, err = product(down, &w.Matrix); err != nil {
			return nil, err
		}
	}
	if c.masses != nil && k < c.Dim() {
		if weightedUp, err = product(up, &c.masses[k+1].matrix.Matrix); err != nil {
			return nil, err
		}
	}
	pairs := 0
	for _, term := range [][2]*sparse.Matrix{{weightedDown, down}, {weightedUp, up}} {
		_, cols := term[0].Dims()
		for j := range cols {
			left, _ := term[0].Column(j)
			right, _ := term[1].Column(j)
			pairs += (len(left) + 1) * len(right) / 2
		}
	}
	if pairs > sparse.MaxEntries/2 {
		return nil, fmt.Errorf("simplicial: %d pairs of simplices of degree %d share a face or a coface, "+
			"want at most %d for a Laplacian", pairs, k, sparse.MaxEntries/2)
	}
	entries := addProduct(make([]sparse.Entry, 0, pairs), 1, weightedDown, down)
	return sparse.New(count, addProduct(entries, alpha, weightedUp, up))
}

// addProduct adds the entries on and below the diagonal of scale·P Aᵀ.
func addProduct(entries []sparse.Entry, scale float64, p, a *sparse.Matrix) []sparse.Entry {
	_, cols := p.Dims()
	for j := range cols {
		rows, x := p.Column(j)
		columns, y := a.Column(j)
		for r, i := range rows {
			for c, column := range columns {
				if column > i {
					break
				}
				entries = append(entries, sparse.Entry{I: i, J: column, V: scale * x[r] * y[c]})
			}
		}
	}
	return entries
}

// product returns a·b.
func product(a, b *sparse.Matrix) (*sparse.Matrix, error) {
	rows, _ := a.Dims()
	_, cols := b.Dims()
	var entries []sparse.Entry
	for j := range cols {
		middle, values := b.Column(j)
		for p, m := range middle {
			left, x := a.Column(int(m))
			for q, i := range left {
				entries = append(entries, sparse.Entry{I: i, J: int32(j), V: x[q] * values[p]})
			}
		}
	}
	return sparse.NewMatrix(rows, cols, entries)
}
