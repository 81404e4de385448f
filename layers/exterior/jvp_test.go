package exterior_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// operations are functions of a positive matrix [4, 6] that go through every
// rule of derivative, and through the operations without one.
var operations = map[string]func(x *Node) *Node{
	"sums":       func(x *Node) *Node { return Sub(Add(x, MulScalar(x, 3)), Neg(x)) },
	"constant":   func(x *Node) *Node { return Add(x, OnesLike(x)) },
	"product":    func(x *Node) *Node { return Mul(x, Square(x)) },
	"quotient":   func(x *Node) *Node { return Div(AddScalar(x, 1), Add(x, Square(x))) },
	"numerator":  func(x *Node) *Node { return DivScalar(x, 3) },
	"reciprocal": func(x *Node) *Node { return Reciprocal(x) },
	"broadcast":  func(x *Node) *Node { return Mul(x, SliceAxis(x, 1, AxisElem(2))) },
	"matrices":   func(x *Node) *Node { return Dot(x, Transpose(x, 0, 1)).Product() },
	"constants":  func(x *Node) *Node { return Dot(x, ConstAs(x, []float64{1, 2, 0, 1, 0, 3})).Product() },
	"slices": func(x *Node) *Node {
		return Concatenate([]*Node{x, Slice(x, AxisRange(), AxisElem(1))}, 1)
	},
	"half": func(x *Node) *Node {
		return Concatenate([]*Node{x, OnesLike(x)}, 0)
	},
	"reshape": func(x *Node) *Node { return ReduceSum(Reshape(x, 2, 2, 6), 1) },
	"gather": func(x *Node) *Node {
		return Gather(x, Const(x.Graph(), [][]int32{{3}, {0}, {3}}))
	},
	"scatter": func(x *Node) *Node {
		return exterior.SegmentSum(x, Const(x.Graph(), []int32{1, 0, 1, 1}), 2, false)
	},
	"choice":     func(x *Node) *Node { return Where(GreaterThan(x, OnesLike(x)), Square(x), Exp(x)) },
	"exp":        Exp,
	"log":        Log,
	"log1p":      Log1P,
	"circular":   func(x *Node) *Node { return Add(Sin(x), Cos(x)) },
	"tanh":       Tanh,
	"logistic":   Sigmoid,
	"sqrt":       Sqrt,
	"abs":        func(x *Node) *Node { return Abs(AddScalar(x, -1)) },
	"erf":        Erf,
	"max":        func(x *Node) *Node { return Max(AddScalar(x, -1), Neg(x)) },
	"min":        func(x *Node) *Node { return Min(Const(x.Graph(), 1.1), x) },
	"own power":  func(x *Node) *Node { return Pow(x, x) },
	"exact gelu": activation.Gelu,
	"power":      func(x *Node) *Node { return Pow(x, Const(x.Graph(), 2.5)) },
	"maximum":    func(x *Node) *Node { return ReduceMax(x, 1) },
	"selu":       activation.Selu,
	"gelu":       activation.GeluApproximate,
	"hard swish": activation.HardSwish,
	"leaky relu": func(x *Node) *Node { return activation.LeakyRelu(AddScalar(x, -1)) },
	"softmax":    func(x *Node) *Node { return Softmax(x, -1) },
	"convert":    func(x *Node) *Node { return ConvertDType(ConvertDType(x, dtypes.Float32), x.DType()) },
	"steps":      func(x *Node) *Node { return Mul(x, Add(Sign(x), Floor(x))) },
	"gradient":   func(x *Node) *Node { return Gradient(ReduceAllSum(Exp(Slice(x, AxisElem(1)))), x)[0] },
	"stopped":    func(x *Node) *Node { return Mul(x, StopGradient(x)) },
	"unrelated":  func(x *Node) *Node { return Ones(x.Graph(), shapes.Make(x.DType(), 3)) },
}

// backwardOnce are those that GoMLX gives no gradient for: their oracle is a
// difference.
var backwardOnce = map[string]bool{"gradient": true, "steps": true}

// TestTangentIsTheTransposeOfTheGradient checks ⟨u, J·dx⟩ = ⟨Jᵀu, dx⟩ with
// GoMLX's gradient for Jᵀ, for every operation.
func TestTangentIsTheTransposeOfTheGradient(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		names := slices.Sorted(maps.Keys(operations))
		out := run(t, backend, func(g *Graph) []*Node {
			rng := rand.New(rand.NewPCG(4, 4))
			var nodes []*Node
			for _, name := range names {
				operation := operations[name]
				x := Exp(constant(g, dtypes.Float64, normals(rng, 24), 4, 6))
				dx := constant(g, dtypes.Float64, normals(rng, 24), 4, 6)
				x = Identity(x)
				y := operation(x)
				dy := exterior.JVP(y, x, dx)
				y.Shape().Assert(dy.DType(), dy.Shape().Dimensions...)
				if backwardOnce[name] {
					const step = 1e-6
					above := operation(Add(x, MulScalar(dx, step)))
					below := operation(Sub(x, MulScalar(dx, step)))
					nodes = append(nodes, dy, DivScalar(Sub(above, below), 2*step))
				} else {
					u := Const(g, normals(rng, y.Shape().Size()))
					u = Reshape(u, y.Shape().Dimensions...)
					back := Gradient(ReduceAllSum(Mul(u, y)), x)[0]
					nodes = append(nodes, ReduceAllSum(Mul(u, dy)), ReduceAllSum(Mul(back, dx)))
				}
			}
			return nodes
		})
		for i, name := range names {
			tolerance := 1e-12
			switch {
			case backwardOnce[name]:
				tolerance = 1e-8 // of the difference
			case name == "convert":
				tolerance = 1e-6 // of float32
			}
			closeTo(t, flat(out[2*i+1]), flat(out[2*i]), tolerance, name)
		}
	})
}

// TestTangentHasAGradient differentiates tangents of second order backwards,
// through operations whose gradient is a Pad and has none itself.
func TestTangentHasAGradient(t *testing.T) {
	out := run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
		x := Identity(Const(g, [][]float64{{0.5, 0.3, 2}}))
		cube := func(x *Node) *Node {
			y := Concatenate([]*Node{SliceAxis(x, 1, AxisElem(2)), x}, 1)
			return Mul(y, Square(y))
		}
		first := exterior.JVP(cube(x), x, OnesLike(x))
		second := exterior.JVP(first, x, OnesLike(x))
		return []*Node{second, Gradient(ReduceAllSum(second), x)[0]}
	})
	closeTo(t, []float64{12, 3, 1.8, 12}, flat(out[0]), 1e-14, "6x")
	closeTo(t, []float64{6, 6, 12}, flat(out[1]), 1e-14, "6, twice for the repeated entry")
}

// TestNoDerivativeThroughLoops: GoMLX has no gradient for what has several
// outputs. Here it would be lost without a word.
func TestNoDerivativeThroughLoops(t *testing.T) {
	g := NewGraph(backendtest.Get(t, "go"), "loops")
	defer g.Finalize()
	x := Identity(Ones(g, shapes.Make(dtypes.Float64, 4, 6)))
	// loop calls the body, a function of a matrix, while its sum is small.
	loop := func(x *Node, body func(y *Node) *Node) *Node {
		y := func(g *Graph) *Node { return Parameter(g, g.UniqueName("y"), x.Shape()) }
		small := NewClosure(g, func(g *Graph) []*Node {
			return []*Node{LessThan(ReduceAllSum(y(g)), Const(g, 1e3))}
		})
		return While(small, NewClosure(g, func(g *Graph) []*Node { return []*Node{body(y(g))} }), x)[0]
	}
	values, largest := TopK(x, 2, 0)
	for name, y := range map[string]*Node{
		"state":    loop(x, Square),
		"captured": loop(OnesLike(x), func(y *Node) *Node { return Mul(y, x) }),
		"sorted":   values,
		"barrier":  OptimizationBarriers(x, Square(x))[1],
	} {
		err := exceptions.TryCatch[error](func() { exterior.JVP(y, x, OnesLike(x)) })
		require.ErrorContains(t, err, "exterior: no derivative through Node #", name)
	}
	for name, y := range map[string]*Node{
		"stopped": Add(x, StopGradient(loop(x, Square))),
		"indices": Gather(x, Reshape(largest, -1, 1)),
	} {
		require.NotPanics(t, func() { exterior.JVP(y, x, OnesLike(x)) }, name)
	}
}
