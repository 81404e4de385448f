package train

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

const (
	// choiceFolds is the number of parts that complexes are left out in.
	choiceFolds = 5
	// maxChoice bounds the complexes that a choice is made by: more hardly change it.
	maxChoice = 1000
)

// strengths are the penalties on squared weights that a logistic regression is chosen from, for the sum of
// the losses, from strong to weak.
var strengths = []float64{100, 30, 10, 3, 1, 0.3}

// classification is data to classify by logistic regression.
type classification struct {
	x       *mat.Dense // [views · complexes, columns], view after view
	labels  []int      // of complexes
	classes int
	views   int
}

// solve returns the regression on the first columns whose penalty has the least log-loss of complexes left
// out, in their first view, a fifth of each class at a time. It is solved for in principal axes of the rows,
// which changes neither losses nor penalties: there the curvature of the loss is near a known diagonal.
func (c *classification) solve(columns int) (solved, error) {
	rows, _ := c.x.Dims()
	z, v, ok := principal(c.x.Slice(0, rows, 0, columns))
	if !ok {
		return solved{}, fmt.Errorf("the products of %d columns have no eigenvectors", columns)
	}
	var all, use []int
	for i := range c.labels {
		all = append(all, i)
	}
	step := max(1, len(all)/maxChoice)
	count, parts := make([]int, c.classes), make([][]int, choiceFolds)
	for i, label := range c.labels {
		if k := count[label]; k%step == 0 { // of every class, for classes may take turns
			use = append(use, i)
			f := (k/step + label) % choiceFolds
			parts[f] = append(parts[f], i)
		}
		count[label]++
	}
	losses := make([]float64, len(strengths))
	for f, out := range parts {
		rest := slices.Concat(slices.Concat(parts[:f]...), slices.Concat(parts[f+1:]...))
		if len(out) == 0 || len(rest) == 0 {
			continue
		}
		fit, left := c.logistic(z, rest, c.views), c.logistic(z, out, 1)
		for s, strength := range strengths {
			fit.solve(strength)
			losses[s] += left.loss(fit.theta, nil) * float64(len(out)) / float64(len(use))
		}
	}
	best := floats.MinIdx(losses)
	return solved{loss: losses[best], penalty: fmt.Sprintf(", penalty %g", strengths[best]),
		fit: func() (*mat.Dense, []float64) {
			l := c.logistic(z, all, c.views)
			l.solve(strengths[best])
			_, axes := z.Dims()
			var weights mat.Dense
			weights.Mul(v, mat.NewDense(c.classes, axes, l.theta[:axes*c.classes]).T())
			return &weights, l.theta[axes*c.classes:]
		}}, nil
}

// principal returns the rows of x in their principal axes, z = xv, without axes along which all are 0 up to
// rounding.
func principal(x mat.Matrix) (z, v *mat.Dense, ok bool) {
	rows, columns := x.Dims()
	dual := rows < columns
	lambda, all, ok := diagonalized(products(x, dual))
	if !ok {
		return nil, nil, false
	}
	size, from := len(lambda), 0
	for from < size-1 && !(lambda[from] > 1e-10*lambda[size-1]) {
		from++
	}
	z, v = &mat.Dense{}, mat.DenseCopyOf(all.Slice(0, size, from, size))
	if dual { // xxᵀ = uΛuᵀ, and v = xᵀu Λ^(-1/2)
		u := v
		v = &mat.Dense{}
		v.Mul(x.T(), u)
		v.Apply(func(_, j int, a float64) float64 {
			return a / math.Sqrt(max(lambda[from+j], math.SmallestNonzeroFloat64))
		}, v)
	}
	z.Mul(x, v)
	return z, v, true
}

// products returns xxᵀ, if it is dual, or xᵀx.
func products(x mat.Matrix, dual bool) *mat.SymDense {
	var gram mat.SymDense
	if dual {
		gram.SymOuterK(1, x)
	} else {
		gram.SymOuterK(1, x.T())
	}
	return &gram
}

// diagonalized returns the eigenvalues of a matrix, ascending, and as columns its eigenvectors.
func diagonalized(a *mat.SymDense) (lambda []float64, vectors *mat.Dense, ok bool) {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return nil, nil, false
	}
	vectors = new(mat.Dense)
	eigen.VectorsTo(vectors)
	return eigen.Values(nil), vectors, true
}

// logistic is a logistic regression on some rows, each in all views.
type logistic struct {
	x       *mat.Dense // [rows, axes]
	labels  []int
	classes int
	views   int
	theta   []float64  // [classes, axes], for products of long rows, and the biases
	logits  *mat.Dense // of the last loss
}

// logistic returns the regression on the first views of complexes, whose rows are among those of z, with
// weights 0.
func (c *classification) logistic(z *mat.Dense, complexes []int, views int) *logistic {
	_, axes := z.Dims()
	l := &logistic{x: mat.NewDense(len(complexes)*views, axes, nil), classes: c.classes, views: views,
		theta: make([]float64, (axes+1)*c.classes)}
	for v := range views {
		for i, id := range complexes {
			l.x.SetRow(v*len(complexes)+i, z.RawRowView(v*len(c.labels)+id))
			l.labels = append(l.labels, c.labels[id])
		}
	}
	l.logits = mat.NewDense(len(l.labels), c.classes, nil)
	return l
}

// loss returns the mean of -log p of the classes, and adds its gradient to that of theta, unless it is nil.
func (l *logistic) loss(theta, gradient []float64) (sum float64) {
	rows, columns := l.x.Dims()
	l.logits.Mul(l.x, mat.NewDense(l.classes, columns, theta[:columns*l.classes]).T())
	biases := theta[columns*l.classes:]
	for i, label := range l.labels {
		row := l.logits.RawRowView(i)
		floats.Add(row, biases)
		norm := floats.LogSumExp(row)
		sum += (norm - row[label]) / float64(rows)
		for k, z := range row {
			row[k] = math.Exp(z-norm) / float64(rows)
		}
		row[label] -= 1 / float64(rows)
	}
	if gradient != nil {
		var of mat.Dense
		of.Mul(l.logits.T(), l.x)
		floats.Add(gradient[:columns*l.classes], of.RawMatrix().Data)
		for i := range l.labels {
			floats.Add(gradient[columns*l.classes:], l.logits.RawRowView(i))
		}
	}
	return sum
}

// solve finds the weights with a penalty, starting from the present ones, by L-BFGS in units in which the
// curvature of the loss is about 1.
func (l *logistic) solve(penalty float64) {
	rows, axes := l.x.Dims()
	weights := axes * l.classes
	decay := penalty * float64(l.views) / float64(rows)
	unit := slices.Repeat([]float64{1 / math.Sqrt(0.25+decay)}, len(l.theta))
	for j := range axes {
		square := math.Pow(mat.Norm(l.x.ColView(j), 2), 2) / float64(rows)
		for k := range l.classes { // the variance of an outcome of two is at most 1/4
			unit[k*axes+j] = 1 / math.Sqrt(square/4+decay)
		}
	}
	start, known := make([]float64, len(unit)), make([]float64, len(unit))
	floats.DivTo(start, l.theta, unit)
	theta, gradient, value := make([]float64, len(unit)), make([]float64, len(unit)), math.NaN()
	at := func(u []float64) {
		if !math.IsNaN(value) && floats.Equal(u, known) {
			return
		}
		copy(known, u)
		floats.MulTo(theta, u, unit)
		clear(gradient)
		floats.AddScaled(gradient[:weights], decay, theta[:weights])
		value = l.loss(theta, gradient) + decay/2*floats.Dot(theta[:weights], theta[:weights])
		floats.Mul(gradient, unit)
	}
	problem := optimize.Problem{
		Func: func(u []float64) float64 { at(u); return value },
		Grad: func(g, u []float64) { at(u); copy(g, gradient) },
	}
	settings := &optimize.Settings{GradientThreshold: 3e-5, MajorIterations: 100}
	// An error is a line search that finds no lower loss in 64 bits: this is the best place then.
	if result, _ := optimize.Minimize(problem, start, settings, &optimize.LBFGS{}); result != nil {
		floats.MulTo(l.theta, result.X, unit)
	}
}
