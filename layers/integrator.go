package layers

import (
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

	"github.com/neuralkforms/nkf/layers/devices"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// Integrator integrates forms over complexes of any size in bounded memory: a compiled program of
// [exterior.IntegrateCorners] processes one chunk of simplices at a time, the rest stays on the host. The
// time per simplex does not depend on their number, whereas one graph over millions of simplices exceeds the
// caches and allocates new memory in every call.
//
// Make it with [NewIntegrator] and release its programs with Finalize. Calls run one after another.
// [Integrator.Sum] keeps neither vertices nor integrals.
type Integrator struct {
	form    exterior.Form
	size    int // of a chunk
	devices int // each has a chunk at a time

	integrate, differentiate *devices.Program
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
	return NewIntegratorOn(1, backend, store, form, chunk)
}

// NewIntegratorOn is [NewIntegrator] for the first devices of a backend, as many as count, which integrate
// over chunks at once.
func NewIntegratorOn(count int, backend compute.Backend, store *model.Store, form exterior.Form, chunk int) (
	*Integrator, error) {
	if form.Dim < 1 || form.Degree < 0 || form.Degree > form.Dim || chunk < 0 {
		return nil, fmt.Errorf("layers: chunks of %d simplices for %d-forms in dimension %d: "+
			"want a size of 0 or more, and a dimension of at least the degree and 1",
			chunk, form.Degree, form.Dim)
	}
	it := &Integrator{form: form, size: chunk, devices: max(1, count)}
	widest, err := it.survey(backend, store)
	if err != nil {
		return nil, err
	}
	if chunk == 0 {
		it.size = max(chunkNumbers/widest, 256)
	}
	it.integrate, err = devices.NewProgram(backend, store, it.devices, it.integrals)
	if err == nil {
		it.differentiate, err = devices.NewProgram(backend, store, it.devices, it.gradients)
	}
	if err != nil {
		it.Finalize()
		return nil, err
	}
	return it, nil
}

// survey builds the integrals of many simplices, without compiling them. It
// lists the variables that take part and returns how many numbers for each
// simplex the widest node has.
func (it *Integrator) survey(backend compute.Backend, store *model.Store) (widest int, err error) {
	const simplices = 1 << 16 // beside which weights are small
	err = exceptions.TryCatch[error](func() {
		g := NewGraph(backend, "survey")
		defer g.Finalize()
		model.SetStore(g, store)
		it.integrals(nil, []*Node{Parameter(g, "corners",
			shapes.Make(dtypes.Float32, simplices, it.form.Degree+1, it.form.Dim))})
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
	for _, p := range []*devices.Program{it.integrate, it.differentiate} {
		if p != nil {
			p.Finalize()
		}
	}
}

// integrals builds the integrals over a chunk, from the coordinates of corners.
func (it *Integrator) integrals(_ *model.Scope, in []*Node) []*Node {
	return []*Node{exterior.IntegrateCorners(it.form, in[0])}
}

// gradients builds the gradients over a chunk, added to those before it, from the coordinates of corners and
// the gradients by the integrals.
func (it *Integrator) gradients(_ *model.Scope, in []*Node) []*Node {
	loss := ReduceAllSum(Mul(it.integrals(nil, in)[0], in[1]))
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

// Integrate returns the integration matrix [S, ℓ] of the forms, row after
// row, for vertices [V, n] and simplices [S, k+1], vertex numbers in the order
// that orients each simplex. It returns an error for wrong lengths and for indices
// out of range.
func (it *Integrator) Integrate(vertices []float32, simplices []int32) ([]float32, error) {
	out := make([]float32, 0, len(simplices)/(it.form.Degree+1)*it.form.Count)
	err := it.values(Corners(vertices, simplices, it.form.Dim), func(part []float32) {
		out = append(out, part...)
	})
	return out, err
}

// Sum returns the sums over all simplices of the integrals of the forms, [ℓ], for simplices that are read
// part by part, as coordinates of their corners [any number, k+1, n], see [Corners]. Parts are not kept in
// memory, so their number is unlimited.
func (it *Integrator) Sum(simplices iter.Seq2[[]float32, error]) ([]float64, error) {
	total := make([]float64, it.form.Count)
	err := it.values(simplices, func(part []float32) {
		for i, x := range part {
			total[i%len(total)] += float64(x)
		}
	})
	return total, err
}

// values calls do with the integrals over part after part of simplices.
func (it *Integrator) values(simplices iter.Seq2[[]float32, error], do func(part []float32)) error {
	return it.chunks(simplices, func(_ int, counts []int, in [][]any) error {
		results, err := it.integrate.Call(in...)
		for d, result := range results {
			err = errors.Join(err, tensors.ConstFlatData(result[0], func(flat []float32) {
				do(flat[:counts[d]*it.form.Count])
			}), result[0].FinalizeAll())
		}
		return err
	})
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
	return it.slopes(Corners(vertices, simplices, it.form.Dim), func(from, to int) []float32 {
		return byIntegrals[from*it.form.Count : to*it.form.Count]
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
	return it.slopes(simplices, func(from, to int) []float32 { return slices.Repeat(weights, to-from) })
}

// slopes returns the gradients by the variables, from those by the integrals of a range of simplices.
func (it *Integrator) slopes(simplices iter.Seq2[[]float32, error], by func(from, to int) []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if len(it.variables) == 0 {
		return nil, nil
	}
	sums := make([][]*tensors.Tensor, it.devices)
	for d := range sums {
		for _, v := range it.variables {
			sums[d] = append(sums[d], tensors.FromShape(v.Shape()))
		}
	}
	err := it.chunks(simplices, func(from int, counts []int, in [][]any) error {
		var made []*tensors.Tensor
		for d, count := range counts {
			made = append(made, filled(by(from, from+count), []float32{0}, it.size, it.form.Count))
			in[d], from = append(in[d], made[d]), from+count
			for _, sum := range sums[d] {
				in[d] = append(in[d], sum)
			}
		}
		defer finalize(made)
		next, err := it.differentiate.Call(in...)
		if err == nil {
			for d := range sums {
				finalize(sums[d])
				sums[d] = next[d]
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return it.total(sums)
}

// total returns the sums of gradients over all devices, by variable.
func (it *Integrator) total(sums [][]*tensors.Tensor) (map[*model.Variable]*tensors.Tensor, error) {
	out := map[*model.Variable]*tensors.Tensor{}
	var err error
	for i, v := range it.variables {
		out[v] = sums[0][i]
		for _, more := range sums[1:] {
			flat, failed := tensors.CopyFlatData[float32](more[i])
			err = errors.Join(err, failed, tensors.MutableFlatData(out[v], func(sum []float32) {
				for j := range flat {
					sum[j] += flat[j]
				}
			}), more[i].FinalizeAll())
		}
	}
	return out, err
}

// Corners returns the coordinates of the corners of simplices, part by part, from vertices [V, n] and
// simplices [S, k+1] of vertex numbers. Both may be memory-mapped files. A vertex number out of range is an
// error.
func Corners(vertices []float32, simplices []int32, dim int) iter.Seq2[[]float32, error] {
	return func(yield func([]float32, error) bool) {
		if len(vertices)%dim != 0 {
			yield(nil, fmt.Errorf("%d coordinates of vertices in dimension %d", len(vertices), dim))
			return
		}
		const corners = 1 << 14
		part := make([]float32, 0, corners*dim)
		for begin := 0; begin < len(simplices); begin += corners {
			part = part[:0]
			for i, v := range simplices[begin:min(begin+corners, len(simplices))] {
				if v < 0 || (int(v)+1)*dim > len(vertices) {
					yield(nil, fmt.Errorf("corner %d is vertex %d: want 0 to %d", begin+i, v,
						len(vertices)/dim-1))
					return
				}
				part = append(part, vertices[int(v)*dim:(int(v)+1)*dim]...)
			}
			if !yield(part, nil) {
				return
			}
		}
	}
}

// chunks calls do for as many chunks as there are devices, with the number of the first simplex, how many
// each device has, and its input, the coordinates of corners. Chunks are filled up with simplices whose
// corners coincide.
func (it *Integrator) chunks(parts iter.Seq2[[]float32, error],
	do func(from int, counts []int, in [][]any) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	each := (it.form.Degree + 1) * it.form.Dim // numbers of a simplex
	size := it.size * each
	buffer := make([]float32, 0, size*it.devices)
	from := 0
	flush := func() error {
		in, counts, made := make([][]any, it.devices), make([]int, it.devices), []*tensors.Tensor{}
		for d := range it.devices {
			own := buffer[min(d*size, len(buffer)):min((d+1)*size, len(buffer))]
			made = append(made, filled(own, buffer[:it.form.Dim], it.size, it.form.Degree+1, it.form.Dim))
			in[d], counts[d] = []any{made[d]}, len(own)/each
		}
		defer finalize(made)
		err := do(from, counts, in)
		from, buffer = from+len(buffer)/each, buffer[:0]
		return err
	}
	for part, err := range parts {
		for err == nil && len(part) > 0 {
			n := min(len(part), cap(buffer)-len(buffer))
			buffer, part = append(buffer, part[:n]...), part[n:]
			if len(buffer) == cap(buffer) {
				err = flush()
			}
		}
		if err != nil {
			return fmt.Errorf("layers: %w", err)
		}
	}
	switch {
	case len(buffer)%each != 0:
		return fmt.Errorf("layers: the last simplex has %d of %d coordinates", len(buffer)%each, each)
	case len(buffer) > 0:
		return flush()
	}
	return nil
}

// finalize frees tensors.
func finalize(all []*tensors.Tensor) {
	for _, t := range all {
		t.MustFinalizeAll()
	}
}

// filled returns a tensor of values, filled up with copies of others.
func filled(values, fill []float32, dimensions ...int) *tensors.Tensor {
	size := 1
	for _, d := range dimensions {
		size *= d
	}
	if missing := size - len(values); missing > 0 {
		values = slices.Concat(values, slices.Repeat(fill, missing/len(fill)))
	}
	return tensors.FromFlatDataAndDimensions(values, dimensions...)
}
