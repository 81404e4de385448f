// Package modular provides linear algebra of sparse matrices over the integers modulo the prime 2^61-1.
package modular

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// prime is a Mersenne prime: 2^61 is 1.
const prime = 1<<61 - 1

// Entry is an entry of a column.
type Entry struct {
	Row   int32
	Value uint64
}

// Sign returns the element 1, or -1 for a negative number.
func Sign(x int8) uint64 {
	if x < 0 {
		return prime - 1
	}
	return 1
}

// Reduce reduces the columns of a matrix, from left to right: of each it subtracts multiples of those before
// until its last row is that of no other, or nothing is left. It returns for each row the number of the
// column that ends with it, -1 for none; the rank is the number of these columns. Entries of a column come in
// any order, and those of one row add up.
func Reduce(rows int, columns iter.Seq2[int32, []Entry]) (ends []int32, rank int) {
	ends = slices.Repeat([]int32{-1}, rows)
	reduced := make([][]Entry, rows) // by the last row, in which they are 1
	var column, sum []Entry
	for j, entries := range columns {
		column = collect(append(column[:0], entries...))
		for len(column) > 0 {
			last := column[len(column)-1]
			if reduced[last.Row] == nil {
				reduced[last.Row], ends[last.Row] = monic(column), j
				rank++
				break
			}
			sum = subtract(sum[:0], column, last.Value, reduced[last.Row])
			column, sum = sum, column
		}
	}
	return ends, rank
}

// collect sorts entries and adds up those of one row.
func collect(column []Entry) []Entry {
	slices.SortFunc(column, func(a, b Entry) int { return cmp.Compare(a.Row, b.Row) })
	out := column[:0]
	for i, e := range column {
		if i > 0 && len(out) > 0 && out[len(out)-1].Row == e.Row {
			e.Value = add(out[len(out)-1].Value, e.Value)
			out = out[:len(out)-1]
		}
		if e.Value != 0 {
			out = append(out, e)
		}
	}
	return out
}

// add returns a + b, for a, b < p.
func add(a, b uint64) uint64 {
	if a += b; a >= prime {
		a -= prime
	}
	return a
}

// mul returns ab, for a, b < p.
func mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return add(lo&prime, hi<<3|lo>>61)
}

// monic returns a copy of the column divided by its last entry.
func monic(column []Entry) []Entry {
	// a^(p-2) = 1/a by Fermat.
	inverse, square := uint64(1), column[len(column)-1].Value
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			inverse = mul(inverse, square)
		}
		square = mul(square, square)
	}
	scaled := make([]Entry, len(column))
	for i, e := range column {
		scaled[i] = Entry{e.Row, mul(e.Value, inverse)}
	}
	return scaled
}

// subtract appends a - factor·b to dst.
func subtract(dst, a []Entry, factor uint64, b []Entry) []Entry {
	minus := prime - factor
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Row < b[0].Row:
			dst, a = append(dst, a[0]), a[1:]
		case len(a) == 0 || b[0].Row < a[0].Row:
			dst, b = append(dst, Entry{b[0].Row, mul(minus, b[0].Value)}), b[1:]
		default:
			if sum := add(a[0].Value, mul(minus, b[0].Value)); sum != 0 {
				dst = append(dst, Entry{a[0].Row, sum})
			}
			a, b = a[1:], b[1:]
		}
	}
	return dst
}
