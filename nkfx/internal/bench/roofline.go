package bench

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/stat/combin"
)

// Roofline is the peak rate of the backend per second. No program for the same mathematics is
// faster than its matrix products, or than reading its inputs.
type Roofline struct {
	Flops float64 `json:"flops"` // in a product of float32 matrices with 1024 rows and columns
	Bytes float64 `json:"bytes"` // read and written while 1 is added to 64 MiB of float32
}

// Measure measures the roofline of a backend.
func Measure(backend compute.Backend) (Roofline, error) {
	const side, length = 1024, 1 << 24
	product, err := quickest(backend, func(x *Node) *Node { return Dot(x, x).Product() }, side, side)
	if err != nil {
		return Roofline{}, err
	}
	sum, err := quickest(backend, OnePlus, length)
	return Roofline{Flops: 2 * side * side * side / product, Bytes: 2 * 4 * length / sum}, err
}

// quickest returns the shortest time, in seconds, of calls on zeros during half a second.
func quickest(backend compute.Backend, of func(*Node) *Node, dims ...int) (float64, error) {
	exec, err := NewExec(backend, of)
	if err != nil {
		return 0, err
	}
	p, err := calls(exec, tensors.FromShape(shapes.Make(dtypes.Float32, dims...)))
	defer p.free()
	if err != nil {
		return 0, err
	}
	times, err := p.run(0.5)
	if err != nil {
		return 0, err
	}
	return slices.Min(times), nil
}

// seconds returns the least time for a case: that of the matrix products of the factored integral
// on corners and of their gradients, or that of reading the corners, whichever is longer.
func (r Roofline) seconds(c Case) float64 {
	points := 0
	nodes, err := rule(c.Degree).Nodes(c.Degree)
	if err == nil {
		points = nodes.Len()
	}
	components := combin.Binomial(c.Dim, c.Degree)
	first := (c.Degree + 1) * c.Dim * hiddenWidth
	rest := points*hiddenWidth*hiddenWidth/2 + (hiddenWidth/2+1)*components*formCount
	// The gradient takes a product by weights and one by inputs, except for the corners, which are
	// data.
	flops := 2 * float64(2*first+3*rest)
	bytes := 4 * float64((c.Degree+1)*c.Dim)
	return float64(c.Simplices) * max(flops/r.Flops, bytes/r.Bytes)
}
