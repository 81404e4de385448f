package datasets

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

// Options say how a Dataset cuts complexes into batches.
type Options struct {
	Name     string // shown in progress and plots; the collection's name if empty
	Batch    int    // complexes per batch
	Shuffle  bool   // a new random order for every epoch
	Seed     uint32 // of the orders
	DropLast bool   // leave out a last batch with fewer complexes than Batch
	// Usual and Bound are the shapes of batches, as from Budgets. Left zero, they are computed from the whole
	// collection, so all folds of it share compiled programs.
	Usual, Bound Budget
}

// Dataset yields padded batches of a collection to a trainer of GoMLX. It implements train.Dataset.
//
// Inputs of a batch with budget [C, V, S] are the vertices [V, n] float32, the simplices [S, k+1] int32, the
// place in the batch of every simplex's complex [S] int32 and of every vertex's complex [V] int32, as in
// Batch; where there are several, the kinds of the simplices [S] int32; and last the mask [C] bool, false for
// padding, for layers that make statistics of a batch, such as layers.BatchNorm. Labels are the classes
// [C, 1] int32 and the same mask; of collections with tasks, the values [C, tasks] float32, 0 where they are
// unknown, and the mask [C, tasks] bool of those that are known: what the losses of GoMLX take. The Spec is
// the Budget, so a trainer makes at most two programs, and a model function that takes its spec knows C.
type Dataset struct {
	collection *Collection
	ids        []int32
	options    Options

	mu     sync.Mutex // guards random: Iter may be called by several goroutines
	random *Random
}

var _ train.Dataset = (*Dataset)(nil)

// NewDataset returns the batches of the complexes ids (nil: all) of c.
//
// It is an error if c is not valid, if there is no such complex, if DropLast leaves no batch, or if complexes
// may not fit the Bound.
func NewDataset(c *Collection, ids []int32, options Options) (*Dataset, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if ids == nil {
		ids = everyID(c)
	}
	if err := checkIDs(c, ids); err != nil {
		return nil, err
	}
	if options.DropLast && len(ids) < options.Batch {
		return nil, fmt.Errorf("collection %q: %s make no complete batch of %d: "+
			"take smaller batches or keep the last one", c.Name, english.Plural(len(ids), "complex", ""),
			options.Batch)
	}
	if options.Usual == (Budget{}) && options.Bound == (Budget{}) {
		var err error
		if options.Usual, options.Bound, err = Budgets(c, nil, options.Batch); err != nil {
			return nil, err
		}
	}
	_, need, err := Budgets(c, ids, options.Batch)
	if err != nil {
		return nil, err
	}
	if bound := options.Bound; need.Complexes > bound.Complexes || need.Vertices > bound.Vertices ||
		need.Simplices > bound.Simplices {
		return nil, noFit(c, options.Batch, bound)
	}
	if options.Name == "" {
		options.Name = c.Name
	}
	if len(options.Name) < 3 { // GoMLX makes its short name of the first three bytes
		options.Name = "collection " + options.Name
	}
	random := NewRandom(options.Seed)
	return &Dataset{collection: c, ids: slices.Clone(ids), options: options, random: random}, nil
}

// Name returns the name for progress and plots.
func (d *Dataset) Name() string { return d.options.Name }

// Iter returns an epoch: every complex once, in the given order or, shuffled, in the next random one.
//
// Tensors are fresh in every batch, because a trainer consumes them.
func (d *Dataset) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		order := slices.Clone(d.ids)
		if d.options.Shuffle {
			d.mu.Lock()
			d.random.Shuffle(order)
			d.mu.Unlock()
		}
		for ids := range slices.Chunk(order, d.options.Batch) {
			if d.options.DropLast && len(ids) < d.options.Batch {
				return
			}
			batch, err := d.tensors(ids)
			if !yield(batch, err) || err != nil {
				return
			}
		}
	}
}

// tensors returns the batch of the complexes ids in the smaller shape that they fit.
func (d *Dataset) tensors(ids []int32) (train.Batch, error) {
	c := d.collection
	budget, err := firstFit(c, ids, d.options.Usual, d.options.Bound)
	if err != nil {
		return train.Batch{}, err
	}
	batch := NewBatch(c, budget)
	if err := batch.Pack(c, ids); err != nil {
		return train.Batch{}, err
	}
	vertices := make([]float32, budget.Vertices*c.Dim)
	if err := batch.Coordinates(c, vertices); err != nil {
		return train.Batch{}, err
	}
	out := train.Batch{
		Inputs: []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(vertices, budget.Vertices, c.Dim),
			tensors.FromFlatDataAndDimensions(batch.Simplices, budget.Simplices, c.Degree+1),
			tensors.FromFlatDataAndDimensions(batch.SimplexOf, budget.Simplices),
			tensors.FromFlatDataAndDimensions(batch.VertexOf, budget.Vertices),
		},
		Labels: []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(batch.Labels, budget.Complexes, 1),
			tensors.FromFlatDataAndDimensions(batch.Mask, budget.Complexes),
		},
		Spec: budget,
	}
	if c.SimplexTypes != nil {
		types := tensors.FromFlatDataAndDimensions(batch.SimplexTypes, budget.Simplices)
		out.Inputs = append(out.Inputs, types)
	}
	// A tensor of its own: a trainer consumes inputs and labels each.
	out.Inputs = append(out.Inputs, tensors.FromFlatDataAndDimensions(batch.Mask, budget.Complexes))
	if c.Tasks != nil {
		known := make([]bool, len(batch.Targets))
		for i, y := range batch.Targets {
			if known[i] = !math.IsNaN(float64(y)); !known[i] {
				batch.Targets[i] = 0
			}
		}
		out.Labels = []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(batch.Targets, budget.Complexes, len(c.Tasks)),
			tensors.FromFlatDataAndDimensions(known, budget.Complexes, len(c.Tasks)),
		}
	}
	return out, nil
}
