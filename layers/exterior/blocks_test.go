package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// inBlocksOf computes outputs in blocks, which begin at so many simplices, and without: on the Go backend,
// which has none and compiles in milliseconds.
func inBlocksOf(t *testing.T, from int, outputs func(g *Graph) []*Node) (whole, blocks [][]float64) {
	t.Helper()
	return blocksOn(t, "go", from, outputs), blocksOn(t, "xla:cpu", from, outputs)
}

// blocksOn computes outputs on a backend, in blocks from so many simplices.
func blocksOn(t *testing.T, backend string, from int, outputs func(g *Graph) []*Node) (all [][]float64) {
	t.Helper()
	defer exterior.SetBlocks(from)()
	for _, out := range run(t, backendtest.Get(t, backend), outputs) {
		all = append(all, flat(out))
	}
	return all
}

// squares returns the integrals and the gradients of a nonlinear function of them.
func squares(x *Node, by ...*Node) []*Node {
	return append([]*Node{x}, Gradient(ReduceAllSum(Mul(x, Square(x))), by...)...)
}

// TestBlocks: integrals in blocks, of which the first two overlap, are those of one graph, and so are
// gradients by weights, vertices and corners. The tolerance is that of sums of a thousand terms in float64.
func TestBlocks(t *testing.T) {
	const vertices, count, from = 40, 1000, 600
	rng := rand.New(rand.NewPCG(1, 1))
	for k, kind := range []string{"network hidden=[4 2]", "sum"} {
		form := kinds(3, k)[kind]
		points, simplices := normals(rng, vertices*3), randomSimplices(rng, count, k, vertices)
		apart := normals(rng, count*(k+1)*3)
		whole, blocks := inBlocksOf(t, from, func(g *Graph) []*Node {
			if k == 1 { // each form in one way, for XLA takes seconds to compile both
				x := constant(g, dtypes.Float64, points, vertices, 3)
				return squares(exterior.Integrate(form, x, Const(g, simplices)), x)
			}
			corners := constant(g, dtypes.Float64, apart, count, k+1, 3)
			return squares(exterior.IntegrateCorners(form, corners), corners)
		})
		for i := range whole {
			closeTo(t, whole[i], blocks[i], 1e-11, fmt.Sprint(kind, i))
		}
	}
	net, apart := randomNetwork(2, 3, 1, "silu", 5, 3), normals(rng, count*3*3)
	whole, blocks := inBlocksOf(t, from, func(g *Graph) []*Node {
		layers, weights := net.layers(g, dtypes.Float64)
		// What the form takes from outside may depend on more of it.
		layers[0].W = Mul(layers[0].W, ReduceAllSum(layers[0].B))
		corners := constant(g, dtypes.Float64, apart, count, 3, 3)
		form := net.with(layers).D().Combine(Reshape(weights[4], 2, -1))
		return squares(exterior.IntegrateCorners(form, corners), weights...)
	})
	for i := range whole {
		closeTo(t, whole[i], blocks[i], 1e-11, fmt.Sprint("weights", i))
	}
}

// TestSumsOfBlocks: sums of a function of integrals in blocks, and in one block, and their gradients by what
// the form takes from elsewhere, by vertices and by weights, are those of one graph.
func TestSumsOfBlocks(t *testing.T) {
	const vertices, count = 40, 1000
	rng := rand.New(rand.NewPCG(1, 1))
	net, points, scale := randomNetwork(2, 3, 1, "silu", 5), normals(rng, vertices*3), normals(rng, count*2)
	edges := randomSimplices(rng, count, 1, vertices)
	whole, blocks := inBlocksOf(t, 600, func(g *Graph) []*Node {
		layers, nodes := net.layers(g, dtypes.Float64)
		x := constant(g, dtypes.Float64, points, vertices, 3)
		weights := constant(g, dtypes.Float64, scale, count, 2)
		bias := ReduceAllSum(layers[0].B)
		cubes := func(x *Node) *Node { return Mul(Mul(x, Square(x)), bias) }
		form := net.with(layers)
		kinked := net
		kinked.activation = "relu"
		other := by(quadrature.Trapezoid(3), kinked.with(layers))
		nodes = append(nodes, x, weights)
		var out []*Node
		for _, rows := range []int{count, count / 2} { // two blocks and one
			here := SliceAxis(weights, 0, AxisRangeFromStart(rows))
			sum := exterior.SumOver(form, x, Const(g, edges[:rows]), here, cubes)
			plain := exterior.SumOver(other, x, Const(g, edges[:rows]), nil, cubes)
			out = slices.Concat(out, []*Node{sum}, Gradient(sum, nodes...))
			out = slices.Concat(out, []*Node{plain}, Gradient(plain, nodes[:len(nodes)-1]...))
		}
		return out
	})
	for i := range whole {
		closeTo(t, whole[i], blocks[i], 1e-11, fmt.Sprint("sum ", i))
	}
}

// TestSimplerCopies: what blocks compute in another way is known by its operations, and nothing else is.
func TestSimplerCopies(t *testing.T) {
	g := NewGraph(backendtest.Get(t, "go"), "copies")
	defer g.Finalize()
	x := Identity(Const(g, []float32{-1, 0, 2}))
	require.Same(t, x, exterior.Indicated(NonNegativeIndicator(x)))
	zero := ZerosLike(x)
	mask := Gradient(ReduceAllSum(Max(x, zero)), x)[0].Inputs()[1]
	require.Same(t, x, exterior.Indicated(mask).Inputs()[0], "of the difference from zero")
	half := MulScalar(OnesLike(x), 0.5)
	for _, other := range []*Node{PositiveIndicator(x), Sign(x), Sign(Add(Sign(x), half)),
		Sign(AddScalar(x, 1)), Sign(Add(Sign(x), x))} {
		require.Nil(t, exterior.Indicated(other), other)
	}
	require.True(t, exterior.IsZeros(zero))
	require.True(t, exterior.IsZeros(Reshape(Const(g, []float32{0, 0}), 2, 1)))
	for _, other := range []*Node{x, OnesLike(x), Const(g, []float32{0, 1}), Mul(x, zero)} {
		require.False(t, exterior.IsZeros(other), other)
	}
}

// TestSecondDerivativesOfBlocks: gradients of the gradients of integrals in blocks are those of one graph.
func TestSecondDerivativesOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	net, points := randomNetwork(2, 3, 1, "silu", 5), normals(rng, 40*3)
	edges := randomSimplices(rng, 1000, 1, 40)
	whole, blocks := inBlocksOf(t, 600, func(g *Graph) []*Node {
		layers, by := net.layers(g, dtypes.Float64)
		layers[0].W = Mul(layers[0].W, ReduceAllSum(layers[0].B))
		vertices := constant(g, dtypes.Float64, points, 40, 3)
		by = append(by, vertices)
		x := exterior.Integrate(net.with(layers), vertices, Const(g, edges))
		var out []*Node
		for _, gradient := range Gradient(ReduceAllSum(Mul(x, Square(x))), by...) {
			out = append(out, Gradient(ReduceAllSum(Mul(gradient, Square(gradient))), by...)...)
		}
		return out
	})
	for i := range whole {
		closeTo(t, whole[i], blocks[i], 1e-11, fmt.Sprint("gradient ", i))
	}
}

// TestBlocksOfPaths: integrals over the edges of paths in blocks are those of one graph.
func TestBlocksOfPaths(t *testing.T) {
	numbers := normals(rand.New(rand.NewPCG(1, 1)), 2*5*101*3)
	for _, name := range []string{"coefficients", "decomposable"} {
		form := kinds(3, 1)[name]
		whole, blocks := inBlocksOf(t, 900, func(g *Graph) []*Node {
			paths := constant(g, dtypes.Float64, numbers, 2, 5, 101, 3)
			return squares(exterior.IntegratePaths(form, paths), paths)
		})
		for i := range whole {
			closeTo(t, whole[i], blocks[i], 1e-11, fmt.Sprint(name, i))
		}
	}
}

// TestBlocksInLoops: a loop on the device integrates as before.
func TestBlocksInLoops(t *testing.T) {
	numbers := normals(rand.New(rand.NewPCG(1, 1)), 1000*2*3)
	net := randomNetwork(2, 3, 1, "silu", 5)
	outputs := func(g *Graph) []*Node {
		corners := constant(g, dtypes.Float64, numbers, 1000, 2, 3)
		state := func(g *Graph) []*Node {
			return []*Node{Parameter(g, "i", Const(g, int32(0)).Shape()), Parameter(g, "x", corners.Shape())}
		}
		cond := NewClosure(g, func(g *Graph) []*Node {
			return []*Node{LessThan(state(g)[0], Const(g, int32(3)))}
		})
		body := NewClosure(g, func(g *Graph) []*Node {
			s := state(g)
			loss := ReduceAllSum(Square(exterior.IntegrateCorners(net.form(), s[1])))
			step := Mul(Const(g, 1e-3), Gradient(loss, s[1])[0])
			return []*Node{Add(s[0], Const(g, int32(1))), Sub(s[1], step)}
		})
		return While(cond, body, Const(g, int32(0)), corners)[1:]
	}
	require.Equal(t, blocksOn(t, "xla:cpu", 1<<30, outputs), blocksOn(t, "xla:cpu", 600, outputs))
}

// TestNoBlocks: what a loop cannot hold is computed in one graph, as on a backend without loops of this kind,
// and derivatives that would be lost are refused.
func TestNoBlocks(t *testing.T) {
	numbers := normals(rand.New(rand.NewPCG(1, 1)), 1000*3)
	largest := exterior.Form{Dim: 3, Degree: 0, Count: 1, Coefficients: func(x *Node) *Node {
		return Reshape(ReduceMax(x, 1), -1, 1, 1)
	}}
	lookup := exterior.Form{Dim: 3, Degree: 0, Count: 1, Coefficients: func(x *Node) *Node {
		columns := Gather(Transpose(x, 0, 1), Const(x.Graph(), [][]int32{{2}, {0}}))
		return Reshape(Mul(SliceAxis(columns, 0, AxisElem(0)), SliceAxis(columns, 0, AxisElem(1))), -1, 1, 1)
	}}
	for name, form := range map[string]exterior.Form{"reduced": largest, "gathered": lookup} {
		outputs := func(g *Graph) []*Node {
			x := constant(g, dtypes.Float64, numbers, 1000, 1, 3)
			return squares(exterior.IntegrateCorners(form, x), x)
		}
		require.Equal(t, blocksOn(t, "xla:cpu", 1<<30, outputs), blocksOn(t, "xla:cpu", 600, outputs), name)
	}
	defer exterior.SetBlocks(600)()
	for _, name := range []string{"xla:cpu", "go"} {
		run(t, backendtest.Get(t, name), func(g *Graph) []*Node {
			x := constant(g, dtypes.Float64, numbers, 1000, 1, 3)
			y := exterior.IntegrateCorners(neural(1, 3, 0, "silu"), x)
			forward := func() { exterior.JVP(y, x, OnesLike(x)) }
			if name == "go" {
				require.NotPanics(t, forward)
			} else {
				require.ErrorContains(t, exceptions.TryCatch[error](forward), "no derivative through")
			}
			return []*Node{y}
		})
	}
}
