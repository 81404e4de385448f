package train

import (
	"errors"
	"sync"
)

// Programs are compiled ahead of the first training, side by side, for speed
// alone: a training compiles what it lacks.

// prepare compiles programs at once, as far as there are processors.
func (e *engine) prepare(programs []key) error {
	errs := make([]error, len(programs))
	var work sync.WaitGroup
	for i, k := range programs {
		work.Go(func() { _, errs[i] = e.compile(k) })
	}
	work.Wait()
	return errors.Join(errs...)
}

// needed returns the keys of the programs that the given trainings of a task
// need, but for one that is hardly ever needed. All orders are known before the
// first step, and so it is whether any batch passes the first shape.
func (p *plan) needed(task Task, todo []int) []key {
	keys := []key{p.step(0), p.evaluating()}
	if len(p.training) == 1 {
		return keys
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
				if !packer.FitsPacked(p.training[0], order[step*p.batch:(step+1)*p.batch]) {
					return append(keys, p.step(1))
				}
			}
		}
	}
	return keys
}
