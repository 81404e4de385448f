package datasets

import (
	"fmt"
	"slices"
)

// Info describes a collection and its learning task: the class of each complex or, with Tasks, several
// values, some of which may be unknown.
type Info struct {
	Name       string
	Features   string   // what the coordinates of vertices are, e.g. "attributes+labels"
	SHA256     string   // of the file that all this came from, in hexadecimal
	Classes    []string // Classes[c] names class c as the file does; nil with Tasks
	Tasks      []string // names of the values to be learned; nil where it is the class
	Regression bool     // the values are numbers; else they are 1 for yes and 0 for no
	Label      string   // the column that the classes stand in; "" where it has no name
	// Notes tell what the files of a source held, and what of it was changed or left out.
	Notes []string `json:"-"`
	// Settings are what the data depend on beside the file of SHA256, such as the columns that were selected,
	// in a form that can be written as JSON; nil for nothing.
	Settings any `json:"-"`
}

// Describe returns the description, as [Source] asks for it: types of sources may embed it.
func (i Info) Describe() Info { return i }

// Outputs returns the number of outputs of a model for a complex: a logit for every class, or a logit or
// number for every task.
func (i Info) Outputs() int {
	if i.Tasks != nil {
		return len(i.Tasks)
	}
	return len(i.Classes)
}

// Collection holds embedded simplicial complexes in flat arrays, complex after complex. Make it with a
// [Builder].
//
// Vertices are the simplices of degree 0. Those of higher degrees are listed, oriented as listed; a graph
// with node features is a collection of degree 1.
//
// Coordinates and cochains are kept in 64 bits. Package packing rounds them to the 32 bits that networks
// compute in, and nothing rounds them before. If points are far from the origin compared with their
// distances, subtract an origin first, as packages mesh and series do.
type Collection struct {
	Info
	Dim         int         // n: columns of Vertices
	Vertices    []float64   // [V, Dim]: coordinates of all vertices; [R, Dim] with Rows
	Rows        []int32     // [V]: row of each vertex in Vertices, where vertices share rows; else nil
	VertexStart []int32     // [G+1]: complex g owns the vertices VertexStart[g] to VertexStart[g+1]
	Simplices   []Simplices // by degree, up to K; of degree 0 there are only cochains
	Labels      []int32     // [G]: class number of every complex; zeros with Tasks
	Targets     []float32   // [G, len(Tasks)]: the values to be learned, NaN where unknown
}

// Simplices holds the simplices of one degree k, and data on them.
type Simplices struct {
	Corners []int32 // [S, k+1]: vertex numbers within their complex
	Start   []int32 // [G+1]: complex g owns the simplices Start[g] to Start[g+1]

	// Faces are the facets of each simplex, as numbers of (k-1)-simplices within their complex, and Signs
	// their orientations in its boundary: of [v_0 … v_k], facet i lacks v_i and has the sign (-1)^i, times
	// the sign of the permutation to the order in which it is listed. Nil unless asked for, see
	// Builder.Faces.
	Faces []int32 // [S, k+1]
	Signs []int8  // [S, k+1]: 1 or -1

	// Cochain is input data on the simplices. Chains β_i = Σ_σ λ_{σ,i} σ (paper, section 2) are data as well:
	// their coefficients λ are cochains, which combine the integrals over simplices to those over chains.
	Cochain []float64 // [S, Width]; nil for none
	Width   int       // columns of Cochain
}

// Len returns the number of complexes.
func (c *Collection) Len() int { return len(c.Labels) }

// Degree returns K, the highest degree of the simplices.
func (c *Collection) Degree() int { return len(c.Simplices) - 1 }

// Target returns what is to be learned of complex g, in the form of [Builder.Add].
func (c *Collection) Target(g int) (values []float64) {
	if c.Tasks == nil {
		return []float64{float64(c.Labels[g])}
	}
	for _, y := range c.Targets[g*len(c.Tasks) : (g+1)*len(c.Tasks)] {
		values = append(values, float64(y))
	}
	return values
}

// Count returns the number of k-simplices of complex g.
func (c *Collection) Count(k, g int) int {
	start := c.start(k)
	return int(start[g+1] - start[g])
}

// start returns where the k-simplices of each complex start.
func (c *Collection) start(k int) []int32 {
	if k == 0 {
		return c.VertexStart
	}
	return c.Simplices[k].Start
}

// Points returns the coordinates [V, Dim] of the vertices of complex g: a view of Vertices, or a copy where
// vertices share rows.
func (c *Collection) Points(g int) []float64 {
	if c.Rows == nil {
		return c.Vertices[int(c.VertexStart[g])*c.Dim : int(c.VertexStart[g+1])*c.Dim]
	}
	var points []float64
	for _, row := range c.Rows[c.VertexStart[g]:c.VertexStart[g+1]] {
		points = append(points, c.Vertices[int(row)*c.Dim:int(row+1)*c.Dim]...)
	}
	return points
}

// Corners returns the k-simplices [S, k+1] of complex g, as vertex numbers within it: for k > 0 a view.
func (c *Collection) Corners(k, g int) []int32 {
	if k == 0 {
		return numbers(c.Count(0, g))
	}
	s := &c.Simplices[k]
	return s.Corners[int(s.Start[g])*(k+1) : int(s.Start[g+1])*(k+1)]
}

// numbers returns 0, …, n-1.
func numbers(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// Part returns the complexes from to to-1 as a collection, whose coordinates, corners and targets are views.
func (c *Collection) Part(from, to int) *Collection {
	out := *c
	columns := len(c.Tasks)
	out.Labels, out.Targets = c.Labels[from:to], c.Targets[from*columns:to*columns]
	if c.Rows == nil {
		out.Vertices = part(c.Vertices, c.Dim, c.VertexStart, from, to)
	}
	out.Rows = part(c.Rows, 1, c.VertexStart, from, to)
	out.VertexStart = c.starts(0, from, to)
	out.Simplices = make([]Simplices, len(c.Simplices))
	for k, s := range c.Simplices {
		start := c.start(k)
		out.Simplices[k] = Simplices{Width: s.Width, Corners: part(s.Corners, k+1, start, from, to),
			Faces: part(s.Faces, k+1, start, from, to), Signs: part(s.Signs, k+1, start, from, to),
			Cochain: part(s.Cochain, s.Width, start, from, to)}
		if k > 0 {
			out.Simplices[k].Start = c.starts(k, from, to)
		}
	}
	return &out
}

// part returns the rows of some complexes; nil of a table that is nil.
func part[T any](table []T, columns int, start []int32, from, to int) []T {
	if len(table) == 0 {
		return table
	}
	return table[int(start[from])*columns : int(start[to])*columns]
}

// starts returns where the k-simplices of some complexes start among themselves.
func (c *Collection) starts(k, from, to int) []int32 {
	start := slices.Clone(c.start(k)[from : to+1])
	for i, first := range slices.Backward(start) {
		start[i] = first - start[0]
	}
	return start
}

// IDs returns the numbers of all complexes, ascending.
func (c *Collection) IDs() []int32 { return numbers(c.Len()) }

// Float32s returns values, such as coordinates, in single precision, in which networks compute.
func Float32s(values []float64) []float32 {
	out := make([]float32, len(values))
	for i, x := range values {
		out[i] = float32(x)
	}
	return out
}

// String returns one row of a table of data sets: name, complexes, mean and most vertices of a complex, mean
// and most simplices of the highest degree, features, classes.
func (c *Collection) String() string {
	var vertices, mostVertices, simplices, mostSimplices int
	for g := range c.Len() {
		v, s := c.Count(0, g), c.Count(c.Degree(), g)
		vertices, mostVertices = vertices+v, max(mostVertices, v)
		simplices, mostSimplices = simplices+s, max(mostSimplices, s)
	}
	complexes := float64(max(1, c.Len()))
	return fmt.Sprintf("%-12s %6d %8.1f / %-4d %8.1f / %-4d %8d %7d", c.Name, c.Len(),
		float64(vertices)/complexes, mostVertices, float64(simplices)/complexes, mostSimplices, c.Dim,
		len(c.Classes))
}
