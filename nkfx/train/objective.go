package train

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
)

// Objective is what a model learns: [Classes], [Answers] or [Numbers]. One of your own may embed one of these
// and replace its Loss:
//
//	type focal struct{ train.Objective }
//
//	func (f focal) Loss(scope *model.Scope, out *Node, batch *layers.Batch) *Node { ... }
//
// It is used by several goroutines at once.
type Objective interface {
	// Outputs returns the number of outputs of a model for a complex.
	Outputs() int
	// Units returns values that are found on the complexes train, by the names of variables below the scope
	// of Loss and Predicted, which declare and read them. They are set before a training and kept with the
	// model.
	Units(data *datasets.Collection, train []int32) map[string][]float32
	// Loss builds what a step lowers, a scalar, of the outputs of the model for a batch, [B, Outputs].
	// Rows of padding and unknown values take no part in it.
	Loss(scope *model.Scope, out *Node, batch *layers.Batch) *Node
	// Predicted builds predictions of the outputs of the model, [B, Outputs].
	Predicted(scope *model.Scope, out *Node) *Node
	// Evaluate returns the loss and the scores of predictions, computed exactly, on the host. A schedule and
	// the best epoch may depend on this loss, which need not be that of a step.
	Evaluate(Predictions) (loss float64, scores Scores)
}

// NewObjective returns the objective for data of that description: [Numbers] for a regression, [Answers] for
// other tasks, and [Classes] without tasks.
func NewObjective(data datasets.Info) Objective {
	switch {
	case data.Regression:
		return Numbers{len(data.Tasks)}
	case data.Tasks != nil:
		return Answers{len(data.Tasks)}
	}
	return Classes{Count: len(data.Classes)}
}

// Predictions are the predictions for some complexes, with the truth.
type Predictions struct {
	Values  []float32            // [G, Outputs]: logits, or numbers in the units of the data
	Labels  []int32              // [G]: classes; zeros where there are tasks
	Targets []float32            // [G, tasks]: values of tasks, NaN where unknown
	Units   map[string][]float32 // of the objective, from the training part
	Batch   int                  // complexes in a batch, over which Classes weighs losses; 0: one
}

// row returns the outputs for complex i.
func (p Predictions) row(i int) []float32 {
	outputs := len(p.Values) / len(p.Labels)
	return p.Values[i*outputs : (i+1)*outputs]
}

// unitsScope is the scope of the variables of an objective.
const unitsScope = "targets"

// raw builds the outputs of the model itself.
func raw(build Model, scope *model.Scope, batch *layers.Batch, outputs int) *Node {
	out := located(func() *Node { return build(scope, batch) })
	complexes := batch.Complexes()
	if out == nil {
		exceptions.Panicf("the model has no outputs: want [%d complexes, %d outputs]", complexes, outputs)
	}
	dims := out.Shape().Dimensions
	if len(dims) != 2 || dims[0] != complexes || dims[1] != outputs || !out.DType().IsFloat() {
		exceptions.Panicf("the model's outputs are %s: want floats [%d complexes, %d outputs]", out.Shape(),
			complexes, outputs)
	}
	return out
}

// output builds the model's predictions.
func (t *Task) output(scope *model.Scope, batch *layers.Batch) *Node {
	out := raw(t.Model, scope, batch, t.Objective.Outputs())
	return located(func() *Node { return t.Objective.Predicted(scope.At(unitsScope), out) })
}

// loss builds what a step lowers.
func (t *Task) loss(scope *model.Scope, batch *layers.Batch) *Node {
	out := raw(t.Model, scope, batch, t.Objective.Outputs())
	return located(func() *Node { return t.Objective.Loss(scope.At(unitsScope), out, batch) })
}

// setUnits sets what the objective finds on a training part.
func (t *trainer) setUnits(train []int32) error {
	t.units = t.Objective.Units(t.Data, train)
	for name, values := range t.units {
		v := t.store.GetVariable("/" + unitsScope + "/" + name)
		if v == nil {
			return fmt.Errorf("the objective has the units %q, which its loss does not read", name)
		}
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(values, v.Shape().Dimensions...)); err != nil {
			return err
		}
	}
	return nil
}
