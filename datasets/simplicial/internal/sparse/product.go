package sparse

import (
	"runtime"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Matrices of few long rows, vectors of an eigenproblem.

// newGeneral returns a matrix of zeros.
func newGeneral(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// rows returns some rows of a matrix.
func rows(a blas64.General, from, to int) blas64.General {
	a.Rows, a.Data = to-from, a.Data[from*a.Stride:to*a.Stride]
	return a
}

// row returns one row of a matrix.
func row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride : i*a.Stride+a.Cols] }

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

// chunk is the number of columns of long rows that are multiplied at a time, and tile of how many rows: these
// fit into the first cache.
const chunk, tile = 512, 6

// parallel calls f for parts of 0..n-1 that together are all, side by side.
func parallel(n int, f func(from, to int)) {
	parts := max(1, min(n, runtime.GOMAXPROCS(0)))
	var group sync.WaitGroup
	for p := range parts {
		group.Go(func() { f(p*n/parts, (p+1)*n/parts) })
	}
	group.Wait()
}

// inner returns the inner products of the rows of x and of y, [x, y]. The matrix product of gonum is made
// for rows that are not so long. Each number is the same for any number of threads.
func inner(x, y blas64.General) blas64.General {
	h := newGeneral(x.Rows, y.Rows)
	parallel(x.Rows, func(first, last int) {
		for from := 0; from < x.Cols; from += chunk {
			to := min(from+chunk, x.Cols)
			for top := 0; top < y.Rows; top += tile {
				for i := first; i < last; i++ {
					a := row(x, i)[from:to]
					for j := top; j < min(top+tile, y.Rows); j++ {
						h.Data[i*h.Stride+j] += floats.Dot(a, row(y, j)[from:to])
					}
				}
			}
		}
	})
	return h
}

// combine adds scale·hᵀ·basis to x, where h is [basis, x].
func combine(x blas64.General, scale float64, h, basis blas64.General) {
	parallel((x.Cols+chunk-1)/chunk, func(first, last int) {
		for from := first * chunk; from < min(last*chunk, x.Cols); from += chunk {
			to := min(from+chunk, x.Cols)
			for top := 0; top < x.Rows; top += tile {
				for i := range basis.Rows {
					b := row(basis, i)[from:to]
					for j := top; j < min(top+tile, x.Rows); j++ {
						floats.AddScaled(row(x, j)[from:to], scale*h.Data[i*h.Stride+j], b)
					}
				}
			}
		}
	})
}
