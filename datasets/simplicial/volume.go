package simplicial

import (
	"errors"
	"math"
	"math/bits"

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
		volumes[i] = volumeOf(c.shape(c.at(k, i)))
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

// duals are the cells dual to the faces of a simplex, within it: of a face the union of the simplices of
// the centers of itself and of ever larger faces up to the whole. Faces are sets of corners, as bits.
type duals struct {
	points  [][]float64
	weights map[int][]float64 // barycentric coordinates of the center of each face
	centers map[int][]float64 // and the center
}

// newDuals takes circumcenters or barycenters. It is ok unless the simplex is flat.
func newDuals(points [][]float64, circumcentric bool) (d duals, ok bool) {
	d = duals{points, map[int][]float64{}, map[int][]float64{}}
	for face := 1; face < 1<<len(points); face++ {
		var corners [][]float64
		for i, x := range points {
			if face>>i&1 == 1 {
				corners = append(corners, x)
			}
		}
		weights := make([]float64, len(corners))
		floats.AddConst(1/float64(len(corners)), weights)
		if circumcentric {
			s, ok := circumsphere(corners)
			if !ok {
				return d, false
			}
			weights = s.weights
		}
		center := make([]float64, len(points[0]))
		for i, x := range corners {
			floats.AddScaled(center, weights[i], x)
		}
		d.weights[face], d.centers[face] = weights, center
	}
	return d, true
}

// volume returns the volume of the cell dual to the face. Parts on the far side of a face count as negative
// (Hirani, Discrete Exterior Calculus, 2003, 2.4).
func (d duals) volume(face int) float64 {
	return d.flags(face, [][]float64{d.centers[face]}, 1)
}

// flags adds up the simplices of centers that begin with those given.
func (d duals) flags(face int, centers [][]float64, sign float64) float64 {
	if face == 1<<len(d.points)-1 {
		return sign * volumeOf(centers)
	}
	sum := 0.0
	for i := range d.points {
		larger := face | 1<<i
		if larger == face {
			continue
		}
		// The center of the larger face is on the side of corner i where it has a share of that.
		side := 1.0
		if share := d.weights[larger][bits.OnesCount(uint(larger&(1<<i-1)))]; share < 0 {
			side = -1
		}
		sum += d.flags(larger, append(centers[:len(centers):len(centers)], d.centers[larger]), sign*side)
	}
	return sum
}
