package simplicial

import (
	"errors"
	"fmt"
	"slices"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Triangulate cuts convex polygons and polyhedra into simplices without new vertices. It returns the complex
// of these and of the given edges on the vertices 0..vertices-1, without coordinates, and the matrices of
// chains whose columns are the triangles of each polygon and the tetrahedra of each polyhedron, with signs.
// So the transposed matrices take integrals over simplices to integrals over cells.
//
// An edge is a pair of vertices, a polygon the cycle of its vertices, which orients its chain, and a
// polyhedron the list of its polygonal faces, whose cycles may run either way; its chain is oriented so that
// the first face as given is part of the boundary.
//
// Each cell is cut into the cones over those of its faces that miss its smallest vertex (the pulling
// triangulation: Lee and Santos, Handbook of Discrete and Computational Geometry, 16.2.1). As the faces
// are cut in the same way, cells that share a face fit together. Only the combinatorics matters:
// polygons need not be quite flat. It is an error if a cell repeats a vertex, names one out of range or
// has too few, if the faces of a polyhedron do not form a sphere, or if the result would exceed MaxSize.
func Triangulate(vertices int, edges, polygons [][]int, polyhedra [][][]int) (c *Complex, faces,
	solids *Matrix, err error) {
	for i, edge := range edges {
		if len(edge) != 2 {
			return nil, nil, nil, fmt.Errorf("simplicial: edge %d: %s has %d vertices, want 2", i, show(edge),
				len(edge))
		}
	}
	all := slices.Clone(edges)
	triangles, tetrahedra := make([][][]int, len(polygons)), make([][][]int, len(polyhedra))
	signs := make([][]float64, len(polyhedra))
	for i, cycle := range polygons {
		if err := checkCycle(cycle, vertices); err != nil {
			return nil, nil, nil, fmt.Errorf("simplicial: polygon %d: %w", i, err)
		}
		triangles[i] = fan(cycle)
		all = append(all, triangles[i]...)
	}
	for i, solid := range polyhedra {
		for j, cycle := range solid {
			if err := checkCycle(cycle, vertices); err != nil {
				return nil, nil, nil, fmt.Errorf("simplicial: polyhedron %d: face %d: %w", i, j, err)
			}
			all = append(all, fan(cycle)...)
		}
		if tetrahedra[i], signs[i], err = cone(solid); err != nil {
			return nil, nil, nil, fmt.Errorf("simplicial: polyhedron %d: %w", i, err)
		}
		all = append(all, tetrahedra[i]...)
	}
	if c, err = New(vertices, all); err != nil {
		return nil, nil, nil, err
	}
	if faces, err = c.chains(2, triangles, nil); err != nil {
		return nil, nil, nil, err
	}
	solids, err = c.chains(3, tetrahedra, signs)
	return c, faces, solids, err
}

// chains returns the matrix whose columns are chains of k-simplices with signs, or 1 if these are nil.
func (c *Complex) chains(k int, simplices [][][]int, signs [][]float64) (*sparse.Matrix, error) {
	var entries []sparse.Entry
	for i, chain := range simplices {
		for j, s := range chain {
			index, sign, _ := c.Index(s...)
			e := sparse.Entry{I: int32(index), J: int32(i), V: float64(sign)}
			if signs != nil {
				e.V *= signs[i][j]
			}
			entries = append(entries, e)
		}
	}
	return sparse.NewMatrix(c.Count(k), len(simplices), entries)
}

// checkCycle reports a cycle that is too short, repeats a vertex or names one out of range.
func checkCycle(cycle []int, vertices int) error {
	if _, err := sortVertices(cycle, vertices); err != nil {
		return err
	}
	if len(cycle) < 3 {
		return fmt.Errorf("%s has %d vertices, want 3 or more", show(cycle), len(cycle))
	}
	return nil
}

// fan returns the triangles of a polygon, all at its smallest vertex.
func fan(cycle []int) [][]int {
	first := slices.Index(cycle, slices.Min(cycle))
	cycle = slices.Concat(cycle[first:], cycle[:first])
	var triangles [][]int
	for i := 1; i+1 < len(cycle); i++ {
		triangles = append(triangles, []int{cycle[0], cycle[i], cycle[i+1]})
	}
	return triangles
}

// cone returns the tetrahedra of a polyhedron, all at its smallest vertex, with their signs. It is an
// error if the faces do not form a sphere.
func cone(solid [][]int) (tetrahedra [][]int, signs []float64, err error) {
	orientations, err := orient(solid)
	if err != nil {
		return nil, nil, err
	}
	apex := slices.Min(slices.Concat(solid...))
	for f, cycle := range solid {
		if slices.Contains(cycle, apex) {
			continue
		}
		for _, triangle := range fan(cycle) {
			tetrahedra = append(tetrahedra, append([]int{apex}, triangle...))
			signs = append(signs, orientations[f])
		}
	}
	return tetrahedra, signs, nil
}

// orient returns signs that turn the cycles of faces into the orientation of a closed surface that
// contains the first as it is. It is an error if the surface is not a sphere.
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
	for reached := []int{0}; len(reached) > 0; reached = reached[1:] {
		f := reached[0]
		for i, v := range faces[f] {
			w := faces[f][(i+1)%len(faces[f])]
			pair := sides[[2]int{min(v, w), max(v, w)}]
			if len(pair) != 2 {
				return nil, fmt.Errorf("edge [%d %d] lies on %d faces, want 2", v, w, len(pair))
			}
			there := pair[0].face + pair[1].face - f
			want := -signs[f] * pair[0].sign * pair[1].sign
			switch signs[there] {
			case 0:
				signs[there] = want
				reached = append(reached, there)
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
