package layers

import (
	"errors"
	"fmt"
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

// Integrator integrates forms over complexes of any size in bounded memory: a compiled program processes one
// chunk of at most 65,552 simplices at a time, the rest stays on the host. The time per simplex does not
// depend on their number. What does not fill a chunk is filled up to the next of some smaller sizes: by at
// most 13 % if it is a quarter of a chunk or more, and 26 % if it is a sixteenth or more.
//
// Vertices and simplices may be memory-mapped files. [Integrator.Sum] and [Integrator.SumGradient] keep no
// integrals; sums over the parts of a complex add up to those over the whole.
//
// Make it with [NewIntegrator] and release its programs, one for integrals and one for gradients of each
// size, with Finalize. Calls run one after another.
type Integrator struct {
	form    exterior.Form
	backend compute.Backend
	f       func(integrals *Node) *Node
	columns int // of f
	size    int // of a chunk

	integrate, differentiate *model.Exec
	variables                []*model.Variable
	full, last               inputs // of full chunks, and of others
	mu                       sync.Mutex
}

// chunkSimplices is the number of simplices in a chunk: the least, see [Integrator.fit], that
// [exterior.IntegrateCorners] cuts into blocks that fit into the caches. It is a variable for tests.
var chunkSimplices = 1<<16 + 16

// NewIntegrator returns an integrator of the forms, whose variables, if any, are in the store. Its results
// are those of a function f from integrals [S, ℓ] to [S, m], row by row, as in [exterior.SumOver], or the
// integrals if f is nil. It creates missing variables.
func NewIntegrator(backend compute.Backend, store *model.Store, form exterior.Form,
	f func(integrals *Node) *Node) (*Integrator, error) {
	if backend == nil || store == nil {
		return nil, errors.New("layers: backend and store cannot be nil: a store may be empty")
	}
	if form.Dim < 1 || form.Degree < 0 || form.Degree > form.Dim {
		return nil, fmt.Errorf("layers: %d-forms in dimension %d: want a dimension of at least the degree "+
			"and 1", form.Degree, form.Dim)
	}
	if f == nil {
		f = func(integrals *Node) *Node { return integrals }
	}
	it := &Integrator{form: form, backend: backend, f: f, size: chunkSimplices}
	var err error
	it.integrate, err = model.NewExec(backend, store,
		func(_ *model.Scope, in []*Node) *Node { return f(exterior.IntegrateCorners(form, in[0])) })
	if err == nil {
		it.differentiate, err = model.NewExec(backend, store, it.gradients)
	}
	if err == nil {
		err = it.survey(store)
	}
	if err != nil {
		it.Finalize()
		return nil, err
	}
	return it, nil
}

// survey lists the variables that take part in the integrals over some simplices, and counts the columns of
// f, without compiling.
func (it *Integrator) survey(store *model.Store) error {
	failure := exceptions.Try(func() {
		g := NewGraph(it.backend, "survey")
		defer g.Finalize()
		model.SetStore(g, store)
		const simplices = 1 << 12
		rows := it.f(exterior.IntegrateCorners(it.form, Parameter(g, "corners",
			shapes.Make(dtypes.Float32, simplices, it.form.Degree+1, it.form.Dim))))
		if rows.Rank() != 2 || rows.Shape().Dimensions[0] != simplices {
			exceptions.Panicf("layers: f of integrals [%d, %d] is %s: want [%d, m]", simplices, it.form.Count,
				rows.Shape(), simplices)
		}
		it.columns = rows.Shape().Dimensions[1]
		for v := range store.IterVariables() {
			if v.Trainable && v.InUseByGraph(g) {
				it.variables = append(it.variables, v)
			}
		}
	})
	if err, ok := failure.(error); ok || failure == nil {
		return err
	}
	return fmt.Errorf("layers: %v", failure) // a form of the caller's own may panic with anything
}

// Finalize releases the compiled programs, once a call that runs has ended. Later calls return errors.
func (it *Integrator) Finalize() {
	it.mu.Lock()
	defer it.mu.Unlock()
	for _, p := range []*model.Exec{it.integrate, it.differentiate} {
		if p != nil {
			p.Finalize()
		}
	}
	it.integrate, it.differentiate = nil, nil
	it.full.free()
	it.last.free()
}

// gradients builds a weighted sum of the rows over a chunk and its gradients by the variables, added to those
// before it, from the corners and the weights of the rows.
func (it *Integrator) gradients(_ *model.Scope, in []*Node) []*Node {
	sum := exterior.SumOverCorners(it.form, in[0], in[1], it.f)
	by := make([]*Node, len(it.variables))
	for i, v := range it.variables {
		by[i] = v.NodeValue(sum.Graph())
	}
	out := []*Node{sum}
	if len(by) > 0 {
		for i, gradient := range Gradient(sum, by...) {
			out = append(out, Add(gradient, in[2+i]))
		}
	}
	return out
}

// Integrate returns the integration matrix [S, ℓ] of the forms, or f of it, row after row, for vertices
// [V, n] and simplices [S, k+1], vertex numbers in the order that orients each simplex. It returns an error
// for wrong lengths and for indices out of range.
func (it *Integrator) Integrate(vertices []float32, simplices []int32) ([]float32, error) {
	out := make([]float32, 0, len(simplices)/(it.form.Degree+1)*it.columns)
	err := it.integrals(vertices, simplices, func(rows []float32) { out = append(out, rows...) })
	return out, err
}

// Sum returns the sums over all simplices of the integrals of the forms, [ℓ], or of f of them, [m]. Arguments
// and errors are those of [Integrator.Integrate].
func (it *Integrator) Sum(vertices []float32, simplices []int32) ([]float64, error) {
	total := make([]float64, it.columns)
	err := it.integrals(vertices, simplices, func(rows []float32) {
		for i := 0; i < len(rows); i += len(total) {
			for j, x := range rows[i : i+len(total)] {
				total[j] += float64(x)
			}
		}
	})
	return total, err
}

// integrals calls take with the integrals over chunk after chunk.
func (it *Integrator) integrals(vertices []float32, simplices []int32, take func(rows []float32)) error {
	return it.chunks(vertices, simplices, func(chunk *inputs, count int) error {
		integrals, err := it.integrate.Call1(chunk.corners)
		if err != nil {
			return err
		}
		return errors.Join(tensors.ConstFlatData(integrals, func(flat []float32) {
			take(flat[:count*it.columns])
		}), integrals.FinalizeAll())
	})
}

// Gradient returns the gradients of a loss by the variables of the forms, from its gradient by the rows of
// Integrate, byIntegrals: each chunk is integrated again and its share added, so that memory stays bounded
// here as well. Other arguments and errors are those of Integrate. Where the loss is a sum over simplices,
// [Integrator.SumGradient] integrates once.
func (it *Integrator) Gradient(vertices []float32, simplices []int32, byIntegrals []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if want := len(simplices) / (it.form.Degree + 1) * it.columns; len(byIntegrals) != want {
		return nil, fmt.Errorf("layers: %d gradients by integrals, not %d: want one a simplex and form",
			len(byIntegrals), want)
	}
	_, gradients, err := it.weighted(vertices, simplices, func(weights []float32) {
		byIntegrals = byIntegrals[copy(weights, byIntegrals):]
	})
	return gradients, err
}

// SumGradient returns the mean of [Integrator.Sum] with these weights, Σ_j weights[j] · sum[j], and its
// gradients by the variables of the forms, and integrates once for both. They are the gradients of any
// function of the sums whose gradient by these are the weights.
func (it *Integrator) SumGradient(vertices []float32, simplices []int32, weights []float32) (
	sum float64, gradients map[*model.Variable]*tensors.Tensor, err error) {
	if len(weights) != it.columns {
		return 0, nil, fmt.Errorf("layers: %d weights of %d sums", len(weights), it.columns)
	}
	return it.weighted(vertices, simplices, func(rows []float32) {
		for filled := copy(rows, weights); filled < len(rows); filled *= 2 {
			copy(rows[filled:], rows[:filled])
		}
	})
}

// weighted returns a weighted sum of all rows and its gradients. The function weigh writes the weights of the
// next rows.
func (it *Integrator) weighted(vertices []float32, simplices []int32, weigh func(weights []float32)) (
	sum float64, gradients map[*model.Variable]*tensors.Tensor, err error) {
	var sums []*tensors.Tensor
	for _, v := range it.variables {
		zeros, err := tensors.FromShapeForBackend(it.backend, 0, v.Shape())
		if err != nil {
			finalize(sums)
			return 0, nil, err
		}
		sums = append(sums, zeros)
	}
	err = it.chunks(vertices, simplices, func(chunk *inputs, count int) error {
		err := tensors.MutableFlatData(chunk.weights, func(weights []float32) {
			own := count * it.columns
			weigh(weights[:own])
			clear(weights[own:]) // for what fills up a chunk
		})
		if err != nil {
			return err
		}
		in := []any{chunk.corners, chunk.weights}
		for _, sum := range sums {
			in = append(in, sum)
		}
		out, err := it.differentiate.Call(in...)
		if err != nil {
			return err
		}
		finalize(sums)
		sums = out[1:]
		// Read in place: a copy takes 0.1 ms.
		return errors.Join(tensors.ConstFlatData(out[0], func(one []float32) { sum += float64(one[0]) }),
			out[0].FinalizeAll())
	})
	if err != nil {
		finalize(sums)
		return 0, nil, err
	}
	gradients = map[*model.Variable]*tensors.Tensor{}
	for i, v := range it.variables {
		gradients[v] = sums[i]
	}
	return sum, gradients, nil
}

// finalize frees tensors.
func finalize(all []*tensors.Tensor) {
	for _, t := range all {
		t.MustFinalizeAll()
	}
}
