package layers

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/layers/internal/scoped"
)

// fit returns the size of the program for so many simplices, a chunk at most. There are no more sizes than a
// [model.Exec] keeps programs, 32: eight in each of the upper two octaves, four in the next two, and eight
// below. Large sizes are odd multiples of 16: rows of an array whose lengths are multiples of 1,024 share the
// lines of a cache, and 3-forms in R⁶ took twice the time.
func (it *Integrator) fit(count int) int {
	size, parts := it.size, 16
	for halved := 0; halved < 4 && count <= size/2; halved++ {
		size = (size + 1) / 2
		if halved == 1 {
			parts = 8
		}
	}
	step := (size + parts - 1) / parts
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

// chunks calls do with the inputs of chunk after chunk, whose corners are there, and the number of simplices
// in it. Where simplices are missing, a chunk is filled up with copies of a point that is there: of another,
// which no simplex has, gradients need not be finite.
func (it *Integrator) chunks(vertices []float32, simplices []int32,
	do func(chunk *inputs, count int) error) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.integrate == nil {
		return errors.New("layers: the integrator was finalized")
	}
	dim, corners := it.form.Dim, it.form.Degree+1
	if len(vertices)%dim != 0 {
		return fmt.Errorf("layers: %d coordinates of vertices in dimension %d", len(vertices), dim)
	}
	if rest := len(simplices) % corners; rest > 0 {
		return fmt.Errorf("layers: the last simplex has %d of %d corners", rest, corners)
	}
	for begin := 0; begin < len(simplices); begin += it.size * corners {
		own := simplices[begin:min(begin+it.size*corners, len(simplices))]
		kept, size := &it.full, it.fit(len(own)/corners)
		if size < it.size {
			kept = &it.last
		}
		chunk, err := kept.of(it, size)
		if err != nil {
			return err
		}
		var outside error
		err = tensors.MutableFlatData(chunk.corners, func(points []float32) {
			outside = gather(points, vertices, own, dim, begin)
			for missing := points[len(own)*dim:]; len(missing) > 0; missing = missing[dim:] {
				copy(missing, points[:dim])
			}
		})
		if err != nil {
			return err
		}
		if outside != nil {
			return outside
		}
		if err := do(chunk, len(own)/corners); err != nil {
			return scoped.Cause(err)
		}
	}
	return nil
}

// gather writes the coordinates of corners, the first of which has the number begin, on all cores.
func gather(points, vertices []float32, corners []int32, dim, begin int) error {
	errs := make([]error, runtime.GOMAXPROCS(0))
	var parts sync.WaitGroup
	for part := range errs {
		from, to := part*len(corners)/len(errs), (part+1)*len(corners)/len(errs)
		parts.Go(func() {
			for i, v := range corners[from:to] {
				if v < 0 || (int(v)+1)*dim > len(vertices) {
					errs[part] = fmt.Errorf("layers: corner %d is vertex %d: want 0 to %d", begin+from+i, v,
						len(vertices)/dim-1)
					return
				}
				copy(points[(from+i)*dim:(from+i+1)*dim], vertices[int(v)*dim:])
			}
		})
	}
	parts.Wait()
	return cmp.Or(errs...)
}
