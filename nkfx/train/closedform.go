package train

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	"github.com/neuralkforms/nkf/layers"
)

// ClosedForm is a model whose outputs are affine functions of fixed features, standardized within the
// training part. It is solved in closed form, with a penalty chosen by cross-validation. Without Groups
// it is a ridge regression. Its outputs for classes are least-squares scores, near 1 for the class and near
// -1 for all others: the largest is the prediction, but as logits they do not give reliable probabilities.
// With Groups, classes are predicted by a logistic regression, and features are clipped at 4 standard
// deviations from the mean. The groups, and whether all views or only the first are used in training, are
// then chosen as well.
type ClosedForm struct {
	Features Model   // [B, views · columns]
	Views    int     // of each complex side by side, to train with; the first predicts; 0: 1
	Groups   []Group // of columns, of which the first ones are used up to some group; nil: all columns
	Use      int     // the number of groups that are used; 0: chosen
}

// Group is a group of columns of features.
type Group struct {
	Name  string
	Width int
}

// regressionScope has the variables of a regression.
const regressionScope = "ridge"

// farthest is the largest number of deviations from the mean that features keep.
const farthest = 4

// Model returns the model with the given number of outputs.
func (r *ClosedForm) Model(outputs int) Model {
	return func(scope *model.Scope, batch *layers.Batch) *Node {
		x, in := r.Features(scope, batch), scope.In(regressionScope)
		x = SliceAxis(x, 1, AxisRange(0, x.Shape().Dimensions[1]/max(1, r.Views)))
		shape := x.Shape().Clone()
		shape.Dimensions[0] = 1
		fixed := func(name string, init model.VariableInitializer) *Node {
			v := in.WithInitializer(init).VariableWithShape(name, shape).SetTrainable(false)
			return v.NodeValue(x.Graph())
		}
		x = Div(Sub(x, fixed("mean", initializer.Zero)), fixed("deviation", initializer.One))
		if r.Groups != nil {
			x = MinScalar(MaxScalar(x, -farthest), farthest)
		}
		return layers.Linear(in, x, outputs)
	}
}

// columns returns the number of columns of a view.
func (r *ClosedForm) columns() (sum int) {
	for _, g := range r.Groups {
		sum += g.Width
	}
	return sum
}

// solved is a regression on the first columns of the features.
type solved struct {
	name    string
	loss    float64 // of complexes left out
	penalty string  // for the explanation of a choice
	fit     func() (weights *mat.Dense, biases []float64)

	means, deviations []float64 // that columns were standardized by
}

// solve sets the weights of the regression. Its loss is the mean over the outputs of the loss for complexes
// left out, and chosen explains a choice of groups.
func (t *trainer) solve(train []int32) (loss float64, chosen string, err error) {
	rows, err := t.outputs(t.features, train)
	if err != nil {
		return 0, "", err
	}
	r, err := t.ClosedForm.of(len(rows) / len(train))
	if err != nil {
		return 0, "", err
	}
	logistic := t.ClosedForm.Groups != nil && t.Data.Tasks == nil
	views, measure := []int{1}, "squared error"
	if logistic {
		views, measure = slices.Compact([]int{1, r.Views}), "log-loss"
	}
	var tried []solved
	for _, count := range views {
		x := r.matrix(rows, len(train), count)
		means, deviations := standardize(x)
		if t.ClosedForm.Groups != nil {
			x.Apply(func(_, _ int, v float64) float64 { return max(-farthest, min(farthest, v)) }, x)
		}
		name, solve := "", func(columns int) (solved, error) {
			return ridges(x, t.targets(train), columns, t.Data.Outputs())
		}
		if logistic {
			labels := make([]int, len(train))
			for i, id := range train {
				labels[i] = int(t.Data.Labels[id])
			}
			c := classification{x: x, labels: labels, classes: t.Data.Outputs(), views: count}
			solve = c.solve
		}
		if len(views) > 1 {
			name = fmt.Sprintf(" on %s", english.Plural(count, "view", ""))
		}
		more, err := r.choices(solve, name)
		if err != nil {
			return 0, "", err
		}
		for i := range more {
			more[i].means, more[i].deviations = means, deviations
		}
		tried = append(tried, more...)
	}
	best, chosen := least(measure, tried)
	weights, biases := best.fit()
	all := mat.NewDense(r.columns(), t.Data.Outputs(), nil) // 0 for columns that are not chosen
	used, _ := weights.Dims()
	all.Slice(0, used, 0, t.Data.Outputs()).(*mat.Dense).Copy(weights)
	return best.loss, chosen, errors.Join(
		t.set(regressionScope, "mean", best.means), t.set(regressionScope, "deviation", best.deviations),
		t.set(regressionScope, "weights", all.RawMatrix().Data), t.set(regressionScope, "biases", biases))
}

// set sets a variable.
func (t *trainer) set(scope, name string, values []float64) error {
	v := t.store.GetVariable("/" + scope + "/" + name)
	return v.SetValue(tensors.FromFlatDataAndDimensions(packing.Round(values), v.Shape().Dimensions...))
}

// check returns an error if the regression is not one of the data.
func (r *ClosedForm) check(data *datasets.Collection) error {
	switch {
	case data.Labeled() >= 0:
		return fmt.Errorf("%q has classes of simplices: a regression takes those of complexes", data.Name)
	case r.Use < 0 || r.Use > len(r.Groups):
		return fmt.Errorf("%d groups of the features for %q: there are %d", r.Use, data.Name, len(r.Groups))
	}
	return nil
}

// of returns the regression for features of a number of columns, with views and groups set.
func (r ClosedForm) of(columns int) (*ClosedForm, error) {
	r.Views = max(1, r.Views)
	if r.Groups == nil {
		r.Groups = []Group{{"features", columns / r.Views}}
	}
	if r.Views*r.columns() != columns {
		return nil, fmt.Errorf("features of %d columns: want %d views of the %d columns of all groups",
			columns, r.Views, r.columns())
	}
	return &r, nil
}

// choices returns the solutions with the groups up to each, under names that end as given.
func (r *ClosedForm) choices(solve func(columns int) (solved, error), name string) (all []solved, err error) {
	columns := 0
	for i, g := range r.Groups {
		if columns += g.Width; r.Use > 0 && i+1 != r.Use {
			continue
		}
		s, err := solve(columns)
		if err != nil {
			return nil, err
		}
		s.name = "up to " + g.Name + name
		all = append(all, s)
	}
	return all, nil
}

// least returns the solution with the least loss, and why it was chosen: "" where there is no other.
func least(measure string, all []solved) (best solved, why string) {
	best.loss = math.Inf(1)
	var tried []string
	for _, s := range all {
		tried = append(tried, fmt.Sprintf("%s %.3f", s.name, s.loss))
		if s.loss < best.loss || best.fit == nil {
			best = s
		}
	}
	if len(tried) == 1 {
		return best, ""
	}
	return best, fmt.Sprintf("%s%s: least %s of %s", best.name, best.penalty, measure,
		strings.Join(tried, ", "))
}

// matrix returns the first views of complexes, view after view, from rows with all views side by side.
func (r *ClosedForm) matrix(rows []float32, complexes, views int) *mat.Dense {
	columns := r.columns()
	x := mat.NewDense(views*complexes, columns, nil)
	for i := range complexes {
		for v := range views {
			row := x.RawRowView(v*complexes + i)
			for j, value := range rows[(i*r.Views+v)*columns:][:columns] {
				row[j] = float64(value)
			}
		}
	}
	return x
}

// standardize brings the columns of x to mean 0 and deviation 1 as models do it, and returns what they had in
// the 32 bits of models. A column that does not vary has deviation 1.
func standardize(x *mat.Dense) (means, deviations []float64) {
	_, columns := x.Dims()
	for j := range columns {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, x), nil)
		mean, deviation = float64(float32(mean)), float64(float32(deviation))
		if !(deviation > 1e-6*math.Abs(mean)) { // what is left of single precision
			deviation = 1
		}
		means, deviations = append(means, mean), append(deviations, deviation)
	}
	x.Apply(func(_, j int, v float64) float64 { return (v - means[j]) * (1 / deviations[j]) }, x)
	return means, deviations
}

// known are target values of the rows for which they are known.
type known struct {
	rows   []int
	first  int        // output
	values *mat.Dense // [rows, outputs from the first on]
}

// targets returns the target outputs of complexes: 1 for their class and -1 for others, or of every task
// separately 1 for yes and -1 for no, or a number in its units.
func (t *trainer) targets(ids []int32) (all []known) {
	if outputs := t.Data.Outputs(); t.Data.Tasks == nil {
		k := known{values: mat.NewDense(len(ids), outputs, slices.Repeat([]float64{-1}, len(ids)*outputs))}
		for i, id := range ids {
			k.rows = append(k.rows, i)
			k.values.Set(i, int(t.Data.Labels[id]), 1)
		}
		return []known{k}
	}
	for task := range t.Data.Tasks {
		mean, deviation := 0.5, 0.5 // of yes and no
		if t.Data.Regression {
			means, deviations := t.units()
			mean, deviation = float64(means[task]), float64(deviations[task])
		}
		values, rows := t.known(ids, task)
		k := known{first: task, rows: rows}
		if len(values) > 0 {
			floats.AddConst(-mean, values)
			for i := range values {
				values[i] /= deviation
			}
			k.values = mat.NewDense(len(values), 1, values)
		}
		all = append(all, k)
	}
	return all
}
