package packing

import (
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/datasets"
)

// Budget is the static size of a padded batch.
type Budget struct {
	Complexes int   // most complexes; the dummy that owns all padding is not counted
	Rows      []int // rows for vertices, at least one of them padding, and for what else Packer.Counted names
	Distinct  []int // rows for distinct vertices and simplices of each degree that has them; nil for none
}

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
	for i, a := range p.axes {
		for g := range sizes {
			sizes[g] = int(a.start[g+1] - a.start[g])
		}
		few, most := totals(sizes, batch, p.spare(i))
		usual.Rows, bound.Rows = append(usual.Rows, few), append(bound.Rows, most)
	}
	if float64(bound.sum()) <= budgetMerge*float64(usual.sum()) {
		usual = bound
	}
	return usual, bound, nil
}

// spare returns the number of padding rows that axis i needs: 1 for vertices, else 0.
func (p *Packer) spare(i int) int {
	if i == 0 {
		return 1
	}
	return 0
}

// totals returns the usual and the largest total of a batch of sizes plus spare, rounded up.
func totals(sizes []int, batch, spare int) (usual, bound int) {
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
	bound = roundUp(bound + spare)
	if batch == 0 {
		return bound, bound
	}
	// Variance of a sum drawn without replacement: B·σ²·(N−B)/(N−1) with the population's σ².
	mean := sum / count
	variance := max(0, squares/count-mean*mean) * float64(batch) * (count - float64(batch)) / max(1, count-1)
	usual = int(math.Ceil(mean*float64(batch) + budgetDeviations*math.Sqrt(variance)))
	return min(roundUp(usual+spare), bound), bound
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

// Fits reports whether the complexes ids fit the budget, with a vertex left over for padding.
func (p *Packer) Fits(b Budget, ids []int32) bool {
	if len(ids) > b.Complexes || len(b.Rows) != len(p.axes) {
		return false
	}
	for i, a := range p.axes {
		if p.spare(i)+a.count(ids) > b.Rows[i] {
			return false
		}
	}
	if b.Distinct != nil {
		for i := range p.distinct.degrees {
			if !p.distinctFit(b, i, ids) {
				return false
			}
		}
	}
	return true
}

// Holding returns the smallest budget that holds what b holds and the complexes ids, rounded up. The zero
// budget holds nothing.
func (p *Packer) Holding(b Budget, ids []int32) Budget {
	out := Budget{Complexes: max(b.Complexes, len(ids))}
	for i, a := range p.axes {
		rows := roundUp(a.count(ids) + p.spare(i))
		if b.Rows != nil {
			rows = max(rows, b.Rows[i])
		}
		out.Rows = append(out.Rows, rows)
	}
	if b.Distinct != nil {
		p.countDistinct(ids)
		out.Distinct = p.distinctRows()
		for i, rows := range b.Distinct {
			out.Distinct[i] = max(out.Distinct[i], rows)
		}
	}
	return out
}

// Waste returns the padded rows of vertices, simplices and chains over the real ones, 1 at best, when the
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
		for _, a := range p.axes {
			actual += a.count(ids)
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
