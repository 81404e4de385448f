package sparse

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// SymEigen returns the eigenvalues, ascending, and as columns the eigenvectors of the symmetric part of a
// square matrix. It is an error if they do not converge.
func SymEigen(a mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	var factors mat.EigenSym
	if !factors.Factorize(symmetricPart(a), true) {
		return nil, nil, errConvergence
	}
	vectors = new(mat.Dense)
	factors.VectorsTo(vectors)
	return factors.Values(nil), vectors, nil
}

// GeneralEigen returns the eigenvalues of K x = λ M x, ascending, and as columns their eigenvectors,
// orthonormal in the inner product of M. It is an error if M is not positive definite up to rounding, or
// as in SymEigen.
func GeneralEigen(k, m mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	var cholesky mat.Cholesky
	if !cholesky.Factorize(symmetricPart(m)) {
		return nil, nil, errors.New("sparse: the mass matrix is not positive definite up to rounding")
	}
	var root mat.TriDense // M = RᵀR
	cholesky.UTo(&root)
	var half, whole mat.Dense // R⁻ᵀ K R⁻¹
	if err := half.Solve(root.T(), k); err != nil {
		return nil, nil, err
	}
	if err := whole.Solve(root.T(), half.T()); err != nil {
		return nil, nil, err
	}
	if values, vectors, err = SymEigen(&whole); err != nil {
		return nil, nil, err
	}
	return values, vectors, vectors.Solve(&root, vectors)
}

// symmetricPart returns (a + aᵀ)/2.
func symmetricPart(a mat.Matrix) *mat.SymDense {
	if sym, ok := a.(*mat.SymDense); ok {
		return sym
	}
	n, _ := a.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			sym.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return sym
}
