package experiments

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/layers/activation"

	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Surfaces classifies triangulated surfaces in space by the integrals of two
// learned 2-forms (paper, section 5.2).
type Surfaces struct {
	Data        synthetic.Surfaces
	Train, Test int // surfaces of each class
	Forms       Network
	Seed        uint32 // of data, weights and orders
}

// NewSurfaces returns the published set-up: 30 surfaces of each class, forms
// 3–50–50–6, four epochs of gradient descent at rate 0.1, one surface a step.
// The published loss applies the softmax twice, and the published code
// computes 3/4 of the integrals. The test data are the same number of new
// surfaces; the paper has no test data.
func NewSurfaces() Surfaces {
	return Surfaces{
		Data: synthetic.NewSurfaces(), Train: 30, Test: 30,
		Forms: Network{
			Hidden: []int{50, 50}, Activation: activation.Relu, Rule: quadrature.Subdivision(2),
			Rate: 0.1, Epochs: 4, Batch: 1,
		},
		Seed: 1,
	}
}

// SurfacesResult is the result of Surfaces.
type SurfacesResult struct {
	Origin
	Classes []string       `json:"classes"`
	Forms   Classification `json:"forms"`
}

// Run makes the data, trains the forms and tests them.
func (s Surfaces) Run(ctx context.Context, backend compute.Backend, report func(Step)) (
	*SurfacesResult, error) {
	r := &SurfacesResult{}
	var err error
	r.Origin, err = alone("surfaces", s.Seed, backend, func(backend compute.Backend) (err error) {
		r.Forms, err = classifier{
			Network: s.Forms, name: "surfaces, 2-forms", seed: s.Seed,
			sample: s.Data.Sample, train: s.Train, test: s.Test,
		}.run(ctx, backend, report, nil)
		if err == nil {
			r.Classes = r.Forms.Test.Data.Classes
		}
		return err
	})
	return r, err
}
