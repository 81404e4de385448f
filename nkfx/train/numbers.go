package train

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
)

// Numbers is the objective of several numbers, some of which may be unknown: outputs are in units of the
// standard deviation of the training part about its mean, the loss is the mean squared error in these units.
type Numbers struct {
	Tasks int // how many numbers
}

// Outputs returns how many numbers there are.
func (n Numbers) Outputs() int { return n.Tasks }

// Units returns the mean and the standard deviation of the known numbers. Numbers that do not differ, or of
// which none is known, have deviation 1.
func (n Numbers) Units(data *datasets.Collection, train []int32) map[string][]float32 {
	means, deviations := make([]float32, n.Tasks), make([]float32, n.Tasks)
	for task := range n.Tasks {
		var values []float64
		for _, id := range train {
			if y := float64(data.Targets[int(id)*n.Tasks+task]); !math.IsNaN(y) {
				values = append(values, y)
			}
		}
		mean, deviation := 0.0, 0.0
		if len(values) > 0 {
			mean, deviation = stat.PopMeanStdDev(values, nil)
		}
		if !(deviation > 0) {
			deviation = 1
		}
		means[task], deviations[task] = float32(mean), float32(deviation)
	}
	return map[string][]float32{"mean": means, "deviation": deviations}
}

// units returns the mean and the standard deviation, [1, Tasks].
func (n Numbers) units(scope *model.Scope, g *Graph) (mean, deviation *Node) {
	scope, shape := scope.WithInitializer(initializer.Zero), shapes.Make(dtypes.Float32, 1, n.Tasks)
	of := func(name string) *Node {
		return scope.VariableWithShape(name, shape).SetTrainable(false).NodeValue(g)
	}
	return of("mean"), of("deviation")
}

// Predicted returns the numbers in the units of the data.
func (n Numbers) Predicted(scope *model.Scope, out *Node) *Node {
	mean, deviation := n.units(scope, out.Graph())
	return Add(Mul(out, deviation), mean)
}

// Loss builds the mean squared error of the known numbers.
func (n Numbers) Loss(scope *model.Scope, out *Node, batch *layers.Batch) *Node {
	targets := batch.Targets()
	mean, deviation := n.units(scope, out.Graph())
	return meanOfKnown(Div(Sub(targets, mean), deviation), out,
		func(y *Node) *Node { return Square(Sub(out, y)) })
}

// Evaluate returns the mean squared error of the known numbers in their units, 0 for none, and the errors in
// the units of the data.
func (n Numbers) Evaluate(p Predictions) (loss float64, s Scores) {
	roots, means, count := make([]float64, n.Tasks), make([]float64, n.Tasks), 0
	for task := range n.Tasks {
		outputs, values := p.known(task, n.Tasks)
		unit := 1.0
		if p.Units != nil {
			unit = float64(p.Units["deviation"][task])
		}
		for i, y := range values {
			off := outputs[i] - y
			loss += off / unit * off / unit
			roots[task] += off * off
			means[task] += math.Abs(off)
		}
		count += len(values)
		roots[task] = math.Sqrt(roots[task] / float64(len(values))) // 0/0 without any
		means[task] /= float64(len(values))
	}
	s = Scores{Accuracy: undefined, MacroAccuracy: undefined, AUROC: undefined, AveragePrecision: undefined}
	s.set("rmse", roots...)
	s.set("mae", means...)
	return loss / float64(max(1, count)), s
}
