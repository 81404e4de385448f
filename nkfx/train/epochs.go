package train

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// packed is a collection for programs on a device: its vertices are there, and batches are rows of numbers.
type packed struct {
	*packing.Packer
	data  *datasets.Collection
	table *tensors.Tensor // [U+1, n] on the device: the coordinates that occur, and zeros
}

// newPacked puts the vertices of a collection on the device.
func newPacked(backend compute.Backend, data *datasets.Collection, packer *packing.Packer) (*packed, error) {
	table, err := onDevice(backend, shapes.Make(dtypes.Float32, packer.TableRows(), data.Dim),
		packer.Coordinates)
	if err != nil {
		return nil, fmt.Errorf("putting the vertices of %q on the device: %w", data.Name, err)
	}
	return &packed{packer, data, table}, nil
}

// onDevice returns a tensor on the device, zeros before write writes to it. Where the host reaches the memory
// of the device, the numbers are never held twice.
func onDevice[T int32 | float32](backend compute.Backend, shape shapes.Shape, write func([]T)) (
	*tensors.Tensor, error) {
	t, err := tensors.FromShapeForBackend(backend, 0, shape)
	if err != nil {
		return nil, err
	}
	err = errors.Join(tensors.MutableFlatData(t, write), t.MaterializeOnDevice(backend, true, 0))
	if err != nil {
		t.MustFinalizeAll()
		return nil, err
	}
	return t, nil
}

// reading builds something on a batch of each layout and vertices of that shape, and returns the layouts
// without the parts that none of them reads: these are neither packed nor sent. The variables of all that is
// built exist afterwards.
func reading(backend compute.Backend, store *model.Store, vertices shapes.Shape,
	build func(*layers.Batch) *Node, all ...*packing.Layout) (out []*packing.Layout) {
	var unread []int
	for i, layout := range all {
		g := NewGraph(backend, "declare")
		model.SetStore(g, store)
		batch := layers.Unpack(layout, []*Node{Parameter(g, "vertices", vertices),
			Parameter(g, "batch", shapes.Make(dtypes.Int32, layout.Width()))})
		build(batch)
		parts := batch.Unread()
		if i == 0 {
			unread = parts
		}
		unread = slices.DeleteFunc(unread, func(part int) bool { return !slices.Contains(parts, part) })
		g.Finalize()
	}
	for _, layout := range all {
		out = append(out, layout.Without(unread...))
	}
	return out
}

// maxRows bounds the numbers of the batches that are on the device at once: 64 MB.
const maxRows = 1 << 24

// Epochs trains on batches of a collection, with a [Loop] for each of the few sizes that they are padded to.
// The model is in a store, as with a Loop.
type Epochs struct {
	data     *packed
	size     int // complexes in a batch
	layouts  []*packing.Layout
	runs     map[*packing.Layout]*run
	building *sync.Mutex  // held while a graph with the variables of the store is built
	compiled int          // programs
	steps    atomic.Int64 // of the epoch
	trained  atomic.Int64 // of them
}

// NewEpochs returns epochs of batches of batch complexes that minimize a loss, a scalar that the function
// loss builds of a batch with variables below scope: usually Loss of an [Objective]. It is an error if the
// data are not valid or are fewer than a batch.
func NewEpochs(backend compute.Backend, store *model.Store, opt optimizer.Interface,
	data *datasets.Collection, batch int, loss func(scope *model.Scope, batch *layers.Batch) *Node) (*Epochs,
	error) {
	if err := data.Validate(); err != nil {
		return nil, err
	}
	if data.Len() < batch {
		return nil, fmt.Errorf("batches of %d complexes: there are only %d; use fewer", batch, data.Len())
	}
	packer := packing.Distinct(data, maxDistinct)
	layouts, err := packer.Layouts(batch)
	if err != nil {
		return nil, err
	}
	own, err := newPacked(backend, data, packer)
	if err != nil {
		return nil, err
	}
	var e *Epochs
	err = guard(func() (err error) {
		e, err = newEpochs(backend, store, opt, own, batch, data.Len()/batch, layouts, loss)
		return err
	})
	if err != nil {
		own.table.MustFinalizeAll()
	}
	return e, err
}

// Close frees the programs and the vertices on the device. The store keeps its values.
func (e *Epochs) Close() {
	e.close()
	e.data.table.MustFinalizeAll()
}

// newEpochs makes the loops for batches of those layouts, up to steps at once. Batches past the first layout
// are rare and run one at a time.
func newEpochs(backend compute.Backend, store *model.Store, opt optimizer.Interface, data *packed, size,
	steps int, layouts []*packing.Layout, loss func(scope *model.Scope, batch *layers.Batch) *Node) (
	e *Epochs, err error) {
	e = &Epochs{data: data, size: size, runs: map[*packing.Layout]*run{}, building: &sync.Mutex{}}
	e.layouts = reading(backend, store, data.table.Shape(), func(batch *layers.Batch) *Node {
		g := batch.Mask().Graph()
		store.SetTraining(g, true)
		out := loss(store.RootScope(), batch)
		opt.UpdateGraph(store.RootScope(), g, out)
		return out
	}, layouts...)
	for i, layout := range e.layouts {
		steps := max(1, min(steps, maxRows/layout.Width()))
		if i > 0 {
			steps = 1
		}
		step := func(scope *model.Scope, batch, data []*Node) *Node {
			e.compiled++
			v := optimizer.LearningRateVar(scope, dtypes.Float32, 0)
			v.SetNodeValue(ConvertDType(batch[1], v.DType()))
			return loss(scope, layers.Unpack(layout, []*Node{data[0], batch[0]}))
		}
		r := &run{rates: tensors.FromShape(shapes.Make(dtypes.Float32, steps))}
		e.runs[layout] = r
		if r.loop, err = NewLoop(backend, store, opt, step, data.table); err != nil {
			return e, err
		}
		r.loop.building = e.building
		// Where the device reads them.
		r.batches, err = onDevice(backend, shapes.Make(dtypes.Int32, steps, layout.Width()), func([]int32) {})
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// close frees the programs and their tables.
func (e *Epochs) close() {
	for _, r := range e.runs {
		r.close()
	}
}

// Run trains on the complexes in the given order, cut into batches; a last batch that is not full is dropped.
// rate gives the learning rate of each step of this epoch, from 0, in place of that of the optimizer. It
// returns the mean loss of the steps.
func (e *Epochs) Run(order []int32, rate func(step int) float64) (mean float64, err error) {
	steps := len(order) / e.size
	e.trained.Store(0)
	e.steps.Store(int64(steps))
	var now *run
	sum, step := 0.0, 0
	for batch, err := range e.data.Batches(slices.Chunk(order[:steps*e.size], e.size), e.layouts...) {
		if err != nil {
			return 0, err
		}
		r := e.runs[batch.Layout]
		if r != now || r.full() {
			loss, err := now.train()
			if err != nil {
				return 0, err
			}
			sum, now = sum+loss, r
			e.trained.Store(int64(step))
		}
		if err := r.add(batch.Row, rate(step)); err != nil {
			return 0, err
		}
		step++
	}
	loss, err := now.train()
	return (sum + loss) / float64(max(1, steps)), err
}

// share returns the share of the epoch that was trained.
func (e *Epochs) share() float64 { return float64(e.trained.Load()) / float64(max(1, e.steps.Load())) }

// run is a loop over steps whose batches have one layout.
type run struct {
	loop    *Loop
	batches *tensors.Tensor // [most steps, width], a row a step
	rates   *tensors.Tensor // [most steps]
	steps   int             // to be trained
}

// full reports whether there is room for no other step.
func (r *run) full() bool { return r.steps == r.rates.Shape().Size() }

// add adds a step.
func (r *run) add(row []int32, rate float64) error {
	err := errors.Join(
		tensors.MutableFlatData(r.batches, func(table []int32) { copy(table[r.steps*len(row):], row) }),
		tensors.MutableFlatData(r.rates, func(rates []float32) { rates[r.steps] = float32(rate) }))
	r.steps++
	return err
}

// train trains the steps that were added, and returns the sum of their losses.
func (r *run) train() (loss float64, err error) {
	if r == nil || r.steps == 0 {
		return 0, nil
	}
	defer func() { r.steps = 0 }()
	return r.loop.run(r.steps, r.batches, r.rates)
}

// compile compiles the program.
func (r *run) compile() error { return r.loop.compile(r.batches, r.rates) }

// close frees the program and the tables.
func (r *run) close() {
	if r.loop != nil {
		r.loop.Close()
	}
	if r.batches != nil {
		r.batches.MustFinalizeAll()
	}
	r.rates.MustFinalizeAll()
}
