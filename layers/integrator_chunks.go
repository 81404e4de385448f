package layers

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// corners returns the coordinates of the corners of simplices, a chunk at once.
func (it *Integrator) corners(vertices []float32, simplices []int32) iter.Seq2[[]float32, error] {
	return corners(vertices, simplices, it.form.Dim, it.size*(it.form.Degree+1))
}

// CornerPoints returns the coordinates of the corners of simplices, part by part, from vertices [V, n] and
// simplices [S, k+1] of vertex numbers. Both may be memory-mapped files. Wrong lengths and a vertex number
// out of range are errors.
func CornerPoints(vertices []float32, simplices []int32, dim int) iter.Seq2[[]float32, error] {
	return corners(vertices, simplices, dim, 1<<12)
}

// corners is [CornerPoints] in parts of that many corners.
func corners(vertices []float32, simplices []int32, dim, corners int) iter.Seq2[[]float32, error] {
	return func(yield func([]float32, error) bool) {
		if dim < 1 || len(vertices)%dim != 0 {
			yield(nil, fmt.Errorf("%d coordinates of vertices in dimension %d", len(vertices), dim))
			return
		}
		part := make([]float32, 0, min(corners, len(simplices))*dim)
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

// fit returns the size of the program for so many simplices, a chunk at most. There are no more sizes than a
// [model.Exec] keeps programs, 32.
func (it *Integrator) fit(count int) int {
	size := it.size
	for halved := 0; halved < 4 && count <= size/2; halved++ {
		size = (size + 1) / 2
	}
	step := (size + 7) / 8
	return min((count+step-1)/step*step, size)
}

// stream calls do with the corners of chunk after chunk and the number of simplices in it. Where simplices
// are missing, a chunk is filled up with copies of a point that is there: of another, which no simplex has,
// gradients need not be finite.
func (it *Integrator) stream(parts iter.Seq2[[]float32, error],
	do func(chunk *tensors.Tensor, count int) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.integrate == nil {
		return errors.New("layers: the integrator was finalized")
	}
	each := (it.form.Degree + 1) * it.form.Dim // numbers of a simplex
	full := it.size * each
	flush := func(own []float32) error {
		count, point := len(own)/each, own[:it.form.Dim]
		size := it.fit(count)
		if missing := size*each - len(own); missing > 0 {
			own = slices.Concat(own, slices.Repeat(point, missing/len(point)))
		}
		chunk, err := it.upload(own, size, it.form.Degree+1, it.form.Dim)
		if err != nil {
			return err
		}
		defer chunk.MustFinalizeAll()
		return scoped.Cause(do(chunk, count))
	}
	var buffer []float32 // what does not fill a chunk yet
	for part, err := range parts {
		for err == nil && len(part) > 0 {
			next := part[:min(len(part), full-len(buffer))]
			part = part[len(next):]
			if len(next) < full { // else without a copy
				buffer = append(slices.Grow(buffer, full-len(buffer)), next...)
				next = buffer
			}
			if len(next) == full {
				err = flush(next)
				buffer = buffer[:0]
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
		return flush(buffer)
	}
	return nil
}
