package simplicial

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Alpha returns the Delaunay triangulation of the points coords [N, n] and for each simplex, by degree,
// the radius from which on it is in the alpha complex: that of its smallest circumsphere if no point is
// inside, otherwise the least of the simplices that it is a face of (Edelsbrunner and Mücke,
// Three-dimensional alpha shapes, ACM Transactions on Graphics 13, 1994). Sublevel takes out the complex
// of a radius, and Persistence the homology of all.
//
// The alpha complex of a radius has the homotopy type of the union of the balls (the nerve theorem), as the
// whole Čech complex has, of which [Cech] returns the part up to a degree, with far fewer simplices.
// Errors are those of Delaunay.
func Alpha(n int, coords []float64) (c *Complex, radii [][]float64, err error) {
	if c, err = Delaunay(n, coords); err != nil {
		return nil, nil, err
	}
	radii = make([][]float64, n+1)
	radii[0] = make([]float64, c.Count(0))
	attached := make([]bool, c.Count(n)) // a point is inside the smallest circumsphere
	least := slices.Repeat([]float64{math.Inf(1)}, c.Count(n))
	for k := n; k > 0; k-- {
		radii[k] = make([]float64, c.Count(k))
		faces, _ := c.Faces(k)
		attachedFaces := make([]bool, c.Count(k-1))
		leastFaces := slices.Repeat([]float64{math.Inf(1)}, c.Count(k-1))
		for i := range radii[k] {
			radii[k][i] = least[i]
			if !attached[i] {
				_, radius := circumsphere(c.points(c.at(k, i)))
				radii[k][i] = min(radius, least[i])
			}
			for corner, face := range faces[i*(k+1) : (i+1)*(k+1)] {
				leastFaces[face] = min(leastFaces[face], radii[k][i])
				center, radius := circumsphere(c.points(c.at(k-1, int(face))))
				opposite := c.points(c.at(k, i)[corner : corner+1])[0]
				if k > 1 && floats.Distance(center, opposite, 2) < radius {
					attachedFaces[face] = true
				}
			}
		}
		attached, least = attachedFaces, leastFaces
	}
	return c, radii, nil
}

// circumsphere returns the smallest sphere through all of the points, of infinite radius if they are those
// of a flat simplex.
func circumsphere(points [][]float64) (center []float64, radius float64) {
	center = slices.Clone(points[0])
	d := edges(points)
	if len(d) == 0 {
		return center, 0
	}
	// Edges as long as each other, so that the condition is that of their directions.
	gram, squares := mat.NewSymDense(len(d), nil), mat.NewVecDense(len(d), nil)
	for i := range d {
		for j := range i + 1 {
			gram.SetSym(i, j, floats.Dot(d[i], d[j])/floats.Norm(d[i], 2)/floats.Norm(d[j], 2))
		}
		squares.SetVec(i, floats.Norm(d[i], 2)/2)
	}
	var factors mat.Cholesky
	var y mat.VecDense
	// Half of the digits are left, or all are taken.
	if !factors.Factorize(gram) || !(factors.Cond() < 1e8) || factors.SolveVecTo(&y, squares) != nil {
		return exactCircumsphere(points)
	}
	offset := make([]float64, len(center))
	for i := range d {
		floats.AddScaled(offset, y.AtVec(i)/floats.Norm(d[i], 2), d[i])
	}
	floats.Add(center, offset)
	return center, floats.Norm(offset, 2)
}

// exactCircumsphere is circumsphere in rational numbers: thin simplices, such as those of points on a
// sphere, leave no digit in floating point.
func exactCircumsphere(points [][]float64) (center []float64, radius float64) {
	n, k := len(points[0]), len(points)-1
	center = slices.Clone(points[0])
	d := make([][]*big.Rat, k)
	for i := range d {
		for a := range n {
			x, origin := new(big.Rat).SetFloat64(points[i+1][a]), new(big.Rat).SetFloat64(points[0][a])
			d[i] = append(d[i], x.Sub(x, origin))
		}
	}
	// 2 DᵀD y = |d|², by elimination with the right-hand sides as one more column.
	rows := make([][]*big.Rat, k)
	for i := range rows {
		for j := range k {
			rows[i] = append(rows[i], dotRat(d[i], d[j]))
		}
		rows[i] = append(rows[i], new(big.Rat).Quo(rows[i][i], big.NewRat(2, 1)))
	}
	for p := range k { // pivots are positive, as DᵀD is, unless it is singular
		if rows[p][p].Sign() == 0 {
			return center, math.Inf(1)
		}
		for i := range k {
			if i == p {
				continue
			}
			factor := new(big.Rat).Quo(rows[i][p], rows[p][p])
			for j := p; j <= k; j++ {
				rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(factor, rows[p][j]))
			}
		}
	}
	offset := make([]*big.Rat, n)
	for a := range n {
		offset[a] = new(big.Rat)
		for i := range d {
			y := new(big.Rat).Quo(rows[i][k], rows[i][i])
			offset[a].Add(offset[a], y.Mul(y, d[i][a]))
		}
		x, _ := new(big.Rat).Add(new(big.Rat).SetFloat64(points[0][a]), offset[a]).Float64()
		center[a] = x
	}
	square, _ := dotRat(offset, offset).Float64()
	return center, math.Sqrt(square)
}

// dotRat returns the inner product.
func dotRat(a, b []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
	}
	return sum
}

// Sublevel returns the complex of all vertices and of the simplices whose values, values[k][i] for the i-th
// k-simplex, are at most upTo. Errors in the values are those of Persistence.
func (c *Complex) Sublevel(values [][]float64, upTo float64) (*Complex, error) {
	if err := c.checkFiltration(values); err != nil {
		return nil, err
	}
	if math.IsNaN(upTo) {
		return nil, fmt.Errorf("simplicial: a threshold that is not a number")
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: slices.Clone(c.levels)}
	for k := 1; k <= c.Dim(); k++ {
		out.levels[k] = nil
		for i, v := range values[k] {
			if v <= upTo {
				out.levels[k] = append(out.levels[k], c.at(k, i)...)
			}
		}
	}
	out.trim()
	return out, nil
}

// Nearest returns the clique complex up to degree dim of the graph that joins each of the points coords
// [N, n] with those neighbors that are nearest to it, so many of them, the earlier ones where distances
// are equal.
//
// It is an error if the coordinates are not rows of n finite numbers (n >= 1), if there are to be less
// than one neighbor, if dim is negative, or if the complex would exceed MaxSize. Time grows with N².
func Nearest(n int, coords []float64, neighbors, dim int) (*Complex, error) {
	if n < 1 || neighbors < 1 {
		return nil, fmt.Errorf("simplicial: %d nearest neighbors in R^%d, want 1 or more in dimension 1 "+
			"or more", neighbors, n)
	}
	if err := checkPoints(n, coords); err != nil {
		return nil, err
	}
	count := len(coords) / n
	if float64(count)*float64(min(neighbors, count))*2 > MaxSize {
		return nil, errSize
	}
	upper := make([][]int32, count)
	for i := range count {
		var nearest []int32 // by distance
		var distances []float64
		for j := range count {
			if i == j {
				continue
			}
			d := floats.Distance(coords[i*n:(i+1)*n], coords[j*n:(j+1)*n], 2)
			if len(nearest) == neighbors && d >= distances[neighbors-1] {
				continue
			}
			at, _ := slices.BinarySearchFunc(distances, d, func(a, b float64) int {
				if a <= b { // later ones come after
					return -1
				}
				return 1
			})
			if len(nearest) == neighbors {
				nearest, distances = nearest[:neighbors-1], distances[:neighbors-1]
			}
			nearest, distances = slices.Insert(nearest, at, int32(j)), slices.Insert(distances, at, d)
		}
		for _, j := range nearest {
			a, b := min(int32(i), j), max(int32(i), j)
			upper[a] = append(upper[a], b)
		}
	}
	for i := range upper {
		slices.Sort(upper[i])
		upper[i] = slices.Compact(upper[i])
	}
	return expand(n, slices.Clone(coords), upper, dim, nil)
}
