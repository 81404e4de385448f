package train

import (
	"slices"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/datasets"
)

// plan is the shapes of the programs of one collection: two to train with at
// most and one to evaluate with. They depend on the collection, its folds and
// the batch size alone, so that a fold is computed the same whatever else
// runs.
type plan struct {
	batch        int    // complexes of a training batch
	like         layout // of all programs, but for the budget
	steps        int    // most steps of one program
	usual, bound budget
	evaluation   budget

	distinct *datasets.Distinct // of the collection
	packers  *sync.Pool         // of *packer
}

const (
	// maxEvaluation bounds the complexes that are evaluated at once: enough to
	// make the host's share of the time small, few enough to stay in the cache.
	maxEvaluation = 256
	// distinctPays is the share of distinct simplices in a batch up to which
	// they are integrated alone: finding the others by their number takes time
	// as well, and the padding of two more arrays.
	distinctPays = 0.6
)

// newPlan returns the shapes for training on the folds and evaluating their
// other parts.
func newPlan(backend compute.Backend, data *datasets.Collection, repeated *datasets.Distinct,
	folds []datasets.Fold, batch int) (*plan, error) {
	p := &plan{
		batch:    batch,
		like:     layout{corners: data.Degree + 1, types: data.SimplexTypes != nil, tasks: len(data.Tasks)},
		distinct: repeated,
		packers:  &sync.Pool{New: func() any { return newPacker(data, repeated) }},
	}
	evaluated := 0
	for _, fold := range folds {
		p.steps = max(p.steps, len(fold.Train)/batch)
		evaluated = max(evaluated, len(fold.Validation), len(fold.Test))
	}
	if !loops(backend) {
		p.steps = 1
	}
	var err error
	if p.usual.Budget, p.bound.Budget, err = datasets.Budgets(data, nil, batch); err != nil {
		return nil, err
	}
	packer := p.packer()
	defer p.packers.Put(packer)
	if data.Len() > 0 {
		usual, bound := packer.simplex.Budgets(batch, p.bound.Budget)
		if float64(usual.Simplices) <= distinctPays*float64(p.usual.Simplices) {
			p.usual.distinct, p.bound.distinct = usual, bound
		}
	}
	// What is evaluated is known beforehand, so its shape can be exact.
	p.evaluation.Complexes = min(evaluated, maxEvaluation)
	for _, fold := range folds {
		for _, part := range [][]int32{fold.Validation, fold.Test} {
			for ids := range slices.Chunk(part, p.evaluation.Complexes) {
				p.evaluation.Budget = p.evaluation.Holding(data, ids)
				if p.usual.distinct.Simplices > 0 {
					p.evaluation.distinct = p.evaluation.distinct.Holding(packer.simplex.Count(ids))
				}
			}
		}
	}
	return p, nil
}

// packer returns one that nobody else uses, to be put back.
func (p *plan) packer() *packer { return p.packers.Get().(*packer) }

// layout returns that of batches with a budget.
func (p *plan) layout(b budget) layout {
	l := p.like
	l.budget = b
	return l
}

// loops reports whether an epoch can be one program. GoMLX's pure Go backend
// (compute v0.1.3) prepares the body of a loop before its last pass over the
// graph, which then computes nodes out of order: it runs steps one by one.
func loops(backend compute.Backend) bool { return backend.Name() != gobackend.GetBackend().Name() }

// training returns the key of the training program. Batches past the usual
// budget are rare and run one at a time.
func (p *plan) training(usual bool) key {
	if usual {
		return key{"training", p.layout(p.usual), p.steps}
	}
	return key{"training", p.layout(p.bound), 1}
}

// evaluating returns the key of the evaluation program.
func (p *plan) evaluating() key { return key{"evaluation", p.layout(p.evaluation), 1} }

// trainings returns the keys of the programs that the given trainings of a
// task need.
func (p *plan) trainings(task Task, todo []int) []key {
	if p.overflows(task, todo) {
		return []key{p.training(true), p.training(false)}
	}
	return []key{p.training(true)}
}

// overflows reports whether any batch of the given trainings of a task passes
// the usual budget. All orders are known before the first step.
func (p *plan) overflows(task Task, todo []int) bool {
	if p.usual == p.bound {
		return false
	}
	packer := p.packer()
	defer p.packers.Put(packer)
	var order []int32
	for _, i := range todo {
		fold, seed := i%len(task.Folds), task.Seeds[i/len(task.Folds)]
		train := task.Folds[fold].Train
		order = append(order[:0], train...)
		for epoch := range task.Protocol.Epochs {
			shuffle(order, train, seed, fold, epoch)
			for step := range len(order) / p.batch {
				if !packer.fits(p.usual, order[step*p.batch:(step+1)*p.batch]) {
					return true
				}
			}
		}
	}
	return false
}

// segment returns the end of the run of steps beginning at from that one
// program computes, and whether it is that of the usual budget.
func (p *plan) segment(order []int32, from, steps int) (usual bool, to int) {
	packer := p.packer()
	defer p.packers.Put(packer)
	for to = from; to < min(steps, from+p.steps); to++ {
		if !packer.fits(p.usual, order[to*p.batch:(to+1)*p.batch]) {
			break
		}
	}
	if to > from {
		return true, to
	}
	return false, from + 1
}
