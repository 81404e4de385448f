package simplicial

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

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
