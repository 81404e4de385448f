package sparse

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MaxEntries is the largest number of entries of a matrix and of a factor (1 GiB of numbers).
const MaxEntries = 1 << 27

// Matrix is a sparse matrix. It implements mat.Matrix and mat.NonZeroDoer, and never changes once built.
type Matrix struct {
	rows, cols int
	start      []int   // column j has the entries start[j]..start[j+1]-1
	row        []int32 // increasing in each column
	val        []float64
	diagonal   bool // square, with one entry in each column, on the diagonal
}

var _ mat.NonZeroDoer = (*Matrix)(nil)

// Entry is a number that is added in row I and column J.
type Entry struct {
	I, J int32
	V    float64
}

// NewMatrix returns the matrix with the sum of the entries of each place, also where that is 0.
//
// It is an error if a sum is infinite or not a number, or if there are more than half of MaxEntries.
func NewMatrix(rows, cols int, entries []Entry) (*Matrix, error) {
	return build(rows, cols, entries, false)
}

// NewSymmetric returns the symmetric matrix of order n with the sum of the entries of each place, where an
// entry off the diagonal is added in row J and column I as well. Errors are those of NewMatrix.
func NewSymmetric(n int, entries []Entry) (*Matrix, error) { return build(n, n, entries, true) }

func build(rows, cols int, entries []Entry, symmetric bool) (*Matrix, error) {
	if len(entries) > MaxEntries/2 {
		return nil, fmt.Errorf("sparse: %d entries, want at most %d", len(entries), MaxEntries/2)
	}
	m := assemble(rows, cols, entries, symmetric)
	for p, v := range m.val {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("sparse: an entry in row %d is %v, want a finite number", m.row[p], v)
		}
	}
	return m, nil
}

// assemble adds up the entries of each place in the order in which they come.
func assemble(rows, cols int, entries []Entry, symmetric bool) *Matrix {
	// Transposed twice, entries are sorted in each column.
	m := collect(cols, rows, func(add func(i, j int, v float64)) {
		for _, e := range entries {
			add(int(e.J), int(e.I), e.V)
			if symmetric && e.I != e.J {
				add(int(e.I), int(e.J), e.V)
			}
		}
	}).Transpose()
	size, from := 0, 0
	for j := range cols {
		for from < m.start[j+1] {
			row, sum := m.row[from], m.val[from]
			for from++; from < m.start[j+1] && m.row[from] == row; from++ {
				sum += m.val[from]
			}
			m.row[size], m.val[size] = row, sum
			size++
		}
		m.start[j+1] = size
	}
	m.row, m.val = slices.Clone(m.row[:size]), slices.Clone(m.val[:size])
	return m
}

// collect returns the matrix of the entries that each adds, those of a column in the order in which they
// come.
func collect(rows, cols int, each func(add func(i, j int, v float64))) *Matrix {
	m := &Matrix{rows: rows, cols: cols, start: make([]int, cols+1)}
	each(func(_, j int, _ float64) { m.start[j+1]++ })
	for j := range cols {
		m.start[j+1] += m.start[j]
	}
	m.row, m.val = make([]int32, m.start[cols]), make([]float64, m.start[cols])
	next := slices.Clone(m.start)
	each(func(i, j int, v float64) {
		m.row[next[j]], m.val[next[j]] = int32(i), v
		next[j]++
	})
	return m
}

// Diagonal returns the matrix with the given numbers on the diagonal.
func Diagonal(d []float64) *Matrix {
	m := collect(len(d), len(d), func(add func(i, j int, v float64)) {
		for i, v := range d {
			add(i, i, v)
		}
	})
	m.diagonal = true
	return m
}

// Product returns a·b. Errors are those of NewMatrix.
func Product(a, b *Matrix) (*Matrix, error) {
	var entries []Entry
	b.DoNonZero(func(middle, j int, v float64) {
		rows, values := a.Column(middle)
		for p, i := range rows {
			entries = append(entries, Entry{i, int32(j), values[p] * v})
		}
	})
	return NewMatrix(a.rows, b.cols, entries)
}

// Dims returns the number of rows and of columns.
func (m *Matrix) Dims() (rows, cols int) { return m.rows, m.cols }

// At returns the entry in row i and column j. It will panic if they are out of range.
func (m *Matrix) At(i, j int) float64 {
	if uint(i) >= uint(m.rows) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(m.cols) {
		panic(mat.ErrColAccess)
	}
	rows, values := m.Column(j)
	if p, ok := slices.BinarySearch(rows, int32(i)); ok {
		return values[p]
	}
	return 0
}

// Column returns the rows of the entries of column j, increasing, and the entries. The caller must not
// change them. It will panic if j is out of range.
func (m *Matrix) Column(j int) (rows []int32, values []float64) {
	return m.row[m.start[j]:m.start[j+1]], m.val[m.start[j]:m.start[j+1]]
}

// T returns a view of the transpose.
func (m *Matrix) T() mat.Matrix { return mat.Transpose{Matrix: m} }

// DoNonZero calls fn for each stored entry, column after column.
func (m *Matrix) DoNonZero(fn func(i, j int, v float64)) {
	for j := range m.cols {
		for p := m.start[j]; p < m.start[j+1]; p++ {
			fn(int(m.row[p]), j, m.val[p])
		}
	}
}

// MulVecTo sets dst to the product of the matrix, or of its transpose if trans is true, and x, which may
// not overlap. It will panic if the lengths of dst and x are not those of a column and a row, or of a row
// and a column.
func (m *Matrix) MulVecTo(dst []float64, trans bool, x []float64) {
	rows, cols := m.rows, m.cols
	if trans {
		rows, cols = cols, rows
	}
	if len(dst) != rows || len(x) != cols {
		panic(mat.ErrShape)
	}
	if m.diagonal {
		floats.MulTo(dst, m.val, x)
		return
	}
	if !trans {
		clear(dst)
		m.DoNonZero(func(i, j int, v float64) { dst[i] += v * x[j] })
		return
	}
	for j := range dst {
		sum := 0.0
		for p := m.start[j]; p < m.start[j+1]; p++ {
			sum += m.val[p] * x[m.row[p]]
		}
		dst[j] = sum
	}
}

// Transpose returns the transpose.
func (m *Matrix) Transpose() *Matrix {
	return collect(m.cols, m.rows, func(add func(i, j int, v float64)) {
		m.DoNonZero(func(i, j int, v float64) { add(j, i, v) })
	})
}
