package packing

import (
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Budget is the static size of a padded batch.
type Budget struct {
	Complexes int        // most complexes; the dummy that owns all padding is not counted
	Rows      []int      // rows for the simplices of each degree; one of the vertices at least is padding
	Distinct  []Repeated // rows for those that differ; nil where they are not listed
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
// does.
//
// That is for different complexes: a batch that has one twice may need the budget of [Packer.Holding].
func (p *Packer) Budgets(batch int) (usual, bound Budget, err error) {
	if batch < 1 {
		return usual, bound, fmt.Errorf("a batch of %d complexes: it takes at least one", batch)
	}
	usual, bound = Budget{Complexes: batch}, Budget{Complexes: batch}
	sizes := make([]int, p.data.Len())
	for k := range p.starts {
		for g := range sizes {
			sizes[g] = p.data.Count(k, g)
		}
		few, most := totals(sizes, batch, padding(k))
		usual.Rows, bound.Rows = append(usual.Rows, few), append(bound.Rows, most)
	}
	if float64(bound.sum()) <= budgetMerge*float64(usual.sum()) {
		usual = bound
	}
	return usual, bound, nil
}

// padding returns the number of padding rows that k-simplices need: 1 for vertices, else 0.
func padding(k int) int {
	if k == 0 {
		return 1
	}
	return 0
}

// totals returns the usual and the largest total of a batch of sizes plus padding, rounded up.
func totals(sizes []int, batch, padding int) (usual, bound int) {
	count := float64(len(sizes))
	batch = min(batch, len(sizes))
	slices.Sort(sizes)
	var sum, squares float64
	for i, size := range sizes {
		if i >= len(sizes)-batch {
			bound += size
		}
		sum += float64(size)
		squares += float64(size) * float64(size)
	}
	bound = roundUp(bound + padding)
	if batch == 0 {
		return bound, bound
	}
	// Variance of a sum drawn without replacement: B·σ²·(N−B)/(N−1) with the population's σ².
	mean := sum / count
	variance := max(0, squares/count-mean*mean) * float64(batch) * (count - float64(batch)) / max(1, count-1)
	usual = int(math.Ceil(mean*float64(batch) + budgetDeviations*math.Sqrt(variance)))
	return min(roundUp(usual+padding), bound), bound
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
	return b.Complexes == o.Complexes && slices.Equal(b.Rows, o.Rows) && slices.Equal(b.Distinct, o.Distinct)
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
	}
	return b.Rows[k]
}

// Combine returns the budget of f of the numbers of b and o; those of what only o lists are 0 in b.
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
	return out
}

// Fits reports whether the complexes ids fit the budget, with a vertex left over for padding.
func (p *Packer) Fits(b Budget, ids []int32) bool {
	return p.fits(b, ids, func(int) bool { return true }, func(int) bool { return true })
}

// FitsPacked is like Fits with the layout's budget, but ignores what the layout does not pack.
func (p *Packer) FitsPacked(l *Layout, ids []int32) bool {
	return p.fits(l.Budget, ids, l.packs, l.packsDistinct)
}

// fits is Fits for the simplices, and distinct simplices, of some degrees.
func (p *Packer) fits(b Budget, ids []int32, counts, countsDistinct func(k int) bool) bool {
	if len(ids) > b.Complexes || len(b.Rows) != len(p.starts) {
		return false
	}
	for k, rows := range b.Rows {
		if p.count(k, ids)+padding(k) > rows && counts(k) {
			return false
		}
	}
	for k, most := range b.Distinct {
		if p.distinct.repeats(k) && countsDistinct(k) {
			if n := p.countDistinct(k, ids); n.Vertices >= most.Vertices || n.Simplices > most.Simplices {
				return false
			}
		}
	}
	return true
}

// count returns the number of k-simplices of some complexes.
func (p *Packer) count(k int, ids []int32) (rows int) {
	for _, id := range ids {
		rows += int(p.starts[k][id+1] - p.starts[k][id])
	}
	return rows
}

// Holding returns the smallest budget that holds what b holds and the complexes ids, rounded up, with
// distinct simplices if b lists them. The zero budget holds nothing.
func (p *Packer) Holding(b Budget, ids []int32) Budget {
	own := Budget{Complexes: len(ids)}
	for k := range p.starts {
		own.Rows = append(own.Rows, roundUp(p.count(k, ids)+padding(k)))
	}
	for k := range b.Distinct {
		own.Distinct = append(own.Distinct, p.countDistinct(k, ids).rounded())
	}
	return b.Combine(own, func(x, y int) int { return max(x, y) })
}

// Waste returns the padded rows of vertices and simplices over the real ones, 1 at best, when the
// complexes in the given order are cut into batches, each in the first of the budgets that it fits.
//
// It is an error if a batch fits none. Without any real row the waste is 1.
func (p *Packer) Waste(order []int32, budgets ...Budget) (float64, error) {
	if len(budgets) == 0 || budgets[0].Complexes < 1 {
		return 0, fmt.Errorf("no budget that holds a complex")
	}
	if err := CheckIDs(p.data, order); err != nil {
		return 0, err
	}
	padded, actual := 0, 0
	for ids := range slices.Chunk(order, budgets[0].Complexes) {
		i := slices.IndexFunc(budgets, func(b Budget) bool { return p.Fits(b, ids) })
		if i < 0 {
			return 0, p.noFit(len(ids), budgets...)
		}
		padded += budgets[i].sum()
		for k := range p.starts {
			actual += p.count(k, ids)
		}
	}
	if actual == 0 {
		return 1, nil
	}
	return float64(padded) / float64(actual), nil
}

func (p *Packer) noFit(complexes int, budgets ...Budget) error {
	return fmt.Errorf("collection %q: a batch of %d complexes fits none of the budgets %+v: "+
		"compute them with Budgets for this batch size", p.data.Name, complexes, budgets)
}

// CheckIDs returns an error that names the first of ids that is not a complex of c.
func CheckIDs(c *datasets.Collection, ids []int32) error {
	for i, id := range ids {
		if id < 0 || int(id) >= c.Len() {
			return fmt.Errorf("collection %q: complex number %d at place %d, but there are %d complexes",
				c.Name, id, i, c.Len())
		}
	}
	return nil
}
