package simplicial

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"
)

// predicates decides exactly on which side of a hyperplane or a sphere points lie: by determinants in float64
// where these are larger than their rounding, and in integers elsewhere (Shewchuk, Adaptive precision
// floating-point arithmetic and fast robust geometric predicates, 1997).
type predicates struct {
	n        int
	coords   []float64
	integers []*big.Int // coords times 2^-exponent
	exponent int
}

func (p *predicates) point(i int32) []float64 { return p.coords[int(i)*p.n : (int(i)+1)*p.n] }

// orientation returns the sign of the determinant of the edges from the last of n+1 points.
func (p *predicates) orientation(points []int32) int {
	det, size := expansion(p.differences(points[:p.n], points[p.n]))
	if sign, ok := decide(det, size); ok {
		return sign
	}
	return eliminate(p.exact(points[:p.n], points[p.n])).Sign()
}

// inSphere is positive if the last of n+2 points is inside the sphere of the others, which are oriented
// positively, 0 if it is on it.
func (p *predicates) inSphere(points []int32) int {
	corners, last := points[:p.n+1], points[p.n+1]
	rows := p.differences(corners, last)
	for i, x := range rows {
		rows[i] = append(x, floats.Dot(x, x))
	}
	if sign, ok := decide(expansion(rows)); ok {
		return sign
	}
	exact := p.exact(corners, last)
	for i, x := range exact {
		exact[i] = append(x, dotInt(x, x))
	}
	return eliminate(exact).Sign()
}

// encloses reports whether a point is inside the smallest sphere through the corners of a simplex.
//
// For the edges d_j from the first corner and the vector e to the point, the center is Σ y_j d_j with
// 2 Σ_j ⟨d_i, d_j⟩ y_j = |d_i|², and |e|² - 2 Σ_j y_j ⟨e, d_j⟩ is negative inside: the Schur complement of
// the bordered matrix.
func (p *predicates) encloses(simplex []int32, point int32) bool {
	d, e := p.differences(simplex[1:], simplex[0]), p.differences([]int32{point}, simplex[0])[0]
	det, _ := expansion(bordered(d, e, floats.Dot))
	length := func(x []float64) []float64 { return []float64{floats.Norm(x, 2)} }
	var lengths [][]float64 // their products bound inner products, the terms of which may cancel
	for _, x := range d {
		lengths = append(lengths, length(x))
	}
	_, size := expansion(bordered(lengths, length(e), floats.Dot))
	sign, ok := decide(det, size)
	if !ok {
		e := p.exact([]int32{point}, simplex[0])[0]
		sign = eliminate(bordered(p.exact(simplex[1:], simplex[0]), e, dotInt)).Sign()
	}
	return sign < 0
}

// radius returns that of the smallest sphere through the corners of a simplex, to 1e-12 of it.
func (p *predicates) radius(simplex []int32) float64 {
	var points [][]float64
	for _, v := range simplex {
		points = append(points, p.point(v))
	}
	if gradients, _, ok := gradients(points); ok {
		center := make([]float64, p.n) // from the first corner
		for j, edge := range edges(points) {
			floats.AddScaled(center, floats.Dot(edge, edge)/2, gradients[j+1])
		}
		// Where corners move by 1 the radius changes by Σ|λ_i| at most, λ_i the barycentric coordinates of
		// the center. Rounding moves them by 1e-14 of the diameter.
		weight := 0.0
		for _, gradient := range gradients[1:] {
			weight += math.Abs(floats.Dot(gradient, center))
		}
		if weight < 20 {
			return floats.Norm(center, 2)
		}
	}
	rows := bordered(p.exact(simplex[1:], simplex[0]), p.exact(simplex[:1], simplex[0])[0], dotInt)
	last := len(rows) - 1
	for j := range last {
		rows[last][j] = rows[j][last]
	}
	det, minor := eliminate(rows), p.gram(simplex) // their ratio is -4 R²
	if minor.Sign() == 0 {
		return math.Inf(1) // flat, as coordinates underflowed
	}
	square := new(big.Float).SetInt(det.Neg(det))
	square.Quo(square, new(big.Float).SetInt(minor))
	radius, _ := square.SetMantExp(square, 2*p.exponent-2).Sqrt(square).Float64()
	return radius
}

// gram returns the determinant of the inner products of edges from the first of some points, which is 0 where
// they are dependent.
func (p *predicates) gram(points []int32) *big.Int {
	d := p.exact(points[1:], points[0])
	rows := bordered(d, nil, dotInt)[:len(d)]
	for i := range rows {
		rows[i] = rows[i][:len(d)]
	}
	return eliminate(rows)
}

// bordered returns the matrix of the inner products of d and e with d, and their squares as last column.
func bordered[T any](d [][]T, e []T, dot func(x, y []T) T) [][]T {
	var rows [][]T
	for _, x := range append(d[:len(d):len(d)], e) {
		var row []T
		for _, y := range d {
			row = append(row, dot(x, y))
		}
		rows = append(rows, append(row, dot(x, x)))
	}
	return rows
}

// differences returns the vectors from a point to others.
func (p *predicates) differences(to []int32, from int32) [][]float64 {
	d := make([][]float64, len(to))
	for i, v := range to {
		d[i] = floats.SubTo(make([]float64, p.n, p.n+1), p.point(v), p.point(from))
	}
	return d
}

// expansion returns the determinant by Laplace's expansion, and the sum of the absolute values of its terms.
func expansion(rows [][]float64) (det, size float64) {
	var all [maxDelaunay + 1]int
	for i := range rows {
		all[i] = i
	}
	return expand(rows, all[:len(rows)])
}

// expand is expansion of the first rows and some columns.
func expand(rows [][]float64, columns []int) (det, size float64) {
	if len(columns) == 1 {
		return rows[0][columns[0]], math.Abs(rows[0][columns[0]])
	}
	if len(columns) == 2 {
		a, b := rows[0][columns[0]]*rows[1][columns[1]], rows[0][columns[1]]*rows[1][columns[0]]
		return a - b, math.Abs(a) + math.Abs(b)
	}
	var rest [maxDelaunay]int
	for i, column := range columns {
		copy(rest[:], columns[:i])
		copy(rest[i:], columns[i+1:])
		d, s := expand(rows[1:], rest[:len(columns)-1])
		term := rows[0][column]
		det += float64(1-2*(i%2)) * term * d
		size += math.Abs(term) * s
	}
	return det, size
}

// decide returns the sign of a determinant unless rounding may have changed it.
//
// Terms are products of up to 5 factors of at most 7 roundings, and there are up to 5 levels of sums: less
// than 64 roundings of 2^-53 in all. What is tiny may have lost digits by underflow, and what overflows is no
// number.
func decide(det, size float64) (sign int, ok bool) {
	sign = 1
	if det < 0 {
		sign = -1
	}
	return sign, size > 1e-250 && size < 1e250 && math.Abs(det) > 64*0x1p-53*size
}

// exact is differences in integers, in units of 2^exponent.
func (p *predicates) exact(to []int32, from int32) [][]*big.Int {
	if p.integers == nil {
		p.scale()
	}
	d := make([][]*big.Int, len(to))
	for i, v := range to {
		for a := range p.n {
			x := p.integers[int(v)*p.n+a]
			d[i] = append(d[i], new(big.Int).Sub(x, p.integers[int(from)*p.n+a]))
		}
	}
	return d
}

// scale makes the integers.
func (p *predicates) scale() {
	p.exponent = 1024
	for _, x := range p.coords {
		if x != 0 {
			_, e := math.Frexp(x)
			p.exponent = min(p.exponent, e-53)
		}
	}
	p.integers = make([]*big.Int, len(p.coords))
	for i, x := range p.coords {
		p.integers[i] = new(big.Int)
		if x != 0 {
			m, e := math.Frexp(x)
			p.integers[i].SetInt64(int64(math.Ldexp(m, 53)))
			p.integers[i].Lsh(p.integers[i], uint(e-53-p.exponent))
		}
	}
}

// dotInt returns the inner product.
func dotInt(x, y []*big.Int) *big.Int {
	sum := new(big.Int)
	for i := range x {
		sum.Add(sum, new(big.Int).Mul(x[i], y[i]))
	}
	return sum
}

// eliminate returns the determinant of a matrix by elimination without fractions (Bareiss, Sylvester's
// identity and multistep integer-preserving Gaussian elimination, 1968). It changes the rows.
func eliminate(rows [][]*big.Int) *big.Int {
	sign, before := int64(1), big.NewInt(1)
	for k := range rows {
		pivot := k
		for pivot < len(rows) && rows[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == len(rows) {
			return before.SetInt64(0)
		}
		if pivot != k {
			rows[pivot], rows[k] = rows[k], rows[pivot]
			sign = -sign
		}
		for i := k + 1; i < len(rows); i++ {
			for j := k + 1; j < len(rows); j++ {
				a := new(big.Int).Mul(rows[i][j], rows[k][k])
				b := new(big.Int).Mul(rows[i][k], rows[k][j])
				rows[i][j] = a.Sub(a, b).Quo(a, before)
			}
		}
		before = rows[k][k]
	}
	return before.Mul(before, big.NewInt(sign))
}
