package datasets

import (
	"fmt"
	"math"
)

// Batch holds the index arrays of a padded batch: all that has to reach the device for every step when the
// vertex table of the collection stays there.
//
// With C = Budget.Complexes, the dummy complex C owns all padding. Padding vertices name row V of the table,
// one past its end, which must hold zeros; padding simplices have all corners at the last vertex, which is
// always padding, so their integrals are exactly zero.
type Batch struct {
	Budget    Budget
	VertexIDs []int32 // [Budget.Vertices]: rows of Collection.Vertices; padding: V
	VertexOf  []int32 // [Budget.Vertices], ascending: place in the batch of the vertex's complex; padding: C
	Simplices []int32 // [Budget.Simplices, Degree+1]: vertex numbers within the batch
	SimplexOf []int32 // [Budget.Simplices], ascending: place of the simplex's complex; padding: C
	Labels    []int32 // [Budget.Complexes]: class numbers; padding: 0
	Mask      []bool  // [Budget.Complexes]: true for the complexes, false for padding

	// Only for collections that have them:
	SimplexTypes []int32   // [Budget.Simplices]: kinds; padding: 0
	Targets      []float32 // [Budget.Complexes, tasks]: values to be learned; unknown and padding: NaN
}

// NewBatch returns a batch of the given shape with room for complexes of c.
//
// A batch may as well be made of parts of larger arrays, e.g. of tensors that hold a whole epoch.
func NewBatch(c *Collection, budget Budget) *Batch {
	b := &Batch{
		Budget:    budget,
		VertexIDs: make([]int32, budget.Vertices),
		VertexOf:  make([]int32, budget.Vertices),
		Simplices: make([]int32, budget.Simplices*(c.Degree+1)),
		SimplexOf: make([]int32, budget.Simplices),
		Labels:    make([]int32, budget.Complexes),
		Mask:      make([]bool, budget.Complexes),
	}
	if c.SimplexTypes != nil {
		b.SimplexTypes = make([]int32, budget.Simplices)
	}
	if c.Tasks != nil {
		b.Targets = make([]float32, budget.Complexes*len(c.Tasks))
	}
	return b
}

// Pack fills the batch with the complexes ids of c, in that order, and the rest with padding.
//
// It allocates nothing and overwrites every entry, so a batch can be packed again and again. It is an error
// if the slices do not have the documented lengths, an id is no complex of c, or the complexes do not fit;
// then the batch is as before.
func (b *Batch) Pack(c *Collection, ids []int32) error {
	if err := b.check(c, ids); err != nil {
		return err
	}
	corners, tasks := c.Degree+1, len(c.Tasks)
	vertex, simplex := 0, 0
	for place, id := range ids {
		base := int32(vertex)
		for row := c.VertexStart[id]; row < c.VertexStart[id+1]; row++ {
			b.VertexIDs[vertex], b.VertexOf[vertex] = row, int32(place)
			vertex++
		}
		_, simplices := c.Complex(int(id))
		for i, v := range simplices {
			b.Simplices[simplex*corners+i] = base + v
		}
		if c.SimplexTypes != nil {
			copy(b.SimplexTypes[simplex:], c.SimplexTypes[c.SimplexStart[id]:c.SimplexStart[id+1]])
		}
		for range len(simplices) / corners {
			b.SimplexOf[simplex] = int32(place)
			simplex++
		}
		b.Labels[place], b.Mask[place] = c.Labels[id], true
		copy(b.Targets[place*tasks:], c.Targets[int(id)*tasks:(int(id)+1)*tasks])
	}
	dummy := int32(b.Budget.Complexes)
	fill(b.VertexIDs[vertex:], c.VertexStart[c.Len()])
	fill(b.VertexOf[vertex:], dummy)
	fill(b.Simplices[simplex*corners:], int32(b.Budget.Vertices-1))
	fill(b.SimplexOf[simplex:], dummy)
	fill(b.Labels[len(ids):], 0)
	fill(b.Mask[len(ids):], false)
	fill(b.Targets[len(ids)*tasks:], float32(math.NaN()))
	if c.SimplexTypes != nil {
		fill(b.SimplexTypes[simplex:], 0)
	}
	return nil
}

// check returns an error if the complexes ids of c cannot be packed into the batch.
func (b *Batch) check(c *Collection, ids []int32) error {
	budget := b.Budget
	if len(b.VertexIDs) != budget.Vertices || len(b.VertexOf) != budget.Vertices ||
		len(b.Simplices) != budget.Simplices*(c.Degree+1) || len(b.SimplexOf) != budget.Simplices ||
		len(b.Labels) != budget.Complexes || len(b.Mask) != budget.Complexes ||
		len(b.Targets) != budget.Complexes*len(c.Tasks) ||
		c.SimplexTypes != nil && len(b.SimplexTypes) != budget.Simplices {
		return fmt.Errorf("the slices of the batch are not as long as its budget %+v and the collection's "+
			"degree %d and %d tasks ask for: make it with NewBatch", budget, c.Degree, len(c.Tasks))
	}
	if err := checkIDs(c, ids); err != nil {
		return err
	}
	if !budget.Fits(c, ids) {
		return noFit(c, len(ids), budget)
	}
	return nil
}

// Coordinates writes the coordinates of the packed vertices to dst [Budget.Vertices, Dim], zeros for padding.
//
// It is an error if dst has another length.
func (b *Batch) Coordinates(c *Collection, dst []float32) error {
	if len(dst) != len(b.VertexIDs)*c.Dim {
		return fmt.Errorf("%d values for the coordinates of %d vertices with %d columns",
			len(dst), len(b.VertexIDs), c.Dim)
	}
	for i, row := range b.VertexIDs {
		to := dst[i*c.Dim : (i+1)*c.Dim]
		if at := int(row) * c.Dim; at < len(c.Vertices) {
			copy(to, c.Vertices[at:at+c.Dim])
		} else {
			clear(to)
		}
	}
	return nil
}

func fill[T any](s []T, x T) {
	for i := range s {
		s[i] = x
	}
}
