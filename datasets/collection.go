package datasets

import (
	"fmt"
	"math"
)

// Collection holds embedded simplicial complexes with one class each, in flat arrays, complex after complex.
type Collection struct {
	Name         string
	Dim          int       // n: columns of Vertices
	Degree       int       // k: dimension of the simplices (1: the edges of graphs)
	Vertices     []float32 // [V, Dim]: coordinates of all vertices
	VertexStart  []int32   // [G+1]: complex g owns the vertices VertexStart[g] to VertexStart[g+1]
	Simplices    []int32   // [S, Degree+1]: vertex numbers within their complex, oriented as listed
	SimplexStart []int32   // [G+1]: complex g owns the simplices SimplexStart[g] to SimplexStart[g+1]
	Labels       []int32   // [G]: class number of every complex
	Classes      []string  // Classes[c] names class c as the file does
	Features     string    // what the columns of Vertices are, e.g. "attributes+labels"
	SHA256       string    // of the file that all this came from, in hexadecimal
}

// Len returns the number of complexes.
func (c *Collection) Len() int { return len(c.Labels) }

// Sizes returns the number of vertices and of simplices of complex g.
func (c *Collection) Sizes(g int) (vertices, simplices int) {
	return int(c.VertexStart[g+1] - c.VertexStart[g]), int(c.SimplexStart[g+1] - c.SimplexStart[g])
}

// Complex returns the coordinates [vertices, Dim] and the simplices [simplices, Degree+1] of complex g.
//
// Both are views: writing to them writes to the collection.
func (c *Collection) Complex(g int) (vertices []float32, simplices []int32) {
	vertices = c.Vertices[int(c.VertexStart[g])*c.Dim : int(c.VertexStart[g+1])*c.Dim]
	corners := c.Degree + 1
	simplices = c.Simplices[int(c.SimplexStart[g])*corners : int(c.SimplexStart[g+1])*corners]
	return vertices, simplices
}

// Validate returns an error that names the complex and the row of the first thing that is not as documented.
//
// It looks at every offset, vertex number, coordinate and class. Everything else in this package relies on
// collections that pass.
func (c *Collection) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("collection %q: %s", c.Name, fmt.Sprintf(format, args...))
	}
	if c.Dim < 1 || c.Degree < 0 {
		return fail("dimension %d and degree %d: the dimension must be at least 1, the degree at least 0",
			c.Dim, c.Degree)
	}
	corners := c.Degree + 1
	if err := checkStarts(c.VertexStart, c.Len(), len(c.Vertices), c.Dim); err != nil {
		return fail("VertexStart: %v", err)
	}
	if err := checkStarts(c.SimplexStart, c.Len(), len(c.Simplices), corners); err != nil {
		return fail("SimplexStart: %v", err)
	}
	for g, label := range c.Labels {
		if label < 0 || int(label) >= len(c.Classes) {
			return fail("complex %d: class number %d, but there are %d classes", g, label, len(c.Classes))
		}
		vertices, simplices := c.Complex(g)
		for i, x := range vertices {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fail("complex %d, vertex %d, column %d: the coordinate is %v, not a finite number",
					g, i/c.Dim, i%c.Dim, x)
			}
		}
		count := int32(len(vertices) / c.Dim)
		for i, v := range simplices {
			if v < 0 || v >= count {
				return fail("complex %d, simplex %d: vertex number %d, but the complex has %d vertices",
					g, i/corners, v, count)
			}
		}
	}
	return nil
}

// checkStarts returns an error unless start holds the offsets of the given number of complexes into an array
// of rows of the given width.
func checkStarts(start []int32, complexes, length, width int) error {
	if length%width != 0 {
		return fmt.Errorf("%d values do not make rows of %d", length, width)
	}
	if len(start) != complexes+1 {
		return fmt.Errorf("%d offsets for %d complexes; it takes one more than complexes",
			len(start), complexes)
	}
	if start[0] != 0 || int(start[complexes]) != length/width {
		return fmt.Errorf("the offsets run from %d to %d instead of 0 to %d",
			start[0], start[complexes], length/width)
	}
	for g := range complexes {
		if start[g+1] < start[g] {
			return fmt.Errorf("complex %d ends before it starts (%d, %d)", g, start[g], start[g+1])
		}
	}
	return nil
}
