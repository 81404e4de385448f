package layers

import (
	"errors"
	"fmt"
	"iter"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// CornerPoints returns the coordinates of the corners of simplices, part by part, from vertices [V, n] and
// simplices [S, k+1] of vertex numbers. Both may be memory-mapped files. Wrong lengths and a vertex number
// out of range are errors.
func CornerPoints(vertices []float32, simplices []int32, dim int) iter.Seq2[[]float32, error] {
	const corners = 1 << 12 // in a part
	return func(yield func([]float32, error) bool) {
		if err := checkVertices(vertices, dim); err != nil {
			yield(nil, err)
			return
		}
		part := make([]float32, min(corners, len(simplices))*dim)
		for begin := 0; begin < len(simplices); begin += corners {
			end := min(begin+corners, len(simplices))
			part = part[:(end-begin)*dim]
			if err := gather(part, vertices, simplices, begin, dim); err != nil {
				yield(nil, err)
				return
			}
			if !yield(part, nil) {
				return
			}
		}
	}
}

// checkVertices returns an error unless vertices are points of a dimension.
func checkVertices(vertices []float32, dim int) error {
	if dim < 1 || len(vertices)%dim != 0 {
		return fmt.Errorf("%d coordinates of vertices in dimension %d", len(vertices), dim)
	}
	return nil
}

// gather fills points with the coordinates of corners from number begin on.
func gather(points, vertices []float32, simplices []int32, begin, dim int) error {
	for i := 0; i < len(points)/dim; i++ {
		v := simplices[begin+i]
		if v < 0 || (int(v)+1)*dim > len(vertices) {
			return fmt.Errorf("corner %d is vertex %d: want 0 to %d", begin+i, v, len(vertices)/dim-1)
		}
		copy(points[i*dim:(i+1)*dim], vertices[int(v)*dim:])
	}
	return nil
}

// fit returns the size of the program for so many simplices, a chunk at most. There are no more sizes than a
// [model.Exec] keeps programs, 32. Large sizes are odd multiples of 16: rows of an array whose lengths are
// multiples of 1,024 share the lines of a cache, and 3-forms in R⁶ took twice the time.
func (it *Integrator) fit(count int) int {
	size := it.size
	for halved := 0; halved < 4 && count <= size/2; halved++ {
		size = (size + 1) / 2
	}
	step := (size + 7) / 8
	size = min((count+step-1)/step*step, size)
	if size < 1024 {
		return size
	}
	return min(((size+15)/16|1)*16, it.size)
}

// inputs are what a program takes for a chunk: the corners of simplices and the weights of their rows.
// They are filled where the program reads them, and kept: making them anew for every chunk took longer than
// integrating in 53 dimensions.
type inputs struct{ corners, weights *tensors.Tensor }

// of returns the inputs of a program for so many simplices.
func (in *inputs) of(it *Integrator, size int) (*inputs, error) {
	if in.corners != nil && in.corners.Shape().Dimensions[0] == size {
		return in, nil
	}
	in.free()
	var err error
	in.corners, err = it.input(size, it.form.Degree+1, it.form.Dim)
	if err == nil {
		in.weights, err = it.input(size, it.columns)
	}
	if err != nil {
		in.free()
	}
	return in, err
}

// free frees the inputs.
func (in *inputs) free() {
	for _, t := range []*tensors.Tensor{in.corners, in.weights} {
		if t != nil {
			t.MustFinalizeAll()
		}
	}
	*in = inputs{}
}

// input returns numbers that are on the device, where that shares the memory of the host.
func (it *Integrator) input(dims ...int) (*tensors.Tensor, error) {
	return tensors.FromShapeForBackend(it.backend, 0, shapes.Make(dtypes.Float32, dims...))
}

// A source calls flush for chunk after chunk.
type source func(flush flush) error

// flush takes a chunk: the number of simplices in it, and a function that writes their corners.
type flush func(count int, fill func(corners []float32) error) error

// indexed returns the simplices of a complex.
func (it *Integrator) indexed(vertices []float32, simplices []int32) source {
	dim, corners := it.form.Dim, it.form.Degree+1
	return func(flush flush) error {
		if err := checkVertices(vertices, dim); err != nil {
			return fmt.Errorf("layers: %w", err)
		}
		if rest := len(simplices) % corners; rest > 0 {
			return partOfSimplex(rest*dim, corners*dim)
		}
		for begin := 0; begin < len(simplices); begin += it.size * corners {
			count := min(it.size, (len(simplices)-begin)/corners)
			err := flush(count, func(points []float32) error {
				return gather(points, vertices, simplices, begin, dim)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// partOfSimplex is the error of a last simplex with so many coordinates.
func partOfSimplex(coordinates, want int) error {
	return fmt.Errorf("layers: the last simplex has %d of %d coordinates", coordinates, want)
}

// parts returns the simplices that come as coordinates of corners.
func (it *Integrator) parts(parts iter.Seq2[[]float32, error]) source {
	each := (it.form.Degree + 1) * it.form.Dim // numbers of a simplex
	full := it.size * each
	return func(flush flush) error {
		filled := func(own []float32) error {
			return flush(len(own)/each, func(points []float32) error { copy(points, own); return nil })
		}
		buffer := it.rest[:0]
		defer func() { it.rest = buffer[:0] }()
		for part, err := range parts {
			if err != nil {
				return fmt.Errorf("layers: %w", err)
			}
			for len(part) > 0 {
				next := part[:min(len(part), full-len(buffer))]
				part = part[len(next):]
				if len(next) < full { // else without a copy
					buffer = append(buffer, next...)
					next = buffer
				}
				if len(next) == full {
					if err := filled(next); err != nil {
						return err
					}
					buffer = buffer[:0]
				}
			}
		}
		if rest := len(buffer) % each; rest > 0 {
			return partOfSimplex(rest, each)
		}
		if len(buffer) > 0 {
			return filled(buffer)
		}
		return nil
	}
}

// stream calls do with the inputs of chunk after chunk, whose corners are there, and the number of simplices
// in it. Where simplices are missing, a chunk is filled up with copies of a point that is there: of another,
// which no simplex has, gradients need not be finite.
func (it *Integrator) stream(from source, do func(chunk *inputs, count int) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.integrate == nil {
		return errors.New("layers: the integrator was finalized")
	}
	return from(func(count int, fill func(corners []float32) error) error {
		kept, size := &it.full, it.fit(count)
		if size < it.size {
			kept = &it.last
		}
		chunk, err := kept.of(it, size)
		if err != nil {
			return err
		}
		var filled error
		err = tensors.MutableFlatData(chunk.corners, func(points []float32) {
			own := count * len(points) / size
			filled = fill(points[:own])
			for ; own < len(points); own += it.form.Dim {
				copy(points[own:], points[:it.form.Dim])
			}
		})
		if filled != nil {
			return fmt.Errorf("layers: %w", filled)
		}
		if err != nil {
			return err
		}
		return scoped.Cause(do(chunk, count))
	})
}
