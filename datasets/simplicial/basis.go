package simplicial

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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
// eigenvectors, or all of them if there are fewer. The eigenvectors of a repeated eigenvalue are an arbitrary
// basis of its eigenspace; the projection on the eigenspace, and functions of the Laplacian, do not depend on
// the choice. Each eigenfunction is supported on one connected part of the surface; among equal eigenvalues,
// those of larger parts come first.
//
// The surface may be degenerate: edges may have any number of triangles, vertices several fans, triangles no
// area, and vertices may coincide. The Laplacian is that of piecewise linear functions on the intrinsic
// Delaunay triangulation of the tufted cover, and each vertex has the mass of a third of the area around it
// (Sharp and Crane, A Laplacian for Nonmanifold Triangle Meshes, 2020). Vertices of no triangle have no mass,
// and are 0 in all vectors. Where edges have two triangles at most, angles across them add up to no more than
// π and no triangle is narrow, that is the usual cotangent Laplacian.
//
// 128 eigenpairs of a surface of 15,000 vertices take two to three seconds of processor time. It is an error
// if the complex is not a surface with coordinates, if all vertices coincide, or if the mean length of edges
// is not in 1e-60..1e60. [Complex.Eigen] is for other degrees and dimensions.
func (c *Complex) Basis(m int) (*Basis, error) {
	if c.Dim() != 2 || m < 1 {
		return nil, fmt.Errorf("simplicial: basis of %d functions on a complex of dimension %d, want 1 or "+
			"more on one of dimension 2", m, c.Dim())
	}
	lengths, err := c.mollified()
	if err != nil {
		return nil, err
	}
	cover := newTufted(c, lengths)
	cover.delaunay()
	entries, areas := cover.stiffness(c.Count(0))
	parts, err := partsOf(entries, areas)
	if err != nil {
		return nil, err
	}
	values, err := smallest(parts, min(m, c.Count(0)))
	if err != nil {
		return nil, err
	}
	m = len(values)
	b := &Basis{Values: make([]float64, m), Vectors: make([]float64, len(areas)*m), Mass: areas}
	for j, v := range values {
		b.Values[j] = v.value
		column := mat.Col(nil, v.column, v.of.vectors)
		fixSign(column)
		for i, vertex := range v.of.vertices {
			b.Vectors[int(vertex)*m+j] = column[i]
		}
	}
	return b, nil
}

// part is a connected part of a surface.
type part struct {
	vertices  []int32
	stiffness *Matrix
	mass      []float64
	area      float64
	values    []float64  // the smallest eigenvalues
	vectors   *mat.Dense // as columns
}

// partsOf returns the parts that the graph of a matrix falls into, the largest first, without vertices that
// have no area.
func partsOf(entries []sparse.Entry, areas []float64) (parts []*part, err error) {
	of := components(len(areas), entries)
	place, at := make([]int32, len(areas)), map[int32]*part{} // of vertices in their parts
	for v, a := range areas {
		if a > 0 {
			p := at[of[v]]
			if p == nil {
				p = &part{}
				at[of[v]], parts = p, append(parts, p)
			}
			place[v] = int32(len(p.vertices))
			p.vertices, p.mass, p.area = append(p.vertices, int32(v)), append(p.mass, a), p.area+a
		}
	}
	own := map[*part][]sparse.Entry{}
	for _, e := range entries {
		p := at[of[e.I]]
		own[p] = append(own[p], sparse.Entry{I: place[e.I], J: place[e.J], V: e.V})
	}
	for p, entries := range own {
		if p.stiffness, err = sparse.NewSymmetric(len(p.vertices), entries); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(parts, func(p, q *part) int { return cmp.Compare(q.area, p.area) })
	return parts, nil
}

// eigenvalue is one of the eigenvalues of a part.
type eigenvalue struct {
	value  float64
	of     *part
	column int
}

// smallest returns the m smallest eigenvalues of all parts, ascending, and of equal ones those of larger
// parts first.
func smallest(parts []*part, m int) ([]eigenvalue, error) {
	total := 0.0
	for _, p := range parts {
		total += p.area
	}
	wanted := make([]int, len(parts)) // of each part: as many as its share of the area, for a start
	for i, p := range parts {
		wanted[i] = 1
		if i < m && len(parts) <= m {
			wanted[i] += int(float64(m) * p.area / total)
		}
	}
	for {
		var all []eigenvalue
		for i, p := range parts {
			if err := p.solve(min(wanted[i], m)); err != nil {
				return nil, err
			}
			for j, v := range p.values {
				all = append(all, eigenvalue{v, p, j})
			}
		}
		slices.SortStableFunc(all, func(a, b eigenvalue) int { return cmp.Compare(a.value, b.value) })
		all = all[:min(m, len(all))]
		last, complete := all[len(all)-1].value, true
		if len(all) < m {
			last = math.Inf(1)
		}
		for i, p := range parts {
			if n := len(p.values); n < min(m, len(p.vertices)) && p.values[n-1] < last {
				wanted[i] += 2 + wanted[i]/4
				complete = false
			}
		}
		if complete {
			return all, nil
		}
	}
}

// solve finds that many eigenpairs, or all if there are fewer, unless they are known.
func (p *part) solve(m int) (err error) {
	if m = min(m, len(p.vertices)); m <= len(p.values) {
		return nil
	}
	// Narrow blocks need fewer vectors; one alone would find only one of two equal eigenvalues.
	solver := sparse.Solver{Mass: sparse.Diagonal(p.mass), Block: 2}
	if p.values, p.vectors, err = solver.Smallest(p.stiffness, m); err == nil {
		p.values[0] = 0
	}
	return err
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
	mean := floats.Sum(lengths) / float64(len(lengths))
	switch least, most := 1e-60, 1e60; { // fourth powers are finite, and not 0
	case mean == 0:
		return nil, fmt.Errorf("simplicial: all %d edges have length 0: there is no metric", c.Count(1))
	case !(mean >= least && mean <= most):
		return nil, fmt.Errorf("simplicial: edges have a mean length of %.3g, want %v to %v: scale the "+
			"surface", mean, least, most)
	}
	least := factor * mean
	more := least - floats.Min(lengths)
	faces, _ := c.faces(2)
	for i := range c.Count(2) {
		x, y, z := lengths[faces[3*i]], lengths[faces[3*i+1]], lengths[faces[3*i+2]]
		more = max(more, least-(x+y+z-2*max(x, y, z)))
	}
	floats.AddConst(max(0, more), lengths)
	return lengths, nil
}

// components returns for each of n vertices one that stands for the part of the graph of a matrix that it is
// in.
func components(n int, entries []sparse.Entry) []int32 {
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
		}
	}
	for i := range parent {
		parent[i] = root(int32(i))
	}
	return parent
}
