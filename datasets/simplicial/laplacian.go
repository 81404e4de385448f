package simplicial

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Laplacian returns dδx + δdx of a k-cochain x, the operator of Laplace and de Rham, with the coboundary d
// and the codifferential δ of the metric: ⟨Lx, x⟩ = ⟨δx, δx⟩ + ⟨dx, dx⟩. Eigen finds its eigenvalues.
//
// It is an error if there are no k-simplices, or as in Codifferential.
func (c *Complex) Laplacian(k int, cochain []float64) ([]float64, error) {
	if c.Count(k) == 0 {
		return nil, c.errDegree(k)
	}
	down, err := c.Codifferential(k, cochain)
	if err != nil {
		return nil, err
	}
	up, err := c.Coboundary(k, cochain)
	if err != nil {
		return nil, err
	}
	if up, err = c.Codifferential(k+1, up); err != nil {
		return nil, err
	}
	return floats.AddTo(up, up, pull(c.Boundary(k), down)), nil
}

func (c *Complex) errDegree(k int) error {
	return fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
}

// laplacian is the symmetric matrix
//
//	M_k L = M_k ∂_kᵀ M_{k-1}⁻¹ ∂_k M_k + ∂_{k+1} M_{k+1} ∂_{k+1}ᵀ,
//
// the second term times a factor. Where M_{k-1} is not diagonal the first is coupling·inner⁻¹·couplingᵀ,
// coupling = M_k ∂_kᵀ, and otherwise it is part of the matrix and inner is nil.
type laplacian struct {
	matrix   *sparse.Symmetric
	coupling *sparse.Matrix
	inner    *sparse.Symmetric
}

// newLaplacian returns an error if there are no k-simplices, or if more than 2²⁶ pairs of them share a face
// or a coface.
func (c *Complex) newLaplacian(k int, up float64) (l laplacian, err error) {
	count := c.Count(k)
	if count == 0 {
		return l, c.errDegree(k)
	}
	// The terms are P Aᵀ, P = A W with W the identity where there is no metric.
	down, weightedDown := c.Boundary(k).Transpose(), (*sparse.Matrix)(nil)
	above, weightedUp := c.Boundary(k+1), c.Boundary(k+1)
	if c.masses != nil && k > 0 {
		if down, err = product(&c.masses[k].matrix.Matrix, down); err != nil {
			return l, err
		}
	}
	weightedDown = down
	if c.masses != nil && k > 0 {
		if below := c.masses[k-1]; below.factor != nil {
			l.coupling, l.inner = down, below.matrix
		} else if weightedDown, err = product(down, &below.inverse().Matrix); err != nil {
			return l, err
		}
	}
	if c.masses != nil && k < c.Dim() {
		if weightedUp, err = product(above, &c.masses[k+1].matrix.Matrix); err != nil {
			return l, err
		}
	}
	terms := [][2]*sparse.Matrix{{weightedDown, down}, {weightedUp, above}}
	scales := []float64{1, up}
	if l.inner != nil {
		terms, scales = terms[1:], scales[1:]
	}
	pairs := 0
	for _, term := range terms {
		_, cols := term[0].Dims()
		for j := range cols {
			left, _ := term[0].Column(j)
			right, _ := term[1].Column(j)
			pairs += (len(left) + 1) * len(right) / 2
		}
	}
	if pairs > sparse.MaxEntries/2 {
		return l, fmt.Errorf("simplicial: %d pairs of simplices of degree %d share a face or a coface, "+
			"want at most %d for a Laplacian", pairs, k, sparse.MaxEntries/2)
	}
	entries := make([]sparse.Entry, 0, pairs)
	for i, term := range terms {
		entries = addProduct(entries, scales[i], term[0], term[1])
	}
	l.matrix, err = sparse.New(count, entries)
	return l, err
}

// inverse returns that of a diagonal mass.
func (m mass) inverse() *sparse.Symmetric {
	var diagonal []float64
	m.matrix.DoNonZero(func(_, _ int, v float64) { diagonal = append(diagonal, 1/v) })
	inverse, err := sparse.Diagonal(diagonal)
	if err != nil {
		panic(err) // masses are positive, and no inverse overflows
	}
	return inverse
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
