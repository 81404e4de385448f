package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"gonum.org/v1/gonum/floats"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx"
)

// Origin holds what is needed to reproduce a result.
type Origin struct {
	Experiment string  `json:"experiment"`
	Seed       uint32  `json:"seed"`
	Backend    string  `json:"backend"`
	Version    string  `json:"version"`
	GoMLX      string  `json:"gomlx"`
	GoXLA      string  `json:"goxla"`
	Processor  string  `json:"processor"`
	Seconds    float64 `json:"seconds"`
}

// origin returns the origin of an experiment that began at that time.
func origin(experiment string, seed uint32, backend compute.Backend, begin time.Time) Origin {
	v := nkfx.Version()
	return Origin{
		Experiment: experiment, Seed: seed, Backend: nkfx.BackendName(backend),
		Version: v.NKF, GoMLX: v.GoMLX, GoXLA: v.GoXLA, Processor: v.Processor,
		Seconds: time.Since(begin).Seconds(),
	}
}

// alone runs an experiment on a backend with one thread, for equal bits on any number of processors, and
// returns the origin of its result.
func alone(experiment string, seed uint32, backend compute.Backend, run func(compute.Backend) error) (Origin,
	error) {
	begin := time.Now()
	own, err := xla.OneThread(backend)
	if err != nil {
		return Origin{}, err
	}
	if own != backend {
		defer own.Finalize()
	}
	if err := run(own); err != nil {
		return Origin{}, fmt.Errorf("%s: %w", experiment, err)
	}
	return origin(experiment, seed, backend, begin), nil
}

// Step is the progress of the training of an experiment on synthetic data.
type Step struct {
	Model         string // what is trained, e.g. "1-forms"
	Epoch, Epochs int    // done, and in all
	Loss          float64
}

// Network describes the coefficients of neural forms and their training.
type Network struct {
	Hidden     []int             // widths of the hidden layers
	Activation func(*Node) *Node // between the layers
	Rule       quadrature.Rule   // integrates the forms
	Adam       bool              // optimizer: Adam, or else plain gradient descent
	Rate       float64           // learning rate
	Anneal     bool              // lower the rate to zero, epoch by epoch along half a cosine
	Epochs     int               // passes over the training data
	Batch      int               // samples in a step
	// Frequency, if it is positive, gives the first layer initial weights of
	// several sizes, see [layers.Waves].
	Frequency float64
	// Published computes as the published notebooks on paths and eigenvectors: integrals of 1-forms are a
	// quarter of their value, and the loss of classes applies the softmax to what is a softmax already.
	Published bool
}

// quarter is a rule with a quarter of its weights on edges: the published code divides by the four steps of
// its trapezoid rule twice.
type quarter struct{ quadrature.Rule }

// Nodes returns the points and weights.
func (q quarter) Nodes(k int) (*quadrature.Nodes, error) {
	nodes, err := q.Rule.Nodes(k)
	if err != nil || k != 1 {
		return nodes, err
	}
	less := *nodes
	less.Weights = slices.Clone(nodes.Weights)
	floats.Scale(0.25, less.Weights)
	return &less, nil
}

// forms returns the neural forms.
func (n Network) forms(scope *model.Scope, dim, degree, count int) exterior.Form {
	begin := layers.FanInUniform
	if n.Frequency != 0 {
		begin = layers.Waves(n.Frequency, len(n.Hidden))
	}
	rule := n.Rule
	if n.Published {
		rule = quarter{rule}
	}
	return layers.KForm(scope.In("forms"), dim, degree, count).Hidden(n.Hidden...).Activation(n.Activation).
		Quadrature(rule).Initialization(begin).Done()
}

// optimizer returns the optimizer.
func (n Network) optimizer() optimizer.Interface {
	if n.Adam {
		return optimizer.Adam().LearningRate(n.Rate).Betas(0.9, 0.999).Epsilon(1e-8).Done()
	}
	return optimizer.StochasticGradientDescent().WithLearningRate(n.Rate).WithDecay(false).Done()
}

// train trains the epochs, each on the samples in a new random order and at one rate, and returns their mean
// losses.
func (n Network) train(ctx context.Context, name string, seed uint32, samples int, report func(Step),
	epoch func(order []int32, rate float64) (loss float64, err error)) (losses []float64, err error) {
	random := datasets.NewRandom(seed)
	for done := range n.Epochs {
		if err := ctx.Err(); err != nil {
			return losses, err
		}
		rate := n.Rate
		if n.Anneal {
			rate *= (1 + math.Cos(math.Pi*float64(done)/float64(n.Epochs))) / 2
		}
		loss, err := epoch(random.Permutation(samples), rate)
		if err != nil {
			return losses, fmt.Errorf("training %s, epoch %d: %w", name, done, err)
		}
		losses = append(losses, loss)
		if report != nil {
			report(Step{Model: name, Epoch: done + 1, Epochs: n.Epochs, Loss: loss})
		}
	}
	return losses, nil
}

// seeded returns a store whose variables are initialized from a seed.
func seeded(seed uint32) (*model.Store, error) {
	store := model.NewStore()
	return store, store.SetRNGStateFromSeed(int64(seed))
}

// parameters returns the number of trainable parameters.
func parameters(store *model.Store) (count int) {
	for v := range store.IterVariables() {
		if v.Trainable {
			count += v.Shape().Size()
		}
	}
	return count
}

// check returns an error for a training that cannot be.
func (n Network) check() error {
	if n.Activation == nil || n.Rule == nil || !(n.Rate > 0) || n.Epochs < 1 || n.Batch < 1 {
		return fmt.Errorf("%d epochs in steps of %d samples with the learning rate %g and the rule %v: "+
			"use 1 or more, a positive rate, a rule and an activation", n.Epochs, n.Batch, n.Rate, n.Rule)
	}
	return nil
}

// Numbers are written as JSON with null for NaN and infinity, which diverged trainings have, and read back as
// NaN.
type Numbers[T float32 | float64] []T

// MarshalJSON returns the numbers as a list.
func (n Numbers[T]) MarshalJSON() ([]byte, error) {
	list := make([]*T, len(n))
	for i := range n {
		if !math.IsNaN(float64(n[i])) && !math.IsInf(float64(n[i]), 0) {
			list[i] = &n[i]
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads a list.
func (n *Numbers[T]) UnmarshalJSON(text []byte) error {
	var list []*T
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*n = make(Numbers[T], len(list))
	for i, x := range list {
		(*n)[i] = T(math.NaN())
		if x != nil {
			(*n)[i] = *x
		}
	}
	return nil
}

// Field holds samples of forms on a square grid in the plane, for drawing.
type Field struct {
	Low    float64          `json:"low"` // the grid covers [Low, High]²
	High   float64          `json:"high"`
	Side   int              `json:"side"`   // points along a side
	Values Numbers[float32] `json:"values"` // [Side·Side, C(2,k), ℓ], rows of points from below, x fastest
}

// step returns the distance of neighbors on the grid.
func (f Field) step() float64 { return (f.High - f.Low) / float64(max(1, f.Side-1)) }

// points returns the points of the grid, [Side², 2].
func (f Field) points() []float32 {
	points := make([]float32, 0, 2*f.Side*f.Side)
	for i := range f.Side * f.Side {
		for _, at := range [2]int{i % f.Side, i / f.Side} {
			points = append(points, float32(f.Low+float64(at)*f.step()))
		}
	}
	return points
}

// fill evaluates the coefficients of forms with trained variables on the grid.
func (f *Field) fill(backend compute.Backend, store *model.Store, forms func(*model.Scope) exterior.Form) (
	err error) {
	f.Values, err = values(backend, store, func(scope *model.Scope, g *Graph) *Node {
		return forms(scope).At(Reshape(Const(g, f.points()), -1, 2))
	})
	return err
}

// values returns the values of a node that is built with trained variables.
func values(backend compute.Backend, store *model.Store, build func(*model.Scope, *Graph) *Node) ([]float32,
	error) {
	x, err := model.CallOnce(backend, store,
		func(_ *model.Scope, g *Graph) *Node { return build(store.RootScope(), g) })
	if err != nil {
		return nil, err
	}
	return tensors.CopyFlatData[float32](x)
}
