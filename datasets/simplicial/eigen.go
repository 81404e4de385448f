package simplicial

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Eigen holds eigenpairs of a Hodge Laplacian, eigenvalues ascending; gradients come before curls
// where these agree.
type Eigen struct {
	Values  []float64
	Vectors *mat.Dense // column j is an eigenvector of Values[j], of norm 1 in the inner product of Mass
	Parts   []Part     // Parts[j] is the part of the Hodge decomposition that contains column j
}

// Eigen returns the m smallest eigenvalues λ of the Hodge Laplacian, dδx + δdx = λx, with eigenvectors
// that are orthonormal in the inner product of the metric, each inside one part of the Hodge decomposition
// even where eigenvalues of different parts coincide. Boundary conditions are the natural, absolute ones: the
// normal parts of x and dx are 0.
//
// The harmonic vectors are counted by the Betti number, not by a tolerance, and have the eigenvalue
// 0. The entry of largest absolute value of each vector, the first of several, is positive; within
// a repeated eigenvalue of one part the basis is otherwise arbitrary. It is an error if m is not in
// 1..Count(k), if there are no k-simplices, if more than 2²⁶ pairs of them share a coface, or if
// eigenvalues do not converge or rounding keeps them from being counted.
//
// A few of many eigenpairs are found by sparse factorization: of 10⁴ edges of a surface the first 20
// take about a second. The time of all of them grows with Count(k)³.
func (c *Complex) Eigen(k, m int) (*Eigen, error) {
	count := c.Count(k)
	if count == 0 {
		return nil, fmt.Errorf("simplicial: Laplacian in degree %d of a complex of dimension %d", k, c.Dim())
	}
	if m < 1 || m > count {
		return nil, fmt.Errorf("simplicial: %d eigenpairs of a Laplacian of order %d, want 1..%d",
			m, count, count)
	}
	pairs, err := c.pairs(k, m)
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

// pairs returns the m smallest eigenpairs, and a few more.
func (c *Complex) pairs(k, m int) ([]pair, error) {
	stiffness, err := c.stiffness(k)
	if err != nil {
		return nil, err
	}
	// dδ is M⁻¹ B N⁻¹ Bᵀ with B = M_k ∂_kᵀ and N = M_{k-1}.
	coupling, err := sparse.Product(c.Mass(k), c.Boundary(k).Transpose())
	if err != nil {
		return nil, err
	}
	// One block has as much of the kernel as is wanted. Symmetric complexes repeat other eigenvalues,
	// too, those of triangulated tori six times; meshes with a metric rarely do.
	harmonic, more, block := c.Betti()[k], min(m+8, c.Count(k)), 8
	if c.masses != nil {
		block = 4
	}
	solver := sparse.Solver{Mass: c.Mass(k), Coupling: coupling, Inner: c.Mass(k - 1),
		Block: max(block, min(harmonic, more+8))}
	values, vectors, err := solver.Smallest(stiffness, more)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	harmonic = min(harmonic, len(values))
	for j := range harmonic {
		pairs = append(pairs, pair{0, Harmonic, mat.Col(nil, j, vectors)})
	}
	if harmonic == len(values) {
		return pairs, nil
	}
	values = values[harmonic:]
	if values[0] <= 0 {
		return nil, fmt.Errorf("simplicial: the Betti number in degree %d is %d, but one eigenvalue more "+
			"is 0 up to rounding", k, harmonic)
	}
	if k == 0 || c.Count(k+1) == 0 { // there is only one part
		part := Gradient
		if k == 0 {
			part = Curl
		}
		for j, value := range values {
			pairs = append(pairs, pair{value, part, mat.Col(nil, harmonic+j, vectors)})
		}
		return pairs, nil
	}
	rest := vectors.Slice(0, c.Count(k), harmonic, harmonic+len(values)).(*mat.Dense)
	for _, part := range []Part{Gradient, Curl} {
		inside, err := c.half(part, k).pairs(values, rest)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, inside...)
	}
	return pairs, nil
}

// stiffness returns ∂_{k+1} M_{k+1} ∂_{k+1}ᵀ, the matrix M δd.
func (c *Complex) stiffness(k int) (*Matrix, error) {
	boundary := c.Boundary(k + 1)
	weighted, err := sparse.Product(boundary, c.Mass(k+1))
	if err != nil {
		return nil, err
	}
	var entries []sparse.Entry // on and below the diagonal
	for j := range c.Count(k + 1) {
		rows, x := weighted.Column(j)
		columns, y := boundary.Column(j)
		if len(entries)+len(rows)*len(columns) > sparse.MaxEntries/2 {
			return nil, fmt.Errorf("simplicial: more than %d pairs of simplices of degree %d share a coface",
				sparse.MaxEntries/2, k)
		}
		for r, i := range rows {
			for c, column := range columns {
				if column <= i {
					entries = append(entries, sparse.Entry{I: i, J: column, V: x[r] * y[c]})
				}
			}
		}
	}
	return sparse.NewSymmetric(c.Count(k), entries)
}

// pairs splits eigenvectors of the Laplacian of k-cochains, columns, and returns those parts in the image of
// A.
//
// Where the eigenvectors have all of an eigenspace, their parts do as well. Of the last group of equal
// eigenvalues there may be only a few, at random: then each has a share of both parts, and as many of
// either part come out as there are, no fewer than went in.
func (h half) pairs(values []float64, vectors *mat.Dense) ([]pair, error) {
	// For an eigenvector x of λ > 0 the projection is A A* x / λ.
	images, err := columns(vectors, func(j int, x []float64) ([]float64, error) {
		for i := range x {
			x[i] /= values[j]
		}
		return h.square(x)
	})
	if err != nil {
		return nil, err
	}
	// Shares are 1 and 0, or random ones; those that are too small to be precise are left to the other
	// part.
	shares, turn, err := h.gram(h.k, images)
	if err != nil {
		return nil, err
	}
	m, first := len(values), 0
	for first < m && shares[first] < 1e-4 {
		first++
	}
	if first == m {
		return nil, nil
	}
	var basis, eigenvectors mat.Dense
	basis.Mul(images, turn.Slice(0, m, first, m))
	basis.Apply(func(_, j int, v float64) float64 { return v / math.Sqrt(shares[first+j]) }, &basis)
	pulled, err := columns(&basis, func(_ int, x []float64) ([]float64, error) { return h.adjoint(x) })
	if err != nil {
		return nil, err
	}
	inside, turn, err := h.gram(h.other, pulled)
	if err != nil {
		return nil, err
	}
	eigenvectors.Mul(&basis, turn)
	pairs := make([]pair, len(inside))
	for j, value := range inside {
		pairs[j] = pair{value, h.part, mat.Col(nil, j, &eigenvectors)}
	}
	return pairs, nil
}

// columns returns the images of the columns of a matrix.
func columns(x *mat.Dense, f func(j int, x []float64) ([]float64, error)) (*mat.Dense, error) {
	_, cols := x.Dims()
	var y *mat.Dense
	for j := range cols {
		column, err := f(j, mat.Col(nil, j, x))
		if err != nil {
			return nil, err
		}
		if y == nil {
			y = mat.NewDense(len(column), cols, nil)
		}
		y.SetCol(j, column)
	}
	return y, nil
}

// gram returns the eigenvalues of the inner products of the columns, ascending, and the eigenvectors.
func (c *Complex) gram(k int, x *mat.Dense) (values []float64, vectors *mat.Dense, err error) {
	weighted, err := columns(x, func(_ int, x []float64) ([]float64, error) { return c.flat(k, x), nil })
	if err != nil {
		return nil, nil, err
	}
	var product mat.Dense
	product.Mul(x.T(), weighted)
	return sparse.SymEigen(&product)
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
