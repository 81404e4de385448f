package simplicial

import (
	"errors"
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

// metricTensor returns the inner products of edges from the first point, DᵀD, and those of the
// differentials of the barycentric coordinates dλ_0 … dλ_k. It is ok unless the points are those of a flat
// simplex.
func metricTensor(points [][]float64) (lower *mat.SymDense, upper [][]float64, ok bool) {
	d, k := edges(points), len(points)-1
	upper = make([][]float64, k+1)
	for i := range upper {
		upper[i] = make([]float64, k+1)
	}
	if k == 0 {
		return nil, upper, true
	}
	lower = mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			lower.SetSym(i, j, floats.Dot(d[i], d[j]))
		}
	}
	var factors mat.Cholesky
	var inverse mat.SymDense
	if !factors.Factorize(lower) || factors.InverseTo(&inverse) != nil {
		return nil, nil, false
	}
	for i := range k {
		for j := range k {
			v := inverse.At(i, j)
			upper[i+1][j+1] = v
			upper[i+1][0] -= v
			upper[0][j+1] -= v
			upper[0][0] += v
		}
	}
	return lower, upper, true
}

// circumcenter returns its barycentric coordinates. It is ok unless the simplex is flat.
func circumcenter(points [][]float64) (center []float64, ok bool) {
	k := len(points) - 1
	center = make([]float64, k+1)
	center[0] = 1
	lower, upper, ok := metricTensor(points)
	if !ok {
		return nil, false
	}
	// The point Σ y_i d_i is as far from 0 as from each d_j: 2 DᵀD y = |d_j|².
	for i := range k {
		for j := range k {
			center[i+1] += upper[i+1][j+1] * lower.At(j, j) / 2
		}
		center[0] -= center[i+1]
	}
	return center, true
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
			if weights, ok = circumcenter(corners); !ok {
				return d, false
			}
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
