package signature

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// last returns the rows at the last points.
func last(x *Node) *Node { return SliceAxis(x, -2, AxisElem(-1)) }

// TestIntegralsOfCoordinates: the iterated integrals of dx_1, …, dx_n are the
// signature. Four Gauss points are exact for the polynomials of degree 5 in words
// of length 6. Golden values are right to 2e-13. Paths that differ in nothing but
// their length are computed together: they stay where they end.
func TestIntegralsOfCoordinates(t *testing.T) {
	const points = 50
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		deepest, most := 5, 400
		if backend.Name() == "xla" { // which takes long to compile hundreds of words
			deepest, most = 3, 100
		}
		groups := map[[2]int][]goldenCase{}
		for _, c := range golden(t) {
			n := len(c.Path[0])
			depth := min(c.Depth, deepest)
			if Entries(n, depth) <= most {
				groups[[2]int{n, depth}] = append(groups[[2]int{n, depth}], c)
			}
		}
		for shape, cases := range groups {
			n, depth := shape[0], shape[1]
			paths := make([][][]float64, len(cases))
			for i, c := range cases {
				end := c.Path[len(c.Path)-1:]
				paths[i] = append(slices.Clone(c.Path), slices.Repeat(end, points-len(c.Path))...)
			}
			words := Words(n, depth)
			got := value(t, backend, func(g *Graph) *Node {
				return last(Integrals(coordinates(n), Const(g, paths), words))
			})
			for i, c := range cases {
				near(t, c.Signature[:len(words)], got[i*len(words):(i+1)*len(words)], 1e-12, shape, i)
			}
		}
	})
}

// TestIntegralsOfPolynomials compares with integrals known in closed form,
// along a parabola-free path: the segment from 0 to (1, 2) in two parts. With
// x = t and y = 2t, ω_0 = x dy = 2t dt and ω_1 = y² dx = 4t² dt; every vertex is
// checked.
func TestIntegralsOfPolynomials(t *testing.T) {
	form := exterior.Form{Dim: 2, Degree: 1, Count: 2, Rule: quadrature.Gauss(5),
		Coefficients: func(p *Node) *Node {
			x, y := SliceAxis(p, 1, AxisElem(0)), SliceAxis(p, 1, AxisElem(1))
			zero := ZerosLike(x)
			return Concatenate([]*Node{Stack([]*Node{zero, x}, 1), Stack([]*Node{Square(y), zero}, 1)}, -1)
		}}
	words := []Word{{1}, {}, {0, 1}, {0}, {1, 0}, {0, 0, 1}, {1, 0, 0}}
	closed := []func(t float64) float64{
		func(t float64) float64 { return 4 * math.Pow(t, 3) / 3 },
		func(float64) float64 { return 1 },
		func(t float64) float64 { return 4 * math.Pow(t, 5) / 5 },
		func(t float64) float64 { return t * t },
		func(t float64) float64 { return 8 * math.Pow(t, 5) / 15 },
		func(t float64) float64 { return 4 * math.Pow(t, 7) / 14 },
		func(t float64) float64 { return 16 * math.Pow(t, 7) / 105 },
	}
	at := []float64{0, 0.3, 1}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		got := value(t, backend, func(g *Graph) *Node {
			path := [][]float64{}
			for _, s := range at {
				path = append(path, []float64{s, 2 * s})
			}
			return Integrals(form, Const(g, path), words)
		})
		var want []float64
		for _, s := range at {
			for _, f := range closed {
				want = append(want, f(s))
			}
		}
		near(t, want, got, 1e-14)
	})
}

// TestRunning compares with a sum in a loop, for every way to cut into blocks,
// and its gradient with the transposed sum.
func TestRunning(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, edges := range []int{1, 2, 12, 13, 144, 145, 500, 1800} {
			x, u := walk(rng, edges, 3), walk(rng, edges+1, 3)
			want, gradient := make([]float64, 3*(edges+1)), make([]float64, 3*edges)
			for i := range x {
				for j := range 3 {
					want[3*(i+1)+j] = want[3*i+j] + x[i][j]
				}
			}
			for i := edges - 1; i >= 0; i-- {
				for j := range 3 {
					gradient[3*i+j] = u[i+1][j]
					if i < edges-1 {
						gradient[3*i+j] += gradient[3*(i+1)+j]
					}
				}
			}
			got := values(t, backend, func(g *Graph) []*Node {
				x := Const(g, x)
				y := running(x)
				return []*Node{y, Gradient(ReduceAllSum(Mul(y, Const(g, u))), x)[0]}
			})
			near(t, want, got[0], 1e-13, edges)
			near(t, gradient, got[1], 1e-13, edges)
		}
	})
}

// TestUnequalLengths: paths of unequal lengths have the integrals and the gradients that they have alone,
// whatever stands behind them. The last has no vertices.
func TestUnequalLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	words := []Word{{0}, {0, 1}}
	var paths, flat [][]float64
	var of []int32
	lengths := []int{5, 9, 1, 7}
	for b, length := range lengths {
		paths = append(paths, slices.Concat(walk(rng, length, 2)...))
		for range length {
			of = append(of, int32(b))
		}
	}
	for p := range slices.Chunk(slices.Concat(paths...), 2) {
		flat = append(flat, p)
	}
	flat, of = append(flat, []float64{math.NaN(), math.Inf(1)}), append(of, 5)
	form := waves(quadrature.Gauss(3))
	ofPaths := func(v, of *Node, count, points int) []*Node {
		y := last(Integrals(form, FromVertices(v, of, count, points), words))
		return []*Node{y, Gradient(ReduceAllSum(Sin(AddScalar(y, 1))), v)[0]}
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		all := values(t, backend, func(g *Graph) []*Node {
			return ofPaths(Const(g, flat), Const(g, of), 5, 10)
		})
		row := 0
		for b, length := range lengths {
			alone := values(t, backend, func(g *Graph) []*Node {
				v := Reshape(Const(g, paths[b]), length, 2)
				return ofPaths(v, Const(g, make([]int32, length)), 1, max(2, length))
			})
			near(t, alone[0], all[0][2*b:2*b+2], 1e-13, b)
			near(t, alone[1], all[1][2*row:2*(row+length)], 1e-12, "gradient", b)
			row += length
		}
		near(t, []float64{0, 0}, all[0][4:6], 0, "a point")
		near(t, []float64{0, 0}, all[0][8:], 0, "no vertices")
		near(t, []float64{0, 0}, all[1][2*row:], 0, "gradient of padding")
	})
}

// TestIntegralsRefuse: a word that has other forms and a rule that cannot be nested are errors.
func TestIntegralsRefuse(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for want, c := range map[string]struct {
		rule quadrature.Rule
		word Word
	}{
		"word [0 2] has the letter 2":           {nil, Word{0, 2}},
		"want one exact to 4, such as Gauss(5)": {quadrature.Trapezoid(5), Word{0, 1}},
	} {
		_, err := CallOnce(backend, func(g *Graph) *Node {
			return Integrals(waves(c.rule), Const(g, [][]float64{{0, 0}, {1, 1}}), []Word{c.word})
		})
		require.ErrorContains(t, err, want)
	}
}
