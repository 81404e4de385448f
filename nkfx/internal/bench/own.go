package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/layers/signature"
)

// The network of the benchmark is that of the paper's graph benchmarks.
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

// newForms returns the forms of a case and their store.
func newForms(c Case) (exterior.Form, *model.Store) {
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(1))
	forms := layers.KForm(store.RootScope(), c.Dim, c.Degree, formCount).Hidden(hiddenWidth, hiddenWidth/2).
		Activation(activation.Relu).Quadrature(rule(c.Degree)).Initialization(layers.FanInUniform).Done()
	return forms, store
}

// ownIntegral returns one of nkf's programs, called once: in one graph by the coordinates of the corners, on
// the device as those of the peers ("corners"); and by arrays of Go, as many vertices as simplices, in one
// graph ("vertices") or with an integrator ("chunks").
func ownIntegral(backend compute.Backend, c Case, name string) (program, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	forms, store := newForms(c)
	if name == "corners" {
		corners := random(rng, c.Simplices*(c.Degree+1)*c.Dim)
		exec, err := inGraph(backend, store, func(in []*Node) *Node {
			return exterior.SumOverCorners(forms, in[0], nil, Square)
		})
		if err != nil {
			return program{}, err
		}
		return calls(exec, tensors.FromFlatDataAndDimensions(corners, c.Simplices, c.Degree+1, c.Dim))
	}
	vertices, simplices := indexed(rng, c)
	if name == "chunks" {
		return inChunks(backend, store, forms, vertices, simplices)
	}
	exec, err := inGraph(backend, store, func(in []*Node) *Node {
		return exterior.SumOver(forms, in[0], in[1], nil, Square)
	})
	if err != nil {
		return program{}, err
	}
	return called(func() error {
		inputs := []*tensors.Tensor{tensors.FromFlatDataAndDimensions(vertices, c.Simplices, c.Dim),
			tensors.FromFlatDataAndDimensions(simplices, c.Simplices, c.Degree+1)}
		defer finalize(inputs)
		return call(exec, inputs)
	}, exec.Finalize)
}

// integralRequest returns the case as peers take it.
func integralRequest(c Case) (map[string]any, error) {
	nodes, err := rule(c.Degree).Nodes(c.Degree)
	if err != nil {
		return nil, err
	}
	points := make([][]float32, nodes.Len())
	for q := range points {
		for _, x := range nodes.Point(q) {
			points[q] = append(points[q], float32(x))
		}
	}
	return map[string]any{"degree": c.Degree, "dim": c.Dim, "simplices": c.Simplices, "forms": formCount,
		"hidden": hiddenWidth, "components": combin.Binomial(c.Dim, c.Degree), "points": points,
		"weights": nodes.Weights}, nil
}

// random returns normal numbers.
func random(rng *rand.Rand, count int) []float32 {
	out := make([]float32, count)
	for i := range out {
		out[i] = float32(rng.NormFloat64())
	}
	return out
}

// indexed returns as many vertices as simplices, and simplices with corners close by in number, as in
// data from a file.
func indexed(rng *rand.Rand, c Case) ([]float32, []int32) {
	simplices := make([]int32, c.Simplices*(c.Degree+1))
	for i := range simplices {
		simplices[i] = int32((i/(c.Degree+1) + rng.IntN(64)) % c.Simplices)
	}
	return random(rng, c.Simplices*c.Dim), simplices
}

// inGraph returns the graph of a sum and its gradients.
func inGraph(backend compute.Backend, store *model.Store, sum func(in []*Node) *Node) (*model.Exec, error) {
	return model.NewExec(backend, store, func(_ *model.Scope, in []*Node) []*Node {
		loss := sum(in)
		by := []*Node{}
		for v := range store.IterVariables() {
			if v.Trainable {
				by = append(by, v.NodeValue(loss.Graph()))
			}
		}
		return append([]*Node{loss}, Gradient(loss, by...)...)
	})
}

// graph is a compiled graph.
type graph interface {
	Call(args ...any) ([]*tensors.Tensor, error)
	Finalize()
}

// calls returns the program that calls a graph on inputs that stay on the device, called once.
func calls(exec graph, inputs ...*tensors.Tensor) (program, error) {
	return called(func() error { return call(exec, inputs) }, func() {
		exec.Finalize()
		finalize(inputs)
	})
}

// call calls a graph.
func call(exec graph, inputs []*tensors.Tensor) error {
	var args []any
	for _, x := range inputs {
		args = append(args, x)
	}
	out, err := exec.Call(args...)
	finalize(out)
	return err
}

// finalize frees tensors.
func finalize(all []*tensors.Tensor) {
	for _, x := range all {
		x.MustFinalizeAll()
	}
}

// called returns a program that has run once, and what frees it.
func called(run func() error, free func()) (program, error) {
	return program{func(seconds float64) ([]float64, error) { return timed(seconds, run) }, free}, run()
}

// inChunks returns the work with an integrator.
func inChunks(backend compute.Backend, store *model.Store, forms exterior.Form, vertices []float32,
	simplices []int32) (program, error) {
	it, err := layers.NewIntegrator(backend, store, forms, Square)
	if err != nil {
		return program{}, err
	}
	weights := slices.Repeat([]float32{1}, forms.Count)
	return called(func() error {
		_, gradients, err := it.SumGradient(vertices, simplices, weights)
		for _, g := range gradients {
			g.MustFinalizeAll()
		}
		return err
	}, it.Finalize)
}

// ownMesh returns the program that integrates 2-forms over a triangle mesh in R³, the graph of a function
// over a square grid, called once.
func ownMesh(backend compute.Backend, c Case) (program, error) {
	form, store := newForms(Case{Degree: 2, Dim: 3})
	it, err := layers.NewIntegrator(backend, store, form, nil)
	if err != nil {
		return program{}, err
	}
	vertices, faces := surface(c.Simplices)
	return called(func() error { _, err := it.Integrate(vertices, faces); return err }, it.Finalize)
}

// surface returns the graph of a function over a square grid with at most that many triangles, two
// for each square.
func surface(triangles int) (vertices []float32, faces []int32) {
	side := 1
	for 2*(side+1)*(side+1) <= triangles {
		side++
	}
	for i := range side + 1 {
		for j := range side + 1 {
			x, y := float32(i)/float32(side), float32(j)/float32(side)
			vertices = append(vertices, x, y, x*y*(1-x))
		}
	}
	faces = make([]int32, 0, 6*side*side)
	for i := range int32(side) {
		for j := range int32(side) {
			a := i*int32(side+1) + j
			b, c := a+1, a+int32(side)+1
			faces = append(faces, a, c, b, b, c, c+1)
		}
	}
	return vertices, faces
}

// peak returns the peak memory of the process in GiB, 0 where the system does not report it.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	var kib float64
	_, _ = fmt.Sscanf(string(status[max(0, bytes.Index(status, []byte("VmHWM:"))):]), "VmHWM: %f kB", &kib)
	return kib / (1 << 20)
}

// ownSignature returns nkf's program, called once.
func ownSignature(backend compute.Backend, c Case) (program, error) {
	rng := rand.New(rand.NewPCG(1, 1))
	steps := random(rng, c.Batch*c.Points*c.Dim)
	for i := range steps {
		steps[i] *= 0.1
		if i/c.Dim%c.Points > 0 {
			steps[i] += steps[i-c.Dim]
		}
	}
	x := tensors.FromFlatDataAndDimensions(steps, c.Batch, c.Points, c.Dim)
	exec, err := NewExec(backend, func(x *Node) []*Node {
		y := signature.Signature(x, c.Depth)
		if !c.Gradient {
			return []*Node{y}
		}
		loss := ReduceAllSum(Square(y))
		return []*Node{loss, Gradient(loss, x)[0]}
	})
	if err != nil {
		return program{}, err
	}
	return calls(exec, x)
}
