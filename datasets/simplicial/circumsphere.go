package simplicial

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// ball is the one with the smallest sphere through the corners of a simplex.
type ball struct {
	center  []float64
	weights []float64 // barycentric coordinates λ of the center
	radius  float64
	// weight is Σ|λ_i|: where corners move by dp_i, the radius changes by Σ λ_i ⟨dp_i, p_i-c⟩/R, which
	// follows from the derivatives ⟨p_i-c, dp_i-dc⟩ = R dR and Σ λ_i (p_i-c) = 0.
	weight float64
	slope  float64 // Σ|∇λ_i| of the corners but the first
}

// circumsphere returns the smallest sphere through all of the points. It is ok unless the simplex is flat up
// to rounding.
func circumsphere(points [][]float64) (b ball, ok bool) {
	gradients, _, ok := gradients(points)
	if !ok {
		return b, false
	}
	// The point c with 2⟨c, d_j⟩ = |d_j|² for the edges d_j from the first corner, to which ∇λ_j are dual.
	offset := make([]float64, len(points[0]))
	for j, edge := range edges(points) {
		floats.AddScaled(offset, floats.Dot(edge, edge)/2, gradients[j+1])
		b.slope += floats.Norm(gradients[j+1], 2)
	}
	b.center = floats.AddTo(make([]float64, len(offset)), points[0], offset)
	b.radius = floats.Norm(offset, 2)
	b.weights = []float64{1}
	for _, gradient := range gradients[1:] {
		share := floats.Dot(gradient, offset)
		b.weights = append(b.weights, share)
		b.weights[0] -= share
	}
	b.weight = floats.Norm(b.weights, 1)
	return b, true
}

// exactCircumsphere is circumsphere in rational numbers: thin simplices, such as those of points on a
// sphere, leave no digit in floating point. The radius of flat ones is infinite. It leaves out the slope.
func exactCircumsphere(points [][]float64) ball {
	n, k := len(points[0]), len(points)-1
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
			return ball{center: slices.Clone(points[0]), radius: math.Inf(1), weight: math.Inf(1)}
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
	b := ball{weights: make([]float64, k+1)}
	first := big.NewRat(1, 1)
	offset := make([]*big.Rat, n)
	for a := range n {
		offset[a] = new(big.Rat)
	}
	for i := range d {
		y := new(big.Rat).Quo(rows[i][k], rows[i][i])
		b.weights[i+1], _ = y.Float64()
		first.Sub(first, y)
		for a := range n {
			offset[a].Add(offset[a], new(big.Rat).Mul(y, d[i][a]))
		}
	}
	b.weights[0], _ = first.Float64()
	b.weight = floats.Norm(b.weights, 1)
	for a := range n {
		x, _ := new(big.Rat).Add(new(big.Rat).SetFloat64(points[0][a]), offset[a]).Float64()
		b.center = append(b.center, x)
	}
	square, _ := dotRat(offset, offset).Float64()
	b.radius = math.Sqrt(square)
	return b
}

// dotRat returns the inner product.
func dotRat(a, b []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
	}
	return sum
}
