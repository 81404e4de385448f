package sparse

import "gonum.org/v1/gonum/mat"

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
