package simplicial

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Part is one of the three orthogonal parts of the Hodge decomposition of cochains.
type Part int

const (
	Harmonic Part = iota // the kernel of the Laplacian: closed and coclosed
	Gradient             // the image of ∂_kᵀ, the coboundary: exact
	Curl                 // the image of ∂_{k+1}: coexact
)

// String returns the name in lower case.
func (p Part) String() string {
	switch p {
	case Harmonic:
		return "harmonic"
	case Gradient:
		return "gradient"
	case Curl:
		return "curl"
	}
	return fmt.Sprintf("Part(%d)", int(p))
}

// Eigen holds eigenpairs of a Hodge Laplacian, eigenvalues ascending; gradients come before curls
// where these agree.
type Eigen struct {
	Values  []float64
	Vectors *mat.Dense // column j is a unit eigenvector of Values[j]
	Parts   []Part     // Parts[j] is the part of the Hodge decomposition that contains column j
}

// Eigen returns the m smallest eigenvalues of the Hodge Laplacian L_k with orthonormal
// eigenvectors, each inside one part of the Hodge decomposition even where eigenvalues of different
// parts coincide.
//
// The harmonic vectors are counted by the Betti number, not by a tolerance, and have the eigenvalue
// 0. The entry of largest absolute value of each vector, the first of several, is positive; within
// a repeated eigenvalue of one part the basis is otherwise arbitrary. It is an error if m is not in
// 1..Count(k), or as in Laplacian. Time grows with Count(k)³.
func (c *Complex) Eigen(k, m int) (*Eigen, error) {
	// The difference of the two terms of L_k has the eigenvectors of L_k, as the product of the
	// terms is 0, but eigenvalues +λ on gradients and -λ on curls: it tells apart what L_k may not.
	signed, err := c.laplacian(k, -1)
	if err != nil {
		return nil, err
	}
	count := c.Count(k)
	if m < 1 || m > count {
		return nil, fmt.Errorf("simplicial: %d eigenpairs of a Laplacian of order %d, want 1..%d",
			m, count, count)
	}
	var factors mat.EigenSym
	if !factors.Factorize(signed, true) {
		return nil, errors.New("simplicial: eigenvalues did not converge")
	}
	values := factors.Values(nil)
	var all mat.Dense
	factors.VectorsTo(&all)

	order := ascending(values)
	harmonic := c.Betti()[k]
	e := &Eigen{Values: make([]float64, m), Vectors: mat.NewDense(count, m, nil), Parts: make([]Part, m)}
	column := make([]float64, count)
	for j := range m {
		from := int(order[j])
		switch {
		case j < harmonic:
			e.Parts[j] = Harmonic
		case values[from] > 0:
			e.Parts[j], e.Values[j] = Gradient, values[from]
		default:
			e.Parts[j], e.Values[j] = Curl, -values[from]
		}
		mat.Col(column, from, &all)
		fixSign(column)
		e.Vectors.SetCol(j, column)
	}
	return e, nil
}

// ascending returns the order of the given numbers by absolute value, the positive before the
// negative where these agree up to rounding.
func ascending(values []float64) []int32 {
	order := count32(len(values))
	size := func(i int) float64 { return math.Abs(values[order[i]]) }
	slices.SortStableFunc(order, func(i, j int32) int {
		return cmp.Compare(math.Abs(values[i]), math.Abs(values[j]))
	})
	// Well above the rounding in eigenvalues, which is some 1e-16 times their number relative to
	// the largest.
	tie := 1e-11 * size(len(order)-1)
	for i, j := 0, 1; i < len(order); i, j = j, j+1 {
		for j < len(order) && size(j)-size(j-1) <= tie {
			j++
		}
		slices.SortStableFunc(order[i:j], func(a, b int32) int {
			return cmp.Compare(math.Copysign(1, values[b]), math.Copysign(1, values[a]))
		})
	}
	return order
}

// fixSign multiplies the vector by ±1 so that its entry of largest absolute value is positive.
func fixSign(x []float64) {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	// Symmetry makes entries equal up to rounding, which must not decide among them: 1e-8 is well
	// above the rounding in eigenvectors and well below the differences that matter.
	first := slices.IndexFunc(x, func(v float64) bool { return math.Abs(v) >= largest*(1-1e-8) })
	if x[first] < 0 {
		for i := range x {
			x[i] = -x[i]
		}
	}
}
