package layers_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// compute64 runs a graph with variables, seeded, and returns its values.
func compute64(t testing.TB, backend compute.Backend, build func(*model.Scope, *Graph) []*Node) [][]float64 {
	t.Helper()
	store := model.NewStore()
	store.SetParam(model.ParamInitialSeed, int64(5))
	out, err := model.CallOnceN(backend, store, build)
	require.NoError(t, err)
	values := make([][]float64, len(out))
	for i, x := range out {
		values[i] = tensors.MustCopyFlatData[float64](x)
	}
	return values
}

// normals draws a matrix of random numbers.
func normals(seed uint64, rows, columns int) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([][]float64, rows)
	for i := range out {
		for range columns {
			out[i] = append(out[i], rng.NormFloat64())
		}
	}
	return out
}

// cycle returns the k-simplices i, i+1, …, i+k of count vertices in a ring.
func cycle(count, k int) [][]int32 {
	out := make([][]int32, count)
	for i := range out {
		for a := range k + 1 {
			out[i] = append(out[i], int32((i+a)%count))
		}
	}
	return out
}

// templates are two smooth template k-forms.
func templates(scope *model.Scope, n, k int) exterior.Form {
	return layers.KForm(scope.In("forms"), n, k, 2).Hidden(8).Activation(Tanh).
		Quadrature(quadrature.Gauss(3)).Done()
}

func sameValues(t *testing.T, want, got []float64, tolerance float64, about string) {
	t.Helper()
	require.Len(t, got, len(want), about)
	for i := range want {
		require.InDelta(t, want[i], got[i], tolerance, "%s, entry %d", about, i)
	}
}

// TestConvolutionWithoutCutIsIntegrate: one translation by zero, no cut and
// any kernel of infinite width leave the integration matrix as it is.
func TestConvolutionWithoutCutIsIntegrate(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for k := range 4 {
		for _, kernel := range []func(*Node) *Node{OnesLike, gaussian, nil} {
			out := compute64(t, backend, func(scope *model.Scope, g *Graph) []*Node {
				forms := templates(scope, 3, k)
				vertices, simplices := Const(g, normals(1, 6, 3)), Const(g, cycle(6, k))
				c := layers.Convolution{Form: forms, Radius: math.Inf(1), Kernel: kernel}
				return []*Node{
					ReduceSum(c.Integrate(vertices, simplices, Const(g, [][]float64{{0, 0, 0}})), 0),
					exterior.Integrate(forms, vertices, simplices),
				}
			})
			require.Equal(t, out[1], out[0])
		}
	}
}

// TestConvolutionByHand computes the kernel and the cut of a constant form
// over three edges outside of the graph.
func TestConvolutionByHand(t *testing.T) {
	vertices := [][]float64{{0, 0}, {1, 0}, {1, 1}, {3, 1}}
	edges := [][]int32{{0, 1}, {1, 2}, {2, 3}}
	moves := [][]float64{{0.5, 0}, {1, 0.5}, {9, 9}}
	const radius, bandwidth = 1.2, 2.0
	kernels := map[string]struct {
		layer func(*Node) *Node
		value func(u2 float64) float64
	}{
		"epanechnikov": {nil, func(u2 float64) float64 { return math.Max(0, 1-u2) }},
		"gaussian":     {gaussian, func(u2 float64) float64 { return math.Exp(-u2 / 2) }},
		"uniform":      {OnesLike, func(float64) float64 { return 1 }},
	}
	squared := func(p, q []float64) float64 { return (p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) }
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for name, kernel := range kernels {
			out := compute64(t, backend, func(scope *model.Scope, g *Graph) []*Node {
				forms := layers.KForm(scope.In("forms"), 2, 1, 1).Hidden().Done()
				c := layers.Convolution{
					Form: forms, Radius: radius, Kernel: kernel.layer, Bandwidth: bandwidth,
				}
				x, v, s := Const(g, vertices), Const(g, edges), Const(g, moves)
				corners := Const(g, [][]float64{{0, 0}, {1, 0}, {0, 1}})
				each := c.Integrate(x, v, s)
				return []*Node{each, ReduceSum(each, 0), forms.At(corners)}
			})
			each, total, affine := out[0], out[1], out[2]
			sums := make([]float64, len(edges))
			cut := 0
			for m, tau := range moves {
				for e, edge := range edges {
					p, q := vertices[edge[0]], vertices[edge[1]]
					middle := []float64{(p[0] + q[0]) / 2, (p[1] + q[1]) / 2}
					want := 0.0
					if squared(p, tau) <= radius*radius && squared(q, tau) <= radius*radius {
						// The form is affine: its value in the middle times the edge.
						for i := range 2 {
							c0, cx, cy := affine[i], affine[2+i], affine[4+i]
							f := c0 + (cx-c0)*(middle[0]-tau[0]) + (cy-c0)*(middle[1]-tau[1])
							want += f * (q[i] - p[i])
						}
						want *= kernel.value(squared(middle, tau) / (bandwidth * bandwidth))
					} else {
						cut++
					}
					require.InDelta(t, want, each[m*len(edges)+e], 1e-13, "%s, translation %d, edge %d",
						name, m, e)
					sums[e] += want
				}
			}
			require.Equal(t, 5, cut, "four of nine pairs meet")
			sameValues(t, sums, total, 1e-13, "sum over the translations")
		}
	})
}

// TestConvolutionIsEquivariant moves the complex and the translations alike,
// which changes nothing; moving the complex alone by the step of a grid moves
// what the translations see.
func TestConvolutionIsEquivariant(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		degrees := []int{0, 1, 2}
		if backend.Name() == "xla" {
			degrees = degrees[1:2]
		}
		for _, k := range degrees {
			grid := translationGrid(3, -1, 1)
			out := compute64(t, backend, func(scope *model.Scope, g *Graph) []*Node {
				c := layers.Convolution{Form: templates(scope, 2, k), Radius: 1.5}
				vertices, simplices := Const(g, normals(2, 8, 2)), Const(g, cycle(8, k))
				moves := Const(g, grid)
				shift := Const(g, [][]float64{{0.7, -13}})
				step := Const(g, [][]float64{{0, 1}})
				return []*Node{
					c.Integrate(vertices, simplices, moves),
					c.Integrate(Add(vertices, shift), simplices, Add(moves, shift)),
					c.Integrate(Add(vertices, step), simplices, moves),
				}
			})
			sameValues(t, out[0], out[1], 1e-11, "moved alike")
			// A row of the grid has three translations a step apart.
			width := len(out[0]) / 9
			for row := range 3 {
				for i := range 2 {
					at := (3*row + i) * width
					sameValues(t, out[0][at:at+width], out[2][at+width:at+2*width], 1e-11, "moved by a step")
				}
			}
			require.NotEqual(t, out[0], out[2])
		}
	})
}

// TestConvolutionPadding adds squeezed simplices and a stray vertex.
func TestConvolutionPadding(t *testing.T) {
	out := compute64(t, backendtest.Get(t, "go"), func(scope *model.Scope, g *Graph) []*Node {
		forms := templates(scope, 2, 1)
		c := layers.Convolution{Form: forms, Radius: 1.5}
		moves := Const(g, translationGrid(2, -1, 1))
		vertices := Const(g, normals(2, 5, 2))
		padded := Concatenate([]*Node{vertices, Const(g, [][]float64{{0, 0}})}, 0)
		x := ReduceSum(c.Integrate(vertices, Const(g, cycle(5, 1)), moves), 0)
		more := Const(g, append(cycle(5, 1), []int32{5, 5}, []int32{0, 0}))
		y := ReduceSum(c.Integrate(padded, more, moves), 0)
		return []*Node{
			x, y,
			Gradient(ReduceAllSum(Square(x)), vertices)[0], Gradient(ReduceAllSum(Square(y)), vertices)[0],
		}
	})
	// A matrix product of other shape may sum in another order.
	sameValues(t, out[0], out[1][:10], 1e-14, "values")
	require.Equal(t, make([]float64, 4), out[1][10:])
	sameValues(t, out[2], out[3], 1e-14, "gradient")
}

// TestConvolutionOfNarrowNumbers: the copies of the vertices are more than
// the type of the simplices counts.
func TestConvolutionOfNarrowNumbers(t *testing.T) {
	types := []dtypes.DType{
		dtypes.Int32, dtypes.Int8, dtypes.Uint8, dtypes.Int16, dtypes.Uint16,
		dtypes.Uint32, dtypes.Int64, dtypes.Uint64,
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out := compute64(t, backend, func(scope *model.Scope, g *Graph) []*Node {
			c := layers.Convolution{Form: templates(scope, 2, 1), Radius: 1.5}
			// 33·33 copies of 61 vertices are more than 65,536.
			vertices, moves := Const(g, normals(2, 61, 2)), Const(g, translationGrid(33, -1, 1))
			out := make([]*Node, len(types))
			for i, dtype := range types {
				edges := ConvertDType(Const(g, cycle(61, 1)[:4]), dtype)
				out[i] = ReduceSum(c.Integrate(vertices, edges, moves), 0)
			}
			return out
		})
		for i, dtype := range types {
			require.Equal(t, out[0], out[i], dtype.String())
		}
	})
}

// translationGrid returns the points of a regular grid in the square [low, high]².
func translationGrid(perAxis int, low, high float64) (points [][]float64) {
	for i := range perAxis * perAxis {
		at := func(i int) float64 { return low + (high-low)*float64(i)/float64(perAxis-1) }
		points = append(points, []float64{at(i / perAxis), at(i % perAxis)})
	}
	return points
}

// gaussian is the kernel exp(-u²/2).
func gaussian(squared *Node) *Node { return Exp(MulScalar(squared, -0.5)) }

func TestWrongConvolutionsPanicWithASentence(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for sentence, use := range map[string]func(forms exterior.Form, x, s *Node) *Node{
		"radius -1": func(forms exterior.Form, x, s *Node) *Node {
			return layers.Convolution{Form: forms, Radius: -1}.Integrate(x, s, x)
		},
		"no forms": func(_ exterior.Form, x, s *Node) *Node {
			return layers.Convolution{Form: exterior.Form{}, Radius: 1}.Integrate(x, s, x)
		},
		"bandwidth -1": func(forms exterior.Form, x, s *Node) *Node {
			return layers.Convolution{Form: forms, Radius: 1, Bandwidth: -1}.Integrate(x, s, x)
		},
		"want shapes [T, n], [V, n]": func(forms exterior.Form, x, s *Node) *Node {
			return layers.Convolution{Form: forms, Radius: 1}.Integrate(x, s, SliceAxis(x, 1, AxisElem(0)))
		},
		"65537 translations of 32768 vertices: want copies that 32 bits can count": func(
			forms exterior.Form, x, s *Node) *Node {
			many := func(count int) *Node { return Zeros(x.Graph(), shapes.Make(x.DType(), count, 2)) }
			return layers.Convolution{Form: forms, Radius: 1}.Integrate(many(1<<15), s, many(1<<16+1))
		},
		"translations (Float64)[0, 2]": func(forms exterior.Form, x, s *Node) *Node {
			return layers.Convolution{Form: forms, Radius: 1}.Integrate(x, s, Slice(x, AxisRange(0, 0)))
		},
		"simplices of shape (Float64)[4, 2]": func(forms exterior.Form, x, _ *Node) *Node {
			return layers.Convolution{Form: forms, Radius: 1}.Integrate(x, x, x)
		},
	} {
		_, err := model.CallOnceN(backend, model.NewStore(), func(scope *model.Scope, g *Graph) []*Node {
			return []*Node{use(templates(scope, 2, 1), Const(g, normals(1, 4, 2)), Const(g, cycle(4, 1)))}
		})
		require.ErrorContains(t, err, sentence)
	}
}

// Two template 1-forms are moved over a square, and see a triangle from the
// nine places where its edges are near.
func ExampleConvolution() {
	backend, err := compute.NewWithConfig("go")
	if err != nil {
		panic(err)
	}
	out, err := model.CallOnceN(backend, model.NewStore(), func(scope *model.Scope, g *Graph) []*Node {
		vertices := Const(g, [][]float32{{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.8}})
		edges := Const(g, [][]int32{{0, 1}, {1, 2}, {2, 0}})
		moves := ConvertDType(Const(g, translationGrid(3, 0, 1)), vertices.DType())

		forms := layers.KForm(scope.In("forms"), 2, 1, 2).Hidden(64).Done()
		convolution := layers.Convolution{Form: forms, Radius: 0.6}
		seen := convolution.Integrate(vertices, edges, moves)
		x := ReduceSum(seen, 0)
		return []*Node{ReduceSum(seen, 1), layers.Readout(layers.Sum, x, Const(g, []int32{0, 0, 0}), 1)}
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("colors of the map", out[0].Shape())
	fmt.Println("embedding of the complex", out[1].Shape())
	// Output:
	// colors of the map (Float32)[9, 2]
	// embedding of the complex (Float32)[1, 2]
}
