package train

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/datasets/packing"
)

// method finds the values of a model's variables: by [gradient] steps, or in [closed] form.
type method interface {
	// programs returns the keys of the programs that it needs.
	programs() []key
	// train begins with the state and passes the one after every epoch to ended, which takes it and reports
	// whether to go on. It frees no state that ended was given.
	train(ctx context.Context, begin *snapshot, j job, ended func(Epoch, *snapshot) (bool, error)) error
}

// job is one training: the complexes of a fold, and a seed.
type job struct {
	complexes []int32 // of the training part
	fold      int     // number of the fold
	seed      uint32
	epochs    int // at most
	rate      func(epoch, step int) float64
}

// trainer runs one training at a time on the programs of an engine.
type trainer struct {
	*engine
	method
	packer  *packing.Packer
	batches map[key]*tensors.Tensor // tables of batches, used again: they may have tens of megabytes
}

// newTrainer returns a trainer on the engine.
func (e *engine) newTrainer() *trainer {
	t := &trainer{engine: e, packer: e.plan.packing.Clone(), batches: map[key]*tensors.Tensor{}}
	if t.method = (gradient{t}); e.features != nil {
		t.method = closed{t}
	}
	return t
}

// close frees the tables.
func (t *trainer) close() {
	for _, table := range t.batches {
		table.MustFinalizeAll()
	}
}
