package experiments

import (
	"context"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/layers/activation"

	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// Paths classifies piecewise linear paths in the plane by the integrals of
// learned 1-forms, one for each class, and for comparison by sums of learned
// functions, 0-forms, over their points (paper, section 5.1).
type Paths struct {
	Data        synthetic.Paths
	Train, Test int     // paths of each class
	Forms       Network // the 1-forms
	Functions   Network // the 0-forms
	Seed        uint32  // of data, weights and orders
}

// NewPaths returns the published data and networks with our training: the
// softmax is applied once, the integrals are as defined, and each kind of form
// has the best of the same 46 settings by accuracy on validation paths. 1-forms
// keep the published gradient descent; 0-forms have Adam, with a rate that falls,
// for 800 epochs. The log is testdata/paths-search.jsonl.
func NewPaths() Paths {
	p := PublishedPaths()
	p.Forms.Published, p.Functions.Published = false, false
	p.Functions.Adam, p.Functions.Anneal, p.Functions.Rate, p.Functions.Epochs = true, true, 3e-4, 800
	return p
}

// PublishedPaths returns the set-up of the published notebook: 100 paths of each
// class, forms 2–50–30–6 and functions 2–50–32–3, about as many parameters,
// trained by 50 epochs of gradient descent, 1-forms at rate 1e-2 and 0-forms at
// 1e-5, a thousandth. The loss applies the softmax twice, and integrals of 1-forms
// are a quarter of their value. Two things differ: the noise (see
// [synthetic.Paths]), and there are as many new paths to test on.
func PublishedPaths() Paths {
	forms := Network{
		Hidden: []int{50, 30}, Activation: activation.Relu, Rule: quadrature.Trapezoid(5),
		Rate: 1e-2, Epochs: 50, Batch: 1, Published: true,
	}
	functions := forms
	functions.Hidden, functions.Rate = []int{50, 32}, 1e-5
	return Paths{
		Data: synthetic.NewPaths(), Train: 100, Test: 100,
		Forms: forms, Functions: functions, Seed: 1,
	}
}

// PathsResult is the result of Paths.
type PathsResult struct {
	Origin
	Classes   []string       `json:"classes"`
	Forms     Classification `json:"forms"`     // by 1-forms
	Functions Classification `json:"functions"` // by 0-forms
	// FormField and FunctionField are what was learned, around the origin.
	FormField     Field `json:"form_field"`
	FunctionField Field `json:"function_field"`
	// Published is the result of PublishedPaths, where both were run.
	Published *PathsResult `json:"published,omitempty"`
}

// Run makes the data, trains both models and tests them.
func (p Paths) Run(ctx context.Context, backend compute.Backend, report func(Step)) (*PathsResult, error) {
	r := &PathsResult{
		FormField:     Field{Low: -4.5, High: 4.5, Side: 19},
		FunctionField: Field{Low: -5, High: 5, Side: 61},
	}
	c := classifier{seed: p.Seed, train: p.Train, test: p.Test}
	var err error
	r.Origin, err = alone("paths", p.Seed, backend, func(backend compute.Backend) (err error) {
		c.Network, c.name, p.Data.Degree = p.Forms, "paths, 1-forms", 1
		c.sample = p.Data.Sample
		if r.Forms, err = c.run(ctx, backend, report, &r.FormField); err != nil {
			return err
		}
		r.Classes = r.Forms.Test.Data.Classes
		// The same seed and options give the same points for every degree.
		c.Network, c.name, p.Data.Degree = p.Functions, "paths, 0-forms", 0
		c.sample = p.Data.Sample
		r.Functions, err = c.run(ctx, backend, report, &r.FunctionField)
		return err
	})
	return r, err
}
