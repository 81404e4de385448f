package experiments

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// learner trains the variables of a loss on samples, which are rows of data.
type learner struct {
	store   *model.Store
	loop    *train.Loop
	data    []*tensors.Tensor
	samples int // rows of the data
	random  *datasets.Random
}

// newLearner returns a learner whose variables are initialized from the seed,
// which also orders the samples. A batch of the loss is numbers of rows, [B]
// int32.
func newLearner(backend compute.Backend, seed uint32, opt optimizer.Interface, samples int,
	data []*tensors.Tensor, loss func(scope *model.Scope, data []*Node, rows *Node) *Node) (*learner, error) {
	l := &learner{store: model.NewStore(), data: data, samples: samples, random: datasets.NewRandom(seed)}
	err := l.store.SetRNGStateFromSeed(int64(seed))
	if err != nil {
		return nil, err
	}
	l.loop, err = train.NewLoop(backend, l.store, opt, func(scope *model.Scope, batch, data []*Node) *Node {
		return loss(scope, data, batch[0])
	}, data...)
	return l, err
}

// train runs the epochs and returns the mean loss of each. Every epoch visits
// the samples in a new random order; a last batch that is not full is left
// out.
func (l *learner) train(ctx context.Context, name string, n Network, report func(Step)) ([]float64, error) {
	steps := l.samples / n.Batch
	if steps == 0 {
		return nil, fmt.Errorf("steps of %d samples: there are only %d; use fewer", n.Batch, l.samples)
	}
	var losses []float64
	for epoch := range n.Epochs {
		if err := ctx.Err(); err != nil {
			return losses, err
		}
		if n.Anneal {
			share := (1 + math.Cos(math.Pi*float64(epoch)/float64(n.Epochs))) / 2
			if err := l.loop.SetRate(n.Rate * share); err != nil {
				return losses, err
			}
		}
		order := l.random.Permutation(l.samples)[:steps*n.Batch]
		loss, err := l.loop.Run(tensors.FromFlatDataAndDimensions(order, steps, n.Batch))
		if err != nil {
			return losses, fmt.Errorf("training %s, epoch %d: %w", name, epoch, err)
		}
		losses = append(losses, loss)
		if report != nil {
			report(Step{Model: name, Epoch: epoch + 1, Epochs: n.Epochs, Loss: loss})
		}
	}
	return losses, nil
}

// parameters returns the number of trainable parameters, of which there are
// some once training began.
func (l *learner) parameters() int {
	sum := 0
	for v := range l.store.IterVariables() {
		if v.Trainable {
			sum += v.Shape().Size()
		}
	}
	return sum
}

// evaluate calls a graph function of the trained variables for some inputs, and
// returns its outputs as a flat array.
func (l *learner) evaluate(backend compute.Backend, build func(*model.Scope, []*Node) *Node,
	calls ...[]*tensors.Tensor) (all []float32, err error) {
	exec, err := model.NewExec(backend, l.store, func(_ *model.Scope, in []*Node) *Node {
		return build(l.store.RootScope(), in)
	})
	if err != nil {
		return nil, err
	}
	defer exec.Finalize()
	for _, inputs := range calls {
		args := make([]any, len(inputs))
		for i, t := range inputs {
			args[i] = t
		}
		out, err := exec.Call(args...)
		if err != nil {
			return nil, err
		}
		values, err := tensors.CopyFlatData[float32](out[0])
		if err != nil {
			return nil, err
		}
		all = append(all, values...)
	}
	return all, nil
}

// close frees what is on the device.
func (l *learner) close() {
	l.loop.Close()
	l.store.Finalize()
	for _, t := range l.data {
		t.MustFinalizeAll()
	}
}
