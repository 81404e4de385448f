package layers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/layers/devices"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// Integrator integrates forms over complexes of any size in bounded memory: a
// compiled program of [exterior.Integrate] processes one chunk of simplices at a
// time, the rest stays on the host. The time per simplex does not depend on their number, whereas one
// graph over millions of simplices exceeds the caches and allocates new memory in
// every call.
//
// Make it with [NewIntegrator] and release its programs with Finalize. Calls run one after another. A program
// is compiled for every number of vertices, and for every complex that is smaller than a chunk.
// [Integrator.Sum] has one program, and keeps neither vertices nor integrals.
type Integrator struct {
	form    exterior.Form
	backend compute.Backend
	size    int // of a chunk
	devices int // each has a chunk at a time

	integrate, differentiate *devices.Program
	sum, differentiateSum    *devices.Program
	variables                []*model.Variable
	mu                       sync.Mutex
}

// chunkNumbers is how many numbers the widest node of a chunk has: a megabyte,
// so that what a chunk needs stays in the caches and is taken from memory that
// the program already has (measured on XLA's CPU: from 4,000 to 30,000 edges
// per chunk the time per edge differs little).
const chunkNumbers = 1 << 18

// NewIntegrator returns an integrator of the forms, whose variables, if any, are in the store, on the first
// devices of a backend, as many as count. It takes chunks of the given number of simplices; 0 chooses a size
// from the widths and the rule. It creates missing variables.
func NewIntegrator(backend compute.Backend, store *model.Store, count int, form exterior.Form, chunk int) (
	*Integrator, error) {
	if form.Dim < 1 || form.Degree < 0 || form.Degree > form.Dim || chunk < 0 {
		return nil, fmt.Errorf("layers: chunks of %d simplices for %d-forms in dimension %d: "+
			"want a size of 0 or more, and a dimension of at least the degree and 1",
			chunk, form.Degree, form.Dim)
	}
	it := &Integrator{form: form, backend: backend, size: chunk, devices: max(1, count)}
	widest, err := it.survey(store)
	if err != nil {
		return nil, err
	}
	if chunk == 0 {
		it.size = max(chunkNumbers/widest, 256)
	}
	integrals := func(_ *model.Scope, in []*Node) []*Node {
		return []*Node{exterior.Integrate(form, in[0], in[1])}
	}
	for _, p := range []struct {
		program **devices.Program
		build   func(*model.Scope, []*Node) []*Node
	}{
		{&it.integrate, integrals}, {&it.differentiate, it.gradients},
		{&it.sum, it.sums}, {&it.differentiateSum, it.sumGradients},
	} {
		if *p.program, err = devices.NewProgram(backend, store, it.devices, p.build); err != nil {
			it.Finalize()
			return nil, err
		}
	}
	return it, nil
}

// survey builds the integrals of many simplices, without compiling them. It
// lists the variables that take part and returns how many numbers for each
// simplex the widest node has.
func (it *Integrator) survey(store *model.Store) (widest int, err error) {
	const simplices = 1 << 16 // beside which weights are small
	err = exceptions.TryCatch[error](func() {
		g := NewGraph(it.backend, "survey")
		defer g.Finalize()
		model.SetStore(g, store)
		exterior.Integrate(it.form, Parameter(g, "vertices", shapes.Make(dtypes.Float32, 1, it.form.Dim)),
			Parameter(g, "simplices", shapes.Make(dtypes.Int32, simplices, it.form.Degree+1)))
		for v := range store.IterVariables() {
			if v.Trainable && v.InUseByGraph(g) {
				it.variables = append(it.variables, v)
			}
		}
		for _, node := range g.Nodes() {
			if node.NumOutputs() == 1 {
				widest = max(widest, node.Shape().Size()/simplices)
			}
		}
	})
	return max(widest, 1), err
}

// Finalize releases the compiled programs.
func (it *Integrator) Finalize() {
	for _, p := range []*devices.Program{it.integrate, it.differentiate, it.sum, it.differentiateSum} {
		if p != nil {
			p.Finalize()
		}
	}
}

// gradients builds the gradients over a chunk, added to those before it, from
// the vertices, the simplices and the gradients by their integrals.
func (it *Integrator) gradients(_ *model.Scope, in []*Node) []*Node {
	loss := ReduceAllSum(Mul(exterior.Integrate(it.form, in[0], in[1]), in[2]))
	return it.added(loss, in[3:])
}

// added builds the gradients of a loss by the variables, added to those before it.
func (it *Integrator) added(loss *Node, before []*Node) []*Node {
	by := make([]*Node, len(it.variables))
	for i, v := range it.variables {
		by[i] = v.NodeValue(loss.Graph())
	}
	sums := Gradient(loss, by...)
	for i := range sums {
		sums[i] = Add(sums[i], before[i])
	}
	return sums
}

// Integrate returns the integration matrix [S, ℓ] of the forms, row after
// row, for vertices [V, n] and simplices [S, k+1], vertex numbers in the order
// that orients each simplex. It returns an error for wrong lengths and for indices
// out of range.
func (it *Integrator) Integrate(vertices []float32, simplices []int32) ([]float32, error) {
	count := it.form.Count
	out := make([]float32, len(simplices)/(it.form.Degree+1)*count)
	err := it.chunks(vertices, simplices, nil, func(at int, in [][]any) error {
		results, err := it.integrate.Call(in...)
		for _, result := range results {
			err = errors.Join(err, tensors.ConstFlatData(result[0], func(flat []float32) {
				at += copy(out[at:], flat)
			}), result[0].FinalizeAll())
		}
		return err
	})
	return out, err
}

// Gradient returns the gradients of a loss by the variables of the forms, from
// its gradient by the integration matrix, byIntegrals [S, ℓ]: each chunk is
// integrated again and its share added, so that memory stays bounded here as
// well. Other arguments and errors are those of Integrate.
func (it *Integrator) Gradient(vertices []float32, simplices []int32, byIntegrals []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if want := len(simplices) / (it.form.Degree + 1) * it.form.Count; len(byIntegrals) != want {
		return nil, fmt.Errorf("layers: %d gradients by integrals, not %d: want one a simplex and form",
			len(byIntegrals), want)
	}
	if len(it.variables) == 0 {
		return nil, nil
	}
	sums := it.newGradients()
	err := it.chunks(vertices, simplices, byIntegrals, func(_ int, in [][]any) error {
		return sums.add(it.differentiate, in)
	})
	if err != nil {
		return nil, err
	}
	return sums.total(it.variables)
}

// chunks calls do for the chunks that the devices integrate over at once, with the place of the first
// integral of the first and the inputs of each device: vertices, simplices, and gradients by the integrals if
// there are any. Where simplices are missing, chunks are filled up with some whose corners coincide: their
// integrals are dropped, and their shares in any gradient are zero. The vertex is one that the complex has
// already: another, which no simplex uses, need not be finite.
func (it *Integrator) chunks(vertices []float32, simplices []int32, byIntegrals []float32,
	do func(at int, in [][]any) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	corners, forms := it.form.Degree+1, it.form.Count
	tables, err := it.check(vertices, simplices)
	if err != nil {
		return err
	}
	defer finalize(tables)
	count := len(simplices) / corners
	size := min(it.size, count)
	for begin := 0; begin < count; begin += size * it.devices {
		in := make([][]any, it.devices)
		var made []*tensors.Tensor
		for d, table := range tables {
			from, to := min(begin+d*size, count), min(begin+(d+1)*size, count)
			own := simplices[from*corners : to*corners]
			made = append(made, filled(own, simplices[begin*corners], size, corners))
			in[d] = []any{table, made[len(made)-1]}
			if byIntegrals != nil {
				made = append(made, filled(byIntegrals[from*forms:to*forms], 0, size, forms))
				in[d] = append(in[d], made[len(made)-1])
			}
		}
		err := do(begin*forms, in)
		finalize(made)
		if err != nil {
			return fmt.Errorf("layers: simplices from %d on: %w", begin, err)
		}
	}
	return nil
}

// finalize frees tensors.
func finalize(all []*tensors.Tensor) {
	for _, t := range all {
		t.MustFinalizeAll()
	}
}

// filled returns rows of values, filled up to the number of rows.
func filled[T int32 | float32](values []T, fill T, rows, columns int) *tensors.Tensor {
	if missing := rows*columns - len(values); missing > 0 {
		values = slices.Concat(values, slices.Repeat([]T{fill}, missing))
	}
	return tensors.FromFlatDataAndDimensions(values, rows, columns)
}

// check returns the vertices as a tensor on each device, or what is wrong.
func (it *Integrator) check(vertices []float32, simplices []int32) (tables []*tensors.Tensor, err error) {
	corners := it.form.Degree + 1
	count := len(vertices) / it.form.Dim
	switch {
	case count == 0 || len(vertices) != count*it.form.Dim || count > math.MaxInt32:
		return nil, fmt.Errorf("layers: %d coordinates of vertices in dimension %d: want a multiple, not 0",
			len(vertices), it.form.Dim)
	case len(simplices)%corners != 0:
		return nil, fmt.Errorf("layers: %d corners of simplices of dimension %d: want a multiple of %d",
			len(simplices), corners-1, corners)
	}
	for i, v := range simplices {
		if v < 0 || int(v) >= count {
			return nil, fmt.Errorf("layers: corner %d of simplex %d is vertex %d: want 0 to %d",
				i%corners, i/corners, v, count-1)
		}
	}
	for d := range it.devices {
		table := tensors.FromFlatDataAndDimensions(vertices, count, it.form.Dim)
		tables = append(tables, table)
		err = errors.Join(err, table.MaterializeOnDevice(it.backend, true, compute.DeviceNum(d)))
	}
	return tables, err
}
