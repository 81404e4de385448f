package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// LDL is the factorization L D Lᵀ of a symmetric matrix whose rows and columns were reordered, L unit
// lower triangular and D diagonal.
type LDL struct {
	*analysis
	row    []int32   // of the entries of L below the diagonal, column after column
	val    []float64 // these entries
	pivots []float64 // D
}

// errSingular says that a factorization met a pivot that is 0.
var errSingular = errors.New("sparse: the matrix is singular, or one of its leading blocks is")

// Factorize factorizes a matrix. Positive definite matrices are always safe; others are not pivoted
// and may be ill-conditioned in the order at hand, or return errSingular. It is an error if the
// factor would hold more than MaxEntries.
//
// Row k of L solves a triangular system whose right-hand side is column k of the matrix (Davis, Algorithm
// 849: A concise sparse Cholesky factorization package, ACM Trans. Math. Softw. 31, 2005).
func Factorize(a *Matrix) (*LDL, error) { return factorize(a, analyze(a)) }

// factorize factorizes a matrix with entries only where the analyzed one has them.
func factorize(a *Matrix, s *analysis) (*LDL, error) {
	n, entries := a.cols, s.start[a.cols]
	if entries > MaxEntries {
		return nil, fmt.Errorf("sparse: the factor of this matrix of order %d would hold %d entries, "+
			"want at most %d", n, entries, MaxEntries)
	}
	f := &LDL{s, make([]int32, entries), make([]float64, entries), make([]float64, n)}
	end := slices.Clone(s.start[:n]) // of what is known of each column
	y := make([]float64, n)
	rows := newRowWalk(a, s)
	for k := range n {
		pattern, d := rows.next(y), y[k]
		y[k] = 0
		for _, i := range pattern {
			x := y[i]
			y[i] = 0
			column := f.row[s.start[i]:end[i]]
			for p, v := range f.val[s.start[i]:end[i]] {
				y[column[p]] -= v * x
			}
			l := x / f.pivots[i]
			d -= l * x
			f.row[end[i]], f.val[end[i]] = int32(k), l
			end[i]++
		}
		if d == 0 || math.IsNaN(d) || math.IsInf(d, 0) {
			return nil, errSingular
		}
		f.pivots[k] = d
	}
	return f, nil
}

// negative returns the number of negative eigenvalues of the matrix, which are as many as those of D
// by Sylvester's law of inertia.
func (f *LDL) negative() int {
	count := 0
	for _, d := range f.pivots {
		if d < 0 {
			count++
		}
	}
	return count
}

// lanes is the number of right-hand sides that are solved together: L is read once for all of them.
const lanes = 2

// SolveTo sets dst to the solution x of A x = b for each column b of the right-hand sides: vectors of
// the order of the matrix, one after the other. dst and b may be the same. It will panic if their
// lengths differ or are not a multiple of the order.
func (f *LDL) SolveTo(dst, b []float64) {
	n := len(f.pivots)
	if len(dst) != len(b) || n > 0 && len(b)%n != 0 || n == 0 && len(b) > 0 {
		panic(mat.ErrShape)
	}
	var group sync.WaitGroup
	for from := 0; from < len(b); from += lanes * n {
		to := min(len(b), from+lanes*n)
		group.Go(func() { f.solve(dst[from:to], b[from:to]) })
	}
	group.Wait()
}

// solve is SolveTo for at most lanes right-hand sides.
func (f *LDL) solve(dst, b []float64) {
	n := len(f.pivots)
	x := make([][lanes]float64, n)
	for k, variable := range f.order {
		for c := 0; c*n < len(b); c++ {
			x[k][c] = b[c*n+int(variable)]
		}
	}
	for j := range n { // L
		y, column := x[j], f.row[f.start[j]:f.start[j+1]]
		for p, l := range f.val[f.start[j]:f.start[j+1]] {
			to := &x[column[p]]
			to[0] -= l * y[0]
			to[1] -= l * y[1]
		}
	}
	for j := n - 1; j >= 0; j-- { // D and Lᵀ
		y, column, d := x[j], f.row[f.start[j]:f.start[j+1]], f.pivots[j]
		s0, s1 := y[0]/d, y[1]/d
		for p, l := range f.val[f.start[j]:f.start[j+1]] {
			from := &x[column[p]]
			s0 -= l * from[0]
			s1 -= l * from[1]
		}
		x[j] = [lanes]float64{s0, s1}
	}
	for k, variable := range f.order {
		for c := 0; c*n < len(b); c++ {
			dst[c*n+int(variable)] = x[k][c]
		}
	}
}
