package simplicial

import (
	"errors"
	"fmt"
	"slices"
)

// Cells is a complex of points, edges, convex polygons and convex polyhedra, triangulated without
// new vertices.
//
// Each cell is cut into the cones over those of its faces that miss its smallest vertex (the
// pulling triangulation: Lee and Santos, Handbook of Discrete and Computational Geometry, 16.2.1).
// As the faces are cut in the same way, cells that share a face fit together.
type Cells struct {
	complex  *Complex
	chains   []*Operator
	boundary []*Operator
}

// NewCells returns the cell complex on the vertices 0..vertices-1 with the given cells and all
// their faces.
//
// An edge is a pair of vertices, a polygon the cycle of its vertices, a polyhedron the list of its
// polygonal faces. Cells of each degree are numbered so: edges, each oriented from its smaller to
// its larger vertex, in lexicographic order; polygons, oriented by their cycles, as given, then
// further faces of polyhedra as they occur; polyhedra as given, each oriented so that its first
// face, with the cycle that it has there, is part of the boundary with sign 1. The cycles of the
// other faces may run either way.
//
// Only the combinatorics matters: no coordinates are needed, and polygons that are not quite flat
// are fine. It is an error if a cell repeats a vertex, names one out of range or has too few, if a
// polygon is given twice, if the faces of a polyhedron do not form a sphere, or if the result would
// exceed MaxSize.
func NewCells(vertices int, edges, polygons [][]int, polyhedra [][][]int) (*Cells, error) {
	b := &cellBuilder{vertices: vertices, number: map[string]int{}}
	for i, e := range edges {
		if _, err := sortVertices(e, vertices); err != nil {
			return nil, fmt.Errorf("simplicial: edge %d: %w", i, err)
		}
		if len(e) != 2 {
			return nil, fmt.Errorf("simplicial: edge %d: %s has %d vertices, want 2", i, show(e), len(e))
		}
		b.edges = append(b.edges, e)
	}
	for i, p := range polygons {
		j, _, err := b.polygon(p)
		if err != nil {
			return nil, fmt.Errorf("simplicial: polygon %d: %w", i, err)
		}
		if j < i {
			return nil, fmt.Errorf("simplicial: polygon %d: %s repeats polygon %d", i, show(p), j)
		}
	}
	for i, p := range polyhedra {
		if err := b.polyhedron(p); err != nil {
			return nil, fmt.Errorf("simplicial: polyhedron %d: %w", i, err)
		}
	}
	return b.build()
}

// Complex returns the triangulation, without coordinates; Embed gives it some. Its edges are those
// of the cells and the diagonals that cut them, its vertices those of the cells.
func (c *Cells) Complex() *Complex { return c.complex }

// Chains returns the chains of k-simplices that make up the k-cells, with coefficients ±1, as the
// columns of an operator, so that integrals over cells are Chains(k) pulling back integrals over
// simplices. There are no cells for k below 0 or above 3.
func (c *Cells) Chains(k int) *Operator {
	if k < 0 || k >= len(c.chains) {
		return newOperator(k, k, c.complex.Count(k), 0, 0)
	}
	return c.chains[k]
}

// Boundary returns the boundary operator ∂_k of the cells, from k-cells to (k-1)-cells. It agrees
// with that of the simplices: Complex().Boundary(k) after Chains(k) is Chains(k-1) after
// Boundary(k).
func (c *Cells) Boundary(k int) *Operator {
	if k < 0 || k >= len(c.boundary) {
		_, faces := c.Chains(k - 1).Dims()
		return newOperator(k, k-1, faces, 0, 0)
	}
	return c.boundary[k]
}

// signed is a cell with a coefficient ±1.
type signed struct {
	cell int
	sign float64
}

// cellBuilder collects cells before they become a complex.
type cellBuilder struct {
	vertices int
	edges    [][]int
	cycles   [][]int        // polygons, each cycle beginning at its smallest vertex
	number   map[string]int // number of a polygon by its cycle made to go up first
	solids   [][]signed     // the boundary of each polyhedron
	reverse  []bool         // whether the cycle of a polygon is the reverse of the one in number
}

// polygon returns the number of the polygon with the given cycle, new or old, and its orientation
// relative to that.
func (b *cellBuilder) polygon(cycle []int) (number int, sign float64, err error) {
	sorted, err := sortVertices(cycle, b.vertices)
	if err != nil {
		return 0, 0, err
	}
	if len(cycle) < 3 {
		return 0, 0, fmt.Errorf("%s has %d vertices, want 3 or more", show(cycle), len(cycle))
	}
	first := slices.Index(cycle, sorted[0])
	cycle = slices.Concat(cycle[first:], cycle[:first])
	up := slices.Clone(cycle)
	reverse := up[1] > up[len(up)-1]
	if reverse {
		slices.Reverse(up[1:])
	}
	key := fmt.Sprint(up)
	number, known := b.number[key]
	if !known {
		number = len(b.cycles)
		b.number[key] = number
		b.cycles = append(b.cycles, cycle)
		b.reverse = append(b.reverse, reverse)
	}
	if reverse != b.reverse[number] {
		return number, -1, nil
	}
	return number, 1, nil
}

// polyhedron adds a polyhedron, orienting its faces like the first.
func (b *cellBuilder) polyhedron(faces [][]int) error {
	solid := make([]signed, len(faces))
	for f, cycle := range faces {
		number, sign, err := b.polygon(cycle)
		if err != nil {
			return fmt.Errorf("face %d: %w", f, err)
		}
		solid[f] = signed{number, sign}
	}
	signs, err := orient(faces)
	if err != nil {
		return err
	}
	for f := range solid {
		solid[f].sign *= signs[f]
	}
	b.solids = append(b.solids, solid)
	return nil
}

// orient returns signs that turn the cycles of the faces into the orientation of a closed surface
// that contains the first as it is. It is an error if the surface is not a sphere.
func orient(faces [][]int) ([]float64, error) {
	if len(faces) == 0 {
		return nil, errors.New("no faces")
	}
	type side struct {
		face int
		sign float64 // 1 if the cycle runs through the edge upwards
	}
	sides := map[[2]int][]side{}
	vertices := map[int]bool{}
	for f, cycle := range faces {
		for i, v := range cycle {
			w := cycle[(i+1)%len(cycle)]
			s := side{f, 1}
			if v > w {
				s.sign = -1
			}
			edge := [2]int{min(v, w), max(v, w)}
			sides[edge] = append(sides[edge], s)
			vertices[v] = true
		}
	}
	signs := make([]float64, len(faces))
	signs[0] = 1
	reached := []int{0}
	for len(reached) > 0 {
		f := reached[0]
		reached = reached[1:]
		for i, v := range faces[f] {
			w := faces[f][(i+1)%len(faces[f])]
			pair := sides[[2]int{min(v, w), max(v, w)}]
			if len(pair) != 2 {
				return nil, fmt.Errorf("edge [%d %d] lies on %d faces, want 2", v, w, len(pair))
			}
			here, there := pair[0], pair[1]
			if here.face != f {
				here, there = there, here
			}
			want := -signs[f] * here.sign * there.sign
			switch signs[there.face] {
			case 0:
				signs[there.face] = want
				reached = append(reached, there.face)
			case -want:
				return nil, errors.New("the faces cannot be oriented alike")
			}
		}
	}
	if f := slices.Index(signs, 0); f >= 0 {
		return nil, fmt.Errorf("face %d is not connected to the first", f)
	}
	if euler := len(vertices) - len(sides) + len(faces); euler != 2 {
		return nil, fmt.Errorf("the faces have Euler characteristic %d, want 2, that of a sphere", euler)
	}
	return signs, nil
}

// fan returns the triangles of a polygon whose cycle begins at its smallest vertex.
func fan(cycle []int) [][]int {
	var triangles [][]int
	for i := 1; i+1 < len(cycle); i++ {
		triangles = append(triangles, []int{cycle[0], cycle[i], cycle[i+1]})
	}
	return triangles
}

// cone returns the tetrahedra of a polyhedron with their signs.
func (b *cellBuilder) cone(solid []signed) (tetrahedra [][]int, signs []float64) {
	apex := b.cycles[solid[0].cell][0]
	for _, f := range solid {
		apex = min(apex, b.cycles[f.cell][0])
	}
	for _, f := range solid {
		if b.cycles[f.cell][0] == apex {
			continue
		}
		for _, t := range fan(b.cycles[f.cell]) {
			tetrahedra = append(tetrahedra, append([]int{apex}, t...))
			signs = append(signs, f.sign)
		}
	}
	return tetrahedra, signs
}

// build triangulates the collected cells.
func (b *cellBuilder) build() (*Cells, error) {
	sides := slices.Clone(b.edges)
	for _, cycle := range b.cycles {
		for i, v := range cycle {
			sides = append(sides, []int{v, cycle[(i+1)%len(cycle)]})
		}
	}
	graph, err := New(b.vertices, sides)
	if err != nil {
		return nil, err
	}
	simplices := sides
	for _, cycle := range b.cycles {
		simplices = append(simplices, fan(cycle)...)
	}
	for _, solid := range b.solids {
		tetrahedra, _ := b.cone(solid)
		simplices = append(simplices, tetrahedra...)
	}
	c, err := New(b.vertices, simplices)
	if err != nil {
		return nil, err
	}
	return b.operators(graph, c)
}

// operators returns the cells with their chains in the triangulation c and their boundaries, edges
// as in graph.
func (b *cellBuilder) operators(graph, c *Complex) (*Cells, error) {
	cells := &Cells{complex: c}
	counts := []int{c.Count(0), graph.Count(1), len(b.cycles), len(b.solids)}
	for len(counts) > 1 && counts[len(counts)-1] == 0 {
		counts = counts[:len(counts)-1]
	}
	for k, count := range counts {
		chains := newOperator(k, k, c.Count(k), count, count)
		boundary := graph.Boundary(k)
		if k > 1 {
			boundary = newOperator(k, k-1, counts[k-1], count, count)
		}
		for j := range count {
			chain, faces, err := b.cell(graph, c, k, j)
			if err != nil {
				return nil, err
			}
			chains.add(chain)
			if k > 1 {
				boundary.add(faces)
			}
		}
		cells.chains = append(cells.chains, chains)
		cells.boundary = append(cells.boundary, boundary)
	}
	return cells, nil
}

// cell returns the chain of simplices of the j-th k-cell and, for k > 1, its boundary as a chain of
// cells.
func (b *cellBuilder) cell(graph, c *Complex, k, j int) (chain, boundary Chain, err error) {
	switch k {
	case 0, 1:
		vertices := make([]int, k+1)
		for i, v := range graph.at(k, j) {
			vertices[i] = int(v)
		}
		chain, err = c.Chain(k, [][]int{vertices}, nil)
	case 2:
		if chain, err = c.Chain(k, fan(b.cycles[j]), nil); err == nil {
			boundary, err = graph.Path(append(slices.Clone(b.cycles[j]), b.cycles[j][0])...)
		}
	case 3:
		var index []int32
		var coeff []float64
		for _, f := range b.solids[j] {
			index, coeff = append(index, int32(f.cell)), append(coeff, f.sign)
		}
		boundary = newChain(k-1, index, coeff)
		tetrahedra, signs := b.cone(b.solids[j])
		chain, err = c.Chain(k, tetrahedra, signs)
	}
	return chain, boundary, err
}
