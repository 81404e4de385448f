package simplicial

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// Betti returns the rational Betti numbers dim H_k(·; Q) for k = 0..Dim(): components, loops, voids
// and so on.
//
// They are Count(k) - rank ∂_k - rank ∂_{k+1}, with ranks computed without rounding over the field
// of p = 2^61-1 elements. A rank modulo p is the rational rank unless p divides an invariant factor
// of ∂_k, that is, unless the integral homology in degree k-1 has torsion of an order divisible by
// p. There is none for k = 1, and by Hadamard's bound on minors that order is at most (k+1)^(r/2),
// r the rank: less than p for r <= 76 if k = 2 and r <= 60 if k = 3. Larger complexes with such
// torsion can be built on purpose but are not met. Small torsion, like that of the Klein bottle, is
// as invisible modulo p as it is over Q.
func (c *Complex) Betti() []int { return c.betti(prime) }

// BettiModulo returns the Betti numbers dim H_k(·; Z/p) over the field of p elements, which see torsion
// that p divides: a Klein bottle has 1, 2, 1 modulo 2. It is an error unless p is a prime below 2^61.
func (c *Complex) BettiModulo(p uint64) ([]int, error) {
	f, err := newField(p)
	if err != nil {
		return nil, err
	}
	return c.betti(f), nil
}

// betti returns those over a field.
func (c *Complex) betti(f field) []int {
	betti := make([]int, c.Dim()+1)
	var killers []int32
	above := 0
	for k := c.Dim(); k >= 0; k-- {
		killers = c.reduce(k, f, nil, killers)
		rank := rankOf(killers)
		betti[k] = c.Count(k) - rank - above
		above = rank
	}
	return betti
}

// rankOf counts the rows with a killer.
func rankOf(killers []int32) int {
	rank := 0
	for _, killer := range killers {
		if killer >= 0 {
			rank++
		}
	}
	return rank
}

// field is that of p elements, a prime.
type field uint64

func newField(p uint64) (field, error) {
	if p > prime || !new(big.Int).SetUint64(p).ProbablyPrime(0) { // no error below 2^64
		return 0, fmt.Errorf("simplicial: the integers modulo %d are no field: want a prime below 2^61", p)
	}
	return field(p), nil
}

// entry is an entry of a column modulo p.
type entry struct {
	row int32
	val uint64
}

// reduce reduces the columns of ∂_k in the given order of the simplices by degree, nil for that of their
// indices, and returns for each (k-1)-simplex the k-simplex whose reduced column ends with it, -1 for none.
// Their number is the rank of ∂_k.
//
// A simplex that ends a reduced boundary has a boundary that depends on earlier ones: the killers in
// degree k+1, if not nil, say which columns to skip (Chen and Kerber, Persistent homology computation with
// a twist, 2011).
func (c *Complex) reduce(k int, f field, order [][]int32, above []int32) (killers []int32) {
	killers = make([]int32, c.Count(k-1))
	for i := range killers {
		killers[i] = -1
	}
	byPivot := make([][]entry, c.Count(k-1)) // with the places of rows in the order
	faces, signs := c.Faces(k)
	var rank []int32
	if order != nil && k > 0 {
		rank = make([]int32, c.Count(k-1))
		for place, i := range order[k-1] {
			rank[i] = int32(place)
		}
	}
	var column, sum []entry
	for j := range len(faces) / (k + 1) {
		if order != nil {
			j = int(order[k][j])
		}
		if above != nil && above[j] >= 0 {
			continue
		}
		column = column[:0]
		// The face without a later vertex comes earlier.
		for p := (j+1)*(k+1) - 1; p >= j*(k+1); p-- {
			val := uint64(1)
			if signs[p] < 0 {
				val = uint64(f) - 1
			}
			row := faces[p]
			if rank != nil {
				row = rank[row]
			}
			column = append(column, entry{row, val})
		}
		if rank != nil {
			slices.SortFunc(column, func(a, b entry) int { return cmp.Compare(a.row, b.row) })
		}
		for len(column) > 0 {
			last := column[len(column)-1]
			if byPivot[last.row] == nil {
				byPivot[last.row] = f.monic(column)
				row := last.row
				if rank != nil {
					row = order[k-1][row]
				}
				killers[row] = int32(j)
				break
			}
			sum = f.subtract(sum[:0], column, last.val, byPivot[last.row])
			column, sum = sum, column
		}
	}
	return killers
}

// prime is the Mersenne prime 2^61-1.
const prime = 1<<61 - 1

// mulmod returns ab modulo prime, for a, b < prime.
func mulmod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	// 2^64 = 8 modulo prime.
	s := lo&prime + (hi<<3 | lo>>61)
	if s >= prime {
		s -= prime
	}
	return s
}

// mul returns ab, for a, b < p.
func (f field) mul(a, b uint64) uint64 {
	if f == prime {
		return mulmod(a, b)
	}
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, uint64(f))
}

// monic returns a copy of the column divided by its last entry.
func (f field) monic(column []entry) []entry {
	// a^(p-2) = 1/a by Fermat.
	inverse, square := uint64(1), column[len(column)-1].val
	for e := uint64(f) - 2; e > 0; e >>= 1 {
		if e&1 == 1 {
			inverse = f.mul(inverse, square)
		}
		square = f.mul(square, square)
	}
	scaled := make([]entry, len(column))
	for i, e := range column {
		scaled[i] = entry{e.row, f.mul(e.val, inverse)}
	}
	return scaled
}

// subtract appends a - factor·b to dst.
func (f field) subtract(dst, a []entry, factor uint64, b []entry) []entry {
	minus := uint64(f) - factor
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].row < b[0].row:
			dst, a = append(dst, a[0]), a[1:]
		case len(a) == 0 || b[0].row < a[0].row:
			dst, b = append(dst, entry{b[0].row, f.mul(minus, b[0].val)}), b[1:]
		default:
			val := a[0].val + f.mul(minus, b[0].val)
			if val >= uint64(f) {
				val -= uint64(f)
			}
			if val != 0 {
				dst = append(dst, entry{a[0].row, val})
			}
			a, b = a[1:], b[1:]
		}
	}
	return dst
}
