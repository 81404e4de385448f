package train

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/datasets"
)

// plan is the shapes of the programs of one collection: two to train with at
// most and one to evaluate with. They depend on the collection, its folds and
// the batch size alone, so that a fold is computed the same whatever else
// runs.
type plan struct {
	batch        int // complexes of a training batch
	corners      int // k+1
	steps        int // most steps of one program
	usual, bound datasets.Budget
	evaluation   datasets.Budget
}

// maxEvaluation bounds the complexes that are evaluated at once: enough to
// make the host's share of the time small, few enough to stay in the cache.
const maxEvaluation = 256

// newPlan returns the shapes for training on the folds and evaluating their
// other parts.
func newPlan(backend compute.Backend, data *datasets.Collection, folds []datasets.Fold, batch int) (
	*plan, error) {
	p := &plan{batch: batch, corners: data.Degree + 1}
	for _, fold := range folds {
		p.steps = max(p.steps, len(fold.Train)/batch)
		p.evaluation.Complexes = max(p.evaluation.Complexes, len(fold.Validation), len(fold.Test))
	}
	if !loops(backend) {
		p.steps = 1
	}
	// What is evaluated is known beforehand, so its shape can be exact.
	p.evaluation.Complexes = min(p.evaluation.Complexes, maxEvaluation)
	for _, fold := range folds {
		for _, part := range [][]int32{fold.Validation, fold.Test} {
			for ids := range slices.Chunk(part, p.evaluation.Complexes) {
				p.evaluation = p.evaluation.Holding(data, ids)
			}
		}
	}
	var err error
	p.usual, p.bound, err = datasets.Budgets(data, nil, batch)
	return p, err
}

// loops reports whether an epoch can be one program. GoMLX's pure Go backend
// (compute v0.1.3) prepares the body of a loop before its last pass over the
// graph, which then computes nodes out of order: it runs steps one by one.
func loops(backend compute.Backend) bool { return backend.Name() != gobackend.GetBackend().Name() }

// training returns the key of the training program. Batches past the usual
// budget are rare and run one at a time.
func (p *plan) training(usual bool) key {
	if usual {
		return key{"training", layout{p.usual, p.corners}, p.steps}
	}
	return key{"training", layout{p.bound, p.corners}, 1}
}

// evaluating returns the key of the evaluation program.
func (p *plan) evaluating() key { return key{"evaluation", layout{p.evaluation, p.corners}, 1} }

// overflows reports whether any batch of the given trainings of a task passes
// the usual budget. All orders are known before the first step.
func (p *plan) overflows(task Task, todo []int) bool {
	if p.usual == p.bound {
		return false
	}
	var order []int32
	for _, i := range todo {
		fold, seed := i%len(task.Folds), task.Seeds[i/len(task.Folds)]
		train := task.Folds[fold].Train
		order = append(order[:0], train...)
		for epoch := range task.Protocol.Epochs {
			shuffle(order, train, seed, fold, epoch)
			for step := range len(order) / p.batch {
				if !p.usual.Fits(task.Data, order[step*p.batch:(step+1)*p.batch]) {
					return true
				}
			}
		}
	}
	return false
}

// segment returns the end of the run of steps beginning at from that one
// program computes, and whether it is that of the usual budget.
func (p *plan) segment(data *datasets.Collection, order []int32, from, steps int) (usual bool, to int) {
	for to = from; to < min(steps, from+p.steps); to++ {
		if !p.usual.Fits(data, order[to*p.batch:(to+1)*p.batch]) {
			break
		}
	}
	if to > from {
		return true, to
	}
	return false, from + 1
}
