package simplicial

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Matrix is a sparse matrix that never changes. It implements mat.Matrix and mat.NonZeroDoer of gonum, and
// has the methods
//
//	Column(j int) (rows []int32, values []float64)        // the entries of a column, rows ascending
//	MulVecTo(dst []float64, trans bool, x []float64)      // dst = M·x, or Mᵀ·x if trans is true
//	Transpose() *Matrix
type Matrix = sparse.Matrix

// faces returns for each k-simplex [v0 … vk] the indices of its k+1 faces among the (k-1)-simplices,
// a flat table [Count(k), k+1] whose column i is the face without vi, and the signs (-1)^i that the
// faces have in the boundary, a table of the same shape. Both are new, and nil for k <= 0 or above Dim.
//
// They are the boundary matrix in the form that tensors and the layers of cochain networks take, k+1
// entries a column.
func (c *Complex) faces(k int) (faces []int32, signs []int8) {
	if k <= 0 || k > c.Dim() {
		return nil, nil
	}
	faces = make([]int32, 0, len(c.levels[k]))
	signs = make([]int8, 0, len(c.levels[k]))
	face := make([]int32, k)
	for j := range c.Count(k) {
		simplex := c.at(k, j)
		for i := range simplex {
			copy(face, simplex[:i])
			copy(face[i:], simplex[i+1:])
			faces = append(faces, int32(find(c.levels[k-1], face)))
			signs = append(signs, int8(1-2*(i%2)))
		}
	}
	return faces, signs
}

// Boundary returns the matrix of the boundary operator ∂_k from k-chains to (k-1)-chains, ∂[v0 … vk] =
// Σ_i (-1)^i [v0 … v̂i … vk]. Its transpose is the coboundary of (k-1)-cochains.
//
// Every degree is allowed: ∂_k has Count(k) columns and Count(k-1) rows, of which there are none for k <= 0.
func (c *Complex) Boundary(k int) *Matrix {
	faces, signs := c.faces(k)
	entries := make([]sparse.Entry, len(faces))
	for p, face := range faces {
		entries[p] = sparse.Entry{I: face, J: int32(p / (k + 1)), V: float64(signs[p])}
	}
	m, err := sparse.NewMatrix(c.Count(k-1), c.Count(k), entries)
	if err != nil {
		panic(err) // entries are finite and no more than maxSize
	}
	return m
}

// push returns the image of a chain.
func push(m *Matrix, chain []float64) []float64 {
	rows, _ := m.Dims()
	y := make([]float64, rows)
	m.MulVecTo(y, false, chain)
	return y
}

// pull returns the cochain whose values are those of the given one on images.
func pull(m *Matrix, cochain []float64) []float64 {
	_, cols := m.Dims()
	y := make([]float64, cols)
	m.MulVecTo(y, true, cochain)
	return y
}

// Coboundary returns the (k+1)-cochain dx of a k-cochain, with ⟨dx, c⟩ = ⟨x, ∂c⟩ on chains c.
//
// It is an error if the cochain does not have Count(k) entries, or one that is not finite.
func (c *Complex) Coboundary(k int, cochain []float64) ([]float64, error) {
	if err := c.checkCochain(k, cochain); err != nil {
		return nil, err
	}
	return c.half(Curl, k).adjoint(cochain)
}

// Codifferential returns the (k-1)-cochain δx = M⁻¹ ∂ M x of a k-cochain, the adjoint of the coboundary in
// the inner products of the metric: ⟨dy, x⟩ = ⟨y, δx⟩ for (k-1)-cochains y. Without a metric it is the
// boundary.
//
// Errors are those of Coboundary, and those of factorizing the mass matrix.
func (c *Complex) Codifferential(k int, cochain []float64) ([]float64, error) {
	if err := c.checkCochain(k, cochain); err != nil {
		return nil, err
	}
	return c.half(Gradient, k).adjoint(cochain)
}

// Laplacian returns dδx + δdx of a k-cochain x, the operator of Laplace and de Rham, with the coboundary d
// and the codifferential δ of the metric: ⟨Lx, x⟩ = ⟨δx, δx⟩ + ⟨dx, dx⟩. Eigen finds its eigenvalues.
//
// Errors are those of Codifferential.
func (c *Complex) Laplacian(k int, cochain []float64) ([]float64, error) {
	if err := c.checkCochain(k, cochain); err != nil {
		return nil, err
	}
	sum := make([]float64, len(cochain))
	for _, part := range []Part{Gradient, Curl} {
		image, err := c.half(part, k).square(cochain)
		if err != nil {
			return nil, err
		}
		floats.Add(sum, image)
	}
	return sum, nil
}

// checkCochain reports one of another length or with entries that are not finite.
func (c *Complex) checkCochain(k int, cochain []float64) error {
	if len(cochain) != c.Count(k) {
		return fmt.Errorf("simplicial: cochain of length %d in degree %d, want %d", len(cochain), k,
			c.Count(k))
	}
	for i, x := range cochain {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("simplicial: entry %d of the cochain is %v, want finite", i, x)
		}
	}
	return nil
}

// Path returns the 1-chain of the edge path through the given vertices; its boundary is the last
// minus the first. It is an error if two vertices in a row are not joined by an edge.
func (c *Complex) Path(vertices ...int) ([]float64, error) {
	chain := make([]float64, c.Count(1))
	for i := 1; i < len(vertices); i++ {
		edge, sign, ok := c.Index(vertices[i-1 : i+1]...)
		if !ok {
			return nil, fmt.Errorf("simplicial: no edge joins the vertices %v", vertices[i-1:i+1])
		}
		chain[edge] += float64(sign)
	}
	return chain, nil
}
