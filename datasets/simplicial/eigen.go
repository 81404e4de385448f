package simplicial

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
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
	if p < Harmonic || p > Curl {
		return fmt.Sprintf("Part(%d)", int(p))
	}
	return [...]string{"harmonic", "gradient", "curl"}[p]
}

// Eigen holds eigenpairs of a Hodge Laplacian, eigenvalues ascending; gradients come before curls
// where these agree.
type Eigen struct {
	Values  []float64
	Vectors *mat.Dense // column j is an eigenvector of Values[j], of norm 1 in the inner product of Mass
	Parts   []Part     // Parts[j] is the part of the Hodge decomposition that contains column j
}

// maxDense is the largest order of a dense matrix (512 MiB).
const maxDense = 1 << 13

// Eigen returns the m smallest eigenvalues λ of the Hodge Laplacian, dδx + δdx = λx, with eigenvectors
// that are orthonormal in the inner product of the metric, each inside one part of the Hodge decomposition
// even where eigenvalues of different parts coincide. Boundary conditions are the natural, absolute ones: the
// normal parts of x and dx are 0.
//
// The harmonic vectors are counted by the Betti number, not by a tolerance, and have the eigenvalue
// 0. The entry of largest absolute value of each vector, the first of several, is positive; within
// a repeated eigenvalue of one part the basis is otherwise arbitrary. It is an error if m is not in
// 1..Count(k), if there are no k-simplices, if more than 2²⁶ pairs of them share a face or a coface, or if
// eigenvalues do not converge or rounding keeps them from being counted.
//
// A few of many eigenpairs are found by sparse factorization: of 10⁴ edges of a surface the first 20
// take about a second. Most of them are found by a dense one, in time that grows with Count(k)³.
func (c *Complex) Eigen(k, m int) (*Eigen, error) {
	count := c.Count(k)
	if count > 0 && (m < 1 || m > count) {
		return nil, fmt.Errorf("simplicial: %d eigenpairs of a Laplacian of order %d, want 1..%d",
			m, count, count)
	}
	var pairs []pair
	var err error
	// The sparse solver works with bases of more than twice as many vectors.
	if few := 4*m+64 < count; few || count > maxDense {
		pairs, err = c.sparsePairs(k, m)
	} else {
		pairs, err = c.densePairs(k)
	}
	if err != nil {
		return nil, err
	}
	sortPairs(pairs)
	e := &Eigen{Values: make([]float64, m), Vectors: mat.NewDense(count, m, nil), Parts: make([]Part, m)}
	for j, p := range pairs[:m] {
		fixSign(p.vector)
		e.Values[j], e.Parts[j] = p.value, p.part
		e.Vectors.SetCol(j, p.vector)
	}
	return e, nil
}

// pair is an eigenvalue with a unit eigenvector.
type pair struct {
	value  float64
	part   Part
	vector []float64
}

// densePairs returns all eigenpairs.
func (c *Complex) densePairs(k int) ([]pair, error) {
	// The difference of the two terms of L_k has the eigenvectors of L_k, as the product of the
	// terms is 0, but eigenvalues +λ on gradients and -λ on curls, which separates them.
	signed, err := c.newLaplacian(k, -1)
	if err != nil {
		return nil, err
	}
	dense, err := signed.dense()
	if err != nil {
		return nil, err
	}
	var values []float64
	var all *mat.Dense
	if mass := c.massOrNil(k); mass != nil {
		values, all, err = sparse.GeneralEigen(dense, mass)
	} else {
		values, all, err = sparse.SymEigen(dense)
	}
	if err != nil {
		return nil, err
	}
	order := count32(len(values))
	slices.SortStableFunc(order, func(i, j int32) int {
		return cmp.Compare(math.Abs(values[i]), math.Abs(values[j]))
	})
	harmonic := c.Betti()[k]
	pairs := make([]pair, len(values))
	for j, from := range order {
		pairs[j] = pair{math.Abs(values[from]), Gradient, mat.Col(nil, int(from), all)}
		switch {
		case j < harmonic:
			pairs[j].part, pairs[j].value = Harmonic, 0
		case values[from] < 0:
			pairs[j].part = Curl
		}
	}
	return pairs, nil
}

// dense returns the matrix with both terms.
func (l laplacian) dense() (*mat.SymDense, error) {
	n := l.matrix.SymmetricDim()
	dense := mat.NewSymDense(n, nil)
	dense.CopySym(l.matrix)
	if l.inner == nil {
		return dense, nil
	}
	factor, err := sparse.Factorize(l.inner)
	if err != nil {
		return nil, err
	}
	solved := mat.DenseCopyOf(l.coupling).RawMatrix() // the rows of B, and of B N⁻¹
	factor.SolveTo(solved.Data, solved.Data)
	rows := l.coupling.Transpose()
	for i := range n {
		from := solved.Data[i*solved.Cols : (i+1)*solved.Cols]
		for j := range i + 1 {
			at, values := rows.Column(j)
			sum := dense.At(i, j)
			for p, v := range values {
				sum += v * from[at[p]]
			}
			dense.SetSym(i, j, sum)
		}
	}
	return dense, nil
}

// sortPairs sorts eigenpairs by their eigenvalues, and by their parts where these agree up to rounding.
func sortPairs(pairs []pair) {
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.value, b.value) })
	// Well above the rounding in eigenvalues, which is some 1e-16 times their number relative to
	// the largest.
	tie := 1e-11 * pairs[len(pairs)-1].value
	for i, j := 0, 1; i < len(pairs); i, j = j, j+1 {
		for j < len(pairs) && pairs[j].value-pairs[j-1].value <= tie {
			j++
		}
		slices.SortStableFunc(pairs[i:j], func(a, b pair) int { return cmp.Compare(a.part, b.part) })
	}
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
