package train

import (
	"context"
	"fmt"
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// Ridge returns the model whose outputs are affine in features, [B, columns], that
// have no weights themselves: what a task with these Features solves for. The
// features are brought to mean 0 and deviation 1 in the training part before.
//
// The outputs of classes are least-squares scores, near 1 for the class and near -1
// for all others. The largest says the class; as logits they make no probabilities
// to rely on.
func Ridge(features Model, outputs int) Model {
	return func(scope *model.Scope, batch *layers.Batch) *Node {
		in := scope.In(ridgeScope)
		return layers.Linear(in, standardized(in, features(scope, batch)), outputs)
	}
}

// standardized returns features less the variable "mean" and divided by the variable "deviation".
func standardized(in *model.Scope, x *Node) *Node {
	columns := x.Shape().Clone()
	columns.Dimensions[0] = 1
	fixed := func(name string, init model.VariableInitializer) *Node {
		v := in.WithInitializer(init).VariableWithShape(name, columns).SetTrainable(false)
		return v.NodeValue(x.Graph())
	}
	return Div(Sub(x, fixed("mean", initializer.Zero)), fixed("deviation", initializer.One))
}

// ridgeScope has the variables of [Ridge].
const ridgeScope = "ridge"

// penalties are what [ridge] chooses from: ten from 10⁻³ to 10³.
var penalties = floats.LogSpan(make([]float64, 10), 1e-3, 1e3)

// closed solves for the weights of [Ridge].
type closed struct{ *trainer }

func (t closed) programs() []key { return []key{t.featuring(), t.evaluating()} }

// featuring returns the key of the program of the features.
func (e *engine) featuring() key { return key{featuring, e.evaluation, 1} }

// train solves in one epoch, whose loss is the mean over the outputs of the squared errors for a complex that
// is left out.
func (t closed) train(ctx context.Context, state *snapshot, j job,
	ended func(Epoch, *snapshot) (bool, error)) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	state, outcome, err := t.solve(state, j.complexes)
	if err == nil {
		_, err = ended(Epoch{TrainLoss: outcome.loss, Chosen: outcome.why}, state)
	}
	return err
}

// solve returns the state with the weights for the complexes, and how they were chosen.
func (t *trainer) solve(state *snapshot, train []int32) (*snapshot, chosen, error) {
	rows, err := t.outputs(t.featuring(), state, train)
	if err != nil {
		return nil, chosen{}, err
	}
	choice := t.choice
	if choice == nil {
		columns := len(rows) / len(train)
		choice = &Choice{Views: 1, Groups: []string{"features"}, Widths: []int{columns}}
	}
	var x, w *mat.Dense
	var means, deviations, b []float64
	var best chosen
	if t.choice != nil && t.data.Tasks == nil {
		x, means, deviations = choice.views(rows, len(train))
		labels := make([]int, len(train))
		for i, id := range train {
			labels[i] = int(t.data.Labels[id])
		}
		w, b, best = choice.classify(x, labels, t.data.Outputs())
	} else {
		x, means, deviations = choice.first(rows, len(train), t.choice != nil)
		if w, b, best, err = choice.regress(x, t.targets(state, train), t.data.Outputs()); err != nil {
			return nil, best, err
		}
	}
	next := &snapshot{}
	for i, v := range t.variables {
		value, err := state.values[i].LocalClone()
		if err != nil {
			return nil, best, fmt.Errorf("variable %s: %w", v.Path(), err)
		}
		next.values = append(next.values, value)
	}
	for name, values := range map[string][]float64{"mean": means, "deviation": deviations,
		"weights": w.RawMatrix().Data, "biases": b} {
		v := t.store.GetVariable("/" + ridgeScope + "/" + name)
		t.set(next, v, tensors.FromFlatDataAndDimensions(packing.Round(values), v.Shape().Dimensions...))
	}
	return next, best, nil
}

// known are target values of the rows for which they are known.
type known struct {
	rows   []int
	first  int        // output
	values *mat.Dense // [rows, outputs from the first on]
}

// targets returns what outputs ought to be for complexes: 1 for their class and -1 for
// others, or of every task by itself 1 for yes and -1 for no, or a number in its units.
func (e *engine) targets(state *snapshot, ids []int32) (all []known) {
	outputs, tasks := e.data.Outputs(), len(e.data.Tasks)
	if tasks == 0 {
		k := known{values: mat.NewDense(len(ids), outputs, nil)}
		for i, id := range ids {
			k.rows = append(k.rows, i)
			for c := range outputs {
				k.values.Set(i, c, -1)
			}
			k.values.Set(i, int(e.data.Labels[id]), 1)
		}
		return []known{k}
	}
	unit := func(task int, y float64) float64 { return 2*y - 1 }
	if e.data.Regression {
		means, deviations := e.valueOf(state, e.mean), e.valueOf(state, e.deviation)
		unit = func(task int, y float64) float64 {
			return (y - float64(means[task])) / float64(deviations[task])
		}
	}
	for task := range tasks {
		k := known{first: task}
		var values []float64
		for i, id := range ids {
			if y := float64(e.data.Targets[int(id)*tasks+task]); !math.IsNaN(y) {
				k.rows, values = append(k.rows, i), append(values, unit(task, y))
			}
		}
		if len(values) > 0 {
			k.values = mat.NewDense(len(values), 1, values)
		}
		all = append(all, k)
	}
	return all
}

// standardize brings the columns of x to mean 0 and deviation 1, and returns what they
// had. A column that does not vary has deviation 1.
func standardize(x *mat.Dense) (means, deviations []float64) {
	_, columns := x.Dims()
	for j := range columns {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, x), nil)
		if !(deviation > 1e-6*math.Abs(mean)) { // what is left of single precision
			deviation = 1
		}
		means, deviations = append(means, mean), append(deviations, deviation)
	}
	x.Apply(func(_, j int, v float64) float64 { return (v - means[j]) * (1 / deviations[j]) }, x)
	return means, deviations
}

// regression is a solution of [ridge].
type regression struct {
	penalty float64
	weights *mat.Dense // [columns, outputs]
	biases  []float64  // [outputs]
	errors  []float64  // mean squared errors of rows that are left out, by penalty; nil: not solved
}

// ridge returns the W and b with the least |xW + b - y|² + α|W|², for x [rows, columns]
// and y [rows, outputs], with that of the penalties α whose error is least for rows that
// are left out, one at a time. What the others would say of row i differs from y by
// (ŷ_i - y_i) / (1 - H_ii), where ŷ = Hy. Sources: Hoerl and Kennard, Ridge regression,
// 1970; Golub, Heath and Wahba, Generalized cross-validation as a method for choosing a
// good ridge parameter, 1979.
func ridge(x, y *mat.Dense, penalties []float64) regression {
	n, columns := x.Dims()
	_, outputs := y.Dims()
	x, y = mat.DenseCopyOf(x), mat.DenseCopyOf(y)
	center, biases := centered(x), centered(y)
	r := regression{weights: mat.NewDense(columns, outputs, nil), biases: biases}
	a, ok := newAxes(x, n < columns)
	if !ok {
		return r
	}
	var along, scaled, fitted mat.Dense
	along.Mul(a.rows.T(), y)
	best := math.Inf(1)
	for _, alpha := range penalties {
		scale := func(j, _ int, v float64) float64 { return v / (a.lambda[j] + alpha) }
		scaled.Apply(scale, &along)
		fitted.Mul(a.rows, &scaled)
		sum := 0.0
		for i := range n {
			h := 0.0
			for j, v := range a.rows.RawRowView(i) {
				h += v * v / (a.lambda[j] + alpha)
			}
			for c := range outputs {
				residual, rest := a.rest(alpha, y.At(i, c), fitted.At(i, c), h)
				sum += residual * residual / (rest * rest)
			}
		}
		r.errors = append(r.errors, sum/float64(n*outputs))
		if sum < best {
			best, r.penalty = sum, alpha
			r.weights.Mul(a.columns, &scaled)
		}
	}
	for c := range biases {
		biases[c] -= mat.Dot(mat.NewVecDense(columns, center), r.weights.ColView(c))
	}
	return r
}

// axes are what diagonalizes a ridge regression on x, whose columns have mean 0. The primal has xᵀx = VΛVᵀ,
// and Hy - ȳ = xV (Λ+α)⁻¹ (xV)ᵀy. The dual has xxᵀ = UΛUᵀ, without the axis of equal entries, where Λ is 0;
// there it is y - Hy that is found without cancellation, αU (Λ+α)⁻¹ Uᵀy.
type axes struct {
	dual    bool
	lambda  []float64
	rows    *mat.Dense // [rows of x, axes]: xV, or U
	columns *mat.Dense // [columns of x, axes]: V, or xᵀU
}

// rest returns y - Hy and 1 - H of a row, given B (Λ+α)⁻¹ Bᵀy and the diagonal of B (Λ+α)⁻¹ Bᵀ for the B of
// rows.
func (a axes) rest(alpha, y, fitted, diagonal float64) (residual, rest float64) {
	if a.dual {
		return alpha * fitted, alpha * diagonal
	}
	n, _ := a.rows.Dims()
	return y - fitted, 1 - 1/float64(n) - diagonal
}

// newAxes returns the axes, and false if they are not found.
func newAxes(x *mat.Dense, dual bool) (a axes, ok bool) {
	n, _ := x.Dims()
	var gram mat.SymDense
	if !dual {
		gram.SymOuterK(1, x.T())
	} else {
		gram.SymOuterK(1, x)
		// The axis of equal entries becomes the last, by itself.
		last := 1 + 2*mat.Trace(&gram)
		gram.SymRankOne(&gram, last/float64(n), mat.NewVecDense(n, slices.Repeat([]float64{1}, n)))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		return a, false
	}
	var vectors, product mat.Dense
	eigen.VectorsTo(&vectors)
	a = axes{dual: dual, lambda: eigen.Values(nil)}
	if dual {
		a.lambda = a.lambda[:n-1]
		a.rows = mat.DenseCopyOf(vectors.Slice(0, n, 0, n-1))
		product.Mul(x.T(), a.rows)
		a.columns = &product
	} else {
		product.Mul(x, &vectors)
		a.rows, a.columns = &product, &vectors
	}
	for j, l := range a.lambda {
		a.lambda[j] = max(0, l)
	}
	return a, true
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

func doubles(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}
