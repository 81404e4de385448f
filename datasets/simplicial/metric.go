package simplicial

import (
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// mass is the inner product of the cochains of one degree.
type mass struct {
	matrix *Matrix
	factor func() (*sparse.LDL, error)
}

// WithMetric returns the same complex with the inner products of cochains that its embedding induces: the L²
// products of Whitney forms, ∫⟨W_σ, W_τ⟩ (Dodziuk, Finite-difference approach to the Hodge theory of harmonic
// forms, 1976), on which Mass, Codifferential, Laplacian, Hodge and Eigen depend. In a new complex the
// simplices are orthonormal, also in one made from a complex with a metric, such as another embedding.
//
// On every mesh whose angles stay away from 0 the eigenvalues of the Laplacians converge with order 2 in all
// degrees (Arnold, Falk and Winther, Finite element exterior calculus, homological techniques, and
// applications, 2006). Forms are integrated over the maximal simplices, each with its own volume: the
// triangles of a surface, and edges that stick out of it. It is an error if the complex has no coordinates or
// if such a simplex is degenerate.
func (c *Complex) WithMetric() (*Complex, error) {
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: c.levels}
	for k := range c.Dim() + 1 {
		matrix, err := c.whitneyMass(k)
		if err != nil {
			return nil, err
		}
		out.masses = append(out.masses, mass{matrix, sync.OnceValues(func() (*sparse.LDL, error) {
			return sparse.Factorize(matrix)
		})})
	}
	return out, nil
}

func errDegenerate(simplex []int32) error {
	return fmt.Errorf("simplicial: the simplex of vertices %v is degenerate and has no metric: "+
		"leave it out, or move its vertices apart", simplex)
}

// Mass returns the matrix M of the inner products of k-cochains, ⟨x, y⟩ = xᵀMy, which is the identity without
// a metric.
func (c *Complex) Mass(k int) *Matrix {
	if c.masses != nil && k >= 0 && k <= c.Dim() {
		return c.masses[k].matrix
	}
	ones := make([]float64, c.Count(k))
	floats.AddConst(1, ones)
	return sparse.Diagonal(ones)
}

// inner returns the inner product of k-cochains.
func (c *Complex) inner(k int, x, y []float64) float64 { return floats.Dot(x, c.flat(k, y)) }

// flat returns the k-chain Mx of a cochain, whose values on others are the inner products with x.
func (c *Complex) flat(k int, x []float64) []float64 {
	if c.masses == nil || k < 0 || k > c.Dim() {
		return x
	}
	return push(c.masses[k].matrix, x)
}

// sharp returns the k-cochain M⁻¹x of a chain.
func (c *Complex) sharp(k int, x []float64) ([]float64, error) {
	if c.masses == nil || k < 0 || k > c.Dim() {
		return x, nil
	}
	f, err := c.masses[k].factor()
	if err != nil {
		return nil, err
	}
	x = slices.Clone(x)
	f.SolveTo(x, x)
	return x, nil
}
