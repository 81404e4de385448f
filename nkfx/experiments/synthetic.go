package experiments

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backends/xla"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx"
)

// Origin says how to make a result again.
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

// alone runs an experiment on a backend with one thread, so that it has the same
// bits on any number of processors, and returns where its result is from.
func alone(experiment string, seed uint32, backend compute.Backend, run func(compute.Backend) error) (Origin,
	error) {
	begin := time.Now()
	member, err := xla.OneThread(backend)
	if err != nil {
		return Origin{}, err
	}
	if member != backend {
		defer member.Finalize()
	}
	if err := run(member); err != nil {
		return Origin{}, err
	}
	return origin(experiment, seed, backend, begin), nil
}

// Step is how far the training of an experiment on synthetic data is.
type Step struct {
	Model         string // what is trained, e.g. "1-forms"
	Epoch, Epochs int    // done, and in all
	Loss          float64
}

// Network says what the coefficients of neural forms are and how they are
// trained.
type Network struct {
	Hidden     []int           // widths of the hidden layers
	Activation string          // between the layers: relu, tanh, silu or sine
	Rule       quadrature.Rule // integrates the forms
	Adam       bool            // optimizer: Adam, or else plain gradient descent
	Rate       float64         // learning rate
	Anneal     bool            // lower the rate to zero, epoch by epoch along half a cosine
	Epochs     int             // passes over the training data
	Batch      int             // samples in a step
	// Center weighs (Σ_c X_c)² of every sample in the loss of a
	// classification. Cross-entropy does not see what is added to the forms
	// of all classes alike; this makes their integrals sum to zero, so that
	// the sign of one tells something. The paper has 0.
	Center float64
	// Frequency, where it is positive, makes the first layer begin with
	// weights of several sizes, see [layers.Waves].
	Frequency float64
}

// activations are the functions between layers by name.
var activations = map[string]func(*Node) *Node{
	"relu": activation.Relu,
	"tanh": Tanh,
	"silu": activation.Swish,
	"sine": Sin,
}

// forms returns the neural forms.
func (n Network) forms(scope *model.Scope, dim, degree, count int) exterior.Form {
	return layers.KForm(scope.In("forms"), dim, degree, count).
		Hidden(n.Hidden...).
		Activation(activations[n.Activation]).
		Quadrature(n.Rule).
		Initialization(n.initialize()).Done()
}

// initialize returns how the weights of the forms begin.
func (n Network) initialize() layers.Initialization {
	if n.Frequency == 0 {
		return layers.FanInUniform
	}
	return layers.Waves(n.Frequency, len(n.Hidden))
}

// optimizer returns the optimizer.
func (n Network) optimizer() optimizer.Interface {
	if n.Adam {
		return optimizer.Adam().LearningRate(n.Rate).Betas(0.9, 0.999).Epsilon(1e-8).Done()
	}
	return optimizer.StochasticGradientDescent().WithLearningRate(n.Rate).WithDecay(false).Done()
}

// check returns an error for values that make no training.
func (n Network) check() error {
	for _, width := range n.Hidden {
		if width < 1 {
			return fmt.Errorf("a hidden layer of width %d: use 1 or more", width)
		}
	}
	switch {
	case activations[n.Activation] == nil:
		return fmt.Errorf("no activation %q: use relu, tanh, silu or sine", n.Activation)
	case !(n.Frequency >= 0):
		return fmt.Errorf("a frequency of %g: use 0 or more", n.Frequency)
	case n.Rule == nil:
		return fmt.Errorf("no quadrature rule: use for example quadrature.Gauss(3)")
	case !(n.Rate > 0):
		return fmt.Errorf("a learning rate of %g: use a positive one", n.Rate)
	case !(n.Center >= 0):
		return fmt.Errorf("a weight of %g for centering: use 0 or more", n.Center)
	case n.Epochs < 1 || n.Batch < 1:
		return fmt.Errorf("%d epochs in steps of %d samples: use 1 or more of either", n.Epochs, n.Batch)
	}
	return nil
}

// Numbers are written as JSON with null where one is NaN or infinite, as those
// of a training that diverged can be, and read again as NaN.
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

// fill evaluates the coefficients of forms on the grid.
func (f *Field) fill(backend compute.Backend, l *learner, form func(*model.Scope) exterior.Form) error {
	points := tensors.FromFlatDataAndDimensions(f.points(), f.Side*f.Side, 2)
	defer points.MustFinalizeAll()
	values, err := l.evaluate(backend, func(scope *model.Scope, in []*Node) *Node {
		return form(scope).At(in[0])
	}, []*tensors.Tensor{points})
	f.Values = values
	return err
}
