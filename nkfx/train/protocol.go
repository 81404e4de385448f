package train

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/datasets"
)

// Protocol says how a model is trained.
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
	// selection bias.
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
func (p Protocol) check() error {
	switch {
	case p.Batch < 1:
		return fmt.Errorf("batches of %d complexes: use 1 or more", p.Batch)
	case p.Epochs < 1:
		return fmt.Errorf("%d epochs: use 1 or more", p.Epochs)
	case !(p.Rate > 0):
		return fmt.Errorf("a learning rate of %g: use a positive one", p.Rate)
	case !(p.PlateauFactor > 0 && p.PlateauFactor <= 1):
		return fmt.Errorf("a plateau factor of %g: use one in (0, 1]", p.PlateauFactor)
	case !isShare(p.Warmup):
		return fmt.Errorf("a share of %g of the steps to warm up: use one in [0, 1)", p.Warmup)
	case !(p.Decay >= 0) || !(p.Clip >= 0):
		return fmt.Errorf("decay %g, clip %g: use 0 or more", p.Decay, p.Clip)
	case !isShare(p.Smoothing):
		return fmt.Errorf("labels smoothed by %g: use a share in [0, 1)", p.Smoothing)
	case p.Validate < 0:
		return fmt.Errorf("a look at the validation part every %d epochs: use 0 or more", p.Validate)
	case p.Select != "" && !slices.Contains(Metrics, p.Select):
		return fmt.Errorf("no way %q to select an epoch: use one of %q, or nothing for the loss", p.Select,
			Metrics)
	case p.PlateauPatience < 0 || p.StopPatience < 1:
		return fmt.Errorf("patience of %d and %d epochs: use 0 or more for plateaus, 1 or more for stopping",
			p.PlateauPatience, p.StopPatience)
	}
	return nil
}

// isShare reports whether x, which may be NaN, is in [0, 1).
func isShare(x float64) bool { return x >= 0 && x < 1 }

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

// weights returns the class weights of the loss, or nil.
func (p Protocol) weights(data *datasets.Collection) []float32 {
	if !p.FrequencyWeight || data.Tasks != nil {
		return nil
	}
	w := make([]float32, len(data.Classes))
	labels := data.Labels
	if k := data.Labeled(); k >= 0 {
		labels = data.Simplices[k].Labels
	}
	for _, y := range labels {
		if y >= 0 {
			w[y] += 1 / float32(len(labels))
		}
	}
	return w
}
