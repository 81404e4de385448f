package bench

import (
	"math/rand/v2"
	"time"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// The network of the benchmark: that of the paper's graph benchmarks.
const (
	formCount   = 5
	hiddenWidth = 16
)

// rule returns the quadrature of degree k: 5 points on an edge, and on other simplices the corners
// and the middles of the edges.
func rule(k int) quadrature.Rule {
	if k == 1 {
		return quadrature.Trapezoid(5)
	}
	return quadrature.Subdivision(2)
}

// program is one way to do the work; run does it once and returns its time.
type program struct {
	run  func() (time.Duration, error)
	free func()
}

// turn runs the program until that many seconds have gone by, and once at least.
func (p *program) turn(seconds float64) ([]float64, error) {
	var times []float64
	for start := time.Now(); len(times) == 0 || time.Since(start).Seconds() < seconds; {
		t, err := p.run()
		if err != nil {
			return nil, err
		}
		times = append(times, t.Seconds())
	}
	return times, nil
}

// random returns normal numbers.
func random(rng *rand.Rand, count int) []float32 {
	out := make([]float32, count)
	for i := range out {
		out[i] = float32(rng.NormFloat64())
	}
	return out
}

// newForms returns the forms of a case and the store of their own.
func newForms(c Case) (exterior.Form, *model.Store) {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	forms := layers.KForm(store.RootScope(), c.Dim, c.Degree, formCount).Hidden(hiddenWidth, hiddenWidth/2).
		Activation(activation.Relu).Quadrature(rule(c.Degree)).Initialization(layers.FanInUniform).Done()
	return forms, store
}

// graphProgram is the work in one graph, by the coordinates of the corners as the peers take them,
// or by vertices, as many as there are simplices.
func graphProgram(backend compute.Backend, c Case, name string) (*program, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	forms, store := newForms(c)
	var inputs []any
	integrate := func(vertices, simplices *Node) *Node {
		return exterior.Integrate(forms, vertices, simplices)
	}
	if name == "corners" {
		inputs = []any{tensors.FromFlatDataAndDimensions(
			random(rng, c.Simplices*(c.Degree+1)*c.Dim), c.Simplices, c.Degree+1, c.Dim)}
		integrate = func(corners, _ *Node) *Node { return exterior.IntegrateCorners(forms, corners) }
	} else {
		vertices, simplices := mesh(rng, c)
		inputs = []any{tensors.FromFlatDataAndDimensions(vertices, c.Simplices, c.Dim),
			tensors.FromFlatDataAndDimensions(simplices, c.Simplices, c.Degree+1)}
	}
	exec, err := model.NewExec(backend, store, func(_ *model.Scope, in []*Node) []*Node {
		loss := ReduceAllSum(Square(integrate(in[0], in[len(in)-1])))
		by := []*Node{}
		for v := range store.IterVariables() {
			if v.Trainable {
				by = append(by, v.NodeValue(loss.Graph()))
			}
		}
		return append([]*Node{loss}, Gradient(loss, by...)...)
	})
	if err != nil {
		return nil, err
	}
	p := &program{}
	p.run = func() (time.Duration, error) {
		start := time.Now()
		out, err := exec.Call(inputs...)
		if err != nil {
			return 0, err
		}
		for _, x := range out {
			x.MustFinalizeAll()
		}
		return time.Since(start), nil
	}
	p.free = func() {
		exec.Finalize()
		for _, x := range inputs {
			x.(*tensors.Tensor).MustFinalizeAll()
		}
	}
	return p, nil
}

// mesh returns as many vertices as simplices, and simplices whose corners are close by in number,
// as in data from a file.
func mesh(rng *rand.Rand, c Case) ([]float32, []int32) {
	simplices := make([]int32, c.Simplices*(c.Degree+1))
	for i := range simplices {
		simplices[i] = int32((i/(c.Degree+1) + rng.IntN(64)) % c.Simplices)
	}
	return random(rng, c.Simplices*c.Dim), simplices
}

// chunkProgram is the work with an integrator: the integrals of all chunks first, then all
// gradients.
func chunkProgram(backend compute.Backend, c Case) (*program, error) {
	forms, store := newForms(c)
	it, err := layers.NewIntegrator(backend, store, forms, 0)
	if err != nil {
		return nil, err
	}
	vertices, simplices := mesh(rand.New(rand.NewPCG(1, 1)), c)
	run := func() (time.Duration, error) {
		start := time.Now()
		x, err := it.Integrate(vertices, simplices)
		if err != nil {
			return 0, err
		}
		for i := range x {
			x[i] *= 2
		}
		gradients, err := it.Gradient(vertices, simplices, x)
		if err != nil {
			return 0, err
		}
		for _, g := range gradients {
			g.Value.MustFinalizeAll()
		}
		return time.Since(start), nil
	}
	return &program{run, it.Finalize}, nil
}
