package train

import (
	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
)

// layout is where the parts of a packed batch stand in a row of int32. A
// whole epoch is then one table, one transfer and, on the device, one row per
// step.
type layout struct {
	budget  datasets.Budget
	corners int // k+1
}

// parts returns the lengths of the parts of a row, in order: vertex numbers,
// complexes of vertices, simplices, complexes of simplices, labels, mask.
func (l layout) parts() [6]int {
	b := l.budget
	return [6]int{b.Vertices, b.Vertices, b.Simplices * l.corners, b.Simplices, b.Complexes, b.Complexes}
}

// width returns the length of a row.
func (l layout) width() int {
	sum := 0
	for _, p := range l.parts() {
		sum += p
	}
	return sum
}

// pack writes the batch of the given complexes to a row. mask is room for
// the budget's complexes.
func (l layout) pack(c *datasets.Collection, ids []int32, row []int32, mask []bool) error {
	var views [6][]int32
	for i, length := range l.parts() {
		views[i], row = row[:length], row[length:]
	}
	batch := datasets.Batch{
		Budget:    l.budget,
		VertexIDs: views[0],
		VertexOf:  views[1],
		Simplices: views[2],
		SimplexOf: views[3],
		Labels:    views[4],
		Mask:      mask,
	}
	if err := batch.Pack(c, ids); err != nil {
		return err
	}
	for i, keep := range mask {
		views[5][i] = 0
		if keep {
			views[5][i] = 1
		}
	}
	return nil
}

// unpack reads a row on the graph; table is the vertex table [rows, n] whose
// last row is zero.
func (l layout) unpack(table, row *Node) *Batch {
	var views [6]*Node
	from := 0
	for i, length := range l.parts() {
		views[i] = SliceAxis(row, 0, AxisRange(from, from+length))
		from += length
	}
	return &Batch{
		Vertices:  Gather(table, ExpandAxes(views[0], -1)),
		VertexOf:  views[1],
		Simplices: Reshape(views[2], l.budget.Simplices, l.corners),
		SimplexOf: views[3],
		Labels:    views[4],
		Mask:      GreaterThan(views[5], ZerosLike(views[5])),
	}
}
