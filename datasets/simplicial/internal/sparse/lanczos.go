package sparse

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// lanczos is a thick-restart block Lanczos process (Wu and Simon, Thick-restart Lanczos method for
// large symmetric eigenvalue problems, SIAM J. Matrix Anal. Appl. 22, 2000) for the operator
// (K + B N⁻¹ Bᵀ + σM)⁻¹ M, which is symmetric in the inner product of M.
//
// The basis is orthonormal in that inner product, one vector a row, and the operator maps it to
// basisᵀ·t plus, for the last block of it, nextᵀ·rest.
type lanczos struct {
	*problem
	rng *rand.Rand

	basis blas64.General // capacity for more rows than there are
	t     *mat.Dense     // [limit, limit], of which [Rows, Rows] counts, symmetric
	next  blas64.General // the block that the basis goes on with
	rest  *mat.Dense     // [next, last block of the basis]
	limit int            // most rows of the basis
	near  int            // first row of the basis that the operator maps the next block to
}

var errConvergence = errors.New("sparse: eigenvalues did not converge")

// newLanczos returns a process with room for limit vectors. Its basis has the eigenvectors that are known,
// the rows of x, and goes on with a random block, of fewer vectors than width where the space ends.
func newLanczos(p *problem, rng *rand.Rand, limit int, values []float64, x blas64.General,
	width int) *lanczos {
	l := &lanczos{
		problem: p, rng: rng, limit: limit, t: mat.NewDense(limit, limit, nil),
		basis: blas64.General{Cols: p.n, Stride: p.n, Data: make([]float64, limit*p.n)},
	}
	copy(l.basis.Data, x.Data)
	l.basis.Rows = x.Rows
	for j := range x.Rows {
		l.t.Set(j, j, 1/(values[j]+p.shift))
	}
	l.next = newGeneral(min(width, l.n-l.basis.Rows), l.n)
	for i := range l.next.Rows {
		l.random(i)
	}
	return l
}

// rows returns some rows of a matrix.
func rows(a blas64.General, from, to int) blas64.General {
	a.Rows, a.Data = to-from, a.Data[from*a.Stride:to*a.Stride]
	return a
}

// row returns one row of a matrix.
func row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }

// times returns the mass matrix times each row.
func (p *problem) times(x blas64.General) blas64.General {
	if p.Mass == nil {
		return x
	}
	return p.Mass.times(x)
}

// times returns the transpose times each row.
func (m *Matrix) times(x blas64.General) blas64.General {
	y := newGeneral(x.Rows, m.cols)
	parallel(x.Rows, func(from, to int) {
		for i := from; i < to; i++ {
			m.MulVecTo(row(y, i), true, row(x, i))
		}
	})
	return y
}

// newGeneral returns a matrix of zeros.
func newGeneral(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// random makes a random vector of a row of next, orthonormal to the basis and to the rows before.
func (l *lanczos) random(i int) {
	v := rows(l.next, i, i+1)
	for {
		for j := range v.Data {
			v.Data[j] = l.rng.NormFloat64()
		}
		before := l.length(v)
		// Twice is enough (Kahan; Parlett, The Symmetric Eigenvalue Problem, 1980, 6.9).
		for range 2 {
			l.project(v, l.basis)
			l.project(v, rows(l.next, 0, i))
		}
		// A random vector has a share of about 1/n outside of all but one dimension.
		if after := l.length(v); after > 1e-8*before {
			floats.Scale(1/after, v.Data)
			return
		}
	}
}

// length returns the norm of a single row.
func (p *problem) length(v blas64.General) float64 {
	return math.Sqrt(max(0, floats.Dot(v.Data, p.times(v).Data)))
}

// project makes the rows of x orthogonal to those of the orthonormal basis and returns their
// coefficients, [basis, x].
func (p *problem) project(x, basis blas64.General) blas64.General {
	h := inner(basis, p.times(x))
	combine(x, -1, h, basis)
	return h
}

// step moves the next block into the basis and finds the one after it.
func (l *lanczos) step() {
	from, width := l.basis.Rows, l.next.Rows
	copy(l.basis.Data[from*l.n:], l.next.Data)
	l.basis.Rows += width
	w := l.solve(l.times(l.next), false)
	sizes := make([]float64, width)
	for i := range sizes {
		sizes[i] = l.length(rows(w, i, i+1))
	}
	near := rows(l.basis, l.near, l.basis.Rows)
	h := l.project(w, near)
	again := l.project(w, near)
	for i := range h.Rows {
		for j := range width {
			v, at := h.Data[i*width+j]+again.Data[i*width+j], l.near+i
			l.t.Set(at, from+j, v)
			l.t.Set(from+j, at, v)
		}
	}
	l.near = from
	l.orthonormalize(w, sizes)
}

// orthonormalize makes the next block of vectors that are orthogonal to the basis, and the rest of
// their coefficients. Where a vector is no more than rounding of the size that it had before, a random
// one takes its place.
func (l *lanczos) orthonormalize(w blas64.General, sizes []float64) {
	l.next = newGeneral(min(w.Rows, l.n-l.basis.Rows), l.n)
	l.rest = mat.NewDense(max(1, l.next.Rows), w.Rows, nil)
	count := 0
	for j := range w.Rows {
		v := rows(w, j, j+1)
		done := rows(l.next, 0, count)
		for range 2 {
			for i, c := range l.project(v, done).Data {
				l.rest.Set(i, j, l.rest.At(i, j)+c)
			}
		}
		if size := l.length(v); size > 1e-13*sizes[j] && count < l.next.Rows {
			l.rest.Set(count, j, size)
			copy(row(l.next, count), v.Data)
			floats.Scale(1/size, row(l.next, count))
			count++
		}
	}
	for ; count < l.next.Rows; count++ {
		l.random(count)
	}
	// What rounding left in the basis grew when a short vector was made long.
	l.project(l.next, l.basis)
	for i := range l.next.Rows {
		v := rows(l.next, i, i+1)
		l.project(v, rows(l.next, 0, i))
		floats.Scale(1/l.length(v), v.Data)
	}
}

// ritz returns the eigenvalues of the projected operator, descending, their vectors as columns, and
// the norms of the residuals.
func (l *lanczos) ritz() (theta []float64, y *mat.Dense, residual []float64, err error) {
	p := l.basis.Rows
	ascending, vectors, err := SymEigen(l.t.Slice(0, p, 0, p))
	if err != nil {
		return nil, nil, nil, err
	}
	theta, residual = make([]float64, p), make([]float64, p)
	y = mat.NewDense(p, p, nil)
	column := make([]float64, p)
	for j := range p {
		theta[j] = ascending[p-1-j]
		y.SetCol(j, mat.Col(column, p-1-j, vectors))
	}
	if l.next.Rows > 0 {
		width := l.rest.RawMatrix().Cols
		var r mat.Dense
		r.Mul(l.rest, y.Slice(p-width, p, 0, p))
		for j := range p {
			residual[j] = mat.Norm(r.ColView(j), 2)
		}
	}
	return theta, y, residual, nil
}

// restart keeps count Ritz vectors as the basis.
func (l *lanczos) restart(theta []float64, y *mat.Dense, count int) {
	kept := l.vectors(y, count)
	copy(l.basis.Data, kept.Data)
	l.basis.Rows, l.near = count, 0
	l.t.Zero()
	for j := range count {
		l.t.Set(j, j, theta[j])
	}
}

// vectors returns the first Ritz vectors as rows.
func (l *lanczos) vectors(y *mat.Dense, count int) blas64.General {
	x := newGeneral(count, l.n)
	first := y.RawMatrix()
	first.Cols = count
	combine(x, 1, first, l.basis)
	return x
}

// converge goes on until the largest want Ritz values have converged, and returns their vectors as
// rows. All of them have once the basis spans the space.
func (l *lanczos) converge(want int) (blas64.General, error) {
	// To look takes time, too, and of many pairs of a large matrix none is missing early.
	check := want + 3*(l.limit-want)/4
	for restarts := 0; restarts < 100; { // never seen to take more than a few
		l.step()
		p := l.basis.Rows
		full := p+l.next.Rows > l.limit
		if !full && p < check && l.next.Rows > 0 {
			continue
		}
		theta, y, residual, err := l.ritz()
		if err != nil {
			return blas64.General{}, err
		}
		done := 0
		// What follows makes residuals smaller by far.
		for done < want && residual[done] <= 3e-12*theta[done] {
			done++
		}
		if done == want || l.next.Rows == 0 {
			return l.vectors(y, want), nil
		}
		check = p + (l.limit-want)/3
		if full {
			l.restart(theta, y, min(want+(l.limit-want)/3, l.limit-2*l.next.Rows))
			check = l.basis.Rows + (l.limit-want)/3
			restarts++
		}
	}
	return blas64.General{}, errConvergence
}
