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

	basis blas64.General
	t     []column       // of the vectors of the basis
	near  int            // first row of the basis that the operator maps the next block to
	next  blas64.General // the block that the basis goes on with
	rest  *mat.Dense     // [next, last block of the basis]
}

// column is a run of entries of a column.
type column struct {
	first  int
	values []float64
}

var errConvergence = errors.New("sparse: eigenvalues did not converge")

// newLanczos returns a process that begins with a random block.
func newLanczos(p *problem, width int) *lanczos {
	l := &lanczos{problem: p, rng: rand.New(rand.NewPCG(0, 0)),
		basis: blas64.General{Cols: p.n, Stride: p.n}, next: newGeneral(width, p.n)}
	for i := range width {
		l.random(i)
	}
	return l
}

// random makes a random vector of a row of next, orthonormal to the basis and to the rows before.
func (l *lanczos) random(i int) {
	v := rows(l.next, i, i+1)
	for again := false; ; again = true {
		for j := range v.Data {
			if v.Data[j] = l.rng.NormFloat64(); again { // where M has many sizes, and small ones are left
				v.Data[j] /= math.Sqrt(l.Mass.At(j, j))
			}
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
	return math.Sqrt(max(0, floats.Dot(v.Data, p.Mass.times(v).Data)))
}

// project makes the rows of x orthogonal to those of the orthonormal basis and returns their
// coefficients, [basis, x].
func (p *problem) project(x, basis blas64.General) blas64.General {
	h := inner(basis, p.Mass.times(x))
	combine(x, -1, h, basis)
	return h
}

// step moves the next block into the basis and finds the one after it.
func (l *lanczos) step() {
	from, width := l.basis.Rows, l.next.Rows
	l.basis.Data = append(l.basis.Data, l.next.Data...)
	l.basis.Rows += width
	w := l.solve(l.Mass.times(l.next), false)
	sizes := make([]float64, width)
	for i := range sizes {
		sizes[i] = l.length(rows(w, i, i+1))
	}
	last := rows(l.basis, l.near, l.basis.Rows)
	h, again := l.project(w, last), l.project(w, last)
	for j := range width {
		values := make([]float64, last.Rows)
		for i := range values {
			values[i] = h.Data[i*width+j] + again.Data[i*width+j]
		}
		l.t = append(l.t, column{l.near, values})
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

// ritz returns the largest eigenvalues of the projected operator, descending, their vectors as columns,
// and the norms of the residuals.
func (l *lanczos) ritz(count int) (theta []float64, y *mat.Dense, residual []float64, err error) {
	p := l.basis.Rows
	t := mat.NewDense(p, p, nil)
	for j, c := range l.t {
		for i, v := range c.values {
			t.Set(c.first+i, j, v)
			t.Set(j, c.first+i, v)
		}
	}
	ascending, vectors, err := SymEigen(t)
	if err != nil {
		return nil, nil, nil, err
	}
	theta, residual = make([]float64, count), make([]float64, count)
	y = mat.NewDense(p, count, nil)
	for j := range count {
		theta[j] = ascending[p-1-j]
		y.SetCol(j, mat.Col(nil, p-1-j, vectors))
	}
	if l.next.Rows > 0 {
		_, width := l.rest.Dims()
		var r mat.Dense
		r.Mul(l.rest, y.Slice(p-width, p, 0, count))
		for j := range count {
			residual[j] = mat.Norm(r.ColView(j), 2)
		}
	}
	return theta, y, residual, nil
}

// restart keeps the Ritz vectors as the basis.
func (l *lanczos) restart(theta []float64, y *mat.Dense) {
	l.basis, l.t, l.near = l.vectors(y), nil, 0
	for j, v := range theta {
		l.t = append(l.t, column{j, []float64{v}})
	}
}

// vectors returns Ritz vectors as rows.
func (l *lanczos) vectors(y *mat.Dense) blas64.General {
	_, count := y.Dims()
	x := newGeneral(count, l.n)
	combine(x, 1, y.RawMatrix(), l.basis)
	return x
}

// tight is the tolerance of residuals relative to eigenvalues of the operator.
const tight = 3e-12

// converge goes on until the largest want Ritz values have converged, and returns their vectors as
// rows. All of them have once the basis spans the space.
func (l *lanczos) converge(want int) (blas64.General, error) {
	// The pairs of meshes converge in bases that are two to three times as large. To look takes time, too.
	width := l.next.Rows
	limit, check := min(l.n, 3*want+8*width), 2*want+8*width
	l.basis.Data = make([]float64, 0, limit*l.n)
	tolerance := tight                  // what follows makes residuals smaller by far
	for restarts := 0; restarts < 40; { // never seen to take more than ten
		l.step()
		full := l.basis.Rows+l.next.Rows > limit
		if !full && l.basis.Rows < check && l.next.Rows > 0 {
			continue
		}
		theta, y, residual, err := l.ritz(min(want+want/2+width, l.basis.Rows))
		if err != nil {
			return blas64.General{}, err
		}
		done := 0
		for done < want && residual[done] <= tolerance*theta[done] {
			done++
		}
		if done == want || l.next.Rows == 0 {
			return l.vectors(y.Slice(0, l.basis.Rows, 0, want).(*mat.Dense)), nil
		}
		if full {
			l.restart(theta, y)
			// Entries of many orders of magnitude may leave rounding errors that are larger.
			if restarts++; restarts > 4 {
				tolerance = math.Min(10*tolerance, l.loosest)
			}
		}
		check = l.basis.Rows + max(2*(want-done), 2*width)
	}
	return blas64.General{}, errConvergence
}
