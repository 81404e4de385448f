package packing

import (
	"fmt"
	"math"
	"slices"
)

// Budget is the static size of a padded batch.
type Budget struct {
	Complexes int        // most complexes; the dummy that owns all padding is not counted
	Rows      []int      // rows for the simplices of each degree; one of the vertices at least is padding
	Distinct  []Repeated // rows for those that differ; nil where they are not listed
	Further   int        // rows of neighbors beyond the first of each vertex; 0 where they are not listed
}

// Repeated counts the distinct simplices of a degree and their distinct vertices.
type Repeated struct{ Vertices, Simplices int }

const (
	// budgetMultiple is what budgets are rounded up to: eight float32 are a vector register.
	budgetMultiple = 8
	// budgetDeviations is the slack of the usual budget in standard deviations of a batch's total. In random
	// orders at most 0.7 % of the batches of 16 of a TU benchmark need more; at 2.5 deviations 1.5 % of those
	// of AIDS do, whose sizes have the longest tail.
	budgetDeviations = 3
	// budgetMerge is the ratio of sizes up to which the bound replaces the usual budget: less waste than that
	// is not worth a second compilation.
	budgetMerge = 1.15
)

// Budgets returns the two sizes for batches of the given number of complexes.
//
// The bound is proven: it holds the sum of the largest complexes, so every batch fits. The usual budget holds
// the mean total plus three standard deviations of the total of a random batch, so about one batch in a
// hundred or fewer does not fit. Where the bound is at most 15 % larger, both are the bound and one shape
// does. Distinct simplices are listed if there are few enough, see [Distinct].
//
// This assumes different complexes: a batch that contains one twice may need the budget of [Packer.Holding].
func (p *Packer) Budgets(batch int) (usual, bound Budget, err error) {
	if batch < 1 {
		return usual, bound, fmt.Errorf("a batch of %d complexes: it takes at least one", batch)
	}
	usual, bound = Budget{Complexes: batch}, Budget{Complexes: batch}
	for k := range p.starts {
		few, most := p.totals(batch, padding(k), func(g int) int { return p.data.Count(k, g) })
		usual.Rows, bound.Rows = append(usual.Rows, few), append(bound.Rows, most)
	}
	if p.further != nil {
		usual.Further, bound.Further = p.totals(batch, 0, p.furtherOf)
	}
	if float64(bound.sum()) <= budgetMerge*float64(usual.sum()) {
		usual = bound
	}
	if p.distinct != nil {
		p.addDistinct(&usual, &bound)
	}
	return usual, bound, nil
}

// padding returns the number of padding rows that k-simplices need: 1 for vertices, else 0.
func padding(k int) int { return one(k == 0) }

// totals returns the usual and the largest number of rows of a batch, whose complexes have so many each,
// rounded up.
func (p *Packer) totals(batch, padding int, size func(g int) int) (usual, bound int) {
	sizes := make([]int, p.data.Len())
	for g := range sizes {
		sizes[g] = size(g)
	}
	batch = min(batch, len(sizes))
	slices.Sort(sizes)
	var sum, squares float64
	most := 0
	for i, size := range sizes {
		if i >= len(sizes)-batch {
			most += size
		}
		sum += float64(size)
		squares += float64(size) * float64(size)
	}
	// Variance of a sum drawn without replacement: B·σ²·(N−B)/(N−1) with the population's σ².
	count := max(1, float64(len(sizes)))
	mean := sum / count
	variance := max(0, squares/count-mean*mean) * float64(batch) * (count - float64(batch)) / max(1, count-1)
	return rows(mean*float64(batch), math.Sqrt(variance), most, padding)
}

// rows returns the usual and the largest number of rows for something of a mean and standard deviation, and
// at most the given size.
func rows(mean, deviation float64, most, padding int) (usual, bound int) {
	bound = roundUp(most + padding)
	return min(roundUp(int(math.Ceil(mean+budgetDeviations*deviation))+padding), bound), bound
}

// roundUp returns the smallest positive multiple of budgetMultiple that is not below n.
func roundUp(n int) int {
	return max(1, (n+budgetMultiple-1)/budgetMultiple) * budgetMultiple
}

// sum returns the number of rows: what the work of a batch grows with.
func (b Budget) sum() (rows int) {
	for _, n := range b.Rows {
		rows += n
	}
	return rows
}

// Equal reports whether the budgets are the same.
func (b Budget) Equal(o Budget) bool {
	return b.Complexes == o.Complexes && slices.Equal(b.Rows, o.Rows) &&
		slices.Equal(b.Distinct, o.Distinct) && b.Further == o.Further
}

// rows returns the rows of a part.
func (b Budget) rows(u unit, k int) int {
	switch u {
	case complexes:
		return b.Complexes
	case distinctVertices:
		return b.Distinct[k].Vertices
	case distinctSimplices:
		return b.Distinct[k].Simplices
	case neighborRows:
		return b.Rows[0] + b.Further
	}
	return b.Rows[k]
}

// Combine returns the budget of f of the numbers of b and o; numbers that only o lists are 0 in b.
func (b Budget) Combine(o Budget, f func(x, y int) int) Budget {
	out := Budget{Complexes: f(b.Complexes, o.Complexes)}
	for k, y := range o.Rows {
		x := 0
		if k < len(b.Rows) {
			x = b.Rows[k]
		}
		out.Rows = append(out.Rows, f(x, y))
	}
	for k, y := range o.Distinct {
		x := Repeated{}
		if k < len(b.Distinct) {
			x = b.Distinct[k]
		}
		out.Distinct = append(out.Distinct, Repeated{f(x.Vertices, y.Vertices), f(x.Simplices, y.Simplices)})
	}
	if o.Further > 0 {
		out.Further = f(b.Further, o.Further)
	}
	return out
}

// fitsRows reports whether the complexes ids fit the rows of the degrees that count, with a vertex left over
// for padding. It does not count distinct simplices.
func (p *Packer) fitsRows(b Budget, ids []int32, counts func(k int) bool) bool {
	if len(ids) > b.Complexes || len(b.Rows) != len(p.starts) {
		return false
	}
	for k, rows := range b.Rows {
		if counts(k) && p.count(k, ids)+padding(k) > rows {
			return false
		}
	}
	return p.furtherIn(ids) <= b.Further
}

// count returns the number of k-simplices of some complexes.
func (p *Packer) count(k int, ids []int32) (rows int) {
	for _, id := range ids {
		rows += int(p.starts[k][id+1] - p.starts[k][id])
	}
	return rows
}

// Holding returns the smallest budget that holds the contents of b and the complexes ids, rounded up, with
// distinct simplices if b lists them. The zero budget holds nothing.
func (p *Packer) Holding(b Budget, ids []int32) Budget {
	own := Budget{Complexes: len(ids)}
	for k := range p.starts {
		own.Rows = append(own.Rows, roundUp(p.count(k, ids)+padding(k)))
	}
	for k := range b.Distinct {
		own.Distinct = append(own.Distinct, p.countDistinct(k, ids).rounded())
	}
	if p.further != nil {
		own.Further = roundUp(p.furtherIn(ids))
	}
	return b.Combine(own, func(x, y int) int { return max(x, y) })
}
