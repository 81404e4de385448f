package train

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ridges returns the ridge regressions on the first columns of x.
func ridges(x *mat.Dense, targets []known, columns, outputs int) (s solved, err error) {
	weights, biases := mat.NewDense(columns, outputs, nil), make([]float64, outputs)
	for _, y := range targets {
		if len(y.rows) < 2 { // nothing to fit, and nothing to leave out: weights of 0, and what is known
			for i := range y.rows {
				copy(biases[y.first:], y.values.RawRowView(i))
			}
			continue
		}
		known := mat.NewDense(len(y.rows), columns, nil)
		for i, row := range y.rows {
			known.SetRow(i, x.RawRowView(row)[:columns])
		}
		w, b, loss, ok := ridge(known, y.values, penalties)
		if !ok {
			return s, fmt.Errorf("the products of the features of %d complexes have no eigenvectors",
				len(y.rows))
		}
		weights.Slice(0, columns, y.first, y.first+len(b)).(*mat.Dense).Copy(w)
		copy(biases[y.first:], b)
		s.loss += loss / float64(outputs)
	}
	s.fit = func() (*mat.Dense, []float64) { return weights, biases }
	return s, nil
}

// penalties are those of a ridge regression: ten from 10⁻³ to 10³.
var penalties = floats.LogSpan(make([]float64, 10), 1e-3, 1e3)

// ridge returns the W and b with the least |xW + b - y|² + α|W|², for x [rows, columns]
// and y [rows, outputs], with the penalty α of least error for rows left out one at a time:
// predictions by the others differ from y_i by (ŷ_i - y_i) / (1 - H_ii), where ŷ = Hy. The loss is the sum
// over the outputs of the mean square of these errors. Sources: Hoerl and Kennard, Ridge regression, 1970;
// Golub, Heath and Wahba, Generalized cross-validation as a method for choosing a good ridge parameter, 1979.
func ridge(x, y *mat.Dense, penalties []float64) (weights *mat.Dense, biases []float64, loss float64,
	ok bool) {
	n, columns := x.Dims()
	_, outputs := y.Dims()
	x, y = mat.DenseCopyOf(x), mat.DenseCopyOf(y)
	center, biases := centered(x), centered(y)
	dual := n < columns
	a, lambda, ok := axes(x, dual)
	if !ok {
		return nil, nil, 0, false
	}
	var along, scaled, residual mat.Dense
	along.Mul(a.T(), y)
	weights, loss = mat.NewDense(columns, outputs, nil), math.Inf(1)
	for _, alpha := range penalties {
		scaled.Apply(func(j, _ int, v float64) float64 { return v / (lambda[j] + alpha) }, &along)
		residual.Mul(a, &scaled)
		if dual {
			residual.Scale(alpha, &residual)
		} else {
			residual.Sub(y, &residual)
		}
		sum := 0.0
		for i := range n {
			h := 0.0
			for j, v := range a.RawRowView(i) {
				h += v * v / (lambda[j] + alpha)
			}
			rest := 1 - 1/float64(n) - h
			if dual {
				rest = alpha * h
			}
			for _, r := range residual.RawRowView(i) {
				sum += r * r / (rest * rest)
			}
		}
		if sum /= float64(n); sum < loss {
			loss = sum
			weights.Mul(x.T(), &residual) // the normal equations: xᵀ(y - xW) = αW
			weights.Scale(1/alpha, weights)
		}
	}
	for c := range biases {
		biases[c] -= mat.Dot(mat.NewVecDense(columns, center), weights.ColView(c))
	}
	return weights, biases, loss, true
}

// axes diagonalizes a ridge regression on x, whose columns have mean 0. The primal has xᵀx = VΛVᵀ and
// H = 1/n + A (Λ+α)⁻¹ Aᵀ with A = xV. The dual has xxᵀ = UΛUᵀ, without the axis of equal entries, and
// 1 - H = αU (Λ+α)⁻¹ Uᵀ, which cancels no digits.
func axes(x *mat.Dense, dual bool) (a *mat.Dense, lambda []float64, ok bool) {
	n, _ := x.Dims()
	gram := products(x, dual)
	if dual { // the axis of equal entries becomes the last
		last := 1 + 2*mat.Trace(gram)
		gram.SymRankOne(gram, last/float64(n), mat.NewVecDense(n, slices.Repeat([]float64{1}, n)))
	}
	lambda, vectors, ok := diagonalized(gram)
	if !ok {
		return nil, nil, false
	}
	for j, l := range lambda {
		lambda[j] = max(0, l)
	}
	if dual {
		return mat.DenseCopyOf(vectors.Slice(0, n, 0, n-1)), lambda[:n-1], true
	}
	a = &mat.Dense{}
	a.Mul(x, vectors)
	return a, lambda, true
}

// centered takes from every column of x its mean, and returns the means.
func centered(x *mat.Dense) (means []float64) {
	_, columns := x.Dims()
	for j := range columns {
		means = append(means, stat.Mean(mat.Col(nil, j, x), nil))
	}
	x.Apply(func(_, j int, v float64) float64 { return v - means[j] }, x)
	return means
}
