package sparse

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// LDL is the factorization L D Lᵀ of a symmetric matrix whose rows and columns were reordered, L unit
// lower triangular and D diagonal.
type LDL struct {
	*analysis
	n      int
	panels [][]float64 // of each supernode its columns of L below the diagonal, row after row
	pivots []float64   // D
}

// ErrSingular says that a factorization met a pivot that is 0.
var ErrSingular = errors.New("sparse: the matrix is singular, or one of its leading blocks is")

// Factorize factorizes a matrix. Positive definite matrices are always safe; others are not pivoted
// and may be ill-conditioned in the order at hand, or return ErrSingular. It is an error if the
// factor would hold more than MaxEntries.
//
// It is the multifrontal method (Liu, The multifrontal method for sparse matrix solution, SIAM Review
// 34, 1992).
func Factorize(a *Matrix) (*LDL, error) { return factorize(a, analyze(a)) }

// factorize factorizes a matrix with entries only where the analyzed one has them.
func factorize(a *Matrix, s *analysis) (*LDL, error) {
	if s.entries > MaxEntries {
		return nil, fmt.Errorf("sparse: the factor of this matrix of order %d would hold %d entries, "+
			"want at most %d", a.cols, s.entries, MaxEntries)
	}
	f := &LDL{analysis: s, n: a.cols}
	f.panels, f.pivots = make([][]float64, len(s.nodes)), make([]float64, a.cols)
	at := make([]int, a.cols)                  // position of a row in the current front
	updates := make([][]float64, len(s.nodes)) // Schur complements that children pass to their parents
	for v := range s.nodes {
		node := &s.nodes[v]
		width, below := node.last-node.first, len(node.rows)
		front := front{
			width: width, below: below, pivots: f.pivots[node.first:node.last],
			panel: make([]float64, (width+below)*width), update: make([]float64, below*below),
		}
		for j := range width {
			at[node.first+j] = j
		}
		for i, row := range node.rows {
			at[row] = width + i
		}
		for j := range width {
			variable := s.order[node.first+j]
			for p := a.start[variable]; p < a.start[variable+1]; p++ {
				if row := int(s.inverse[a.row[p]]); row >= node.first+j {
					front.panel[at[row]*width+j] = a.val[p]
				}
			}
		}
		for _, c := range node.children {
			front.extend(updates[c], s.nodes[c].rows, at)
			updates[c] = nil
		}
		if !front.factorize() {
			return nil, ErrSingular
		}
		f.panels[v], updates[v] = front.panel, front.update
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

// front is the dense matrix in which a supernode is eliminated: its own columns, and the remainder of
// the rows and columns below, of which the lower triangle counts.
type front struct {
	width, below int
	panel        []float64 // [width+below, width]
	update       []float64 // [below, below]
	pivots       []float64
}

// extend adds the Schur complement of a child with the given rows.
func (f *front) extend(update []float64, rows []int32, at []int) {
	for i, row := range rows {
		from := update[i*len(rows):]
		p := at[row]
		for j, col := range rows[:i+1] {
			if q := at[col]; q < f.width {
				f.panel[p*f.width+q] += from[j]
			} else {
				f.update[(p-f.width)*f.below+q-f.width] += from[j]
			}
		}
	}
}

// block is the number of columns that are eliminated before the others follow: enough for matrix
// products to be fast.
const block = 32

// factorize turns the panel into columns of L and subtracts them from what is below. It reports
// whether all pivots are numbers other than 0.
func (f *front) factorize() bool {
	w, rows := f.width, f.width+f.below
	scaled := make([]float64, rows*min(w, block)) // L D of a block of columns
	for k := 0; k < w; k += block {
		end := min(k+block, w)
		b := end - k
		for i := k; i < rows; i++ {
			row := f.panel[i*w+k : i*w+end]
			y := scaled[i*b : (i+1)*b]
			for j := range min(b, i-k+1) {
				if i == k+j {
					d := row[j] - dot(y[:j], row[:j])
					if d == 0 || math.IsNaN(d) || math.IsInf(d, 0) {
						return false
					}
					f.pivots[i] = d
					break
				}
				y[j] = row[j] - dot(y[:j], f.panel[(k+j)*w+k:(k+j)*w+k+j])
				row[j] = y[j] / f.pivots[k+j]
			}
		}
		if end < w {
			subtract(f.panel[end*w+end:], w, rows-end, w-end, f.panel[end*w+k:], w, scaled[end*b:], b)
		}
		if w < rows {
			subtract(f.update, f.below, f.below, f.below, f.panel[w*w+k:], w, scaled[w*b:], b)
		}
	}
	return true
}

// subtract subtracts l yᵀ from c, a [rows, cols] matrix of which the lower triangle counts. Strides
// are those between rows; l and y have b columns.
func subtract(c []float64, strideC, rows, cols int, l []float64, strideL int, y []float64, b int) {
	const tile = 64 // rows and columns at a time, of which those above the diagonal are for nothing
	if min(rows, cols) < tile/4 {
		for i := range rows {
			to, from := c[i*strideC:], l[i*strideL:i*strideL+b]
			for j := range min(cols, i+1) {
				to[j] -= dot(from, y[j*b:j*b+b])
			}
		}
		return
	}
	for i := 0; i < rows; i += tile {
		height := min(tile, rows-i)
		blas64.Gemm(blas.NoTrans, blas.Trans, -1,
			blas64.General{Rows: height, Cols: b, Stride: strideL, Data: l[i*strideL:]},
			blas64.General{Rows: min(cols, i+height), Cols: b, Stride: b, Data: y},
			1, blas64.General{Rows: height, Cols: min(cols, i+height), Stride: strideC, Data: c[i*strideC:]})
	}
}

// dot returns the inner product of short vectors.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}
