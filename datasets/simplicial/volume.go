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
		volumes[i] = volumeOf(c.points(c.at(k, i)))
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

// volumeOf returns the volume of the simplex of some points by Gram-Schmidt: the product of the heights.
func volumeOf(points [][]float64) float64 {
	d := edges(points)
	volume := 1.0
	for j, edge := range d {
		length := floats.Norm(edge, 2)
		for _, unit := range d[:j] {
			floats.AddScaled(edge, -floats.Dot(unit, edge), unit)
		}
		height := floats.Norm(edge, 2)
		if height <= 4e-15*length { // rounding: heights have no digit that is right
			return 0
		}
		floats.Scale(1/height, edge)
		volume *= height / float64(j+1)
	}
	return volume
}

// gradients returns those of the barycentric coordinates, vectors of R^n along the simplex, and their
// inner products ⟨dλ_i, dλ_j⟩. It is ok unless the simplex is flat up to rounding.
//
// By D = QR, the matrix of edges from the first point, they are the rows of R⁻¹Qᵀ; DᵀD would have the
// square of its condition.
func gradients(points [][]float64) (vectors, inner [][]float64, ok bool) {
	k := len(points) - 1
	q := edges(points)
	r := mat.NewTriDense(max(k, 1), mat.Upper, nil)
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
		if !(height > 4e-15*length) || math.IsInf(length, 0) {
			return nil, nil, false
		}
		r.SetTri(j, j, height)
		floats.Scale(1/height, edge)
	}
	vectors, inner = make([][]float64, k+1), make([][]float64, k+1)
	for i := range vectors {
		vectors[i], inner[i] = make([]float64, len(points[0])), make([]float64, k+1)
	}
	for i := k - 1; i >= 0; i-- { // R v = q from below, v the gradients of λ_1, …, λ_k
		copy(vectors[i+1], q[i])
		for j := i + 1; j < k; j++ {
			floats.AddScaled(vectors[i+1], -r.At(i, j), vectors[j+1])
		}
		floats.Scale(1/r.At(i, i), vectors[i+1])
		floats.Sub(vectors[0], vectors[i+1])
	}
	for i := range inner {
		for j := range inner {
			inner[i][j] = floats.Dot(vectors[i], vectors[j])
		}
	}
	return vectors, inner, true
}
