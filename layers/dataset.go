package layers

import (
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// Dataset yields padded batches of a collection to a trainer of GoMLX: it is a
// Dataset of GoMLX's package ml/train.
//
// The inputs of a batch are the vertices [V, n] float32 and a packed row int32: [Unpack] makes a [Batch] of
// them and of the Spec. Labels are the classes [B, 1] int32 and the mask [B] bool; for collections with
// tasks, the values [B, tasks] float32, 0 where they are unknown, and the mask [B, tasks] bool of the known
// ones, in the form of GoMLX's losses. Shapes are computed from the whole collection, so that all parts of it
// share the programs that a trainer makes, three at most.
type Dataset struct {
	collection *datasets.Collection
	packer     *packing.Packer // cloned by epochs
	layouts    []*packing.Layout
	ids        []int32
	size       int // complexes per batch

	mu     sync.Mutex       // guards random: Iter may be called by several goroutines
	random *datasets.Random // of orders; nil: none
}

var _ train.Dataset = (*Dataset)(nil)

// NewDataset returns batches of batch complexes each from the complexes ids of c, all different (nil:
// all). Every epoch has an order that is drawn from random; nil keeps them in the given order.
//
// It is an error if c is not valid or if there is no such complex.
func NewDataset(c *datasets.Collection, ids []int32, batch int, random *datasets.Random) (*Dataset, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if ids == nil {
		ids = c.IDs()
	}
	if err := packing.CheckIDs(c, ids); err != nil {
		return nil, err
	}
	packer := packing.New(c)
	layouts, err := packer.Layouts(batch)
	if err != nil {
		return nil, err
	}
	for i, layout := range layouts {
		layouts[i] = layout.WithoutTable()
	}
	return &Dataset{collection: c, packer: packer, layouts: layouts, ids: slices.Clone(ids), size: batch,
		random: random}, nil
}

// Name returns the name of the collection, for progress and plots.
func (d *Dataset) Name() string {
	if name := d.collection.Name; len(name) >= 3 { // GoMLX makes its short name of the first three bytes
		return name
	}
	return "collection " + d.collection.Name
}

// Iter returns an epoch: every complex once.
//
// Tensors are fresh in every batch, because a trainer consumes them.
func (d *Dataset) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		order := slices.Clone(d.ids)
		if d.random != nil {
			d.mu.Lock()
			d.random.Shuffle(order)
			d.mu.Unlock()
		}
		packer := d.packer.Clone()
		for batch, err := range packer.Batches(slices.Chunk(order, d.size), d.layouts...) {
			if err != nil {
				yield(train.Batch{}, err)
				return
			}
			if !yield(toTensors(d.collection, packer.Vertices(batch), batch), nil) {
				return
			}
		}
	}
}

// toTensors returns a packed batch with its vertices.
func toTensors(data *datasets.Collection, vertices []float32, b packing.Batch) train.Batch {
	labels := classes
	if data.Tasks != nil {
		labels = values
	}
	return train.Batch{
		Inputs: []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(vertices, len(vertices)/data.Dim, data.Dim),
			tensors.FromFlatDataAndDimensions(b.Row, len(b.Row)),
		},
		Labels: labels(data, b.Layout.Budget.Complexes, b.IDs),
		Spec:   b.Layout,
	}
}

// values returns the values of the tasks of a number of complexes with padding, and a mask of those that are
// known.
func values(data *datasets.Collection, complexes int, ids []int32) []*tensors.Tensor {
	tasks := len(data.Tasks)
	values, mask := make([]float32, complexes*tasks), make([]bool, complexes*tasks)
	for i, id := range ids {
		for j, y := range data.Targets[int(id)*tasks : int(id+1)*tasks] {
			if !math.IsNaN(float64(y)) {
				values[i*tasks+j], mask[i*tasks+j] = y, true
			}
		}
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, complexes, tasks),
		tensors.FromFlatDataAndDimensions(mask, complexes, tasks)}
}

// classes returns the classes of a number of complexes with padding, and a mask of those that are none.
func classes(data *datasets.Collection, complexes int, ids []int32) []*tensors.Tensor {
	classes, mask := make([]int32, complexes), make([]bool, complexes)
	for i, id := range ids {
		classes[i], mask[i] = data.Labels[id], true
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(classes, complexes, 1),
		tensors.FromFlatDataAndDimensions(mask, complexes)}
}
