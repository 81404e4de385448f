package train

import (
	"slices"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// plan holds the shapes of the programs of one collection: three to train with at most and one to evaluate
// with. They depend on the collection, its folds and the batch size alone, so that a fold is computed the
// same whatever else runs; which of them a batch takes depends on what the model reads, too.
type plan struct {
	batch      int               // complexes of a training batch
	steps      int               // most steps of one program
	training   []*packing.Layout // ascending: nearly all batches fit the first, all the last
	evaluation *packing.Layout
	packing    *packing.Packer // cloned by trainers
}

const (
	// maxEvaluation bounds the complexes that are evaluated at once: enough to make the host's share of the
	// time small, few enough to stay in the cache.
	maxEvaluation = 256
	// maxDistinct is the share of distinct simplices in a batch up to which only these are integrated:
	// finding the others by their number takes time as well, and the padding of more arrays.
	maxDistinct = 0.6
	// minLarge is the size of the bound, in usual budgets, from which a budget between them is worth a
	// program. The bound of HIV has five times the simplices of its usual budget, and eleven times the
	// distinct ones.
	minLarge = 4
)

// newPlan returns the shapes for training on the folds and evaluating their other parts. Up to the given
// share of distinct simplices, only these are integrated.
func newPlan(data *datasets.Collection, folds []datasets.Fold, batch int, share float64) (*plan, error) {
	p := &plan{batch: batch, packing: packing.Distinct(data, share)}
	evaluated := 0
	for _, fold := range folds {
		p.steps = max(p.steps, len(fold.Train)/batch)
		for _, part := range evaluatedParts(fold) {
			evaluated = max(evaluated, len(part))
		}
	}
	usual, bound, err := p.packing.Budgets(batch)
	if err != nil {
		return nil, err
	}
	for _, b := range budgets(usual, bound) {
		p.training = append(p.training, p.packing.Layout(b))
	}
	// What is evaluated is known beforehand, so its shape can be exact.
	exact := packing.Budget{Complexes: min(evaluated, maxEvaluation),
		Distinct: make([]packing.Repeated, len(usual.Distinct))}
	for _, fold := range folds {
		for _, part := range evaluatedParts(fold) {
			for ids := range slices.Chunk(part, exact.Complexes) {
				exact = p.packing.Holding(exact, ids)
			}
		}
	}
	p.evaluation = p.packing.Layout(exact)
	return p, nil
}

// evaluatedParts returns the parts of a fold that are not trained on.
func evaluatedParts(fold datasets.Fold) [][]int32 {
	return [][]int32{fold.Validation, fold.Test}
}

// budgets returns those to train with.
func budgets(usual, bound packing.Budget) []packing.Budget {
	if usual.Equal(bound) {
		return []packing.Budget{bound}
	}
	last := len(usual.Rows) - 1
	if bound.Rows[last] < minLarge*usual.Rows[last] {
		return []packing.Budget{usual, bound}
	}
	large := usual.Combine(bound, func(few, most int) int { return min(2*few, most) })
	return []packing.Budget{usual, large, bound}
}
