package simplicial

import "math/bits"

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
func (c *Complex) Betti() []int {
	betti := make([]int, c.Dim()+1)
	// A simplex that is the last of a reduced boundary has a boundary that depends on earlier ones:
	// the image in one degree gives the columns to skip in the next (Chen and Kerber, Persistent
	// homology computation with a twist, 2011).
	var skip []bool
	above := 0
	for k := c.Dim(); k >= 0; k-- {
		pivots, rank := c.reduce(k, skip)
		betti[k] = c.Count(k) - rank - above
		skip, above = pivots, rank
	}
	return betti
}

// entry is an entry of a column modulo p.
type entry struct {
	row int32
	val uint64
}

// reduce returns the rank of ∂_k modulo p and the rows that are the last of a column after column
// reduction. Columns marked in skip depend on earlier ones.
func (c *Complex) reduce(k int, skip []bool) (pivots []bool, rank int) {
	byPivot := make([][]entry, c.Count(k-1))
	pivots = make([]bool, c.Count(k-1))
	faces, signs := c.Faces(k)
	var column, sum []entry
	for j := 0; j*(k+1) < len(faces); j++ {
		if skip != nil && skip[j] {
			continue
		}
		column = column[:0]
		// The face without a later vertex comes earlier.
		for p := (j+1)*(k+1) - 1; p >= j*(k+1); p-- {
			val := uint64(1)
			if signs[p] < 0 {
				val = prime - 1
			}
			column = append(column, entry{faces[p], val})
		}
		for len(column) > 0 {
			last := column[len(column)-1]
			if !pivots[last.row] {
				pivots[last.row] = true
				byPivot[last.row] = monic(column)
				rank++
				break
			}
			sum = subtract(sum[:0], column, last.val, byPivot[last.row])
			column, sum = sum, column
		}
	}
	return pivots, rank
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

// monic returns a copy of the column divided by its last entry.
func monic(column []entry) []entry {
	// a^(p-2) = 1/a by Fermat.
	inverse, square := uint64(1), column[len(column)-1].val
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			inverse = mulmod(inverse, square)
		}
		square = mulmod(square, square)
	}
	scaled := make([]entry, len(column))
	for i, e := range column {
		scaled[i] = entry{e.row, mulmod(e.val, inverse)}
	}
	return scaled
}

// subtract appends a - factor·b to dst.
func subtract(dst, a []entry, factor uint64, b []entry) []entry {
	minus := prime - factor
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].row < b[0].row:
			dst, a = append(dst, a[0]), a[1:]
		case len(a) == 0 || b[0].row < a[0].row:
			dst, b = append(dst, entry{b[0].row, mulmod(minus, b[0].val)}), b[1:]
		default:
			val := a[0].val + mulmod(minus, b[0].val)
			if val >= prime {
				val -= prime
			}
			if val != 0 {
				dst = append(dst, entry{a[0].row, val})
			}
			a, b = a[1:], b[1:]
		}
	}
	return dst
}
