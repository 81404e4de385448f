package datasets

import (
	"fmt"
	"math"
)

// Collection holds embedded simplicial complexes, in flat arrays, complex after complex.
//
// What is to be learned of each is its class or, with Tasks, several values, some of which may be unknown:
// numbers, or answers yes and no.
type Collection struct {
	Name         string
	Dim          int       // n: columns of Vertices
	Degree       int       // k: dimension of the simplices (1: the edges of graphs)
	Vertices     []float32 // [V, Dim]: coordinates of all vertices
	VertexStart  []int32   // [G+1]: complex g owns the vertices VertexStart[g] to VertexStart[g+1]
	Simplices    []int32   // [S, Degree+1]: vertex numbers within their complex, oriented as listed
	SimplexStart []int32   // [G+1]: complex g owns the simplices SimplexStart[g] to SimplexStart[g+1]
	SimplexTypes []int32   // [S]: kind of every simplex, e.g. of a bond, from 0; nil where all are alike
	Types        int       // kinds of simplices; 0 and 1: one
	Labels       []int32   // [G]: class number of every complex; zeros with Tasks
	Classes      []string  // Classes[c] names class c as the file does; nil with Tasks
	Tasks        []string  // names of the values to be learned; nil where it is the class
	Targets      []float32 // [G, len(Tasks)]: these values, NaN where unknown
	Regression   bool      // the values are numbers; else they are 1 for yes and 0 for no
	Features     string    // what the columns of Vertices are, e.g. "attributes+labels"
	SHA256       string    // of the file that all this came from, in hexadecimal
}

// Len returns the number of complexes.
func (c *Collection) Len() int { return len(c.Labels) }

// Outputs returns the number of values that a model has to put out for a complex: a logit for every class, or
// a logit or number for every task.
func (c *Collection) Outputs() int {
	if c.Tasks != nil {
		return len(c.Tasks)
	}
	return len(c.Classes)
}

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
	if err := c.checkTypes(); err != nil {
		return fail("%v", err)
	}
	if err := c.checkTargets(); err != nil {
		return fail("%v", err)
	}
	for g, label := range c.Labels {
		if c.Tasks != nil && label == 0 {
			// There are no classes.
		} else if label < 0 || int(label) >= len(c.Classes) {
			return fail("complex %d: class number %d, but there are %d classes", g, label, len(c.Classes))
		}
		vertices, _ := c.Complex(g)
		for i, x := range vertices {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fail("complex %d, vertex %d, column %d: the coordinate is %v, not a finite number",
					g, i/c.Dim, i%c.Dim, x)
			}
		}
		if err := c.checkSimplices(g); err != nil {
			return fail("%v", err)
		}
	}
	return nil
}

// checkSimplices returns an error that names the first vertex of a simplex of complex g that is not there.
func (c *Collection) checkSimplices(g int) error {
	vertices, simplices := c.Sizes(g)
	corners := c.Degree + 1
	first := int(c.SimplexStart[g]) * corners
	for i, v := range c.Simplices[first : first+simplices*corners] {
		if v < 0 || int(v) >= vertices {
			return fmt.Errorf("complex %d, simplex %d: vertex number %d, but the complex has %d vertices",
				g, i/corners, v, vertices)
		}
	}
	return nil
}

// checkTypes returns an error that names the first simplex whose kind is none.
func (c *Collection) checkTypes() error {
	if c.SimplexTypes == nil {
		return nil
	}
	if count := len(c.Simplices) / (c.Degree + 1); len(c.SimplexTypes) != count {
		return fmt.Errorf("%d kinds for %d simplices", len(c.SimplexTypes), count)
	}
	for s, kind := range c.SimplexTypes {
		if kind < 0 || int(kind) >= c.Types {
			return fmt.Errorf("simplex %d of all has kind %d, but there are %d kinds", s, kind, c.Types)
		}
	}
	return nil
}

// checkTargets returns an error that names the first complex with a value that cannot be learned.
func (c *Collection) checkTargets() error {
	if len(c.Targets) != c.Len()*len(c.Tasks) {
		return fmt.Errorf("%d values for %d complexes and %d tasks", len(c.Targets), c.Len(), len(c.Tasks))
	}
	for i, y := range c.Targets {
		if math.IsInf(float64(y), 0) || !c.Regression && y != 0 && y != 1 && !math.IsNaN(float64(y)) {
			want := "1, 0, or NaN where unknown"
			if c.Regression {
				want = "a finite number, or NaN where unknown"
			}
			return fmt.Errorf("complex %d: the value of %s is %v; it must be %s", i/len(c.Tasks),
				c.Tasks[i%len(c.Tasks)], y, want)
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
