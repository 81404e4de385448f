package sparse

import (
	"fmt"
	"math"
	"slices"

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
}

var _ mat.NonZeroDoer = (*Matrix)(nil)

// Entry is a number that is added in row I and column J.
type Entry struct {
	I, J int32
	V    float64
}

// NewMatrix returns the matrix with the sum of the entries of each place. Sums that are exactly 0 are not
// stored.
//
// It is an error if an order is negative, if an entry is outside of the matrix, infinite or not a number,
// or if there are more than half of MaxEntries.
func NewMatrix(rows, cols int, entries []Entry) (*Matrix, error) {
	return build(rows, cols, entries, false)
}

// build checks entries and assembles the matrix, which is symmetric if asked for.
func build(rows, cols int, entries []Entry, symmetric bool) (*Matrix, error) {
	if min(rows, cols) < 0 || max(rows, cols) > math.MaxInt32 {
		return nil, fmt.Errorf("sparse: matrix of order %d×%d, want 0 to %d", rows, cols, math.MaxInt32)
	}
	if len(entries) > MaxEntries/2 {
		return nil, fmt.Errorf("sparse: %d entries, want at most %d", len(entries), MaxEntries/2)
	}
	for _, e := range entries {
		if e.I < 0 || int(e.I) >= rows || e.J < 0 || int(e.J) >= cols {
			return nil, fmt.Errorf("sparse: entry in row %d, column %d of a matrix of order %d×%d", e.I, e.J,
				rows, cols)
		}
	}
	m := assemble(rows, cols, entries, symmetric, false)
	for j := range cols {
		for p := m.start[j]; p < m.start[j+1]; p++ {
			if v := m.val[p]; math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("sparse: entry in row %d, column %d is %v, want a finite number",
					m.row[p], j, v)
			}
		}
	}
	return m, nil
}

// assemble adds up entries, those of each place in the order in which they come, and each on both sides of
// the diagonal if the matrix is to be symmetric. Sums that are 0 are dropped unless zeros are to be kept.
func assemble(rows, cols int, entries []Entry, symmetric, zeros bool) *Matrix {
	// Sorted by rows, entries arrive sorted in each column.
	byRow := scatter(rows, entries, symmetric)
	m := &Matrix{rows: rows, cols: cols, start: make([]int, cols+1)}
	first := make([]int, cols+1)
	for _, j := range byRow.row {
		first[j+1]++
	}
	for j := range cols {
		first[j+1] += first[j]
	}
	end := slices.Clone(first[:cols])
	m.row, m.val = make([]int32, len(byRow.row)), make([]float64, len(byRow.row))
	byRow.DoNonZero(func(j, i int, v float64) {
		if q := end[j]; q > first[j] && m.row[q-1] == int32(i) {
			m.val[q-1] += v
			return
		}
		m.row[end[j]], m.val[end[j]] = int32(i), v
		end[j]++
	})
	size := 0
	for j := range cols {
		for q := first[j]; q < end[j]; q++ {
			if zeros || m.val[q] != 0 {
				m.row[size], m.val[size] = m.row[q], m.val[q]
				size++
			}
		}
		m.start[j+1] = size
	}
	m.row, m.val = slices.Clone(m.row[:size]), slices.Clone(m.val[:size])
	return m
}

// scatter returns the transposed matrix of entries with columns that are not sorted.
func scatter(rows int, entries []Entry, symmetric bool) *Matrix {
	t := &Matrix{cols: rows, start: make([]int, rows+1)}
	for _, e := range entries {
		t.start[e.I+1]++
		if symmetric && e.I != e.J {
			t.start[e.J+1]++
		}
	}
	for i := range rows {
		t.start[i+1] += t.start[i]
	}
	t.row, t.val = make([]int32, t.start[rows]), make([]float64, t.start[rows])
	next := slices.Clone(t.start)
	add := func(i, j int32, v float64) {
		t.row[next[i]], t.val[next[i]] = j, v
		next[i]++
	}
	for _, e := range entries {
		add(e.I, e.J, e.V)
		if symmetric && e.I != e.J {
			add(e.J, e.I, e.V)
		}
	}
	return t
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
	entries := make([]Entry, 0, len(m.row))
	m.DoNonZero(func(i, j int, v float64) { entries = append(entries, Entry{int32(j), int32(i), v}) })
	return assemble(m.cols, m.rows, entries, false, true)
}
