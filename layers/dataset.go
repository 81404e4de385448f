package layers

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// DatasetOptions are the options of a Dataset.
type DatasetOptions struct {
	Batch   int    // complexes per batch
	Shuffle bool   // a new random order for every epoch
	Seed    uint32 // of the orders
	// Devices is in how many rows of one layout a batch is packed: a part of the batch for each device, see
	// [Dataset.Distributed]. Of two or more, Unpack makes the whole batch again. 0 counts as 1.
	Devices int
}

// Dataset yields padded batches of a collection to a trainer of GoMLX. It
// implements train.Dataset.
//
// The inputs of a batch are the vertices [V, n] float32 and a packed row int32: [Unpack] makes a [Batch] of
// them and of the Spec. Labels are the classes [B, 1] int32 and the mask [B] bool, or, where simplices have
// labels, those of the simplices [S, 1] and [S]; for collections with tasks, the values [B, tasks] float32, 0
// where they are unknown, and the mask [B, tasks] bool of the known ones, in the form of GoMLX's losses. In
// batches of several rows, their vertices and labels follow each other, and each row has one more complex,
// which the mask drops. Shapes are computed from the whole collection, so that all parts of it share the two
// programs that a trainer makes at most.
type Dataset struct {
	collection *datasets.Collection
	layouts    [2]*packing.Layout // usual and bound
	ids        []int32
	options    DatasetOptions
	rows       *distributed.ShardingSpec // a row of a batch for each device

	mu     sync.Mutex // guards what follows: Iter may be called by several goroutines
	packer *packing.Packer
	random *datasets.Random
}

var _ train.Dataset = (*Dataset)(nil)

// NewDataset returns the batches of the complexes ids of c, all different (nil: all).
//
// It is an error if c is not valid or if there is no such complex.
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
	options.Devices = max(1, options.Devices)
	if options.Batch > 0 && options.Devices > options.Batch {
		return nil, fmt.Errorf("%d devices for batches of %d complexes: want one or more for each",
			options.Devices, options.Batch)
	}
	packer := packing.New(c)
	usual, bound, err := packer.Budgets((options.Batch + options.Devices - 1) / options.Devices)
	if err != nil {
		return nil, err
	}
	mesh, err := distributed.NewDeviceMesh([]int{options.Devices}, []string{"rows"})
	if err != nil {
		return nil, err
	}
	rows, err := distributed.BuildSpec(mesh).S("rows").Done()
	if err != nil {
		return nil, err
	}
	layouts := [2]*packing.Layout{packer.Layout(usual).WithoutTable(), packer.Layout(bound).WithoutTable()}
	return &Dataset{collection: c, layouts: layouts, ids: slices.Clone(ids), options: options, rows: rows,
		packer: packer, random: datasets.NewRandom(options.Seed)}, nil
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
			batch, err := d.batch(ids)
			if !yield(batch, err) || err != nil {
				return
			}
		}
	}
}

// batch returns the batch of the complexes ids in the smaller shape that
// they fit.
func (d *Dataset) batch(ids []int32) (train.Batch, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var parts [][]int32
	for i := range d.options.Devices {
		n := d.options.Devices
		parts = append(parts, ids[i*len(ids)/n:(i+1)*len(ids)/n])
	}
	for _, layout := range d.layouts {
		if rows, err := d.pack(layout, parts); err != nil {
			return train.Batch{}, err
		} else if rows != nil {
			return d.tensors(layout, parts, rows), nil
		}
	}
	return train.Batch{}, fmt.Errorf("collection %q: no batch of different complexes is as large as that of "+
		"%d", d.collection.Name, ids)
}

// pack returns the rows of the parts of a batch, or nil if they do not fit the layout.
func (d *Dataset) pack(layout *packing.Layout, parts [][]int32) ([]int32, error) {
	width := layout.Width()
	rows := make([]int32, len(parts)*width)
	for i, ids := range parts {
		if fits, err := d.packer.Pack(layout, ids, rows[i*width:(i+1)*width]); err != nil || !fits {
			return nil, err
		}
	}
	return rows, nil
}

// tensors returns the batch of parts that were packed.
func (d *Dataset) tensors(layout *packing.Layout, parts [][]int32, packed []int32) train.Batch {
	rows, n, width := layout.Budget.Rows[0], d.collection.Dim, layout.Width()
	vertices := make([]float32, 0, len(parts)*rows*n)
	var labels known
	for i, ids := range parts {
		for _, id := range ids {
			vertices = append(vertices, packing.Round(d.collection.Points(int(id)))...)
		}
		vertices = vertices[:(i+1)*rows*n]
		labels.add(d, layout, packed[i*width:(i+1)*width], ids)
	}
	row := tensors.FromFlatDataAndDimensions(packed, len(packed))
	if len(parts) > 1 {
		row = tensors.FromFlatDataAndDimensions(packed, len(parts), width)
	}
	return train.Batch{
		Inputs: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(vertices, len(parts)*rows, n), row},
		Labels: labels.tensors(max(1, len(d.collection.Tasks))),
		Spec:   layout,
	}
}

// known is what is learned of a batch, row after row, values or classes, and a mask of what is known.
type known struct {
	values  []float32 // of tasks; nil of classes
	classes []int32
	mask    []bool
}

// add appends what is learned of the complexes ids, packed in a row of a layout.
func (k *known) add(d *Dataset, layout *packing.Layout, row, ids []int32) {
	c, complexes := d.collection, layout.Budget.Complexes
	if d.options.Devices > 1 {
		complexes++ // the one that owns the padding
	}
	if tasks := len(c.Tasks); c.Tasks != nil {
		values, mask := make([]float32, complexes*tasks), make([]bool, complexes*tasks)
		for i, id := range ids {
			for j, y := range c.Targets[int(id)*tasks : int(id+1)*tasks] {
				if !math.IsNaN(float64(y)) {
					values[i*tasks+j], mask[i*tasks+j] = y, true
				}
			}
		}
		k.values, k.mask = append(k.values, values...), append(k.mask, mask...)
		return
	}
	classes := slices.Repeat([]int32{-1}, complexes)
	for i, id := range ids {
		classes[i] = c.Labels[id]
	}
	if degree := c.Labeled(); degree >= 0 {
		classes = layout.View(layout.Find(packing.Classes, degree), row)
	}
	for _, class := range classes {
		k.classes, k.mask = append(k.classes, max(0, class)), append(k.mask, class >= 0)
	}
}

// tensors returns values or classes, and the mask.
func (k *known) tensors(tasks int) []*tensors.Tensor {
	if k.classes == nil {
		return []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(k.values, len(k.values)/tasks, tasks),
			tensors.FromFlatDataAndDimensions(k.mask, len(k.mask)/tasks, tasks),
		}
	}
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(k.classes, len(k.classes), 1),
		tensors.FromFlatDataAndDimensions(k.mask, len(k.mask)),
	}
}
