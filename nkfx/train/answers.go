package train

import (
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
)

// Answers is the objective of several answers, 1 for yes and 0 for no, some of which may be unknown: outputs
// are logits, the loss is the mean of their cross-entropies.
type Answers struct {
	Tasks int // number of answers
}

// Outputs returns the number of answers.
func (a Answers) Outputs() int { return a.Tasks }

// Units returns nil.
func (a Answers) Units(*datasets.Collection, []int32) map[string][]float32 { return nil }

// Predicted returns the logits.
func (a Answers) Predicted(_ *model.Scope, out *Node) *Node { return out }

// Loss builds the mean cross-entropy of the known answers.
func (a Answers) Loss(_ *model.Scope, out *Node, batch *layers.Batch) *Node {
	return meanOfKnown(batch.Targets(), out, func(y *Node) *Node {
		// -y·log σ(x) - (1-y)·log(1-σ(x)) without overflow.
		return Add(Sub(MaxScalar(out, 0), Mul(out, y)), Log1P(Exp(Neg(Abs(out)))))
	})
}

// meanOfKnown builds the mean of a term of the targets, which are NaN where unknown, over the known ones.
func meanOfKnown(targets, out *Node, term func(targets *Node) *Node) *Node {
	// A NaN must not reach a product, not even with 0.
	known := Equal(targets, targets)
	each := term(ConvertDType(Where(known, targets, ZerosLike(targets)), out.DType()))
	count := ReduceAllSum(ConvertDType(known, out.DType()))
	return Div(ReduceAllSum(Where(known, each, ZerosLike(each))), MaxScalar(count, 1))
}

// Evaluate returns the mean cross-entropy of the known answers, 0 for none, and all scores but errors.
func (a Answers) Evaluate(p Predictions) (loss float64, s Scores) {
	var right, total float64
	recalls := make([]float64, a.Tasks)
	for task := range a.Tasks {
		outputs, values := p.known(task, a.Tasks)
		var hits, count [2]float64 // by answer
		for i, x := range outputs {
			y := values[i]
			loss += math.Max(x, 0) - x*y + math.Log1p(math.Exp(-math.Abs(x)))
			answer := map[bool]int{true: 1}[y != 0]
			count[answer]++
			if (x > 0) == (y != 0) {
				hits[answer]++
			}
		}
		right, total = right+hits[0]+hits[1], total+count[0]+count[1]
		recalls[task] = (hits[0]/count[0] + hits[1]/count[1]) / 2 // NaN without both
	}
	s.set("accuracy", right/total)
	s.set("macro_accuracy", recalls...)
	s.rank(a.Tasks, func(task int) ([]float64, []bool) { return a.against(p, task) })
	return loss / math.Max(1, total), s
}

// against returns the known logits of a task, and whose answer is yes: nothing if not both answers are known.
func (a Answers) against(p Predictions, task int) (logits []float64, yes []bool) {
	logits, values := p.known(task, a.Tasks)
	for _, y := range values {
		yes = append(yes, y != 0)
	}
	if !slices.Contains(yes, true) || !slices.Contains(yes, false) {
		return nil, nil
	}
	return logits, yes
}

// known returns the outputs and true values of a task where these are known.
func (p Predictions) known(task, tasks int) (outputs, values []float64) {
	for i := range p.Labels {
		if y := float64(p.Targets[i*tasks+task]); !math.IsNaN(y) {
			outputs, values = append(outputs, float64(p.row(i)[task])), append(values, y)
		}
	}
	return outputs, values
}
