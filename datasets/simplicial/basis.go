package simplicial

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Basis holds the smallest eigenpairs of the Laplacian of functions on a surface, in which functions of it
// are computed: f(Δ)x = Σ_j f(Values[j]) φ_j ⟨φ_j, x⟩ with ⟨x, y⟩ = Σ_i Mass[i] x_i y_i.
type Basis struct {
	Values  []float64 // [K]: ascending
	Vectors []float64 // [n, K]: the eigenvectors φ_j are its columns
	Mass    []float64 // [n]: the areas of vertices
}

// Basis returns the m smallest eigenvalues of the Laplacian of functions on a surface with orthonormal
// eigenvectors, or all of them if there are fewer. Of a repeated eigenvalue the basis of eigenvectors is
// arbitrary; the projection on its eigenspace is not, nor is any function of the Laplacian.
//
// The triangles may be as bad as they come: edges may have any number of triangles, vertices several fans,
// triangles no area, vertices the same place. The Laplacian is that of piecewise linear functions on the
// intrinsic Delaunay triangulation of the tufted cover, and each vertex has the mass of a third of the area
// around it (Sharp and Crane, A Laplacian for Nonmanifold Triangle Meshes, 2020). Vertices of no triangle
// have no mass, and are 0 in all vectors. Where edges have two triangles at most, angles across them add up
// to no more than π and no triangle is narrow, that is the usual cotangent Laplacian.
//
// Of 15,000 vertices, 128 eigenpairs take about two seconds of two cores. It is an error if the complex is no
// surface with coordinates, or if all vertices are at one place. [Complex.Eigen] is for other degrees and
// dimensions.
func (c *Complex) Basis(m int) (*Basis, error) {
	if c.Dim() != 2 || m < 1 {
		return nil, fmt.Errorf("simplicial: basis of %d functions on a complex of dimension %d, want 2", m,
			c.Dim())
	}
	lengths, err := c.mollified()
	if err != nil {
		return nil, err
	}
	cover := newTufted(c, lengths)
	cover.delaunay()
	entries, areas := cover.stiffness(c.Count(0))
	// Vertices without triangles are left out: number has the others.
	number, used := make([]int32, len(areas)), []int(nil)
	var masses []float64
	for v, a := range areas {
		if a > 0 {
			number[v] = int32(len(used))
			used, masses = append(used, v), append(masses, a)
		}
	}
	for i := range entries {
		entries[i].I, entries[i].J = number[entries[i].I], number[entries[i].J]
	}
	stiffness, err := sparse.NewSymmetric(len(used), entries)
	if err != nil {
		return nil, err
	}
	m = min(m, len(used))
	components := components(len(used), entries)
	solver := sparse.Solver{Mass: sparse.Diagonal(masses), Block: max(4, min(components, m+8))}
	values, vectors, err := solver.Smallest(stiffness, m)
	if err != nil {
		return nil, err
	}
	clear(values[:min(components, m)])
	b := &Basis{Values: values, Vectors: make([]float64, len(areas)*m), Mass: areas}
	column := make([]float64, len(used))
	for j := range m {
		for i := range used {
			column[i] = vectors.At(i, j)
		}
		fixSign(column)
		for i, v := range used {
			b.Vectors[v*m+j] = column[i]
		}
	}
	return b, nil
}

// Unit returns the basis of the surface scaled to area 1: times of heat mean the same on every surface then.
func (b *Basis) Unit() *Basis {
	area := floats.Sum(b.Mass)
	scaled := func(x []float64, s float64) []float64 { return floats.ScaleTo(make([]float64, len(x)), s, x) }
	return &Basis{scaled(b.Values, area), scaled(b.Vectors, math.Sqrt(area)), scaled(b.Mass, 1/area)}
}

// mollified returns the lengths of the edges, all increased by the smallest number that makes each triangle
// inequality l₁ + l₂ ≥ l₃ + δ hold, where δ is 1e-5 of the mean length. Where no triangle is so narrow,
// nothing changes.
func (c *Complex) mollified() ([]float64, error) {
	const factor = 1e-5 // of Sharp and Crane
	lengths, err := c.Volumes(1)
	if err != nil {
		return nil, err
	}
	least := factor * floats.Sum(lengths) / float64(len(lengths))
	if least == 0 {
		return nil, fmt.Errorf("simplicial: all %d edges have length 0: there is no metric", c.Count(1))
	}
	more := least - floats.Min(lengths)
	faces, _ := c.Faces(2)
	for i := range c.Count(2) {
		x, y, z := lengths[faces[3*i]], lengths[faces[3*i+1]], lengths[faces[3*i+2]]
		more = max(more, least-(x+y+z-2*max(x, y, z)))
	}
	floats.AddConst(max(0, more), lengths)
	return lengths, nil
}

// components counts the parts that the graph of a matrix falls into.
func components(n int, entries []sparse.Entry) int {
	parent := count32(n)
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, e := range entries {
		if i, j := root(e.I), root(e.J); i != j {
			parent[max(i, j)] = min(i, j)
			n--
		}
	}
	return n
}
