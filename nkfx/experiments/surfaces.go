package experiments

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/datasets/packing"
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

// NewSurfaces returns the published numbers of surfaces and forms, trained by Adam for 10
// epochs with integrals that are centered, so that the sign of ∫ω₁ determines
// the class of nearly every surface.
func NewSurfaces() Surfaces {
	s := PublishedSurfaces()
	s.Forms.Adam, s.Forms.Rate, s.Forms.Epochs, s.Forms.Center = true, 1e-2, 10, 0.1
	return s
}

// PublishedSurfaces returns the published training: 30 surfaces of each class,
// forms 3–50–50–6, gradient descent at rate 0.1. The surfaces themselves are
// easier than the published ones, see [synthetic.Surfaces], and the published
// loss applies the softmax twice. The test data are the same number of new
// surfaces; the paper has no test data. Far from the origin the forms are large
// at first: at that rate they diverge from some seeds, and from others the first
// steps switch all hidden units off for good, which leaves constant forms (see
// [SurfacesResult.ConstantForms]). The published code computes 3/4 of the
// integrals.
func PublishedSurfaces() Surfaces {
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

// ConstantForm is the constant form nearest to a 2-form on R³.
type ConstantForm struct {
	Coefficients [3]float64 // of dx∧dy, dx∧dz and dy∧dz
	Distance     float64    // root mean square of what it leaves of the integrals, relative to theirs
}

// ConstantForms returns for each learned form the constant form whose integrals
// over the triangles of the test surfaces are nearest to its own. The integrals
// of a constant form are the signed areas of the projections on the three
// coordinate planes, weighted by its coefficients.
func (r *SurfacesResult) ConstantForms() ([]ConstantForm, error) {
	e := r.Forms.Test
	var shadows []float64
	for g := range e.Data.Len() {
		vertices, triangles := packing.Round(e.Data.Points(g)), e.Data.Corners(2, g) // as integrated
		at := func(v int32, axis int) float64 { return float64(vertices[3*int(v)+axis]) }
		for t := range slices.Chunk(triangles, 3) {
			for _, plane := range [3][2]int{{0, 1}, {0, 2}, {1, 2}} {
				x, y := plane[0], plane[1]
				ux, uy := at(t[1], x)-at(t[0], x), at(t[1], y)-at(t[0], y)
				vx, vy := at(t[2], x)-at(t[0], x), at(t[2], y)-at(t[0], y)
				shadows = append(shadows, (ux*vy-uy*vx)/2)
			}
		}
	}
	count := e.Forms()
	a, b := mat.NewDense(len(shadows)/3, 3, shadows), mat.NewDense(len(shadows)/3, count, nil)
	b.Apply(func(i, j int, _ float64) float64 { return float64(e.Integrals[i*count+j]) }, b)
	var nearest, left mat.Dense
	if err := nearest.Solve(a, b); err != nil {
		return nil, fmt.Errorf("constant forms nearest to those of surfaces: %w", err)
	}
	left.Mul(a, &nearest)
	left.Sub(b, &left)
	forms := make([]ConstantForm, count)
	for j := range forms {
		mat.Col(forms[j].Coefficients[:], j, &nearest)
		forms[j].Distance = mat.Norm(left.ColView(j), 2) / mat.Norm(b.ColView(j), 2)
	}
	return forms, nil
}

// Run makes the data, trains the forms and tests them.
func (s Surfaces) Run(ctx context.Context, backend compute.Backend, report func(Step)) (
	*SurfacesResult, error) {
	r := &SurfacesResult{Classes: synthetic.SurfaceClasses}
	var err error
	r.Origin, err = alone("surfaces", s.Seed, backend, func(backend compute.Backend) (err error) {
		r.Forms, err = classifier{
			Network: s.Forms, name: "surfaces, 2-forms", seed: s.Seed,
			sample: s.Data.Sample, train: s.Train, test: s.Test, see: integrals,
		}.run(ctx, backend, report, nil)
		return err
	})
	return r, err
}
