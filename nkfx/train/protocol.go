package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/datasets"
)

// Protocol holds the settings of a training.
type Protocol struct {
	Batch           int     // complexes in a step; an incomplete last batch is dropped
	Epochs          int     // at most
	Rate            float64 // learning rate of Adam (β 0.9 and 0.999, ε 1e-8) at the start
	PlateauFactor   float64 // what the rate is multiplied by on a plateau of the validation loss
	PlateauPatience int     // validation checks without improvement before the rate is cut
	StopPatience    int     // validation checks without a lower loss before training ends
	FrequencyWeight bool    // weigh the loss of a class by its frequency in the whole collection
	// Cosine replaces the plateau schedule: the rate rises linearly in the share
	// Warmup of all steps, then falls to 0 along a cosine.
	Cosine bool
	Warmup float64
	Decay  float64 // of the weights (AdamW); 0: none
	Clip   float64 // norm to which longer gradients are scaled down; 0: none
	// Smoothing is the share of a label that is spread over all classes in the
	// loss (Szegedy et al. 2016); 0: none.
	Smoothing float64 `json:",omitzero"`
	// Validate is the number of epochs between validation checks, which also follow
	// the first and the last epoch; 0: after each. A check may cut the rate, end
	// the training or find a new best epoch, so fewer checks also mean less
	// selection bias. -1: none, the best epoch is the last, and folds need no
	// validation part.
	Validate int
	// Select names the criterion of the best epoch on the validation part: a
	// metric of Metrics, or the loss if it is empty. Ties of scores, which are
	// common where the part is small, go to the last epoch, and ties of losses to
	// the first.
	Select string
}

// validates reports whether an epoch ends with a validation check.
func (p Protocol) validates(epoch int) bool {
	return (epoch+1)%max(1, p.Validate) == 0 || epoch == 0 || epoch == p.Epochs-1
}

// Published is the protocol of the paper (appendix E) with the given batch
// size: 16 for the graph benchmarks, 32 for molecules. The larger class
// weighs more, as in the code that accompanies the paper.
func Published(batch int) Protocol {
	return Protocol{
		Batch: batch, Epochs: 100, Rate: 1e-3,
		PlateauFactor: 0.1, PlateauPatience: 10, StopPatience: 40,
		FrequencyWeight: true,
	}
}

// check returns an error for values that make no training.
func (p Protocol) check(data *datasets.Collection) error {
	for _, field := range []struct {
		name       string
		value      float64
		low, below float64
		want       string
	}{
		{"Batch", float64(p.Batch), 1, math.Inf(1), "1 or more"},
		{"Epochs", float64(p.Epochs), 1, math.Inf(1), "1 or more"},
		{"StopPatience", float64(p.StopPatience), 1, math.Inf(1), "1 or more"},
		{"Rate", p.Rate, math.SmallestNonzeroFloat64, math.Inf(1), "a positive number"},
		{"PlateauFactor", p.PlateauFactor, math.SmallestNonzeroFloat64, math.Nextafter(1, 2),
			"above 0 and at most 1"},
		{"PlateauPatience", float64(p.PlateauPatience), 0, math.Inf(1), "0 or more"},
		{"Validate", float64(p.Validate), -1, math.Inf(1), "-1, 0 or more"},
		{"Warmup", p.Warmup, 0, 1, "0 or more and below 1"},
		{"Smoothing", p.Smoothing, 0, 1, "0 or more and below 1"},
		{"Decay", p.Decay, 0, math.Inf(1), "0 or more"},
		{"Clip", p.Clip, 0, math.Inf(1), "0 or more"},
	} {
		if !(field.value >= field.low && field.value < field.below) { // NaN is in no range
			return fmt.Errorf("the protocol has %s %v: want %s", field.name, field.value, field.want)
		}
	}
	if m, ok := metricOf(p.Select); ok && m.error != data.Regression {
		return fmt.Errorf("the protocol selects an epoch of %q by %s, which is not a score of its task",
			data.Name, m.name)
	} else if !ok && p.Select != "" {
		return fmt.Errorf("no metric %q to select an epoch by: use one of %q, or nothing for the loss",
			p.Select, Metrics)
	}
	return nil
}

// Optimizer returns Adam as PyTorch's, with the rate, decay and clip of the
// protocol: the optimizer of Kingma and Ba (2015) with β 0.9 and 0.999
// and ε 1e-8, for one step
//
//	w ← w - rate·decay·w - rate/(1-β₁ᵗ) · m / (√v/√(1-β₂ᵗ) + ε),
//
// with the moments m ← β₁m + (1-β₁)g and v ← β₂v + (1-β₂)g² of the gradient g
// of the loss, cut down to the norm Clip, and the decay of Loshchilov and
// Hutter (2019). The rate is the variable of that name that all optimizers of
// GoMLX have.
func (p Protocol) Optimizer() optimizer.Interface {
	return adam{p}
}

// objective returns that of the data, with the weights and the smoothing of the protocol for classes.
func (p Protocol) objective(data *datasets.Collection) Objective {
	objective := NewObjective(data.Info)
	if classes, ok := objective.(Classes); ok {
		classes.Weights, classes.Smoothing = p.weights(data), p.Smoothing
		return classes
	}
	return objective
}

// weights returns the class weights of the loss, or nil.
func (p Protocol) weights(data *datasets.Collection) []float32 {
	if !p.FrequencyWeight {
		return nil
	}
	w := make([]float32, len(data.Classes))
	for part := range slices.Chunk(data.Labels, 1<<16) { // a longer sum of equal numbers drifts
		sums := make([]float32, len(w))
		for _, y := range part {
			sums[y] += 1 / float32(data.Len())
		}
		for class, sum := range sums {
			w[class] += sum
		}
	}
	return w
}
