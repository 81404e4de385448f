package simplicial

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// mass is the inner product of the cochains of one degree.
type mass struct {
	matrix *Matrix
	factor func() (*sparse.LDL, error)
}

// WithMetric returns the same complex with the inner products of cochains that its embedding induces: the L²
// products of Whitney forms, ∫⟨W_σ, W_τ⟩ (Dodziuk, Finite-difference approach to the Hodge theory of harmonic
// forms, 1976), on which Mass, Codifferential, Laplacian, Hodge and Eigen depend. In a new complex the
// simplices are orthonormal, also in one made from a complex with a metric, such as another embedding.
//
// On every mesh whose angles stay away from 0 the eigenvalues of the Laplacians converge with order 2 in all
// degrees (Arnold, Falk and Winther, Finite element exterior calculus, homological techniques, and
// applications, 2006). Forms are integrated over the maximal simplices, each with its own volume: the
// triangles of a surface, and edges that stick out of it. It is an error if the complex has no coordinates or
// if such a simplex is degenerate.
func (c *Complex) WithMetric() (*Complex, error) {
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: c.levels}
	for k := range c.Dim() + 1 {
		matrix, err := c.whitneyMass(k)
		if err != nil {
			return nil, err
		}
		out.masses = append(out.masses, mass{matrix, sync.OnceValues(func() (*sparse.LDL, error) {
			return sparse.Factorize(matrix)
		})})
	}
	return out, nil
}

func errDegenerate(simplex []int32) error {
	return fmt.Errorf("simplicial: the simplex of vertices %v is degenerate and has no metric: "+
		"leave it out, or move its vertices apart", simplex)
}

// Mass returns the matrix M of the inner products of k-cochains, ⟨x, y⟩ = xᵀMy, which is the identity without
// a metric.
func (c *Complex) Mass(k int) *Matrix {
	if c.masses != nil && k >= 0 && k <= c.Dim() {
		return c.masses[k].matrix
	}
	ones := make([]float64, c.Count(k))
	floats.AddConst(1, ones)
	return sparse.Diagonal(ones)
}

// inner returns the inner product of k-cochains.
func (c *Complex) inner(k int, x, y []float64) float64 { return floats.Dot(x, c.flat(k, y)) }

// flat returns the k-chain Mx of a cochain, whose values on others are the inner products with x.
func (c *Complex) flat(k int, x []float64) []float64 {
	if c.masses == nil || k < 0 || k > c.Dim() {
		return x
	}
	return push(c.masses[k].matrix, x)
}

// sharp returns the k-cochain M⁻¹x of a chain.
func (c *Complex) sharp(k int, x []float64) ([]float64, error) {
	if c.masses == nil || k < 0 || k > c.Dim() {
		return x, nil
	}
	f, err := c.masses[k].factor()
	if err != nil {
		return nil, err
	}
	x = slices.Clone(x)
	f.SolveTo(x, x)
	return x, nil
}

// Volumes returns the k-volumes of the k-simplices in R^n: 1 for vertices, lengths, areas and so on. A
// simplex that is flat up to rounding has volume 0.
//
// It is an error if the complex has no coordinates.
func (c *Complex) Volumes(k int) ([]float64, error) {
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	volumes := make([]float64, c.Count(k))
	for i := range volumes {
		_, _, volumes[i], _ = frame(c.points(c.at(k, i)))
	}
	return volumes, nil
}

var errCoordinates = errors.New("simplicial: a complex without coordinates has no volumes: embed it first")

// points returns those of vertices.
func (c *Complex) points(simplex []int32) [][]float64 {
	points := make([][]float64, len(simplex))
	for i, v := range simplex {
		points[i] = c.coords[int(v)*c.ambient : (int(v)+1)*c.ambient]
	}
	return points
}

// edges returns the vectors from the first point to the others.
func edges(points [][]float64) [][]float64 {
	d := make([][]float64, len(points)-1)
	for i := range d {
		d[i] = floats.SubTo(make([]float64, len(points[0])), points[i+1], points[0])
	}
	return d
}

// frame returns the orthonormal vectors Q and the upper triangle R of QR, the matrix of edges from the first
// point, and the volume of the simplex; R⁻¹ would have the square of its condition by DᵀD. It is ok unless
// the simplex is flat up to rounding.
func frame(points [][]float64) (q [][]float64, r *mat.TriDense, volume float64, ok bool) {
	q, volume = edges(points), 1
	r = mat.NewTriDense(max(len(q), 1), mat.Upper, nil)
	for j, edge := range q {
		length := floats.Norm(edge, 2)
		for range 2 { // once more for what rounding left
			for i, unit := range q[:j] {
				share := floats.Dot(unit, edge)
				r.SetTri(i, j, r.At(i, j)+share)
				floats.AddScaled(edge, -share, unit)
			}
		}
		height := floats.Norm(edge, 2)
		if !(height > 4e-15*length) || math.IsInf(length, 0) { // heights have no digit that is right
			return nil, nil, 0, false
		}
		r.SetTri(j, j, height)
		floats.Scale(1/height, edge)
		volume *= height / float64(j+1)
	}
	return q, r, volume, true
}

// gradients returns those of the barycentric coordinates, vectors of R^n along the simplex, and its volume.
// It is ok unless the simplex is flat up to rounding.
func gradients(points [][]float64) (vectors [][]float64, volume float64, ok bool) {
	q, r, volume, ok := frame(points)
	if !ok {
		return nil, 0, false
	}
	k := len(q)
	vectors = make([][]float64, k+1)
	vectors[0] = make([]float64, len(points[0]))
	for i := k - 1; i >= 0; i-- { // R v = q from below, v the gradients of λ_1, …, λ_k
		for j := i + 1; j < k; j++ {
			floats.AddScaled(q[i], -r.At(i, j), vectors[j+1])
		}
		floats.Scale(1/r.At(i, i), q[i])
		vectors[i+1] = q[i]
		floats.Sub(vectors[0], q[i])
	}
	return vectors, volume, true
}
