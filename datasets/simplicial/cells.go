package simplicial

import (
	"errors"
	"fmt"
	"slices"
)

// Triangulate cuts edges, convex polygons and convex polyhedra into simplices without new vertices. It
// returns the complex of these on the vertices 0..vertices-1, without coordinates, and for each polygon,
// then each polyhedron, the chain of simplices that it consists of: integrals over a cell are those over
// its chain.
//
// A polygon is the cycle of its vertices, which orients its chain of triangles; a pair of vertices is an
// edge. A polyhedron is the list of its polygonal faces, whose cycles may run either way; its chain of
// tetrahedra is oriented so that the first face as given is part of the boundary.
//
// Each cell is cut into the cones over those of its faces that miss its smallest vertex (the pulling
// triangulation: Lee and Santos, Handbook of Discrete and Computational Geometry, 16.2.1). As the faces
// are cut in the same way, cells that share a face fit together. Only the combinatorics matters:
// polygons need not be quite flat. It is an error if a cell repeats a vertex, names one out of range or
// has too few, if the faces of a polyhedron do not form a sphere, or if the result would exceed MaxSize.
func Triangulate(vertices int, polygons [][]int, polyhedra [][][]int) (*Complex, []Chain, error) {
	var all [][]int
	pieces := make([][][]int, len(polygons)+len(polyhedra))
	signs := make([][]float64, len(pieces))
	for i, cycle := range polygons {
		if err := checkCycle(cycle, vertices, 2); err != nil {
			return nil, nil, fmt.Errorf("simplicial: polygon %d: %w", i, err)
		}
		pieces[i] = fan(cycle)
		all = append(all, pieces[i]...)
	}
	for i, solid := range polyhedra {
		for j, cycle := range solid {
			if err := checkCycle(cycle, vertices, 3); err != nil {
				return nil, nil, fmt.Errorf("simplicial: polyhedron %d: face %d: %w", i, j, err)
			}
			all = append(all, fan(cycle)...)
		}
		var err error
		if pieces[len(polygons)+i], signs[len(polygons)+i], err = cone(solid); err != nil {
			return nil, nil, fmt.Errorf("simplicial: polyhedron %d: %w", i, err)
		}
		all = append(all, pieces[len(polygons)+i]...)
	}
	c, err := New(vertices, all)
	chains := make([]Chain, len(pieces))
	for i := 0; i < len(pieces) && err == nil; i++ {
		chains[i], err = c.Chain(len(pieces[i][0])-1, pieces[i], signs[i])
	}
	return c, chains, err
}

// checkCycle reports a cycle that is too short, repeats a vertex or names one out of range.
func checkCycle(cycle []int, vertices, least int) error {
	if _, err := sortVertices(cycle, vertices); err != nil {
		return err
	}
	if len(cycle) < least {
		return fmt.Errorf("%s has %d vertices, want %d or more", show(cycle), len(cycle), least)
	}
	return nil
}

// fan returns the triangles of a polygon, all at its smallest vertex, or the edge that is one.
func fan(cycle []int) [][]int {
	if len(cycle) == 2 {
		return [][]int{cycle}
	}
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
