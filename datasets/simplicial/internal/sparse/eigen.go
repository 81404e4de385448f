package sparse

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Solver finds eigenpairs of (K + B N⁻¹ Bᵀ) x = λ M x, K positive semidefinite, M and N positive definite.
// The zero value is ready for use.
//
// The second term, which is not sparse, is never formed: the problem is the mixed one
//
//	⎡ K  B ⎤ ⎡x⎤     ⎡ M x ⎤
//	⎣ Bᵀ -N⎦ ⎣y⎦ = λ ⎣  0  ⎦.
//
// Below the eigenvalues its matrix minus λ times the right-hand side is quasidefinite and has a factor L D Lᵀ
// in any order, without pivots (Vanderbei, Symmetric quasidefinite matrices, SIAM J. Optimization 5, 1995).
type Solver struct {
	Mass     *Symmetric // M; nil stands for the identity
	Coupling *Matrix    // B; nil stands for none
	Inner    *Symmetric // N
	// Block is the number of vectors that are multiplied at a time, 4 if it is 0. Where eigenvalues are
	// repeated more often than that, the search takes longer.
	Block int
}

// Smallest returns the m smallest eigenvalues, ascending, and as columns of vectors [n, m] their
// eigenvectors x, orthonormal in the inner product of M: xᵀ M y is 1 if x = y, else 0.
//
// Repeated eigenvalues are returned with their multiplicity, and no smaller ones are missing: the
// inertia of K - τM counts those below the last group of equal ones, of whose eigenvectors the result
// has a random choice. Residuals are of the size of rounding in K.
//
// It is an error if m is not in 1..n, if the orders of K and M differ, if K is not positive
// semidefinite or M not positive definite, if the factor of K + σM would hold more than MaxEntries, or
// if the vectors would hold more than half of that.
func (s Solver) Smallest(k *Symmetric, m int) (values []float64, vectors *mat.Dense, err error) {
	n := k.cols
	if m < 1 || m > n {
		return nil, nil, fmt.Errorf("sparse: %d eigenpairs of a matrix of order %d, want 1..%d", m, n, n)
	}
	if s.Mass != nil && s.Mass.cols != n {
		return nil, nil, fmt.Errorf("sparse: mass matrix of order %d for a matrix of order %d",
			s.Mass.cols, n)
	}
	want := min(n, m+2) // the next two show the gap after the last
	if want > MaxEntries/n/2 {
		return nil, nil, fmt.Errorf("sparse: %d eigenvectors of a matrix of order %d, "+
			"want at most %d of them", m, n, MaxEntries/n/2-2)
	}
	p, err := s.newProblem(k, m)
	if err != nil {
		return nil, nil, err
	}
	width := s.Block
	if width <= 0 {
		width = 4
	}
	rng := rand.New(rand.NewPCG(0, 0))
	var x blas64.General
	// Each round finds at least one that was missing, most find all.
	for range m + 1 {
		width = min(width, n, max(4, want))
		l := newLanczos(p, rng, min(n, max(5*want/2, want+8*width)), values, x, width)
		if x, err = l.converge(want); err != nil {
			return nil, nil, err
		}
		if values, x, err = p.refine(x); err != nil {
			return nil, nil, err
		}
		missing, err := p.missing(values, m)
		if err != nil {
			return nil, nil, err
		}
		if missing == 0 {
			vectors = mat.NewDense(n, m, nil)
			vectors.Copy(mat.NewDense(want, n, x.Data).T())
			return values[:m], vectors, nil
		}
		width = max(width, missing)
	}
	return nil, nil, errConvergence
}

// problem is an eigenproblem and the factor of its matrix at the shift -shift.
type problem struct {
	Solver
	n, inner  int // orders of K and N
	stiffness *Symmetric
	*analysis
	matrix      *Symmetric // of the problem at the shift
	factor      *LDL
	innerFactor *LDL
	shift       float64
	masses      []float64 // diagonals of M and N
}

// newProblem factorizes the operator with a shift for m eigenvalues.
func (s Solver) newProblem(k *Symmetric, m int) (*problem, error) {
	p := &problem{Solver: s, n: k.cols, stiffness: k, masses: make([]float64, k.cols)}
	down := make([]float64, p.n) // about the diagonal of B N⁻¹ Bᵀ
	if s.Coupling != nil {
		p.inner = s.Inner.cols
		if rows, cols := s.Coupling.Dims(); rows != p.n || cols != p.inner {
			return nil, fmt.Errorf("sparse: coupling of order %d×%d, want %d×%d", rows, cols, p.n, p.inner)
		}
		var err error
		if p.innerFactor, err = Factorize(s.Inner); err != nil {
			return nil, err
		}
		for j := range p.inner {
			p.masses = append(p.masses, s.Inner.At(j, j))
		}
		s.Coupling.DoNonZero(func(i, j int, v float64) { down[i] += v * v / p.masses[p.n+j] })
	}
	mean := 0.0
	for i := range p.n {
		p.masses[i] = 1
		if p.Mass != nil {
			p.masses[i] = p.Mass.At(i, i)
		}
		if v := k.At(i, i); v < 0 || p.masses[i] <= 0 {
			return nil, fmt.Errorf("sparse: K has %v and M has %v in row %d of the diagonal: K has to be "+
				"positive semidefinite, M positive definite", v, p.masses[i], i)
		}
		mean += (k.At(i, i) + down[i]) / p.masses[i] / float64(p.n)
	}
	// The mean of K_ii/M_ii is that of the eigenvalues but for a factor, and the m-th of n eigenvalues
	// is about (m/n)^(2/d) of it in dimension d (Weyl's law). The best shifts are below the eigenvalues
	// that are wanted, but those that are far below lose precision: an exponent for curves, surfaces
	// and solids.
	p.shift = 0.02 * mean * math.Pow(float64(m)/float64(p.n), 1.5)
	if mean == 0 {
		p.shift = 1 // K is zero
	}
	p.matrix = p.shifted(p.shift)
	p.analysis = analyze(p.matrix)
	var err error
	if p.factor, err = factorize(p.matrix, p.analysis); err != nil && !errors.Is(err, ErrSingular) {
		return nil, err
	}
	if err != nil || p.factor.negative() > p.inner {
		return nil, fmt.Errorf("sparse: K + %.3g M is not positive definite: K has to be positive "+
			"semidefinite, M positive definite", p.shift)
	}
	return p, nil
}

// shifted returns the matrix of the problem with K + s·M. It has entries where K and M have them and on the
// diagonal, also where they add up to 0: those of every shift are at the same places.
func (p *problem) shifted(s float64) *Symmetric {
	order := p.n + p.inner
	entries := make([]Entry, 0, len(p.stiffness.row)+order)
	add := func(scale float64, x *Matrix, row, col int) {
		x.DoNonZero(func(i, j int, v float64) {
			if i, j = row+i, col+j; i >= j {
				entries = append(entries, Entry{int32(i), int32(j), scale * v})
			}
		})
	}
	add(1, &p.stiffness.Matrix, 0, 0)
	diagonal := s
	if p.Mass != nil {
		add(s, &p.Mass.Matrix, 0, 0)
		diagonal = 0
	}
	for i := range p.n {
		entries = append(entries, Entry{int32(i), int32(i), diagonal})
	}
	if p.inner > 0 {
		add(1, p.Coupling.Transpose(), p.n, 0)
		add(-1, &p.Inner.Matrix, p.n, p.n)
	}
	return &Symmetric{*assemble(order, order, entries, true, true)}
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

// stiff returns (K + B N⁻¹ Bᵀ) x for the rows of x.
func (p *problem) stiff(x blas64.General) blas64.General {
	y := p.stiffness.times(x)
	if p.inner == 0 {
		return y
	}
	pulled := p.Coupling.times(x)
	p.innerFactor.SolveTo(pulled.Data, pulled.Data)
	down := make([]float64, p.n)
	for i := range x.Rows {
		p.Coupling.MulVecTo(down, false, row(pulled, i))
		floats.Add(row(y, i), down)
	}
	return y
}

// refine applies the operator once more to the rows of x, which removes what rounding has
// left of large eigenvalues, and returns the eigenpairs of K on their span.
func (p *problem) refine(x blas64.General) (values []float64, vectors blas64.General, err error) {
	y := p.solve(p.times(x), true)
	for i := range y.Rows {
		v := rows(y, i, i+1)
		floats.Scale(1/p.length(v), v.Data)
	}
	// The rows are orthogonal up to the error of x, so that their Gram matrix is as good as the identity.
	gram, stiff := inner(y, p.times(y)), inner(y, p.stiff(y))
	values, u, err := GeneralEigen(mat.NewDense(y.Rows, y.Rows, stiff.Data),
		mat.NewDense(y.Rows, y.Rows, gram.Data))
	if err != nil {
		return nil, x, err
	}
	vectors = newGeneral(y.Rows, y.Cols)
	combine(vectors, 1, u.RawMatrix(), y)
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
			count, ok, err := p.below(values[i-1]+at*gap, 0.1*gap)
			if err != nil {
				return 0, err
			}
			if ok && count >= i {
				return count - i, nil
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
	// All are one group.
	count, _, err := p.below(0.9*values[0], 0.05*values[0])
	return count, err
}

// below counts the eigenvalues below tau. It is ok if rounding cannot have moved an eigenvalue by so
// much as the margin.
func (p *problem) below(tau, margin float64) (count int, ok bool, err error) {
	f, err := factorize(p.shifted(-tau), p.analysis)
	if errors.Is(err, ErrSingular) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	// Of a unit vector x and y = N⁻¹Bᵀx, whose size yᵀNy is at most tau where it matters.
	var rounding [2]float64
	for i, size := range f.sizes() {
		part := 0
		if i >= p.n {
			part = 1
			size *= math.Abs(tau)
		}
		rounding[part] = max(rounding[part], 1e-15*size/p.masses[i])
	}
	root := math.Sqrt(rounding[0]) + math.Sqrt(rounding[1])
	return f.negative() - p.inner, root*root < margin, nil
}
