package sparse

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// MaxEntries is the largest number of entries of a matrix, counting both triangles, and of a
// factor (1 GiB of numbers).
const MaxEntries = 1 << 27

// Symmetric is a symmetric sparse matrix. It implements mat.Symmetric and mat.NonZeroDoer, and never
// changes once built.
type Symmetric struct {
	n     int
	start []int   // column j has the entries start[j]..start[j+1]-1
	row   []int32 // increasing in each column; both triangles
	val   []float64
}

var (
	_ mat.Symmetric   = (*Symmetric)(nil)
	_ mat.NonZeroDoer = (*Symmetric)(nil)
)

// Entry is a number that is added in row I and column J and, off the diagonal, in row J and column I.
type Entry struct {
	I, J int32
	V    float64
}

// New returns the symmetric matrix of order n with the sum of the entries of each place. Sums that
// are exactly 0 are not stored.
//
// It is an error if n is negative, if an entry is outside of the matrix, infinite or not a number, or
// if there are more entries than MaxEntries.
func New(n int, entries []Entry) (*Symmetric, error) {
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("sparse: matrix of order %d, want 0 to %d", n, math.MaxInt32)
	}
	if len(entries) > MaxEntries/2 {
		return nil, fmt.Errorf("sparse: %d entries, want at most %d", len(entries), MaxEntries/2)
	}
	for _, e := range entries {
		if e.I < 0 || int(e.I) >= n || e.J < 0 || int(e.J) >= n {
			return nil, fmt.Errorf("sparse: entry in row %d, column %d of a matrix of order %d", e.I, e.J, n)
		}
	}
	// The transpose of a matrix with unsorted columns has sorted columns.
	a := transpose(columns(n, entries), false)
	for j := range n {
		for p := a.start[j]; p < a.start[j+1]; p++ {
			if v := a.val[p]; math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("sparse: entry in row %d, column %d is %v, want a finite number",
					a.row[p], j, v)
			}
		}
	}
	return a, nil
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

// columns distributes entries over columns, in the order in which they come.
func columns(n int, entries []Entry) *Symmetric {
	a := &Symmetric{n: n, start: make([]int, n+1)}
	for _, e := range entries {
		a.start[e.J+1]++
		if e.I != e.J {
			a.start[e.I+1]++
		}
	}
	for j := range n {
		a.start[j+1] += a.start[j]
	}
	a.row, a.val = make([]int32, a.start[n]), make([]float64, a.start[n])
	next := slices.Clone(a.start)
	add := func(i, j int32, v float64) {
		a.row[next[j]], a.val[next[j]] = i, v
		next[j]++
	}
	for _, e := range entries {
		add(e.I, e.J, e.V)
		if e.I != e.J {
			add(e.J, e.I, e.V)
		}
	}
	return a
}

// transpose returns the transpose with sorted columns and one entry for each place, without those that add
// up to 0 unless they are to be kept.
func transpose(a *Symmetric, zeros bool) *Symmetric {
	t := &Symmetric{n: a.n, start: make([]int, a.n+1)}
	next := make([]int, a.n+1)
	for _, i := range a.row {
		next[i+1]++
	}
	for i := range a.n {
		next[i+1] += next[i]
	}
	end := slices.Clone(next[:a.n])
	t.row, t.val = make([]int32, len(a.row)), make([]float64, len(a.row))
	for j := range a.n {
		for p := a.start[j]; p < a.start[j+1]; p++ {
			i := a.row[p]
			if q := end[i]; q > next[i] && t.row[q-1] == int32(j) {
				t.val[q-1] += a.val[p]
				continue
			}
			t.row[end[i]], t.val[end[i]] = int32(j), a.val[p]
			end[i]++
		}
	}
	size := 0
	for i := range a.n {
		for q := next[i]; q < end[i]; q++ {
			if zeros || t.val[q] != 0 {
				t.row[size], t.val[size] = t.row[q], t.val[q]
				size++
			}
		}
		t.start[i+1] = size
	}
	t.row, t.val = slices.Clone(t.row[:size]), slices.Clone(t.val[:size])
	return t
}

// SymmetricDim returns the order of the matrix.
func (a *Symmetric) SymmetricDim() int { return a.n }

// Dims returns the order of the matrix, twice.
func (a *Symmetric) Dims() (rows, cols int) { return a.n, a.n }

// T returns the matrix itself.
func (a *Symmetric) T() mat.Matrix { return a }

// At returns the entry in row i and column j. It will panic if they are out of range.
func (a *Symmetric) At(i, j int) float64 {
	if uint(i) >= uint(a.n) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(a.n) {
		panic(mat.ErrColAccess)
	}
	if p, ok := slices.BinarySearch(a.row[a.start[j]:a.start[j+1]], int32(i)); ok {
		return a.val[a.start[j]+p]
	}
	return 0
}

// DoNonZero calls fn for each stored entry, column after column.
func (a *Symmetric) DoNonZero(fn func(i, j int, v float64)) {
	for j := range a.n {
		for p := a.start[j]; p < a.start[j+1]; p++ {
			fn(int(a.row[p]), j, a.val[p])
		}
	}
}

// MulVecTo sets dst to the product of the matrix and x, which may not overlap. It will panic if one
// of them does not have as many entries as the matrix has columns.
func (a *Symmetric) MulVecTo(dst, x []float64) {
	if len(dst) != a.n || len(x) != a.n {
		panic(mat.ErrShape)
	}
	for j := range dst {
		sum := 0.0
		for p := a.start[j]; p < a.start[j+1]; p++ {
			sum += a.val[p] * x[a.row[p]]
		}
		dst[j] = sum
	}
}

// shifted returns a + s·m, the identity in the place of m if that is nil. It has entries where a and m have
// them and on the diagonal, also where they add up to 0: those of every shift are at the same places.
func (a *Symmetric) shifted(s float64, m *Symmetric) *Symmetric {
	entries := make([]Entry, 0, len(a.row)+a.n)
	add := func(scale float64, x *Symmetric) {
		x.DoNonZero(func(i, j int, v float64) {
			if i <= j {
				entries = append(entries, Entry{int32(i), int32(j), scale * v})
			}
		})
	}
	add(1, a)
	if m != nil {
		add(s, m)
		s = 0
	}
	for i := range a.n {
		entries = append(entries, Entry{int32(i), int32(i), s})
	}
	return transpose(columns(a.n, entries), true)
}
