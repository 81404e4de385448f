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
	down, inner, err := c.downTerm(k)
	if err != nil {
		return l, err
	}
	above, err := c.upTerm(k, up)
	if err != nil {
		return l, err
	}
	terms := []term{down, above}
	if inner != nil {
		l.coupling, l.inner, terms = down.a, inner, terms[1:]
	}
	pairs := 0
	for _, t := range terms {
		pairs += t.pairs()
	}
	if pairs > sparse.MaxEntries/2 {
		return l, fmt.Errorf("simplicial: %d pairs of simplices of degree %d share a face or a coface, "+
			"want at most %d for a Laplacian", pairs, k, sparse.MaxEntries/2)
	}
	entries := make([]sparse.Entry, 0, pairs)
	for _, t := range terms {
		entries = t.add(entries)
	}
	l.matrix, err = sparse.New(count, entries)
	return l, err
}

// term is the symmetric matrix scale·P Aᵀ, where P = A W, with W the identity where there is no metric.
type term struct {
	scale float64
	p, a  *sparse.Matrix
}

// downTerm returns the first term of a laplacian, A = M_k ∂_kᵀ, and M_{k-1} where it is not diagonal: P is A
// there, without its inverse.
func (c *Complex) downTerm(k int) (t term, inner *sparse.Symmetric, err error) {
	a := c.Boundary(k).Transpose()
	if c.masses == nil || k == 0 {
		return term{1, a, a}, nil, nil
	}
	if a, err = product(&c.masses[k].matrix.Matrix, a); err != nil {
		return t, nil, err
	}
	below := c.masses[k-1]
	if below.factor != nil {
		return term{1, a, a}, below.matrix, nil
	}
	p, err := product(a, &below.inverse().Matrix)
	return term{1, p, a}, nil, err
}

// upTerm returns the second term of a laplacian times a scale, A = ∂_{k+1}.
func (c *Complex) upTerm(k int, scale float64) (term, error) {
	a := c.Boundary(k + 1)
	if c.masses == nil || k == c.Dim() {
		return term{scale, a, a}, nil
	}
	p, err := product(a, &c.masses[k+1].matrix.Matrix)
	return term{scale, p, a}, err
}

// pairs returns the number of pairs of rows that share a column, each counted once.
func (t term) pairs() (count int) {
	_, cols := t.p.Dims()
	for j := range cols {
		left, _ := t.p.Column(j)
		right, _ := t.a.Column(j)
		count += (len(left) + 1) * len(right) / 2
	}
	return count
}

// add appends the entries on and below the diagonal.
func (t term) add(entries []sparse.Entry) []sparse.Entry {
	_, cols := t.p.Dims()
	for j := range cols {
		rows, x := t.p.Column(j)
		columns, y := t.a.Column(j)
		for r, i := range rows {
			for c, column := range columns {
				if column > i {
					break
				}
				entries = append(entries, sparse.Entry{I: i, J: column, V: t.scale * x[r] * y[c]})
			}
		}
	}
	return entries
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
