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
// out, a fifth of each class at a time.
func (c *classification) solve(columns int) (solved, error) {
	var all, use []int
	for i := range c.labels {
		all = append(all, i)
	}
	step := max(1, len(all)/maxChoice)
	count, parts := make([]int, c.classes), make([][]int, choiceFolds)
	for i := 0; i < len(all); i += step {
		use = append(use, i)
		f := (count[c.labels[i]] + c.labels[i]) % choiceFolds
		count[c.labels[i]]++
		parts[f] = append(parts[f], i)
	}
	losses := make([]float64, len(strengths))
	for f, out := range parts {
		rest := slices.Concat(slices.Concat(parts[:f]...), slices.Concat(parts[f+1:]...))
		if len(out) == 0 || len(rest) == 0 {
			continue
		}
		fit, left := c.logistic(rest, columns), c.logistic(out, columns)
		for s, strength := range strengths {
			fit.solve(strength)
			losses[s] += left.loss(fit.theta, nil) * float64(len(out)) / float64(len(use))
		}
	}
	best := floats.MinIdx(losses)
	return solved{loss: losses[best], penalty: fmt.Sprintf(", penalty %g", strengths[best]),
		fit: func() (*mat.Dense, []float64) {
			l := c.logistic(all, columns)
			l.solve(strengths[best])
			return mat.NewDense(columns, c.classes, l.theta[:columns*c.classes]), l.theta[columns*c.classes:]
		}}, nil
}

// logistic is a logistic regression on some rows, each in all views.
type logistic struct {
	x       *mat.Dense // [rows, columns]
	labels  []int
	classes int
	views   int
	theta   []float64  // [columns + 1, classes]; the last row has the biases
	logits  *mat.Dense // of the last loss
}

// logistic returns the regression on complexes, on the first columns, with weights 0.
func (c *classification) logistic(complexes []int, columns int) *logistic {
	l := &logistic{x: mat.NewDense(len(complexes)*c.views, columns, nil), classes: c.classes, views: c.views,
		theta: make([]float64, (columns+1)*c.classes)}
	for v := range c.views {
		for i, id := range complexes {
			l.x.SetRow(v*len(complexes)+i, c.x.RawRowView(v*len(c.labels) + id)[:columns])
			l.labels = append(l.labels, c.labels[id])
		}
	}
	l.logits = mat.NewDense(len(l.labels), c.classes, nil)
	return l
}

// loss returns the mean of -log p of the classes, and adds its gradient to that of theta, unless it is nil.
func (l *logistic) loss(theta, gradient []float64) (sum float64) {
	rows, columns := l.x.Dims()
	l.logits.Mul(l.x, mat.NewDense(columns, l.classes, theta[:columns*l.classes]))
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
		of.Mul(l.x.T(), l.logits)
		floats.Add(gradient[:columns*l.classes], of.RawMatrix().Data)
		for i := range l.labels {
			floats.Add(gradient[columns*l.classes:], l.logits.RawRowView(i))
		}
	}
	return sum
}

// solve finds the weights with a penalty, starting from the present ones.
func (l *logistic) solve(penalty float64) {
	rows, columns := l.x.Dims()
	weights := columns * l.classes
	decay := penalty * float64(l.views) / float64(rows)
	problem := optimize.Problem{
		Func: func(theta []float64) float64 {
			return l.loss(theta, nil) + decay/2*floats.Dot(theta[:weights], theta[:weights])
		},
		Grad: func(gradient, theta []float64) {
			clear(gradient)
			floats.AddScaled(gradient[:weights], decay, theta[:weights])
			l.loss(theta, gradient)
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-4, MajorIterations: 100}
	// An error is a line search that finds no lower loss in 64 bits: this is the best place then.
	if result, _ := optimize.Minimize(problem, l.theta, settings, &optimize.LBFGS{}); result != nil {
		copy(l.theta, result.X)
	}
}
