package layers

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers/devices"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// partial is how many sums of a chunk a device returns, for the host to add up in 64 bits.
const partial = 64

// Sum returns the sums over all simplices of the integrals of the forms, [ℓ], for simplices that are read
// part by part, as coordinates of their corners [any number, k+1, n], see [Corners]. Parts are not kept in
// memory, so their number is unlimited.
func (it *Integrator) Sum(simplices iter.Seq2[[]float32, error]) ([]float64, error) {
	total := make([]float64, it.form.Count)
	err := it.stream(simplices, func(in [][]any) error {
		results, err := it.sum.Call(in...)
		for _, result := range results {
			err = errors.Join(err, tensors.ConstFlatData(result[0], func(flat []float32) {
				for i, x := range flat {
					total[i%len(total)] += float64(x)
				}
			}), result[0].FinalizeAll())
		}
		return err
	})
	return total, err
}

// SumGradient returns the gradients by the variables of the forms of the mean of their [Integrator.Sum] with
// these weights, Σ_j weights[j] · sum[j]: of any function of the sums, if the weights are its gradient by
// these.
func (it *Integrator) SumGradient(simplices iter.Seq2[[]float32, error], weights []float32) (
	map[*model.Variable]*tensors.Tensor, error) {
	if len(weights) != it.form.Count {
		return nil, fmt.Errorf("layers: %d weights of the sums of %d forms", len(weights), it.form.Count)
	}
	if len(it.variables) == 0 {
		return nil, nil
	}
	sums := it.newGradients()
	err := it.stream(simplices, func(in [][]any) error {
		for d := range in {
			in[d] = append(in[d], weights)
		}
		return sums.add(it.differentiateSum, in)
	})
	if err != nil {
		return nil, err
	}
	return sums.total(it.variables)
}

// Corners returns the coordinates of the corners of simplices, part by part, from vertices [V, n] and
// simplices [S, k+1] of vertex numbers. Both may be memory-mapped files. A vertex number out of range is an
// error.
func Corners(vertices []float32, simplices []int32, dim int) iter.Seq2[[]float32, error] {
	return func(yield func([]float32, error) bool) {
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

// stream calls do with the inputs of each device, coordinates of a chunk and the number of its simplices, for
// as many chunks as there are devices.
func (it *Integrator) stream(parts iter.Seq2[[]float32, error], do func(in [][]any) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	each := (it.form.Degree + 1) * it.form.Dim // numbers of a simplex
	size := it.rows() * each
	buffer := make([]float32, 0, size*it.devices)
	flush := func() error {
		in := make([][]any, it.devices)
		var made []*tensors.Tensor
		for d := range it.devices {
			own := buffer[min(d*size, len(buffer)):min((d+1)*size, len(buffer))]
			chunk := tensors.FromFlatDataAndDimensions(filledUp(own, buffer[:it.form.Dim], size), it.rows(),
				it.form.Degree+1, it.form.Dim)
			made, in[d] = append(made, chunk), []any{chunk, int32(len(own) / each)}
		}
		defer finalize(made)
		buffer = buffer[:0]
		return do(in)
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

// rows is how many simplices a chunk of a stream has.
func (it *Integrator) rows() int { return (it.size + partial - 1) / partial * partial }

// filledUp returns numbers, filled up with copies of a point.
func filledUp(numbers, point []float32, size int) []float32 {
	if missing := size - len(numbers); missing > 0 {
		return slices.Concat(numbers, slices.Repeat(point, missing/len(point)))
	}
	return numbers
}

// chunkIntegrals builds the integrals over a chunk of a stream, [partial, rows, ℓ]: 0 past the count.
func (it *Integrator) chunkIntegrals(chunk, count *Node) *Node {
	d := chunk.Shape().Dimensions
	g := chunk.Graph()
	simplices := Reshape(Iota(g, shapes.Make(dtypes.Int32, d[0]*d[1]), 0), d[0], d[1])
	x := exterior.Integrate(it.form, Reshape(chunk, d[0]*d[1], d[2]), simplices)
	there := LessThan(Iota(g, shapes.Make(dtypes.Int32, d[0], 1), 0), count)
	x = Where(BroadcastToDims(there, x.Shape().Dimensions...), x, ZerosLike(x))
	return Reshape(x, partial, -1, it.form.Count)
}

// sums builds partial sums of the integrals over a chunk.
func (it *Integrator) sums(_ *model.Scope, in []*Node) []*Node {
	return []*Node{ReduceSum(it.chunkIntegrals(in[0], in[1]), 1)}
}

// sumGradients builds the gradients over a chunk, added to those before it.
func (it *Integrator) sumGradients(_ *model.Scope, in []*Node) []*Node {
	x := it.chunkIntegrals(in[0], in[1])
	return it.added(ReduceAllSum(Mul(x, Reshape(in[2], 1, 1, -1))), in[3:])
}

// gradients are the sums of gradients by the variables, of each device.
type gradients [][]*tensors.Tensor

// newGradients returns zeros.
func (it *Integrator) newGradients() gradients {
	sums := make(gradients, it.devices)
	for d := range sums {
		for _, v := range it.variables {
			sums[d] = append(sums[d], tensors.FromShape(v.Shape()))
		}
	}
	return sums
}

// add calls a program that takes sums after its other inputs, and returns them with more added.
func (s gradients) add(p *devices.Program, in [][]any) error {
	for d, sums := range s {
		for _, sum := range sums {
			in[d] = append(in[d], sum)
		}
	}
	next, err := p.Call(in...)
	if err == nil {
		for d, sums := range s {
			finalize(sums)
			s[d] = next[d]
		}
	}
	return err
}

// total returns the sums over all devices, by variable.
func (s gradients) total(variables []*model.Variable) (map[*model.Variable]*tensors.Tensor, error) {
	out := map[*model.Variable]*tensors.Tensor{}
	var err error
	for i, v := range variables {
		out[v] = s[0][i]
		for _, more := range s[1:] {
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
