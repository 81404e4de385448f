package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Solver finds eigenpairs of (K + B N⁻¹ Bᵀ) x = λ M x, K positive semidefinite, M and N positive definite.
//
// The second term, which is not sparse, is never formed: the problem is the mixed one
//
//	⎡ K  B ⎤ ⎡x⎤     ⎡ M x ⎤
//	⎣ Bᵀ -N⎦ ⎣y⎦ = λ ⎣  0  ⎦.
//
// Below the eigenvalues its matrix minus λ times the right-hand side is quasidefinite and has a factor L D Lᵀ
// in any order, without pivots (Vanderbei, Symmetric quasidefinite matrices, SIAM J. Optimization 5, 1995).
type Solver struct {
	Mass     *Matrix // M
	Coupling *Matrix // B; nil stands for none
	Inner    *Matrix // N
	// Block is the number of vectors that are multiplied at a time. Where eigenvalues are repeated more often
	// than that, the search takes longer.
	Block int
}

// Smallest returns the m smallest eigenvalues, ascending, and as columns of vectors [n, m] their
// eigenvectors x, orthonormal in the inner product of M: xᵀ M y is 1 if x = y, else 0.
//
// It is a block Lanczos method with shift and invert. Repeated eigenvalues are returned with their
// multiplicity, and no smaller ones are missing: by Sylvester's law of inertia, the signs of D in the
// factorization of K - τM count those below the last group of equal ones, of whose eigenvectors the result
// has a random choice. Residuals are of the size of rounding in K. The same problem gives the same bits on
// one kind of processor.
//
// It is an error if eigenvalues do not converge, if K is not positive semidefinite or M not positive
// definite, if the factor of K + σM would hold more than MaxEntries, or if the vectors would hold more than
// half of that.
func (s Solver) Smallest(k *Matrix, m int) (values []float64, vectors *mat.Dense, err error) {
	n := k.cols
	want := min(n, m+2) // the next two show the gap after the last
	if want > MaxEntries/n/2 {
		return nil, nil, fmt.Errorf("sparse: %d eigenvectors of a matrix of order %d, "+
			"want at most %d of them", m, n, MaxEntries/n/2-2)
	}
	// The operator has the eigenvalues 1/(λ + shift), and the rounding of the largest: that of 0 hides others
	// where the shift is far below them.
	for larger := 1.0; ; larger *= 100 {
		p, err := s.newProblem(k, m, larger)
		if err != nil {
			return nil, nil, err
		}
		values, x, err := p.smallest(want, m)
		if err == nil {
			vectors = mat.NewDense(n, m, nil)
			vectors.Copy(mat.NewDense(want, n, x.Data).T())
			return values[:m], vectors, nil
		}
		if larger > 1000 {
			return nil, nil, err
		}
	}
}

// smallest returns the smallest eigenvalues, and their vectors as rows, of which the first m are right.
func (p *problem) smallest(want, m int) (values []float64, x blas64.General, err error) {
	for width := min(p.Block, p.n); ; {
		if x, err = newLanczos(p, width).converge(want); err != nil {
			return nil, x, err
		}
		if values, x, err = p.refine(x, m); err != nil {
			return nil, x, err
		}
		missing, err := p.missing(values, m)
		if missing == 0 || err != nil {
			return values, x, err
		}
		if width == p.n {
			return nil, x, errConvergence
		}
		width = min(p.n, 2*width+missing)
	}
}

// problem is an eigenproblem and the factor of its matrix at the shift -shift.
type problem struct {
	Solver
	n, inner  int // orders of K and N
	stiffness *Matrix
	matrix    *Matrix // of the problem at the shift
	factor    *LDL
	shift     float64
	size      float64 // of the entries of K + B N⁻¹ Bᵀ + shift·M
	loosest   float64 // tolerance that rounding may lead to
}

// newProblem factorizes the operator with a shift for m eigenvalues, or with one that is larger by a factor.
func (s Solver) newProblem(k *Matrix, m int, larger float64) (*problem, error) {
	p := &problem{Solver: s, n: k.cols, stiffness: k, loosest: 1e-8}
	if larger > 1 {
		p.loosest = tight
	}
	down := make([]float64, p.n) // about the diagonal of B N⁻¹ Bᵀ
	if s.Coupling != nil && s.Inner.cols > 0 {
		p.inner = s.Inner.cols
		s.Coupling.DoNonZero(func(i, j int, v float64) { down[i] += v * v / s.Inner.At(j, j) })
	}
	ratios := make([]float64, 0, p.n)
	for i := range p.n {
		if r := (k.At(i, i) + down[i]) / p.Mass.At(i, i); r > 0 {
			ratios = append(ratios, r)
		}
	}
	// K_ii/M_ii is a typical eigenvalue but for a factor, and the m-th of n eigenvalues is about (m/n)^(2/d)
	// of it in dimension d (Weyl's law). The best shifts are below the eigenvalues that are wanted, but those
	// that are far below lose precision: an exponent for curves, surfaces and solids. The median, since a few
	// narrow triangles would make a mean a million times as large.
	p.shift = 1 // K is zero
	if len(ratios) > 0 {
		slices.Sort(ratios)
		median := ratios[len(ratios)/2]
		p.shift = min(median, larger*(0.02*median*math.Pow(float64(m)/float64(p.n), 1.5)))
	}
	for i := range p.n {
		p.size = max(p.size, k.At(i, i)+down[i]+p.shift*p.Mass.At(i, i))
	}
	p.matrix = p.shifted(p.shift)
	var err error
	if p.factor, err = Factorize(p.matrix); err != nil && !errors.Is(err, errSingular) {
		return nil, err
	}
	if err != nil || p.factor.negative() > p.inner {
		return nil, fmt.Errorf("sparse: K + %.3g M is not positive definite: K has to be positive "+
			"semidefinite, M positive definite", p.shift)
	}
	return p, nil
}

// shifted returns the matrix of the problem with K + s·M. Its entries are at the same places for every shift.
func (p *problem) shifted(s float64) *Matrix {
	order := p.n + p.inner
	entries := make([]Entry, 0, len(p.stiffness.row)+order)
	add := func(scale float64, x *Matrix, row, col int) {
		x.DoNonZero(func(i, j int, v float64) {
			if i, j = row+i, col+j; i >= j {
				entries = append(entries, Entry{int32(i), int32(j), scale * v})
			}
		})
	}
	add(1, p.stiffness, 0, 0)
	add(s, p.Mass, 0, 0)
	if p.inner > 0 {
		add(1, p.Coupling.Transpose(), p.n, 0)
		add(-1, p.Inner, p.n, p.n)
	}
	return assemble(order, order, entries, true)
}

// solve returns the solutions x of (K + B N⁻¹ Bᵀ + shift·M) x = b for the rows of b. The factor of a mixed
// problem loses digits where the shift is small, which another step restores if they are to be polished.
func (p *problem) solve(b blas64.General, polish bool) blas64.General {
	x := newGeneral(b.Rows, p.n)
	if p.inner == 0 {
		p.factor.SolveTo(x.Data, b.Data)
		return x
	}
	both := newGeneral(b.Rows, p.n+p.inner)
	for i := range b.Rows {
		copy(row(both, i), row(b, i))
	}
	p.factor.SolveTo(both.Data, both.Data)
	if polish {
		rest := p.matrix.times(both)
		for i := range b.Rows {
			floats.Sub(row(rest, i)[:p.n], row(b, i))
		}
		p.factor.SolveTo(rest.Data, rest.Data)
		floats.Sub(both.Data, rest.Data)
	}
	for i := range b.Rows {
		copy(row(x, i), row(both, i))
	}
	return x
}

// refine applies the operator once more to the rows of x, which removes what rounding has
// left of large eigenvalues, and returns the eigenpairs of K on their span. It is an error if one of the
// first m is not one of K.
func (p *problem) refine(x blas64.General, m int) (values []float64, vectors blas64.General, err error) {
	image := p.Mass.times(x)
	y := p.solve(image, true)
	for i := range y.Rows {
		s := 1 / p.length(rows(y, i, i+1))
		floats.Scale(s, row(y, i))
		floats.Scale(s, row(image, i)) // of y under K + B N⁻¹ Bᵀ + shift·M
	}
	// The rows are orthogonal up to the error of x, so that their Gram matrix is as good as the identity.
	gram, shifted := inner(y, p.Mass.times(y)), inner(y, image)
	values, u, err := generalEigen(mat.NewDense(y.Rows, y.Rows, shifted.Data),
		mat.NewDense(y.Rows, y.Rows, gram.Data))
	if err != nil {
		return nil, x, err
	}
	for j, v := range values {
		if values[j] = v - p.shift; values[j] < 1e-14*p.shift {
			values[j] = 0 // up to rounding
		}
	}
	vectors = newGeneral(y.Rows, y.Cols)
	combine(vectors, 1, u.RawMatrix(), y)
	rest := newGeneral(y.Rows, y.Cols)
	combine(rest, 1, u.RawMatrix(), image)
	weighted := p.Mass.times(vectors)
	for j, v := range values[:m] {
		floats.AddScaled(row(rest, j), -(v + p.shift), row(weighted, j))
		// Rounding leaves 1e-12 or less of the product.
		if floats.Norm(row(rest, j), 2) > 1e-10*p.size*floats.Norm(row(vectors, j), 2) {
			return nil, x, errConvergence
		}
	}
	return values, vectors, nil
}

// missing returns how many eigenvalues below the last group of the m smallest are not among the
// values.
func (p *problem) missing(values []float64, m int) (int, error) {
	tried := false
	for i := min(m, len(values)-1); i > 0; i-- {
		gap := values[i] - values[i-1]
		if gap < 1e-6*max(values[i], p.shift) {
			continue
		}
		tried = true
		// Not at simple fractions, where leading blocks of matrices of integers may be singular.
		for _, at := range []float64{0.5178, 0.4142, 0.6181, 0.3027} {
			count, err := p.below(values[i-1] + at*gap)
			if err == nil && count >= i {
				return count - i, nil
			}
			if err != nil && !errors.Is(err, errSingular) {
				return 0, err
			}
		}
	}
	switch {
	case tried:
		return 0, errors.New("sparse: rounding is too large to count the eigenvalues: " +
			"entries of K and M differ by too many orders of magnitude")
	case values[0] <= 1e-6*p.shift:
		return 0, nil // the operator is positive definite: nothing is below 0
	}
	return p.below(0.9 * values[0]) // all are one group
}

// below counts the eigenvalues below tau.
func (p *problem) below(tau float64) (int, error) {
	f, err := factorize(p.shifted(-tau), p.factor.analysis)
	if err != nil {
		return 0, err
	}
	return f.negative() - p.inner, nil
}

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

// generalEigen returns the eigenvalues of K x = λ M x, ascending, and as columns their eigenvectors,
// orthonormal in the inner product of M.
func generalEigen(k, m mat.Matrix) (values []float64, vectors *mat.Dense, err error) {
	var cholesky mat.Cholesky
	if !cholesky.Factorize(symmetricPart(m)) {
		return nil, nil, errConvergence
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
	n, _ := a.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			sym.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return sym
}
