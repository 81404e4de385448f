package datasets

import (
	"fmt"
	"math"
	"slices"
)

// Budget is the static shape of a padded batch.
type Budget struct {
	Complexes int // most complexes; the dummy that owns all padding is not counted
	Vertices  int // rows for vertices; at least one of them is padding
	Simplices int // rows for simplices
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

// Budgets returns the two shapes for batches of the given number of complexes out of ids (nil: all of c).
//
// The bound is proven: it holds the sum of the largest complexes, so every batch fits. The usual budget holds
// the mean total plus three standard deviations of the total of a random batch, so about one batch in a
// hundred or fewer does not fit. Where the bound is at most 15 % larger, both are the bound and one shape
// does.
func Budgets(c *Collection, ids []int32, batch int) (usual, bound Budget, err error) {
	if batch < 1 {
		return usual, bound, fmt.Errorf("a batch of %d complexes: it takes at least one", batch)
	}
	if ids == nil {
		ids = everyID(c)
	}
	if err := checkIDs(c, ids); err != nil {
		return usual, bound, err
	}
	vertices, simplices := make([]int, len(ids)), make([]int, len(ids))
	for i, id := range ids {
		vertices[i], simplices[i] = c.Sizes(int(id))
	}
	usual, bound = Budget{Complexes: batch}, Budget{Complexes: batch}
	usual.Vertices, bound.Vertices = totals(vertices, batch, 1)
	usual.Simplices, bound.Simplices = totals(simplices, batch, 0)
	if float64(bound.rows()) <= budgetMerge*float64(usual.rows()) {
		usual = bound
	}
	return usual, bound, nil
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

// rows returns the number of vertices and simplices together: what the work of a batch grows with.
func (b Budget) rows() int { return b.Vertices + b.Simplices }

// Fits reports whether the complexes ids of c fit, with a vertex left over for padding.
func (b Budget) Fits(c *Collection, ids []int32) bool {
	vertices, simplices := 0, 0
	for _, id := range ids {
		v, s := c.Sizes(int(id))
		vertices += v
		simplices += s
	}
	return len(ids) <= b.Complexes && vertices < b.Vertices && simplices <= b.Simplices
}

// Holding returns the smallest budget that holds what b holds and the complexes ids of c, rounded up.
func (b Budget) Holding(c *Collection, ids []int32) Budget {
	vertices, simplices := 0, 0
	for _, id := range ids {
		v, s := c.Sizes(int(id))
		vertices += v
		simplices += s
	}
	return Budget{
		Complexes: max(b.Complexes, len(ids)),
		Vertices:  max(b.Vertices, roundUp(vertices+1)),
		Simplices: max(b.Simplices, roundUp(simplices)),
	}
}

// Waste returns the padded rows of vertices and simplices over the real ones, 1 at best, when the complexes
// in the given order are cut into batches, each in the first of the budgets that it fits.
//
// It is an error if a batch fits none. Without any real row the waste is 1.
func Waste(c *Collection, order []int32, budgets ...Budget) (float64, error) {
	if len(budgets) == 0 || budgets[0].Complexes < 1 {
		return 0, fmt.Errorf("no budget that holds a complex")
	}
	if err := checkIDs(c, order); err != nil {
		return 0, err
	}
	padded, actual := 0, 0
	for ids := range slices.Chunk(order, budgets[0].Complexes) {
		budget, err := firstFit(c, ids, budgets...)
		if err != nil {
			return 0, err
		}
		padded += budget.rows()
		for _, id := range ids {
			v, s := c.Sizes(int(id))
			actual += v + s
		}
	}
	if actual == 0 {
		return 1, nil
	}
	return float64(padded) / float64(actual), nil
}

// firstFit returns the first of the budgets that the complexes fit.
func firstFit(c *Collection, ids []int32, budgets ...Budget) (Budget, error) {
	for _, budget := range budgets {
		if budget.Fits(c, ids) {
			return budget, nil
		}
	}
	return Budget{}, noFit(c, len(ids), budgets...)
}

func noFit(c *Collection, complexes int, budgets ...Budget) error {
	return fmt.Errorf("collection %q: a batch of %d complexes fits none of the budgets %+v: "+
		"compute them with Budgets over all complexes and this batch size", c.Name, complexes, budgets)
}

// checkIDs returns an error that names the first of ids that is not a complex of c.
func checkIDs(c *Collection, ids []int32) error {
	for i, id := range ids {
		if id < 0 || int(id) >= c.Len() {
			return fmt.Errorf("collection %q: complex number %d at place %d, but there are %d complexes",
				c.Name, id, i, c.Len())
		}
	}
	return nil
}

// everyID returns the numbers of all complexes, ascending.
func everyID(c *Collection) []int32 {
	ids := make([]int32, c.Len())
	for i := range ids {
		ids[i] = int32(i)
	}
	return ids
}
