package train

import (
	"fmt"

	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/neuralkforms/nkf/datasets"
)

// Protocol says how a model is trained.
type Protocol struct {
	Batch           int     // complexes in a step; an incomplete last batch is dropped
	Epochs          int     // at most
	Rate            float64 // learning rate of Adam (β 0.9 and 0.999, ε 1e-8) at the start
	PlateauFactor   float64 // what the rate is multiplied by on a plateau of the validation loss
	PlateauPatience int     // epochs that a plateau is borne
	StopPatience    int     // epochs without a lower validation loss after which training ends
	FrequencyWeight bool    // weigh the loss of a class by its frequency in the whole collection
}

// Published is the protocol of the paper (appendix C) with the given batch
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
	case p.PlateauPatience < 0 || p.StopPatience < 1:
		return fmt.Errorf("patience of %d and %d epochs: use 0 or more for plateaus, 1 or more for stopping",
			p.PlateauPatience, p.StopPatience)
	}
	return nil
}

// optimizer returns Adam as PyTorch's.
func (p Protocol) optimizer() optimizer.Interface { return NewAdam(p.Rate) }

// weights returns the class weights of the loss, or nil.
func (p Protocol) weights(data *datasets.Collection) []float32 {
	if !p.FrequencyWeight {
		return nil
	}
	w := make([]float32, len(data.Classes))
	for _, y := range data.Labels {
		w[y] += 1 / float32(data.Len())
	}
	return w
}
