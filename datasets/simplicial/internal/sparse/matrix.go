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
		places, values := m.Column(j)
		for p, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("sparse: entry in row %d, column %d is %v, want a finite number",
					places[p], j, v)
			}
		}
	}
	return m, nil
}

// assemble adds up entries, those of each place in the order in which they come, and each on both sides of
// the diagonal if the matrix is to be symmetric. Sums that are 0 are dropped unless zeros are to be kept.
func assemble(rows, cols int, entries []Entry, symmetric, zeros bool) *Matrix {
	if symmetric {
		entries = mirrored(entries)
	}
	// Transposed twice, entries are sorted in each column.
	byRow := newMatrix(cols, rows, len(entries))
	for _, e := range entries {
		byRow.start[e.I+1]++
	}
	byRow.place(func(add func(i int32, j int, v float64)) {
		for _, e := range entries {
			add(e.J, int(e.I), e.V)
		}
	})
	m := byRow.Transpose()
	m.merge(zeros)
	return m
}

// mirrored returns entries on both sides of the diagonal.
func mirrored(entries []Entry) []Entry {
	both := make([]Entry, 0, 2*len(entries))
	for _, e := range entries {
		if both = append(both, e); e.I != e.J {
			both = append(both, Entry{e.J, e.I, e.V})
		}
	}
	return both
}

// merge adds up the entries of each place, which follow each other. Sums that are 0 are dropped unless zeros
// are to be kept.
func (m *Matrix) merge(zeros bool) {
	size, from := 0, 0
	for j := range m.cols {
		for from < m.start[j+1] {
			row, sum := m.row[from], m.val[from]
			for from++; from < m.start[j+1] && m.row[from] == row; from++ {
				sum += m.val[from]
			}
			if sum != 0 || zeros {
				m.row[size], m.val[size] = row, sum
				size++
			}
		}
		m.start[j+1] = size
	}
	m.row, m.val = slices.Clone(m.row[:size]), slices.Clone(m.val[:size])
}

// newMatrix returns a matrix with room for entries.
func newMatrix(rows, cols, entries int) *Matrix {
	return &Matrix{rows: rows, cols: cols, start: make([]int, cols+1), row: make([]int32, entries),
		val: make([]float64, entries)}
}

// place puts entries into their columns, in the order of each, where start[j+1] counts those of column j.
func (m *Matrix) place(entries func(add func(i int32, j int, v float64))) {
	for j := range m.cols {
		m.start[j+1] += m.start[j]
	}
	next := slices.Clone(m.start)
	entries(func(i int32, j int, v float64) {
		m.row[next[j]], m.val[next[j]] = i, v
		next[j]++
	})
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
	t := newMatrix(m.cols, m.rows, len(m.row))
	for _, i := range m.row {
		t.start[i+1]++
	}
	t.place(func(add func(i int32, j int, v float64)) {
		m.DoNonZero(func(i, j int, v float64) { add(int32(j), i, v) })
	})
	return t
}

// Symmetric is a symmetric sparse matrix, of which both triangles are stored. It implements mat.Symmetric.
type Symmetric struct{ Matrix }

var _ mat.Symmetric = (*Symmetric)(nil)

// New returns the symmetric matrix of order n with the sum of the entries of each place, where an entry
// off the diagonal is added in row J and column I as well. Sums that are exactly 0 are not stored. Errors
// are those of NewMatrix.
func New(n int, entries []Entry) (*Symmetric, error) {
	m, err := build(n, n, entries, true)
	if err != nil {
		return nil, err
	}
	return &Symmetric{*m}, nil
}

// Diagonal returns the matrix with the given numbers on the diagonal. It is an error if one is
// infinite or not a number.
func Diagonal(d []float64) (*Symmetric, error) {
	entries := make([]Entry, len(d))
	for i, v := range d {
		entries[i] = Entry{int32(i), int32(i), v}
	}
	return New(len(d), entries)
}

// SymmetricDim returns the order of the matrix.
func (a *Symmetric) SymmetricDim() int { return a.cols }

// T returns the matrix itself.
func (a *Symmetric) T() mat.Matrix { return a }
