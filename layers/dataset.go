package layers

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// DatasetOptions say how a Dataset cuts complexes into batches.
type DatasetOptions struct {
	Batch    int    // complexes per batch
	Shuffle  bool   // a new random order for every epoch
	Seed     uint32 // of the orders
	DropLast bool   // leave out a last batch with fewer complexes than Batch
}

// Dataset yields padded batches of a collection to a trainer of GoMLX. It
// implements train.Dataset.
//
// The inputs of a batch are the vertices [V, n] float32 and a packed row
// int32: [Unpack] makes a [Batch] of them and of the Spec. Labels are the
// classes [B, 1] int32 and the mask [B] bool, or, where simplices have labels,
// those of the simplices [S, 1] and [S]; of collections with tasks, the
// values [B, tasks] float32, 0 where they are unknown, and the mask [B, tasks]
// bool of those that are known: what the losses of GoMLX take. Shapes are
// computed from the whole collection, so that all parts of it share the two
// programs that a trainer makes at most; where ids repeat large complexes, the
// larger shape grows.
type Dataset struct {
	collection *datasets.Collection
	packer     *packing.Packer
	layouts    [2]*packing.Layout // usual and bound
	specs      [2]*packing.Layout // the same, for vertices instead of rows of a table
	ids        []int32
	options    DatasetOptions

	mu     sync.Mutex // guards all of this: Iter may be called by several goroutines
	random *datasets.Random
}

var _ train.Dataset = (*Dataset)(nil)

// NewDataset returns the batches of the complexes ids (nil: all) of c.
//
// It is an error if c is not valid, if there is no such complex, or if
// DropLast leaves no batch.
func NewDataset(c *datasets.Collection, ids []int32, options DatasetOptions) (*Dataset, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if ids == nil {
		ids = c.IDs()
	}
	if err := packing.CheckIDs(c, ids); err != nil {
		return nil, err
	}
	if options.DropLast && len(ids) < options.Batch {
		return nil, fmt.Errorf("collection %q: %s make no complete batch of %d: "+
			"take smaller batches or keep the last one", c.Name, english.Plural(len(ids), "complex", ""),
			options.Batch)
	}
	packer := packing.New(c)
	usual, bound, err := packer.Budgets(options.Batch)
	if err != nil {
		return nil, err
	}
	d := &Dataset{collection: c, packer: packer, ids: slices.Clone(ids), options: options,
		random: datasets.NewRandom(options.Seed)}
	d.shape(0, usual)
	d.shape(1, bound)
	return d, nil
}

// shape sets the usual shape, 0, or the bound.
func (d *Dataset) shape(i int, budget packing.Budget) {
	d.layouts[i] = d.packer.Layout(budget)
	d.specs[i] = d.layouts[i].WithoutTable()
}

// Name returns the name of the collection, for progress and plots.
func (d *Dataset) Name() string {
	if name := d.collection.Name; len(name) >= 3 { // GoMLX makes its short name of the first three bytes
		return name
	}
	return "collection " + d.collection.Name
}

// Iter returns an epoch: every complex once, in the given order or, shuffled,
// in the next random one.
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

// tensors returns the batch of the complexes ids in the smaller shape that
// they fit.
func (d *Dataset) tensors(ids []int32) (train.Batch, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, shape := d.collection, 0
	if !d.packer.Fits(d.layouts[0].Budget, ids) {
		shape = 1
		// The bound holds every batch of different complexes, but not of one that is in it twice.
		if bound := d.layouts[1].Budget; !d.packer.Fits(bound, ids) {
			d.shape(1, d.packer.Holding(bound, ids))
		}
	}
	layout := d.layouts[shape]
	row := make([]int32, layout.Width())
	if fits, err := d.packer.Pack(layout, ids, row); err != nil || !fits {
		return train.Batch{}, cmp.Or(err, errors.New("a batch does not fit the budget that was made for it"))
	}
	spec := d.specs[shape]
	// The rows come first. Without a table on the device they are replaced by the vertices themselves.
	numbers := row[:layout.Parts[0].Rows]
	vertices := make([]float32, len(numbers)*c.Dim)
	for i, v := range numbers {
		if at := int(v) * c.Dim; at < len(c.Vertices) {
			for j, x := range c.Vertices[at : at+c.Dim] {
				vertices[i*c.Dim+j] = float32(x)
			}
		}
	}
	row = row[len(numbers):]
	return train.Batch{
		Inputs: []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(vertices, len(numbers), c.Dim),
			tensors.FromFlatDataAndDimensions(row, len(row)),
		},
		Labels: d.labels(spec, row, ids),
		Spec:   spec,
	}, nil
}

// labels returns what is learned of the complexes ids, packed in a row, and a mask of
// what is known.
func (d *Dataset) labels(spec *packing.Layout, row, ids []int32) []*tensors.Tensor {
	c, complexes := d.collection, spec.Budget.Complexes
	if k := c.Labeled(); k >= 0 {
		labels := slices.Clone(spec.View(spec.Find(packing.Classes, k), row))
		known := make([]bool, len(labels))
		for i, label := range labels {
			labels[i], known[i] = max(0, label), label >= 0
		}
		return []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(labels, len(labels), 1),
			tensors.FromFlatDataAndDimensions(known, len(labels)),
		}
	}
	if c.Tasks == nil {
		labels, mask := make([]int32, complexes), make([]bool, complexes)
		for i, id := range ids {
			labels[i], mask[i] = c.Labels[id], true
		}
		return []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(labels, complexes, 1),
			tensors.FromFlatDataAndDimensions(mask, complexes),
		}
	}
	tasks := len(c.Tasks)
	values, known := make([]float32, complexes*tasks), make([]bool, complexes*tasks)
	for i, id := range ids {
		for j, y := range c.Targets[int(id)*tasks : int(id+1)*tasks] {
			if !math.IsNaN(float64(y)) {
				values[i*tasks+j], known[i*tasks+j] = y, true
			}
		}
	}
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(values, complexes, tasks),
		tensors.FromFlatDataAndDimensions(known, complexes, tasks),
	}
}
