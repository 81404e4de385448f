package simplicial

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// sparsePairs returns the m smallest eigenpairs, and a few more.
func (c *Complex) sparsePairs(k, m int) ([]pair, error) {
	l, err := c.newLaplacian(k, 1)
	if err != nil {
		return nil, err
	}
	harmonic := c.Betti()[k]
	// One block has as much of the kernel as is wanted. Symmetric complexes repeat other eigenvalues,
	// too, those of triangulated tori six times; meshes with a metric rarely do.
	more, block := min(m+8, c.Count(k)), 8
	if c.masses != nil {
		block = 4
	}
	solver := sparse.Solver{Mass: c.massOrNil(k), Coupling: l.coupling, Inner: l.inner,
		Block: max(block, min(harmonic, more+8))}
	values, vectors, err := solver.Smallest(l.matrix, more)
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
	for part := Gradient; part <= Curl; part++ {
		inside, err := c.image(part, k).pairsWithin(values, rest)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, inside...)
	}
	return pairs, nil
}

// pairsWithin splits eigenvectors of L_k, columns, and returns those parts in the image of the operator A,
// where A A* is one of the two terms of M⁻¹ L_k.
//
// Where the eigenvectors have all of an eigenspace, their parts do as well. Of the last group of equal
// eigenvalues there may be only a few, at random: then each has a share of both parts, and as many of
// either part come out as there are, no fewer than went in.
func (a image) pairsWithin(values []float64, vectors *mat.Dense) ([]pair, error) {
	count, m := vectors.Dims()
	// For an eigenvector x of λ > 0 the projection is A A* x / λ.
	images := mat.NewDense(count, m, nil)
	for j, value := range values {
		_, adjoint, err := a.adjoint(mat.Col(nil, j, vectors))
		if err != nil {
			return nil, err
		}
		x, _, err := a.push(adjoint)
		if err != nil {
			return nil, err
		}
		floats.Scale(1/value, x)
		images.SetCol(j, x)
	}
	// Shares are 1 and 0, or random ones; those that are too small to be precise are left to the other
	// part.
	weighted := mat.NewDense(count, m, nil)
	for j := range m {
		weighted.SetCol(j, a.flat(a.k, mat.Col(nil, j, images)))
	}
	shares, turn, err := gramEigen(images, weighted)
	if err != nil {
		return nil, err
	}
	first := 0
	for first < m && shares[first] < 1e-4 {
		first++
	}
	if first == m {
		return nil, nil
	}
	var basis, eigenvectors mat.Dense
	basis.Mul(images, turn.Slice(0, m, first, m))
	basis.Apply(func(_, j int, v float64) float64 { return v / math.Sqrt(shares[first+j]) }, &basis)
	_, cols := a.chain.Dims()
	pulled, weighted := mat.NewDense(cols, m-first, nil), mat.NewDense(cols, m-first, nil)
	for j := range m - first {
		x, y, err := a.adjoint(mat.Col(nil, j, &basis))
		if err != nil {
			return nil, err
		}
		pulled.SetCol(j, x)
		weighted.SetCol(j, y)
	}
	inside, turn, err := gramEigen(pulled, weighted)
	if err != nil {
		return nil, err
	}
	eigenvectors.Mul(&basis, turn)
	pairs := make([]pair, m-first)
	for j, value := range inside {
		pairs[j] = pair{value, a.part, mat.Col(nil, j, &eigenvectors)}
	}
	return pairs, nil
}

// adjoint returns AᵀM x and A* x, which is W times that: M_{k-1}⁻¹ for the gradients, and M_{k+1} for the
// curls.
func (a image) adjoint(x []float64) (pulled, weighted []float64, err error) {
	pulled = pull(a.chain, a.pullable(x))
	if a.part == Gradient {
		weighted, err = a.sharp(a.k-1, pulled)
		return pulled, weighted, err
	}
	return pulled, a.flat(a.k+1, pulled), nil
}

// gramEigen returns the eigenvalues of xᵀy, a symmetric matrix, ascending, and its eigenvectors.
func gramEigen(x, y *mat.Dense) (values []float64, vectors *mat.Dense, err error) {
	var product mat.Dense
	product.Mul(x.T(), y)
	return sparse.SymEigen(&product)
}
