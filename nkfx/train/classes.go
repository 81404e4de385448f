package train

import (
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
)

// Classes is the objective of one class of several: outputs are logits, the loss is their cross-entropy.
type Classes struct {
	Count   int       // of classes
	Weights []float32 // [Count]: weight of each class in the loss, see layers.CrossEntropy; nil: equal ones
	// Smoothing is the share of a label that is spread over all classes in the loss of a step (Szegedy et al.
	// 2016); 0: none.
	Smoothing float64
}

// Outputs returns the number of classes.
func (c Classes) Outputs() int { return c.Count }

// Units returns nil.
func (c Classes) Units(*datasets.Collection, []int32) map[string][]float32 { return nil }

// Predicted returns the logits.
func (c Classes) Predicted(_ *model.Scope, out *Node) *Node { return out }

// Loss builds the cross-entropy, with smoothed labels.
func (c Classes) Loss(_ *model.Scope, out *Node, batch *layers.Batch) *Node {
	var weights *Node
	if c.Weights != nil {
		weights = ConvertDType(Const(out.Graph(), c.Weights), out.DType())
	}
	loss := layers.CrossEntropy(out, batch.Labels(), batch.Mask(), weights)
	if c.Smoothing == 0 {
		return loss
	}
	mask := ConvertDType(batch.Mask(), out.DType())
	even := Neg(ReduceMean(LogSoftmax(out, 1), 1))
	even = Div(ReduceAllSum(Mul(even, mask)), MaxScalar(ReduceAllSum(mask), 1))
	return Add(MulScalar(loss, 1-c.Smoothing), MulScalar(even, c.Smoothing))
}

// Evaluate returns the cross-entropy, without smoothing, and all scores but errors.
//
// The loss is that which a loop over batches reports: in each batch it is the weighted mean
// Σ w[y]·(-log p[y]) / Σ w[y], and those are averaged by the number of complexes.
func (c Classes) Evaluate(p Predictions) (loss float64, s Scores) {
	all := make([]int, len(p.Labels))
	for i := range all {
		all[i] = i
	}
	for batch := range slices.Chunk(all, max(1, p.Batch)) {
		sum, total := 0.0, 0.0
		for _, i := range batch {
			y, w := p.Labels[i], 1.0
			if c.Weights != nil {
				w = float64(c.Weights[y])
			}
			sum -= w * (float64(p.row(i)[y]) - p.logSumExp(i, -1))
			total += w
		}
		if total > 0 {
			loss += sum / total * float64(len(batch))
		}
	}
	accuracy, recalls := c.recalls(p)
	s.set("accuracy", accuracy)
	s.set("macro_accuracy", recalls...)
	s.rank(c.Count, func(class int) ([]float64, []bool) { return c.against(p, class) })
	return loss / float64(len(p.Labels)), s
}

// recalls returns the share of complexes whose class has the largest logit, the first of equals, and the
// recall of every class that occurs among labels or predictions, 0 where it is only predicted.
func (c Classes) recalls(p Predictions) (accuracy float64, all []float64) {
	right, members := make([]float64, c.Count), make([]float64, c.Count)
	occurs := make([]bool, c.Count)
	for i, y := range p.Labels {
		occurs[y] = true
		members[y]++
		guess := slices.Index(p.row(i), slices.Max(p.row(i)))
		if guess < 0 {
			continue // of NaN
		}
		occurs[guess] = true
		if guess == int(y) {
			right[y]++
		}
	}
	for class := range occurs {
		if occurs[class] {
			all = append(all, right[class]/math.Max(1, members[class]))
		}
	}
	return floats.Sum(right) / float64(len(p.Labels)), all
}

// against returns the logits of a class against the rest, and who belongs to it: probabilities have the same
// order, but many round to 1.
func (c Classes) against(p Predictions, class int) (scores []float64, members []bool) {
	for i, y := range p.Labels {
		scores = append(scores, float64(p.row(i)[class])-p.logSumExp(i, class))
		members = append(members, int(y) == class)
	}
	return scores, members
}

// logSumExp returns log Σ_c exp(logit_c) of complex i over all classes but one, or over all for -1.
func (p Predictions) logSumExp(i, without int) float64 {
	row := []float64{math.Inf(-1)} // of a sum of nothing
	for c, v := range p.row(i) {
		if c != without {
			row = append(row, float64(v))
		}
	}
	return floats.LogSumExp(row)
}
