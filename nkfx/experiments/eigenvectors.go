package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// Eigenvectors fits neural 1-forms to the first eigenvectors of the Hodge
// 1-Laplacian of a Vietoris–Rips complex, which displays them as vector fields
// (paper, appendix D.2): the integrals X of the forms over the edges
// approximate the eigenvectors Y, columns of unit length.
type Eigenvectors struct {
	Data      synthetic.Circles
	Threshold float64 // of the Rips complex
	Count     int     // ℓ: eigenvectors
	Forms     Network // Epochs are steps; a step is about all edges
	Seed      uint32  // of data and weights
}

// NewEigenvectors returns the published points and complex, nine eigenvectors, as
// many as the paper draws, and a network that can follow them, which change from
// edge to edge: four hidden layers, the first of which begins with weights of several
// sizes, and Adam with a rate that falls. Its activation is smooth: few points
// integrate it, and what it learns can be drawn.
func NewEigenvectors() Eigenvectors {
	e := PublishedEigenvectors()
	e.Count = 9
	e.Forms = Network{
		Hidden: []int{128, 64, 64, 64}, Activation: activation.Swish, Frequency: 8, Rule: quadrature.Gauss(6),
		Adam: true, Rate: 5e-3, Anneal: true, Epochs: 4000, Batch: 1,
	}
	return e
}

// PublishedEigenvectors returns the set-up of the published notebook: ten forms
// 2–50–30–20 with ReLU, a quarter of their integrals, and 1,000 steps of gradient
// descent at rate 1e-2 on the sum ‖X - Y‖², which is ten times the loss here.
func PublishedEigenvectors() Eigenvectors {
	return Eigenvectors{
		Data: synthetic.NewCircles(), Threshold: 0.5, Count: 10,
		Forms: Network{
			Hidden: []int{50, 30}, Activation: activation.Relu, Rule: quadrature.Trapezoid(5),
			Rate: 10 * 1e-2, Epochs: 1000, Batch: 1, Published: true,
		},
		Seed: 1,
	}
}

// EigenvectorsResult is the result of Eigenvectors.
type EigenvectorsResult struct {
	Origin
	Points     []float64        `json:"points"`    // [N, 2]
	Edges      []int32          `json:"edges"`     // [E, 2]
	Triangles  []int32          `json:"triangles"` // [T, 3]
	Radius     float64          `json:"radius"`    // of the discs that meet where there is an edge
	Values     []float64        `json:"values"`    // eigenvalues, ascending
	Parameters int              `json:"parameters"`
	Losses     Numbers[float64] `json:"losses"` // ‖X - Y‖²/‖Y‖², mean of up to 50 steps each
	Error      train.Score      `json:"error"`  // ‖X - Y‖/‖Y‖ at the end
	Errors     Numbers[float64] `json:"errors"` // the same form by form
	// Parts are those of the eigenvectors in the Hodge decomposition, and
	// Fitted those with the largest share of what was learned: Shares, in
	// the order harmonic, gradient, curl, are ‖part‖²/‖X_j‖².
	Parts  []string         `json:"parts"`
	Fitted []string         `json:"fitted"`
	Shares [][3]train.Score `json:"shares"`
	// Integrals are those of the forms over the edges, X [E, ℓ], and Field is
	// the forms themselves. Training asks for nothing but the integrals: away
	// from the edges a form may be anything.
	Integrals Numbers[float32] `json:"integrals"`
	Field     Field            `json:"field"`
	// Published is the result of PublishedEigenvectors, where both were run.
	Published *EigenvectorsResult `json:"published,omitempty"`
}

// stepsPerLoss is the largest number of full-batch steps behind each of the losses
// of an EigenvectorsResult, which run as one program. It is the largest that divides
// the number of all steps.
const stepsPerLoss = 50

// Run makes the complex, fits the forms and decomposes the learned cochains.
func (e Eigenvectors) Run(ctx context.Context, backend compute.Backend, report func(Step)) (
	r *EigenvectorsResult, err error) {
	origin, err := alone("eigenvectors", e.Seed, backend, func(backend compute.Backend) (err error) {
		r, err = e.fit(ctx, backend, report)
		return err
	})
	if err == nil {
		r.Origin = origin
	}
	return r, err
}

// fit is Run on one thread.
func (e Eigenvectors) fit(ctx context.Context, backend compute.Backend, report func(Step)) (
	*EigenvectorsResult, error) {
	if err := e.Forms.check(); err != nil {
		return nil, err
	}
	points, err := e.Data.Sample(uint64(e.Seed))
	if err != nil {
		return nil, err
	}
	// Triangles are part of it: they tell curls from cycles.
	c, err := simplicial.Rips(2, points, e.Threshold, 2)
	if err != nil {
		return nil, err
	}
	eigen, err := c.Eigen(1, e.Count)
	if err != nil {
		return nil, err
	}
	r := &EigenvectorsResult{
		Points: points, Edges: c.Simplices(1), Triangles: c.Simplices(2), Radius: e.Threshold / 2,
		Values: eigen.Values, Field: Field{Low: -1.4, High: 1.4, Side: 21},
	}
	for _, part := range eigen.Parts {
		r.Parts = append(r.Parts, part.String())
	}
	steps := min(stepsPerLoss, e.Forms.Epochs)
	for e.Forms.Epochs%steps > 0 {
		steps--
	}
	store, err := seeded(e.Seed)
	if err != nil {
		return nil, err
	}
	defer store.Finalize()
	data := e.tables(c, eigen)
	loss := func(scope *model.Scope, _, t []*Node) *Node {
		x := exterior.Integrate(e.Forms.forms(scope, c.Ambient(), 1, e.Count), t[0], t[1])
		// ‖Y‖² is the number of its unit columns.
		return DivScalar(ReduceAllSum(Square(Sub(x, t[2]))), float64(e.Count))
	}
	loop, err := train.NewLoop(backend, store, e.Forms.optimizer(), loss, data...)
	if err != nil {
		return nil, err
	}
	defer loop.Close()
	if r.Losses, err = e.train(ctx, loop, steps, report); err != nil {
		return nil, err
	}
	r.Parameters = parameters(store)
	// A finer rule than that of training, so that its error is not part of the result's.
	fine := e.Forms
	fine.Rule = quadrature.Gauss(20)
	forms := func(scope *model.Scope) exterior.Form { return fine.forms(scope, c.Ambient(), 1, e.Count) }
	r.Integrals, err = values(backend, store, func(scope *model.Scope, g *Graph) *Node {
		return exterior.Integrate(forms(scope), ConstTensor(g, data[0]), ConstTensor(g, data[1]))
	})
	if err == nil {
		err = r.Field.fill(backend, store, forms)
	}
	if err == nil {
		err = r.judge(c, eigen)
	}
	return r, err
}

// train takes all steps, and returns the mean loss of those of each run of the program.
func (e Eigenvectors) train(ctx context.Context, loop *train.Loop, steps int, report func(Step)) ([]float64,
	error) {
	runs := e.Forms
	runs.Epochs /= steps
	return runs.train(ctx, "eigenvectors", e.Seed, 1, func(s Step) {
		if s.Epoch, s.Epochs = s.Epoch*steps, e.Forms.Epochs; report != nil {
			report(s)
		}
	}, func(_ []int32, rate float64) (float64, error) {
		if err := loop.SetRate(rate); err != nil {
			return 0, err
		}
		return loop.Repeat(steps)
	})
}

// tables returns vertices, edges and eigenvectors for the device.
func (e Eigenvectors) tables(c *simplicial.Complex, eigen *simplicial.Eigen) []*tensors.Tensor {
	edges := c.Count(1)
	y := mat.DenseCopyOf(eigen.Vectors.Slice(0, edges, 0, e.Count)).RawMatrix().Data
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(datasets.Float32s(c.Coords()), c.Count(0), c.Ambient()),
		tensors.FromFlatDataAndDimensions(c.Simplices(1), edges, 2),
		tensors.FromFlatDataAndDimensions(datasets.Float32s(y), edges, e.Count),
	}
}

// judge compares the integrals with the eigenvectors.
func (r *EigenvectorsResult) judge(c *simplicial.Complex, eigen *simplicial.Eigen) error {
	count := len(r.Values)
	column, target := make([]float64, c.Count(1)), make([]float64, c.Count(1))
	total := 0.0
	for j := range count {
		for i := range column {
			column[i] = float64(r.Integrals[i*count+j])
		}
		mat.Col(target, j, eigen.Vectors)
		norm, distance := floats.Norm(column, 2), floats.Distance(column, target, 2)
		r.Errors = append(r.Errors, distance)
		total += distance * distance
		gradient, curl, harmonic, err := c.Hodge(1, column)
		if err != nil {
			return fmt.Errorf("form %d: %w", j, err)
		}
		var shares [3]train.Score
		for part, v := range [3][]float64{
			simplicial.Harmonic: harmonic, simplicial.Gradient: gradient, simplicial.Curl: curl,
		} {
			shares[part] = train.Score(math.Pow(floats.Norm(v, 2)/norm, 2))
		}
		best := simplicial.Part(max(0, slices.Index(shares[:], slices.Max(shares[:]))))
		r.Shares, r.Fitted = append(r.Shares, shares), append(r.Fitted, best.String())
	}
	r.Error = train.Score(math.Sqrt(total / float64(count)))
	return nil
}
