package layers

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
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

// Integrator integrates forms over complexes of any size in bounded memory: a compiled program of
// [exterior.IntegrateCorners] processes one chunk of simplices at a time, the rest stays on the host. The
// time per simplex does not depend on their number. What does not fill a chunk is filled up to the next of
// some smaller sizes, by less than a quarter unless it is less than a sixteenth of a chunk.
//
// Make it with [NewIntegrator] and release its programs, one for integrals and one for gradients of each
// size, with Finalize. Calls run one after another, so what yields simplices must not call. [Integrator.Sum]
// and [Integrator.SumGradient] keep neither vertices nor integrals.
type Integrator struct {
	form    exterior.Form
	backend compute.Backend
	size    int // of a chunk

	integrate, differentiate *model.Exec
	variables                []*model.Variable
	full, last               inputs // of full chunks, and of others
	mu                       sync.Mutex
}

// chunkSimplices is the number of simplices in a chunk: as many as XLA's threads need to have enough to do in
// each operation, and few enough for the caches (measured with 1-forms in R³ and R⁵³ and 2-forms in R³).
const chunkSimplices = 1 << 14

// NewIntegrator returns an integrator of the forms, whose variables, if any, are in the store. It takes
// chunks of the given number of simplices; 0 is 16,384. It creates missing variables.
func NewIntegrator(backend compute.Backend, store *model.Store, form exterior.Form, chunk int) (
	*Integrator, error) {
	if backend == nil || store == nil {
		return nil, errors.New("layers: backend and store cannot be nil: a store may be empty")
	}
	if form.Dim < 1 || form.Degree < 0 || form.Degree > form.Dim || chunk < 0 {
		return nil, fmt.Errorf("layers: chunks of %d simplices for %d-forms in dimension %d: "+
			"want a size of 0 or more, and a dimension of at least the degree and 1",
			chunk, form.Degree, form.Dim)
	}
	it := &Integrator{form: form, backend: backend, size: cmp.Or(chunk, chunkSimplices)}
	var err error
	it.integrate, err = model.NewExec(backend, store,
		func(_ *model.Scope, in []*Node) []*Node { return []*Node{exterior.IntegrateCorners(form, in[0])} })
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

// survey lists the variables that take part in the integrals over a chunk, which it builds without compiling.
func (it *Integrator) survey(store *model.Store) error {
	failure := exceptions.Try(func() {
		g := NewGraph(it.backend, "survey")
		defer g.Finalize()
		model.SetStore(g, store)
		exterior.IntegrateCorners(it.form, Parameter(g, "corners",
			shapes.Make(dtypes.Float32, chunkSimplices, it.form.Degree+1, it.form.Dim)))
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

// gradients builds the gradients by the variables of a weighted sum of the integrals over a chunk, added to
// those before it, from the corners and the weights of the integrals.
func (it *Integrator) gradients(_ *model.Scope, in []*Node) []*Node {
	loss := ReduceAllSum(Mul(exterior.IntegrateCorners(it.form, in[0]), in[1]))
	by := make([]*Node, len(it.variables))
	for i, v := range it.variables {
		by[i] = v.NodeValue(loss.Graph())
	}
	sums := Gradient(loss, by...)
	for i := range sums {
		sums[i] = Add(sums[i], in[2+i])
	}
	return sums
}

// Integrate returns the integration matrix [S, ℓ] of the forms, row after row, for vertices [V, n] and
// simplices [S, k+1], vertex numbers in the order that orients each simplex. It returns an error for wrong
// lengths and for indices out of range.
func (it *Integrator) Integrate(vertices []float32, simplices []int32) ([]float32, error) {
	out := make([]float32, 0, len(simplices)/(it.form.Degree+1)*it.form.Count)
	err := it.integrals(it.indexed(vertices, simplices), func(rows []float32) {
		out = append(out, rows...)
	})
	return out, err
}

// Sum returns the sums over all simplices of the integrals of the forms, [ℓ], for simplices that are read
// part by part, as coordinates of their corners [any number, k+1, n], see [CornerPoints]. Parts are not kept
// in memory, so their number is unlimited.
func (it *Integrator) Sum(simplices iter.Seq2[[]float32, error]) ([]float64, error) {
	total := make([]float64, it.form.Count)
	err := it.integrals(it.parts(simplices), func(rows []float32) {
		for i := 0; i < len(rows); i += len(total) {
			for j, x := range rows[i : i+len(total)] {
				total[j] += float64(x)
			}
		}
	})
	return total, err
}

// integrals calls take with the integrals over chunk after chunk.
func (it *Integrator) integrals(simplices source, take func(rows []float32)) error {
	return it.stream(simplices, func(chunk *inputs, count int) error {
		integrals, err := it.integrate.Call1(chunk.corners)
		if err != nil {
			return err
		}
		return errors.Join(tensors.ConstFlatData(integrals, func(flat []float32) {
			take(flat[:count*it.form.Count])
		}), integrals.FinalizeAll())
	})
}

// Gradient returns the gradients of a loss by the variables of the forms, from its gradient by the
// integration matrix, byIntegrals [S, ℓ]: each chunk is integrated again and its share added, so that memory
// stays bounded here as well. Other arguments and errors are those of Integrate.
func (it *Integrator) Gradient(vertices []float32, simplices []int32, byIntegrals []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if want := len(simplices) / (it.form.Degree + 1) * it.form.Count; len(byIntegrals) != want {
		return nil, fmt.Errorf("layers: %d gradients by integrals, not %d: want one a simplex and form",
			len(byIntegrals), want)
	}
	return it.weighted(it.indexed(vertices, simplices), func(count int) []float32 {
		var own []float32
		own, byIntegrals = byIntegrals[:count*it.form.Count], byIntegrals[count*it.form.Count:]
		return own
	})
}

// SumGradient returns the gradients by the variables of the forms of the mean of their [Integrator.Sum] with
// these weights, Σ_j weights[j] · sum[j]: of any function of the sums, if the weights are its gradient by
// these.
func (it *Integrator) SumGradient(simplices iter.Seq2[[]float32, error], weights []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if len(weights) != it.form.Count {
		return nil, fmt.Errorf("layers: %d weights of the sums of %d forms", len(weights), it.form.Count)
	}
	all := slices.Repeat(weights, it.size)
	return it.weighted(it.parts(simplices), func(count int) []float32 { return all[:count*it.form.Count] })
}

// weighted returns the gradients of a weighted sum of all integrals, with the weights of the next simplices.
func (it *Integrator) weighted(simplices source, next func(count int) []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if len(it.variables) == 0 { // there is nothing to compute, but something to refuse
		return nil, it.stream(simplices, func(*inputs, int) error { return nil })
	}
	var sums []*tensors.Tensor
	for _, v := range it.variables {
		sums = append(sums, tensors.FromShape(v.Shape()))
	}
	err := it.stream(simplices, func(chunk *inputs, count int) error {
		err := tensors.MutableFlatData(chunk.weights, func(weights []float32) {
			clear(weights[copy(weights, next(count)):]) // for what fills up a chunk
		})
		if err != nil {
			return err
		}
		in := []any{chunk.corners, chunk.weights}
		for _, sum := range sums {
			in = append(in, sum)
		}
		more, err := it.differentiate.Call(in...)
		if err == nil {
			finalize(sums)
			sums = more
		}
		return err
	})
	if err != nil {
		finalize(sums)
		return nil, err
	}
	out := map[*model.Variable]*tensors.Tensor{}
	for i, v := range it.variables {
		out[v] = sums[i]
	}
	return out, nil
}

// finalize frees tensors.
func finalize(all []*tensors.Tensor) {
	for _, t := range all {
		t.MustFinalizeAll()
	}
}
