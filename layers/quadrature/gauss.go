package quadrature

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// maxGauss bounds the points in each direction.
const maxGauss = 512

// gauss is the conical product of Gauss–Jacobi rules.
type gauss struct{ q int }

// Gauss returns the conical product rule with the given number of points in each direction, pointsᵏ on
// Δᵏ: Gauss–Legendre on an edge, and beyond it the product of Gauss–Jacobi rules under Duffy's map
//
//	t_i = s_i · Π_{j<i} (1-s_j),   dt = Π_i (1-s_i)^(k-i) ds.
//
// Its weights are positive and it is exact to degree 2·points-1 for every k (Stroud, Approximate Calculation
// of Multiple Integrals, section 2.4). Beyond edges it is not symmetric in the vertices; [Cubature] is.
func Gauss(points int) Rule { return gauss{points} }

// String returns "Gauss(points)".
func (r gauss) String() string { return fmt.Sprintf("Gauss(%d)", r.q) }

// Nodes returns the product points, the last direction running fastest.
func (r gauss) Nodes(k int) (*Nodes, error) {
	if r.q < 1 || r.q > maxGauss { // eigenvectors of a matrix of that order
		return nil, fmt.Errorf("quadrature: %v has %d points per direction: use 1 to %d", r, r.q, maxGauss)
	}
	if err := checkSize(r, k, math.Pow(float64(r.q), float64(k))); err != nil {
		return nil, err
	}
	if k == 0 {
		return vertex(), nil
	}
	// points[i], weights[i]: the rule for weight (1-s)^(k-1-i) on [0, 1].
	points, weights := make([][]float64, k), make([][]float64, k)
	for i := range k {
		var err error
		if points[i], weights[i], err = jacobi(r.q, k-1-i); err != nil {
			return nil, err
		}
	}
	n := &Nodes{K: k, Exact: 2*r.q - 1}
	for _, index := range combin.Cartesian(slices.Repeat([]int{r.q}, k)) {
		weight, left := 1.0, 1.0
		at := make([]float64, k+1)
		for i, j := range index {
			at[i+1] = points[i][j] * left
			left *= 1 - points[i][j]
			weight *= weights[i][j]
		}
		at[0] = left
		n.Barycentric = append(n.Barycentric, at...)
		n.Weights = append(n.Weights, weight)
	}
	return n, nil
}

// jacobi returns the Gauss rule with q points for the weight (1-s)^a on [0, 1], by the eigenvalues of
// the Jacobi matrix (Golub and Welsch, Calculation of Gauss quadrature rules, Math. Comp. 23, 1969).
func jacobi(q, a int) (points, weights []float64, err error) {
	// Recurrence coefficients of the monic Jacobi polynomials with exponents (a, 0) on [-1, 1] (Gautschi,
	// Orthogonal Polynomials, table 1.1), where 1-x = 2(1-s).
	alpha := float64(a)
	m := mat.NewSymDense(q, nil)
	for i := range q {
		n := float64(i)
		if i == 0 {
			m.SetSym(0, 0, -alpha/(alpha+2))
			continue
		}
		s := 2*n + alpha
		m.SetSym(i, i, -alpha*alpha/(s*(s+2)))
		b := 4 * n * n * (n + alpha) * (n + alpha) / (s * s * (s + 1) * (s - 1))
		m.SetSym(i-1, i, math.Sqrt(b))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(m, true) {
		return nil, nil, fmt.Errorf("quadrature: no eigenvalues of a Jacobi matrix of order %d found", q)
	}
	points = eigen.Values(nil)
	weights = make([]float64, q)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for i, x := range points {
		points[i] = (1 + x) / 2
		// The weight function's own integral over [0, 1] is 1/(a+1).
		v := vectors.At(0, i)
		weights[i] = v * v / (alpha + 1)
	}
	return points, weights, nil
}
