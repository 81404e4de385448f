package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/neuralkforms/nkf/layers"
)

// Choice says what a regression on features is chosen from, within the training part: the columns of the
// groups up to some group, and a penalty. Of classes it is a logistic regression, chosen by the mean log-loss
// of a cross-validation; of numbers and of several tasks a [Ridge], by its errors for complexes left out.
type Choice struct {
	Views  int      // of each complex, that the features have side by side; the first is predicted with
	Groups []string // names
	Widths []int    // columns of each group
}

// columns returns the number of columns of a view.
func (c *Choice) columns() (sum int) {
	for _, w := range c.Widths {
		sum += w
	}
	return sum
}

// Regression returns the model whose outputs are affine in the first of the views that features [B, views ·
// columns] have, brought to mean 0 and deviation 1, and no farther than 4 from 0. It is what a task with a
// [Choice] solves for.
func Regression(features Model, choice Choice, outputs int) Model {
	return func(scope *model.Scope, batch *layers.Batch) *Node {
		x := SliceAxis(features(scope, batch), 1, AxisRange(0, choice.columns()))
		in := scope.In(ridgeScope)
		return layers.Linear(in, MinScalar(MaxScalar(standardized(in, x), -farthest), farthest), outputs)
	}
}

// farthest is how many deviations from the mean a regression looks.
const farthest = 4

const (
	choiceFolds = 5
	// maxChoice bounds the complexes that a choice is made by: more hardly change it.
	maxChoice = 1000
)

// strengths are the penalties on squared weights that a logistic regression is chosen from, for the sum of
// the losses, from strong to weak.
var strengths = []float64{100, 30, 10, 3, 1, 0.3}

// views returns the rows of all views of complexes, view after view, from those side by side, brought to mean
// 0 and deviation 1 and cut off, and what the columns had.
func (c *Choice) views(rows []float32, complexes int) (x *mat.Dense, means, deviations []float64) {
	columns := c.columns()
	x = mat.NewDense(c.Views*complexes, columns, nil)
	for i := range complexes {
		for v := range c.Views {
			from := (i*c.Views + v) * columns
			x.SetRow(v*complexes+i, doubles(rows[from:from+columns]))
		}
	}
	means, deviations = standardize(x)
	x.Apply(func(_, _ int, v float64) float64 { return max(-farthest, min(farthest, v)) }, x)
	return x, means, deviations
}

// first returns the first view of complexes, brought to mean 0 and deviation 1, and cut off if asked for.
func (c *Choice) first(rows []float32, complexes int, cut bool) (x *mat.Dense, means, deviations []float64) {
	columns := c.columns()
	x = mat.NewDense(complexes, columns, nil)
	for i := range complexes {
		x.SetRow(i, doubles(rows[i*c.Views*columns:][:columns]))
	}
	means, deviations = standardize(x)
	if cut {
		x.Apply(func(_, _ int, v float64) float64 { return max(-farthest, min(farthest, v)) }, x)
	}
	return x, means, deviations
}

// regress returns the weights [columns, outputs] and biases of the ridge regressions chosen for the targets,
// by the mean over the outputs of the squared errors of complexes that are left out.
func (c *Choice) regress(x *mat.Dense, targets []known, outputs int) (w *mat.Dense, b []float64, best chosen,
	err error) {
	best.loss = math.Inf(1)
	var tried []string
	columns := 0
	for g, width := range c.Widths {
		columns += width
		weights, biases, loss, err := ridges(x, targets, columns, outputs)
		if err != nil {
			return nil, nil, best, err
		}
		tried = append(tried, fmt.Sprintf("up to %s %.3f", c.Groups[g], loss))
		if loss < best.loss {
			w, b, best = weights, biases, chosen{columns: columns, loss: loss, why: c.Groups[g]}
		}
	}
	if len(c.Groups) > 1 {
		best.why = fmt.Sprintf("up to %s: least squared error of %s", best.why, strings.Join(tried, ", "))
	} else {
		best.why = ""
	}
	return w, b, best, nil
}

// ridges returns the ridge regressions on the first columns, and the mean of their errors.
func ridges(x *mat.Dense, targets []known, columns, outputs int) (w *mat.Dense, b []float64, loss float64,
	err error) {
	_, all := x.Dims()
	w, b = mat.NewDense(all, outputs, nil), make([]float64, outputs)
	for _, y := range targets {
		if len(y.rows) < 2 {
			continue // nothing to fit, and nothing to leave out: weights of 0
		}
		known := mat.NewDense(len(y.rows), columns, nil)
		for i, row := range y.rows {
			known.SetRow(i, x.RawRowView(row)[:columns])
		}
		solved := ridge(known, y.values, penalties)
		if solved.errors == nil {
			return nil, nil, 0, fmt.Errorf("the products of the features of %d complexes have no "+
				"eigenvectors", len(y.rows))
		}
		for i := range solved.biases {
			for j := range columns {
				w.Set(j, y.first+i, solved.weights.At(j, i))
			}
			b[y.first+i] = solved.biases[i]
			loss += slices.Min(solved.errors) / float64(outputs)
		}
	}
	return w, b, loss, nil
}

// chosen is the outcome of a choice.
type chosen struct {
	columns int
	penalty float64
	loss    float64
	why     string
}

// classify returns the weights [columns, classes] and biases of the logistic regression that is chosen, for
// x as views returns it.
func (c *Choice) classify(x *mat.Dense, labels []int, classes int) (w *mat.Dense, b []float64, best chosen) {
	best.loss = math.Inf(1)
	var tried []string
	columns := 0
	for g, width := range c.Widths {
		columns += width
		penalty, loss := c.penalty(x, labels, classes, columns)
		tried = append(tried, fmt.Sprintf("up to %s %.3f", c.Groups[g], loss))
		if loss < best.loss {
			best.columns, best.penalty, best.loss, best.why = columns, penalty, loss, c.Groups[g]
		}
	}
	best.why = fmt.Sprintf("up to %s, penalty %g: least log-loss of %s", best.why, best.penalty,
		strings.Join(tried, ", "))
	all := make([]int, len(labels))
	for i := range all {
		all[i] = i
	}
	fit := c.logistic(x, labels, all, classes, best.columns)
	fit.solve(best.penalty)
	w = mat.NewDense(c.columns(), classes, nil)
	for j := range best.columns {
		w.SetRow(j, fit.theta[j*classes:(j+1)*classes])
	}
	return w, fit.theta[best.columns*classes:], best
}

// penalty returns the one with the least log-loss of complexes that are left out, a fifth of each class at a
// time, on the first columns.
func (c *Choice) penalty(x *mat.Dense, labels []int, classes, columns int) (penalty, loss float64) {
	var use []int
	step := max(1, len(labels)/maxChoice)
	for i := 0; i < len(labels); i += step {
		use = append(use, i)
	}
	count := make([]int, classes)
	parts := make([][]int, choiceFolds)
	for _, i := range use {
		f := (count[labels[i]] + labels[i]) % choiceFolds
		count[labels[i]]++
		parts[f] = append(parts[f], i)
	}
	losses := make([]float64, len(strengths))
	for f, out := range parts {
		rest := slices.Concat(slices.Concat(parts[:f]...), slices.Concat(parts[f+1:]...))
		if len(out) == 0 || len(rest) == 0 {
			continue
		}
		fit := c.logistic(x, labels, rest, classes, columns)
		left := c.logistic(x, labels, out, classes, columns)
		for s, strength := range strengths {
			// Penalties are for all complexes: fewer take less of it.
			fit.solve(strength)
			losses[s] += left.loss(fit.theta, nil) * float64(len(out)) / float64(len(use))
		}
	}
	at := floats.MinIdx(losses)
	return strengths[at], losses[at]
}

// logistic is a logistic regression on some rows, each in all views.
type logistic struct {
	x       *mat.Dense // [rows, columns]
	labels  []int
	classes int
	theta   []float64 // [columns + 1, classes], of which the last row has the biases
	views   int
	logits  *mat.Dense // of the last loss
}

// logistic returns the regression on complexes, on the first columns, with weights 0.
func (c *Choice) logistic(x *mat.Dense, labels, complexes []int, classes, columns int) *logistic {
	l := &logistic{x: mat.NewDense(len(complexes)*c.Views, columns, nil), classes: classes, views: c.Views,
		theta: make([]float64, (columns+1)*classes)}
	for v := range c.Views {
		for i, id := range complexes {
			l.x.SetRow(v*len(complexes)+i, x.RawRowView(v*len(labels) + id)[:columns])
			l.labels = append(l.labels, labels[id])
		}
	}
	l.logits = mat.NewDense(len(l.labels), classes, nil)
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

// solve finds the weights with a penalty, from those that there are on.
func (l *logistic) solve(penalty float64) {
	rows, columns := l.x.Dims()
	weights := columns * l.classes
	decay := penalty * float64(l.views) / float64(rows)
	problem := optimize.Problem{
		Func: func(theta []float64) float64 {
			return l.loss(theta, nil) + decay/2*floats.Dot(theta[:weights], theta[:weights])
		},
		Grad: func(gradient, theta []float64) {
			for i := range gradient {
				gradient[i] = 0
			}
			floats.AddScaled(gradient[:weights], decay, theta[:weights])
			l.loss(theta, gradient)
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-4, MajorIterations: 100}
	// An error is a line search that finds no lower loss in 64 bits: the place is the best that there is.
	if result, _ := optimize.Minimize(problem, l.theta, settings, &optimize.LBFGS{}); result != nil {
		copy(l.theta, result.X)
	}
}
