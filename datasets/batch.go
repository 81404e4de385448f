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
// A batch may as well be made of parts of larger arrays, e.g. of tensors that hold a whole epoch, and slices
// that nobody reads may be nil.
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
// It allocates nothing and overwrites every entry, so a batch can be packed again and again. Slices that are
// nil are left out. It is an error if others do not have the documented lengths, an id is no complex of c, a
// simplex has a vertex that its complex lacks, or the complexes do not fit; then the batch is as before.
func (b *Batch) Pack(c *Collection, ids []int32) error {
	if err := b.check(c, ids); err != nil {
		return err
	}
	corners, tasks := c.Degree+1, len(c.Tasks)
	vertex, simplex := 0, 0
	for place, id := range ids {
		base, row := vertex, c.VertexStart[id]
		vertex += int(c.VertexStart[id+1] - row)
		if b.VertexIDs != nil {
			for i := range b.VertexIDs[base:vertex] {
				b.VertexIDs[base+i] = row + int32(i)
			}
		}
		if b.VertexOf != nil {
			fill(b.VertexOf[base:vertex], int32(place))
		}
		from, to := c.SimplexStart[id], c.SimplexStart[id+1]
		first := simplex
		simplex += int(to - from)
		if b.Simplices != nil {
			packed := b.Simplices[first*corners : simplex*corners]
			for i, v := range c.Simplices[int(from)*corners : int(to)*corners] {
				packed[i] = int32(base) + v
			}
		}
		if b.SimplexOf != nil {
			fill(b.SimplexOf[first:simplex], int32(place))
		}
		if len(b.SimplexTypes) > 0 {
			copy(b.SimplexTypes[first:], c.SimplexTypes[from:to])
		}
		if b.Labels != nil {
			b.Labels[place] = c.Labels[id]
		}
		if b.Mask != nil {
			b.Mask[place] = true
		}
		if b.Targets != nil {
			copy(b.Targets[place*tasks:], c.Targets[int(id)*tasks:(int(id)+1)*tasks])
		}
	}
	dummy := int32(b.Budget.Complexes)
	pad(b.VertexIDs, vertex, c.VertexStart[c.Len()])
	pad(b.VertexOf, vertex, dummy)
	pad(b.Simplices, simplex*corners, int32(b.Budget.Vertices-1))
	pad(b.SimplexOf, simplex, dummy)
	pad(b.SimplexTypes, simplex, 0)
	pad(b.Labels, len(ids), 0)
	pad(b.Mask, len(ids), false)
	pad(b.Targets, len(ids)*tasks, float32(math.NaN()))
	return nil
}

// pad fills a slice from some place on, unless it has no entries.
func pad[T any](s []T, from int, x T) {
	if len(s) > 0 {
		fill(s[from:], x)
	}
}

// check returns an error if the complexes ids of c cannot be packed into the batch.
func (b *Batch) check(c *Collection, ids []int32) error {
	budget := b.Budget
	types := 0
	if c.SimplexTypes != nil {
		types = budget.Simplices
	}
	if !fits(b.VertexIDs, budget.Vertices) || !fits(b.VertexOf, budget.Vertices) ||
		!fits(b.Simplices, budget.Simplices*(c.Degree+1)) || !fits(b.SimplexOf, budget.Simplices) ||
		!fits(b.SimplexTypes, types) || !fits(b.Labels, budget.Complexes) ||
		!fits(b.Mask, budget.Complexes) || !fits(b.Targets, budget.Complexes*len(c.Tasks)) {
		return fmt.Errorf("the slices of the batch are not as long as its budget %+v and the collection's "+
			"degree %d and %d tasks ask for: make it with NewBatch", budget, c.Degree, len(c.Tasks))
	}
	if err := checkIDs(c, ids); err != nil {
		return err
	}
	if !budget.Fits(c, ids) {
		return noFit(c, len(ids), budget)
	}
	if b.Simplices != nil {
		for _, id := range ids {
			if err := c.checkSimplices(int(id)); err != nil {
				return fmt.Errorf("collection %q: %w", c.Name, err)
			}
		}
	}
	return nil
}

// fits reports whether a slice is left out or has that length.
func fits[T any](s []T, length int) bool { return s == nil || len(s) == length }

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
