package layers_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// set gives the variable of that path a value before the model is built.
func set(store *model.Store, dtype dtypes.DType, path string, data []float64, dims ...int) {
	must(store.CreateVariable(path, backendtest.Tensor(data, dtype, dims...)))
}

// goldenModel is golden model.json: the whole classifier on five graphs.
type goldenModel struct {
	N, Forms, Hidden, Classes int
	ClassWeights              []float64 `json:"class_weights"`
	Labels                    []int32
	Graphs                    []struct {
		X     [][]float64
		Edges [][2]int32
	}
	Weights  map[string]matrix
	Variants map[string]struct {
		IntegralFactor float64 `json:"integral_factor"`
		EdgeCount      int     `json:"edge_count"`
		Features       matrix
		Train          struct {
			LogSoftmax matrix `json:"log_softmax"`
			Loss       float64
			Grad       map[string]matrix
		}
		RunningMean []float64 `json:"running_mean_after"`
		RunningVar  []float64 `json:"running_var_after"`
		Eval        struct {
			LogSoftmax matrix `json:"log_softmax"`
			Loss       float64
		}
	}
}

// variables are the golden names of weights by the paths of our variables.
var goldenPaths = map[string]string{
	"form.w1": "/forms/layer_0/weights", "form.b1": "/forms/layer_0/biases",
	"form.w2": "/forms/layer_1/weights", "form.b2": "/forms/layer_1/biases",
	"form.w3": "/forms/layer_2/weights", "form.b3": "/forms/layer_2/biases",
	"bn.gamma": "/norm/gamma", "bn.beta": "/norm/beta",
	"head.w1": "/head/layer_0/weights", "head.b1": "/head/layer_0/biases",
	"head.w2": "/head/layer_1/weights", "head.b2": "/head/layer_1/biases",
	"head.w3": "/head/layer_2/weights", "head.b3": "/head/layer_2/biases",
}

// TestGoldenModel trains and evaluates one step of the paper's classifier on
// a padded batch: log-softmax, loss, every gradient, running statistics. The
// variant "published_code" is reached by scaling the features.
func TestGoldenModel(t *testing.T) {
	var file goldenModel
	backendtest.Golden(t, "testdata/numerics/model.json", &file)
	require.Len(t, file.Variants, 2)
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for name := range file.Variants {
			if name == "published_code" && !backendtest.Interpreted(backend) {
				continue // a factor is another
			}
			for _, p := range backendtest.Compiled(backend, backendtest.Precisions) {
				t.Run(
					fmt.Sprintf("%s/%v", name, p.DType),
					func(t *testing.T) { file.check(t, backend, name, p) },
				)
			}
		}
	})
}

// build returns features and logits of the graphs, padded by two vertices,
// three simplices and a complex.
func (m goldenModel) build(scope *model.Scope, g *Graph, dtype dtypes.DType,
	scale float64) (features, logits, mask, labels *Node) {
	var x []float64
	var edges [][]int32
	var of []int32
	base := int32(0)
	for i, graph := range m.Graphs {
		for _, e := range graph.Edges {
			edges, of = append(edges, []int32{base + e[0], base + e[1]}), append(of, int32(i))
		}
		x = append(x, matrix(graph.X).flat()...)
		base += int32(len(graph.X))
	}
	complexes := len(m.Graphs) + 1
	x = append(x, make([]float64, 2*m.N)...)
	for range 3 {
		edges, of = append(edges, []int32{base + 1, base + 1}), append(of, int32(complexes))
	}
	keep := make([]bool, complexes)
	for i := range m.Graphs {
		keep[i] = true
	}
	mask, labels = Const(g, keep), Const(g, append(append([]int32{}, m.Labels...), 0))
	forms := layers.KForm(scope.In("forms"), m.N, 1, m.Forms).Hidden(m.Hidden, m.Hidden/2).
		Activation(activation.Relu).Quadrature(quadrature.Trapezoid(5)).
		Initialization(layers.FanInUniform).Done()
	integrals := exterior.Integrate(forms, constant(g, dtype, x, -1, m.N), Const(g, edges))
	features = MulScalar(layers.Readout(layers.SquaredL2, integrals, Const(g, of), complexes), scale)
	h := layers.BatchNorm(scope.In("norm"), features, mask)
	return features, layers.MLP(scope.In("head"), h, m.Hidden, m.Hidden/2, m.Classes), mask, labels
}

func (m goldenModel) check(t *testing.T, backend compute.Backend, variant string, p backendtest.Precision) {
	v := m.Variants[variant]
	scale := v.IntegralFactor * v.IntegralFactor * float64(v.EdgeCount)
	rows := len(m.Graphs)
	store := model.NewStore()
	var paths, names []string
	for name, path := range goldenPaths {
		w := m.Weights[name]
		dims := []int{len(w), len(w[0])}
		if len(w) == 1 {
			dims = dims[1:]
		}
		set(store, p.DType, path, w.flat(), dims...)
		paths, names = append(paths, path), append(names, name)
	}
	outputs := func(training bool) []*tensors.Tensor {
		exec := must(model.NewExec(backend, store, func(scope *model.Scope, g *Graph) []*Node {
			store.SetTraining(g, training)
			features, logits, mask, labels := m.build(scope, g, p.DType, scale)
			weights := constant(g, p.DType, m.ClassWeights, m.Classes)
			loss := layers.CrossEntropy(logits, labels, mask, weights)
			real := func(x *Node) *Node { return SliceAxis(x, 0, AxisRangeFromStart(rows)) }
			out := []*Node{real(features), real(LogSoftmax(logits, 1)), loss}
			if !training {
				return out
			}
			var at []*Node
			for _, path := range paths {
				at = append(at, store.GetVariable(path).NodeValue(g))
			}
			return append(out, Gradient(loss, at...)...)
		}))
		out := must(exec.Call())
		return out
	}
	trained := outputs(true)
	closeTo(t, v.Features.flat(), trained[0], p.Tolerance, "features")
	closeTo(t, v.Train.LogSoftmax.flat(), trained[1], p.Tolerance, "log-softmax in training")
	closeTo(t, []float64{v.Train.Loss}, trained[2], p.Tolerance, "loss in training")
	for i, name := range names {
		closeTo(t, v.Train.Grad[name].flat(), trained[3+i], p.Tolerance, "gradient of "+name)
	}
	closeTo(t, v.RunningMean, store.GetVariable("/norm/running_mean").MustValue(), p.Tolerance,
		"running mean")
	closeTo(t, v.RunningVar, store.GetVariable("/norm/running_variance").MustValue(), p.Tolerance,
		"running variance")
	evaluated := outputs(false)
	closeTo(t, v.Eval.LogSoftmax.flat(), evaluated[1], p.Tolerance, "log-softmax in evaluation")
	closeTo(t, []float64{v.Eval.Loss}, evaluated[2], p.Tolerance, "loss in evaluation")
}

// TestGoldenBatchNorm feeds batches of 6, 5 and 4 rows, padded to 6.
func TestGoldenBatchNorm(t *testing.T) {
	type step struct {
		X, Y, Upstream matrix
		GradX          matrix    `json:"grad_x"`
		GradGamma      []float64 `json:"grad_gamma"`
		GradBeta       []float64 `json:"grad_beta"`
		RunningMean    []float64 `json:"running_mean"`
		RunningVar     []float64 `json:"running_var"`
	}
	var file struct {
		BatchNorm struct {
			Features    int
			Gamma, Beta []float64
			TrainSteps  []step `json:"train_steps"`
			Eval        step
		} `json:"batch_norm"`
	}
	backendtest.Golden(t, "testdata/numerics/training.json", &file)
	bn := file.BatchNorm
	require.Len(t, bn.TrainSteps, 3)
	const padded = 6
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, p := range backendtest.Compiled(backend, backendtest.Precisions) {
			store := model.NewStore()
			set(store, p.DType, "/gamma", bn.Gamma, bn.Features)
			set(store, p.DType, "/beta", bn.Beta, bn.Features)
			for i, s := range append(append([]step{}, bn.TrainSteps...), bn.Eval) {
				rows := len(s.X)
				pad := func(m matrix, with float64) []float64 {
					out := m.flat()
					for len(out) < padded*bn.Features {
						out = append(out, with)
					}
					return out
				}
				out := must(model.CallOnceN(backend, store, func(scope *model.Scope, g *Graph) []*Node {
					store.SetTraining(g, i < len(bn.TrainSteps))
					keep := make([]bool, padded)
					for r := range rows {
						keep[r] = true
					}
					// Padding is not zero, so that it shows if it counts.
					x := constant(g, p.DType, pad(s.X, 1e3), padded, bn.Features)
					y := layers.BatchNorm(scope, x, Const(g, keep))
					sum := ReduceAllSum(
						Mul(y, constant(g, p.DType, pad(s.Upstream, 0), padded, bn.Features)),
					)
					grads := Gradient(sum, x, store.GetVariable("/gamma").NodeValue(g),
						store.GetVariable("/beta").NodeValue(g))
					real := func(x *Node) *Node { return SliceAxis(x, 0, AxisRangeFromStart(rows)) }
					return []*Node{real(y), real(grads[0]), grads[1], grads[2]}
				}))
				closeTo(t, s.Y.flat(), out[0], p.Tolerance, "y")
				closeTo(t, s.GradX.flat(), out[1], p.Tolerance, "gradient of x")
				closeTo(t, s.GradGamma, out[2], p.Tolerance, "gradient of gamma")
				closeTo(t, s.GradBeta, out[3], p.Tolerance, "gradient of beta")
				if s.RunningMean != nil {
					closeTo(t, s.RunningMean, store.GetVariable("/running_mean").MustValue(), p.Tolerance,
						"running mean")
					closeTo(t, s.RunningVar, store.GetVariable("/running_variance").MustValue(), p.Tolerance,
						"running variance")
				}
			}
		}
	})
}

// TestReferenceValues runs the program that computes all reference values from their inputs, in decimal
// arithmetic.
func TestReferenceValues(t *testing.T) {
	backendtest.NeedLong(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine")
	}
	out, err := exec.CommandContext(t.Context(), python, "testdata/numerics/compute.py").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, 5, strings.Count(string(out), " values, largest difference "), "%s", out)
}
