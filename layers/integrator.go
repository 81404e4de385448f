package layers

import (
	"errors"
	"fmt"
	"math"
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
	form          exterior.Form
	backend       compute.Backend
	store         *model.Store
	size          int // of a chunk
	integrate     *model.Exec
	differentiate *model.Exec
	move          *model.Exec
	variables     []*model.Variable
	mu            sync.Mutex
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
	it := &Integrator{form: form, backend: backend, store: store, size: chunk}
	widest, err := it.survey()
	if err != nil {
		return nil, err
	}
	if chunk == 0 {
		it.size = max(chunkNumbers/widest, 256)
	}
	var errs [3]error
	it.integrate, errs[0] = model.NewExec(backend, store, it.values)
	it.differentiate, errs[1] = model.NewExec(backend, store, it.gradients)
	it.move, errs[2] = model.NewExec(backend, store, it.slopes)
	if err := errors.Join(errs[:]...); err != nil {
		it.Finalize()
		return nil, err
	}
	ReportIndices(it.integrate)
	ReportIndices(it.differentiate)
	return it, nil
}

// survey builds the integrals of many simplices, without compiling them. It
// lists the variables that take part and returns how many numbers for each
// simplex the widest node has.
func (it *Integrator) survey() (widest int, err error) {
	const simplices = 1 << 16 // beside which weights are small
	err = exceptions.TryCatch[error](func() {
		g := NewGraph(it.backend, "survey")
		defer g.Finalize()
		model.SetStore(g, it.store)
		exterior.Integrate(it.form, Parameter(g, "vertices", shapes.Make(dtypes.Float32, 1, it.form.Dim)),
			Parameter(g, "simplices", shapes.Make(dtypes.Int32, simplices, it.form.Degree+1)))
		for v := range it.store.IterVariables() {
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
	for _, program := range []*model.Exec{it.integrate, it.differentiate, it.move} {
		if program != nil {
			program.Finalize()
		}
	}
}

// values builds the integrals of a chunk.
func (it *Integrator) values(_ *model.Scope, vertices, simplices *Node) *Node {
	return exterior.Integrate(it.form, vertices, simplices)
}

// gradients builds the gradients over a chunk, added to those before it, from
// the vertices, the simplices and the gradients by their integrals.
func (it *Integrator) gradients(_ *model.Scope, in []*Node) []*Node {
	g := in[0].Graph()
	loss := ReduceAllSum(Mul(exterior.Integrate(it.form, in[0], in[1]), in[2]))
	by := make([]*Node, len(it.variables))
	for i, v := range it.variables {
		by[i] = v.NodeValue(g)
	}
	sums := Gradient(loss, by...)
	for i, before := range in[3:] {
		sums[i] = Add(sums[i], before)
	}
	return sums
}

// slopes builds the gradients over a chunk by the corners of each simplex, from the
// corners [S, k+1, n] and the gradients by their integrals.
func (it *Integrator) slopes(_ *model.Scope, corners, byIntegrals *Node) *Node {
	loss := ReduceAllSum(Mul(exterior.IntegrateCorners(it.form, corners), byIntegrals))
	return Gradient(loss, corners)[0]
}

// Integrate returns the integration matrix [S, ℓ] of the forms, row after
// row, for vertices [V, n] and simplices [S, k+1], vertex numbers in the order
// that orients each simplex. It returns an error for wrong lengths and for indices
// out of range.
func (it *Integrator) Integrate(vertices []float32, simplices []int32) ([]float32, error) {
	count := it.form.Count
	out := make([]float32, len(simplices)/(it.form.Degree+1)*count)
	err := it.chunks(vertices, simplices, false, nil, func(c chunk) error {
		result, err := it.integrate.Call(c.vertices, c.rows)
		if err != nil {
			return err
		}
		defer result[0].MustFinalizeAll()
		return tensors.ConstFlatData(result[0], func(flat []float32) {
			copy(out[c.from*count:c.to*count], flat)
		})
	})
	return out, err
}

// Gradient returns the gradients of a loss by the variables of the forms, from
// its gradient by the integration matrix, byIntegrals [S, ℓ]: each chunk is
// integrated again and its share added, so that memory stays bounded here as
// well. Other arguments and errors are those of Integrate.
func (it *Integrator) Gradient(vertices []float32, simplices []int32, byIntegrals []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	sums := make([]*tensors.Tensor, len(it.variables))
	for i, v := range it.variables {
		sums[i] = tensors.FromShape(v.Shape())
	}
	err := it.chunks(vertices, simplices, true, byIntegrals, func(c chunk) error {
		if len(sums) == 0 {
			return nil
		}
		in := []any{c.vertices, c.rows, c.by}
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
	if err != nil || len(sums) == 0 {
		return nil, err
	}
	out := map[*model.Variable]*tensors.Tensor{}
	for i, v := range it.variables {
		out[v] = sums[i]
	}
	return out, nil
}

// VertexGradient returns the gradient of a loss by the coordinates of the vertices, [V, n], where Gradient
// returns those by the variables; arguments and errors are the same. What simplices contribute to a
// vertex is added up in their order, in float64.
func (it *Integrator) VertexGradient(vertices []float32, simplices []int32, byIntegrals []float32) (
	[]float32, error) {
	n, each := it.form.Dim, it.form.Degree+1
	sums := make([]float64, len(vertices))
	err := it.chunks(vertices, simplices, true, byIntegrals, func(c chunk) error {
		size, chosen := c.rows.Shape().Dimensions[0], simplices[c.from*each:c.to*each]
		coordinates := make([]float32, 0, size*each*n)
		for _, v := range padded(chosen, size*each, chosen[0]) {
			coordinates = append(coordinates, vertices[int(v)*n:(int(v)+1)*n]...)
		}
		corners := tensors.FromFlatDataAndDimensions(coordinates, size, each, n)
		defer corners.MustFinalizeAll()
		slopes, err := it.move.Call(corners, c.by)
		if err != nil {
			return err
		}
		defer slopes[0].MustFinalizeAll()
		return tensors.ConstFlatData(slopes[0], func(flat []float32) {
			for i, v := range chosen {
				for a := range n {
					sums[int(v)*n+a] += float64(flat[i*n+a])
				}
			}
		})
	})
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(sums))
	for i, x := range sums {
		out[i] = float32(x)
	}
	return out, nil
}

// chunk is a part of the simplices, from, …, to-1.
type chunk struct {
	from, to       int
	vertices, rows *tensors.Tensor // of all and of the chunk
	by             *tensors.Tensor // gradients by its integrals, [simplices, ℓ]
}

// chunks calls do for every chunk, with the gradients by its integrals if
// there are any. The last one is filled up with simplices whose corners coincide: their
// integrals are zero, and so are their shares in any gradient. The vertex is one
// that the chunk has already: another, which no simplex uses, need not be finite.
func (it *Integrator) chunks(vertices []float32, simplices []int32, gradient bool, byIntegrals []float32,
	do func(c chunk) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	corners, forms := it.form.Degree+1, it.form.Count
	table, err := it.check(vertices, simplices)
	if err != nil {
		return err
	}
	defer table.MustFinalizeAll()
	count := len(simplices) / corners
	if gradient && len(byIntegrals) != count*forms {
		return fmt.Errorf("layers: %d gradients by integrals, not %d: want one a simplex and form",
			len(byIntegrals), count*forms)
	}
	size := min(it.size, count)
	for from := 0; from < count; from += size {
		c := chunk{from: from, to: min(from+size, count), vertices: table}
		c.rows = tensors.FromFlatDataAndDimensions(
			padded(simplices[from*corners:c.to*corners], size*corners, simplices[from*corners]),
			size, corners)
		if gradient {
			c.by = tensors.FromFlatDataAndDimensions(
				padded(byIntegrals[from*forms:c.to*forms], size*forms, 0), size, forms)
		}
		err := do(c)
		c.rows.MustFinalizeAll()
		if gradient {
			c.by.MustFinalizeAll()
		}
		if err != nil {
			return fmt.Errorf("layers: simplices %d to %d: %w", from, c.to-1, err)
		}
	}
	return nil
}

// padded returns the values, extended to the length by the fill.
func padded[T int32 | float32](values []T, length int, fill T) []T {
	if len(values) == length {
		return values
	}
	out := make([]T, length)
	for i := copy(out, values); i < length; i++ {
		out[i] = fill
	}
	return out
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
