package simplicial

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Operator is a linear map from chains of one degree to chains of the same or another: a sparse
// matrix with one column, itself a chain, for each simplex or cell of the source and one row for
// each of the target.
//
// It implements mat.Matrix and mat.NonZeroDoer, so dense copies and products come from package mat.
type Operator struct {
	rows, cols int
	from, to   int       // degrees of source and target
	start      []int     // column j has the entries start[j]..start[j+1]-1
	row        []int32   // increasing in each column
	val        []float64 // never 0
}

var _ mat.NonZeroDoer = (*Operator)(nil)

// newOperator returns an operator without columns; entries is the expected number of entries.
func newOperator(from, to, rows, cols, entries int) *Operator {
	return &Operator{
		rows: rows, from: from, to: to,
		start: append(make([]int, 0, cols+1), 0),
		row:   make([]int32, 0, entries), val: make([]float64, 0, entries),
	}
}

// add appends a chain as the next column.
func (m *Operator) add(column Chain) {
	m.row = append(m.row, column.Index...)
	m.val = append(m.val, column.Coeff...)
	m.start = append(m.start, len(m.row))
	m.cols++
}

// Dims returns the number of simplices in the target and in the source.
func (m *Operator) Dims() (rows, cols int) { return m.rows, m.cols }

// At returns the entry in row i and column j. It will panic if they are out of range.
func (m *Operator) At(i, j int) float64 {
	if uint(i) >= uint(m.rows) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(m.cols) {
		panic(mat.ErrColAccess)
	}
	column := m.row[m.start[j]:m.start[j+1]]
	if p, ok := slices.BinarySearch(column, int32(i)); ok {
		return m.val[m.start[j]+p]
	}
	return 0
}

// T returns the transpose, which is the action on cochains.
func (m *Operator) T() mat.Matrix { return mat.Transpose{Matrix: m} }

// DoNonZero calls fn for each entry that is not zero, column after column.
func (m *Operator) DoNonZero(fn func(i, j int, v float64)) {
	for j := range m.cols {
		for p := m.start[j]; p < m.start[j+1]; p++ {
			fn(int(m.row[p]), j, m.val[p])
		}
	}
}

// Apply returns the image of a chain. It is an error if the chain is not one of the source.
func (m *Operator) Apply(c Chain) (Chain, error) {
	if c.Degree != m.from {
		return Chain{}, fmt.Errorf("simplicial: chain of degree %d for an operator on degree %d",
			c.Degree, m.from)
	}
	if err := c.check(m.cols); err != nil {
		return Chain{}, err
	}
	var index []int32
	var coeff []float64
	for t, j := range c.Index {
		for p := m.start[j]; p < m.start[j+1]; p++ {
			index = append(index, m.row[p])
			coeff = append(coeff, c.Coeff[t]*m.val[p])
		}
	}
	return newChain(m.to, index, coeff), nil
}

// Push returns the image of a dense chain, one number for each simplex of the source.
// It is an error if the length of x is another.
func (m *Operator) Push(x []float64) ([]float64, error) {
	if len(x) != m.cols {
		return nil, fmt.Errorf("simplicial: chain of length %d, want %d", len(x), m.cols)
	}
	return m.push(x), nil
}

// Pull returns the cochain on the source whose value on each simplex is that of x on its image: the
// transpose times x. It is an error if x does not have one number for each simplex of the target.
func (m *Operator) Pull(x []float64) ([]float64, error) {
	if len(x) != m.rows {
		return nil, fmt.Errorf("simplicial: cochain of length %d, want %d", len(x), m.rows)
	}
	return m.pull(x), nil
}

func (m *Operator) push(x []float64) []float64 {
	y := make([]float64, m.rows)
	m.DoNonZero(func(i, j int, v float64) { y[i] += v * x[j] })
	return y
}

func (m *Operator) pull(x []float64) []float64 {
	y := make([]float64, m.cols)
	m.DoNonZero(func(i, j int, v float64) { y[j] += v * x[i] })
	return y
}

// transpose returns the transposed matrix in the same form.
func (m *Operator) transpose() *Operator {
	t := &Operator{rows: m.cols, cols: m.rows, from: m.to, to: m.from}
	t.start = make([]int, m.rows+1)
	t.row = make([]int32, len(m.row))
	t.val = make([]float64, len(m.val))
	for _, i := range m.row {
		t.start[i+1]++
	}
	for i := range m.rows {
		t.start[i+1] += t.start[i]
	}
	next := slices.Clone(t.start)
	m.DoNonZero(func(i, j int, v float64) {
		t.row[next[i]], t.val[next[i]] = int32(j), v
		next[i]++
	})
	return t
}
