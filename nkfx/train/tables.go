package train

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
)

// Tables returns a collection as tables with a row for each complex, for a
// [Loop] whose batches are numbers of rows: vertices [G, V, n], simplices of
// the highest degree [G, S, k+1], a mask [G, S], 1 for simplices and 0 for
// padding, and labels [G].
func Tables(c *datasets.Collection) []*tensors.Tensor {
	k, v, s := c.Degree(), 0, 0
	for g := range c.Len() {
		v, s = max(v, c.Count(0, g)), max(s, c.Count(k, g))
	}
	corners := k + 1
	points := make([]float32, c.Len()*v*c.Dim)
	simplices := make([]int32, c.Len()*s*corners)
	present := make([]float32, c.Len()*s)
	for g := range c.Len() {
		p, q := c.Points(g), c.Corners(k, g)
		copy(points[g*v*c.Dim:], packing.Round(p))
		copy(simplices[g*s*corners:], q)
		for i := range len(q) / corners {
			present[g*s+i] = 1
		}
	}
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(points, c.Len(), v, c.Dim),
		tensors.FromFlatDataAndDimensions(simplices, c.Len(), s, corners),
		tensors.FromFlatDataAndDimensions(present, c.Len(), s),
		tensors.FromFlatDataAndDimensions(c.Labels, c.Len()),
	}
}
