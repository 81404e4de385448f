package layers

import (
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

	"github.com/neuralkforms/nkf/layers/exterior"
)

// Integrator integrates forms over complexes of any size in bounded memory: a
// compiled program of [exterior.Integrate] processes one chunk of simplices at a
// time, the rest stays on the host. The time per simplex does not depend on their number, whereas one
// graph over millions of simplices exceeds the caches and allocates new memory in
// every call.
//
// Make it with [NewIntegrator] and release its programs with Finalize. Calls
// run one after another. There is a program for every number of vertices, and
// for every complex that is smaller than a chunk.
type Integrator struct {
	form                     exterior.Form
	backend                  compute.Backend
	size                     int // of a chunk
	integrate, differentiate *model.Exec
	variables                []*model.Variable
	mu                       sync.Mutex
}

// chunkNumbers is how many numbers the widest node of a chunk has: a megabyte,
// so that what a chunk needs stays in the caches and is taken from memory that
// the program already has (measured on XLA's CPU: from 4,000 to 30,000 edges
// per chunk the time per edge differs little).
const chunkNumbers = 1 << 18

// NewIntegrator returns an integrator of the forms, whose variables, if any, are
// in the store, for chunks of the given number of simplices; 0 chooses a size from
// the widths and the rule. It creates missing variables.
func NewIntegrator(backend compute.Backend, store *model.Store, form exterior.Form, chunk int) (
	*Integrator, error) {
	if form.Dim < 1 || form.Degree < 0 || form.Degree > form.Dim || chunk < 0 {
		return nil, fmt.Errorf("layers: chunks of %d simplices for %d-forms in dimension %d: "+
			"want a size of 0 or more, and a dimension of at least the degree and 1",
			chunk, form.Degree, form.Dim)
	}
	it := &Integrator{form: form, backend: backend, size: chunk}
	widest, err := it.survey(store)
	if err != nil {
		return nil, err
	}
	if chunk == 0 {
		it.size = max(chunkNumbers/widest, 256)
	}
	it.integrate, err = model.NewExec(backend, store, func(_ *model.Scope, vertices, simplices *Node) *Node {
		return exterior.Integrate(form, vertices, simplices)
	})
	if err != nil {
		return nil, err
	}
	if it.differentiate, err = model.NewExec(backend, store, it.gradients); err != nil {
		it.integrate.Finalize()
		return nil, err
	}
	ReportIndices(it.integrate)
	ReportIndices(it.differentiate)
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
	it.integrate.Finalize()
	it.differentiate.Finalize()
}

// gradients builds the gradients over a chunk, added to those before it, from
// the vertices, the simplices and the gradients by their integrals.
func (it *Integrator) gradients(_ *model.Scope, in []*Node) []*Node {
	loss := ReduceAllSum(Mul(exterior.Integrate(it.form, in[0], in[1]), in[2]))
	by := make([]*Node, len(it.variables))
	for i, v := range it.variables {
		by[i] = v.NodeValue(in[0].Graph())
	}
	sums := Gradient(loss, by...)
	for i, before := range in[3:] {
		sums[i] = Add(sums[i], before)
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
	err := it.chunks(vertices, simplices, nil, func(from, to int, in []any) error {
		result, err := it.integrate.Call(in...)
		if err != nil {
			return err
		}
		defer result[0].MustFinalizeAll()
		return tensors.ConstFlatData(result[0], func(flat []float32) { copy(out[from*count:to*count], flat) })
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
	sums := make([]*tensors.Tensor, len(it.variables))
	for i, v := range it.variables {
		sums[i] = tensors.FromShape(v.Shape())
	}
	err := it.chunks(vertices, simplices, byIntegrals, func(_, _ int, in []any) error {
		for _, sum := range sums {
			in = append(in, sum)
		}
		next, err := it.differentiate.Call(in...)
		if err == nil {
			for i, sum := range sums {
				sum.MustFinalizeAll()
				sums[i] = next[i]
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := map[*model.Variable]*tensors.Tensor{}
	for i, v := range it.variables {
		out[v] = sums[i]
	}
	return out, nil
}

// chunks calls do for every chunk, simplices from, …, to-1, with its inputs: vertices, simplices, and
// gradients by the integrals if there are any. The last chunk is filled up with simplices whose corners
// coincide: their integrals are zero, and so are their shares in any gradient. The vertex is one
// that the chunk has already: another, which no simplex uses, need not be finite.
func (it *Integrator) chunks(vertices []float32, simplices []int32, byIntegrals []float32,
	do func(from, to int, in []any) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	corners, forms := it.form.Degree+1, it.form.Count
	table, err := it.check(vertices, simplices)
	if err != nil {
		return err
	}
	defer table.MustFinalizeAll()
	count := len(simplices) / corners
	size := min(it.size, count)
	for from := 0; from < count; from += size {
		to := min(from+size, count)
		in := []any{table, filled(simplices[from*corners:to*corners], simplices[from*corners], size, corners)}
		if byIntegrals != nil {
			in = append(in, filled(byIntegrals[from*forms:to*forms], 0, size, forms))
		}
		err := do(from, to, in)
		for _, x := range in[1:] {
			x.(*tensors.Tensor).MustFinalizeAll()
		}
		if err != nil {
			return fmt.Errorf("layers: simplices %d to %d: %w", from, to-1, err)
		}
	}
	return nil
}

// filled returns rows of values, filled up to the number of rows.
func filled[T int32 | float32](values []T, fill T, rows, columns int) *tensors.Tensor {
	if missing := rows*columns - len(values); missing > 0 {
		values = slices.Concat(values, slices.Repeat([]T{fill}, missing))
	}
	return tensors.FromFlatDataAndDimensions(values, rows, columns)
}

// check returns the vertices as a tensor, or what is wrong.
func (it *Integrator) check(vertices []float32, simplices []int32) (*tensors.Tensor, error) {
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
	table := tensors.FromFlatDataAndDimensions(vertices, count, it.form.Dim)
	return table, table.MaterializeOnDevice(it.backend, true, 0)
}
