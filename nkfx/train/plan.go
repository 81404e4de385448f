package train

import (
	"slices"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/neuralkforms/nkf/datasets"
)

// plan is the shapes of the programs of one collection: three to train with at
// most and one to evaluate with. They depend on the collection, its folds and
// the batch size alone, so that a fold is computed the same whatever else
// runs; which of them a batch takes depends on what the model reads, too.
type plan struct {
	batch      int      // complexes of a training batch
	like       layout   // of all programs, but for the budget
	steps      int      // most steps of one program
	training   []budget // ascending: nearly all batches fit the first, all the last
	evaluation budget

	distinct *datasets.Distinct // of the collection
	packers  *sync.Pool         // of *packer
}

const (
	// maxEvaluation bounds the complexes that are evaluated at once: enough to
	// make the host's share of the time small, few enough to stay in the cache.
	maxEvaluation = 256
	// distinctPays is the share of distinct simplices in a batch up to which
	// they are integrated alone: finding the others by their number takes time
	// as well, and the padding of more arrays.
	distinctPays = 0.6
	// largePays is the size of the bound, in usual budgets, from which a budget
	// between them is worth a program. The bound of HIV has five times the
	// simplices of its usual budget, and eleven times the distinct ones.
	largePays = 4
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
	var usual, bound budget
	var err error
	if usual.Budget, bound.Budget, err = datasets.Budgets(data, nil, batch); err != nil {
		return nil, err
	}
	packer := p.packer()
	defer p.packers.Put(packer)
	if data.Len() > 0 {
		few, most := packer.simplex.Budgets(batch, bound.Budget)
		if float64(few.Simplices) <= distinctPays*float64(usual.Simplices) {
			usual.distinct, bound.distinct = few, most
		}
	}
	p.training = budgets(usual, bound)
	// What is evaluated is known beforehand, so its shape can be exact.
	p.evaluation.Complexes = min(evaluated, maxEvaluation)
	for _, fold := range folds {
		for _, part := range [][]int32{fold.Validation, fold.Test} {
			for ids := range slices.Chunk(part, p.evaluation.Complexes) {
				p.evaluation.Budget = p.evaluation.Holding(data, ids)
				if usual.distinct.Simplices > 0 {
					p.evaluation.distinct = p.evaluation.distinct.Holding(packer.simplex.Count(ids))
				}
			}
		}
	}
	return p, nil
}

// budgets returns those to train with.
func budgets(usual, bound budget) []budget {
	switch {
	case usual == bound:
		return []budget{bound}
	case bound.Simplices < largePays*usual.Simplices:
		return []budget{usual, bound}
	}
	large := usual
	large.Vertices = min(2*usual.Vertices, bound.Vertices)
	large.Simplices = min(2*usual.Simplices, bound.Simplices)
	large.distinct.Vertices = min(2*usual.distinct.Vertices, bound.distinct.Vertices)
	large.distinct.Simplices = min(2*usual.distinct.Simplices, bound.distinct.Simplices)
	return []budget{usual, large, bound}
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

// step returns the key of the training program of that shape. Batches past
// the first shape are rare and run one at a time.
func (p *plan) step(shape int) key {
	rows := 1
	if shape == 0 {
		rows = p.steps
	}
	return key{training, p.layout(p.training[shape]), rows}
}

// evaluating returns the key of the evaluation program.
func (p *plan) evaluating() key { return key{evaluation, p.layout(p.evaluation), 1} }

// steppers returns the keys of the programs that the given trainings of a
// task need, but for one that is hardly ever needed.
func (p *plan) steppers(e *engine, task Task, todo []int) []key {
	usual := e.trim(p.step(0))
	if p.overflows(usual.layout, task, todo) {
		return []key{usual, e.trim(p.step(1))}
	}
	return []key{usual}
}

// overflows reports whether any batch of the given trainings of a task passes
// the first shape. All orders are known before the first step.
func (p *plan) overflows(usual layout, task Task, todo []int) bool {
	if len(p.training) == 1 {
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
				if !packer.fits(usual, order[step*p.batch:(step+1)*p.batch]) {
					return true
				}
			}
		}
	}
	return false
}
