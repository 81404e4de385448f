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
	steps      int // most steps of an epoch
	training   []*packing.Layout
	evaluation *packing.Layout
	packer     *packing.Packer // cloned by trainers
}

const (
	// maxEvaluation bounds the complexes that are evaluated at once: enough to make the host's share of the
	// time small, few enough to stay in the cache.
	maxEvaluation = 256
	// maxDistinct is the share of distinct simplices in a batch up to which only these are integrated:
	// finding the others by their number takes time as well, and the padding of more arrays.
	maxDistinct = 0.6
)

// newPlan returns the shapes for training on the folds and evaluating their other parts. Up to the given
// share of distinct simplices, only these are integrated.
func newPlan(data *datasets.Collection, folds []datasets.Fold, batch int, share float64) (*plan, error) {
	packer := packing.Distinct(data, share)
	training, err := packer.Layouts(batch)
	if err != nil {
		return nil, err
	}
	p := &plan{training: training, packer: packer}
	// What is evaluated is known beforehand, so its shape can be exact.
	exact := packing.Budget{Distinct: make([]packing.Repeated, len(p.training[0].Budget.Distinct))}
	for _, fold := range folds {
		p.steps = max(p.steps, len(fold.Train)/batch)
		for _, part := range evaluatedParts(fold) {
			for ids := range slices.Chunk(part, maxEvaluation) {
				exact = p.packer.Holding(exact, ids)
			}
		}
	}
	if p.evaluation = p.training[0]; exact.Complexes > 0 {
		p.evaluation = p.packer.Layout(exact)
	}
	return p, nil
}

// evaluatedParts returns the parts of a fold that are not trained on.
func evaluatedParts(fold datasets.Fold) [][]int32 {
	return [][]int32{fold.Validation, fold.Test}
}
