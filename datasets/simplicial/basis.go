package simplicial

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Basis holds the smallest eigenpairs of the Hodge Laplacian of a surface or any other complex with
// volumes, in the form that functions of the Laplacian are computed in: f(Δ)x = Σ_j f(Values[j]) φ_j ⟨φ_j,
// x⟩.
type Basis struct {
	Values  []float64 // [K]: ascending
	Vectors []float64 // [n, K]: the eigenvectors φ_j are its columns
	Duals   []float64 // [n, K]: the columns Mφ_j, so that ⟨φ_j, x⟩ is Σ_i Duals[i, j] x_i
	Mass    []float64 // [n]: in degree 0 the volumes of vertices, of which Duals is a multiple; else nil
	Volume  float64   // of all simplices of highest degree
	Dim     int       // the highest degree
}

// mollification is the factor of [Complex.Mollify]: that of Sharp and Crane.
const mollification = 1e-5

// Basis returns the m smallest eigenvalues of the Hodge Laplacian in degree k with eigenvectors that are
// orthonormal in the inner product of the mass matrix, or all of them if there are fewer. Of a repeated
// eigenvalue the basis of eigenvectors is arbitrary; the projection on its eigenspace is not, nor is any
// function of the Laplacian.
//
// In degree 0, the triangles of a surface may be as bad as they come: edges may have any number of
// triangles, vertices several fans, triangles no area, vertices the same place. The Laplacian is that of
// piecewise linear functions on the intrinsic Delaunay triangulation of the tufted cover (Sharp and Crane,
// A Laplacian for Nonmanifold Triangle Meshes, 2020), lengths are those of Mollify, and each vertex has
// the mass of a third of the area around it. Vertices of no triangle have no mass, and are 0 in all
// vectors. Where edges have two triangles at most, angles across them add up to no more than π and no
// triangle is narrow, that is the usual cotangent Laplacian.
//
// In other degrees, and of complexes that are no surfaces, eigenpairs are those of Eigen with the metric
// of the complex, Galerkin where it has none, with masses as they are; edges and triangles are mollified
// first.
//
// Of 15,000 vertices of a surface, 128 eigenpairs in degree 0 take about two seconds of two cores. It is an
// error if the complex has no coordinates, or as in Eigen and Mollify.
func (c *Complex) Basis(k, m int) (*Basis, error) {
	if c.ambient == 0 {
		return nil, errCoordinates
	}
	if k < 0 || c.Count(k) == 0 || m < 1 {
		return nil, fmt.Errorf("simplicial: basis of %d vectors in degree %d of a complex of dimension %d", m,
			k, c.Dim())
	}
	if k == 0 && c.Dim() == 2 {
		return c.surfaceBasis(m)
	}
	return c.generalBasis(k, m)
}

// surfaceBasis is Basis in degree 0 of a surface.
func (c *Complex) surfaceBasis(m int) (*Basis, error) {
	whole := c
	if c.lengths == nil {
		var err error
		if whole, err = c.Mollify(mollification); err != nil {
			return nil, err
		}
	}
	cover := newTufted(whole)
	cover.delaunay()
	entries, areas := cover.stiffness(c.Count(0))
	// Vertices without triangles are left out: number has the others.
	number, used, volume := make([]int32, len(areas)), []int(nil), 0.0
	var masses []float64
	for v, a := range areas {
		if a > 0 {
			number[v] = int32(len(used))
			used, masses, volume = append(used, v), append(masses, a), volume+a
		}
	}
	for i := range entries {
		entries[i].I, entries[i].J = number[entries[i].I], number[entries[i].J]
	}
	stiffness, err := sparse.New(len(used), entries)
	if err != nil {
		return nil, err
	}
	mass, err := sparse.Diagonal(masses)
	if err != nil {
		return nil, err
	}
	m = min(m, len(used))
	components := components(len(used), entries)
	solver := sparse.Solver{Mass: mass, Block: max(4, min(components, m+8))}
	values, vectors, err := solver.Smallest(stiffness, m)
	if err != nil {
		return nil, err
	}
	clear(values[:min(components, m)])
	b := &Basis{Values: values, Vectors: make([]float64, len(areas)*m), Duals: make([]float64, len(areas)*m),
		Mass: areas, Volume: volume, Dim: 2}
	for i, v := range used {
		copy(b.Vectors[v*m:(v+1)*m], vectors.RawRowView(i))
	}
	b.fixSigns()
	for i, x := range b.Vectors {
		b.Duals[i] = areas[i/m] * x
	}
	return b, nil
}

// generalBasis is Basis of anything else.
func (c *Complex) generalBasis(k, m int) (*Basis, error) {
	whole := c
	var err error
	if c.masses == nil {
		if c.Dim() <= 2 && c.lengths == nil {
			if whole, err = c.Mollify(mollification); err != nil {
				return nil, err
			}
		}
		if whole, err = whole.WithMetric(Galerkin); err != nil {
			return nil, err
		}
	}
	m = min(m, c.Count(k))
	e, err := whole.Eigen(k, m)
	if err != nil {
		return nil, err
	}
	b := &Basis{Values: e.Values, Vectors: e.Vectors.RawMatrix().Data, Duals: make([]float64, c.Count(k)*m),
		Dim: c.Dim()}
	for j := range m {
		for i, x := range whole.flat(k, mat.Col(nil, j, e.Vectors)) {
			b.Duals[i*m+j] = x
		}
	}
	volumes, err := whole.Volumes(c.Dim())
	for _, v := range volumes {
		b.Volume += v
	}
	return b, err
}

// Unit returns the basis of the complex scaled to volume 1, in degree k: times of heat mean the same on
// every surface then. Lengths were divided by s = Volume^(1/Dim), so that eigenvalues are multiplied by s²
// and the inner product of k-cochains by s^(2k - Dim).
func (b *Basis) Unit(k int) *Basis {
	s := math.Pow(b.Volume, 1/float64(b.Dim))
	mass := math.Pow(s, float64(2*k-b.Dim))
	return &Basis{Values: scaled(b.Values, s*s), Vectors: scaled(b.Vectors, 1/math.Sqrt(mass)),
		Duals: scaled(b.Duals, math.Sqrt(mass)), Mass: scaled(b.Mass, mass), Volume: 1, Dim: b.Dim}
}

// scaled returns s·x.
func scaled(x []float64, s float64) []float64 {
	if x == nil {
		return nil
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = s * v
	}
	return y
}

// fixSigns makes the largest entry of each vector positive.
func (b *Basis) fixSigns() {
	m := len(b.Values)
	column := make([]float64, len(b.Vectors)/m)
	for j := range m {
		for i := range column {
			column[i] = b.Vectors[i*m+j]
		}
		fixSign(column)
		for i, x := range column {
			b.Vectors[i*m+j] = x
		}
	}
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
