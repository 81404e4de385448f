package exterior_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/exterior/laws"
	"github.com/neuralkforms/nkf/layers/quadrature"
)

// twist is a diffeomorphism of Rⁿ near the identity, which preserves the orientation.
func twist(x *Node) *Node {
	n := x.Shape().Dimensions[1]
	order := make([]int32, n)
	for i := range order {
		order[i] = int32((i + 1) % n)
	}
	turned := Transpose(Gather(Transpose(x, 0, 1), ExpandAxes(Const(x.Graph(), order), -1)), 0, 1)
	return Add(x, MulScalar(Sin(turned), 0.4))
}

// curved is a metric that is neither diagonal nor constant.
func curved(n int) exterior.Metric {
	return exterior.Metric{Dim: n, Tensor: func(points *Node) *Node {
		y := Tanh(points)
		unit := ConstAsDType(points.Graph(), points.DType(), func() [][]float64 {
			rows := make([][]float64, n)
			for i := range rows {
				rows[i] = make([]float64, n)
				rows[i][i] = 1 + float64(i)/4
			}
			return rows
		}())
		return Add(ExpandAxes(unit, 0), Mul(ExpandAxes(y, 1), ExpandAxes(y, 2)))
	}}
}

// wind is a field with a derivative of full rank.
func wind(x *Node) *Node { return Add(twist(x), MulScalar(Square(x), 0.3)) }

// TestMetricAgainstInverse compares ⟨ω, η⟩ with the minors of the inverse matrix, computed by gonum.
func TestMetricAgainstInverse(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for n := 1; n <= 4; n++ {
			for k := 0; k <= n; k++ {
				out := exterior.Run(t, backend, func(graph *Graph) []*Node {
					points := Reshape(Const(graph, exterior.Normals(rand.New(rand.NewPCG(3, 7)), n)), 1, n)
					a, b := neural(1, n, k, "tanh"), neural(2, n, k, "tanh")
					return []*Node{curved(n).Inner(a, b).At(points), curved(n).Tensor(points),
						a.At(points), b.At(points)}
				})
				var inverse mat.Dense
				require.NoError(t, inverse.Inverse(mat.NewDense(n, n, exterior.Flat(t, out[1]))))
				a, b := exterior.Flat(t, out[2]), exterior.Flat(t, out[3])
				names := exterior.MultiIndices(n, k)
				for j := range 2 {
					want := 0.0
					for p, rows := range names {
						for q, cols := range names {
							det := 1.0
							if k > 0 {
								minor := mat.NewDense(k, k, nil)
								for i, row := range rows {
									for l, col := range cols {
										minor.Set(i, l, inverse.At(row, col))
									}
								}
								det = mat.Det(minor)
							}
							want += det * a[2*p+j] * b[2*q+j]
						}
					}
					require.InDelta(t, want, exterior.Flat(t, out[0])[j], 1e-12*(1+math.Abs(want)),
						"n=%d k=%d", n, k)
				}
			}
		}
	})
}

// TestCartan checks Cartan's formula.
func TestCartan(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for k := 0; k <= n; k++ {
			for _, name := range []string{"go", "xla:cpu"} {
				if name == "xla:cpu" && (n != 3 || !backendtest.Long()) {
					continue
				}
				s := laws.Subject{Backend: backendtest.Get(t, name), Form: neural(4, n, k, "tanh")}
				require.NoError(t, laws.Cartan(s, wind), "n=%d k=%d", n, k)
			}
		}
	}
}

// TestHyperbolicArea integrates the area of the hyperbolic plane. In Klein's model geodesics are straight,
// so that a triangle of flat sides has the area π less its angles; a disc of Poincaré's model, cut into
// triangles, has 4πa²/(1-a²).
func TestHyperbolicArea(t *testing.T) {
	klein := exterior.Metric{Dim: 2, Tensor: func(x *Node) *Node {
		rest := ExpandAxes(OneMinus(ReduceAndKeep(Square(x), ReduceSum, 1)), -1)
		unit := ConstAsDType(x.Graph(), x.DType(), [][][]float64{{{1, 0}, {0, 1}}})
		return Add(Div(unit, rest), Div(Mul(ExpandAxes(x, 1), ExpandAxes(x, 2)), Square(rest)))
	}}
	poincare := exterior.Metric{Dim: 2, Tensor: func(x *Node) *Node {
		rest := ExpandAxes(OneMinus(ReduceAndKeep(Square(x), ReduceSum, 1)), -1)
		unit := ConstAsDType(x.Graph(), x.DType(), [][][]float64{{{4, 0}, {0, 4}}})
		return Div(unit, Square(rest))
	}}
	corners := [][]float64{{0.1, -0.3}, {0.7, 0.2}, {-0.4, 0.6}}
	angles := 0.0
	distance := func(a, b []float64) float64 {
		dot := func(a, b []float64) float64 { return 1 - a[0]*b[0] - a[1]*b[1] }
		return math.Acosh(dot(a, b) / math.Sqrt(dot(a, a)*dot(b, b)))
	}
	for i := range 3 {
		a := distance(corners[(i+1)%3], corners[(i+2)%3])
		b, c := distance(corners[i], corners[(i+1)%3]), distance(corners[i], corners[(i+2)%3])
		angles += math.Acos((math.Cosh(b)*math.Cosh(c) - math.Cosh(a)) / (math.Sinh(b) * math.Sinh(c)))
	}
	const radius = 0.6
	area := func(backend compute.Backend, sides int) float64 {
		out := exterior.Run(t, backend, func(g *Graph) []*Node {
			points, triangles := [][]float64{{0, 0}}, [][]int32{}
			for i := range sides {
				angle := 2 * math.Pi * float64(i) / float64(sides)
				points = append(points, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
				triangles = append(triangles, []int32{0, int32(1 + i), int32(1 + (i+1)%sides)})
			}
			form := by(quadrature.Gauss(12), poincare.Volume())
			return []*Node{ReduceAllSum(exterior.Integrate(form, Const(g, points), Const(g, triangles)))}
		})
		return exterior.Flat(t, out[0])[0]
	}
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		out := exterior.Run(t, backend, func(g *Graph) []*Node {
			form := by(quadrature.Gauss(30), klein.Volume())
			return []*Node{exterior.Integrate(form, Const(g, corners), Const(g, [][]int32{{0, 1, 2}}))}
		})
		require.InDelta(t, math.Pi-angles, exterior.Flat(t, out[0])[0], 1e-10, "geodesic triangle")
		want := 4 * math.Pi * radius * radius / (1 - radius*radius)
		off := []float64{want - area(backend, 64), want - area(backend, 128)}
		t.Logf("disc: %.6f off by %.1e and %.1e, order %.2f", want, off[0], off[1], math.Log2(off[0]/off[1]))
		require.Less(t, off[1], 1e-2)
		require.InDelta(t, 2, math.Log2(off[0]/off[1]), 0.01, "inscribed polygons")
	})
}

// TestSphericalLaplacian: spherical harmonics in stereographic coordinates have δd f = l(l+1) f. The
// metric is that of the embedding.
func TestSphericalLaplacian(t *testing.T) {
	sphere := func(x *Node) *Node {
		r2 := ReduceAndKeep(Square(x), ReduceSum, 1)
		return Div(Concatenate([]*Node{MulScalar(x, 2), AddScalar(r2, -1)}, 1), AddScalar(r2, 1))
	}
	g := exterior.Induced(2, sphere)
	for l, harmonic := range []func(x []*Node) *Node{
		func(x []*Node) *Node { return OnesLike(x[0]) },
		func(x []*Node) *Node { return Add(x[0], MulScalar(x[2], 2)) },
		func(x []*Node) *Node { return Mul(x[0], x[1]) },
		func(x []*Node) *Node { return Mul(x[2], Mul(x[0], x[1])) },
	} {
		sameForms(t, "δdf", 2, func(*Graph) (got, want exterior.Form) {
			f := exterior.Formula(3, 0, func(x []*Node) []*Node { return []*Node{harmonic(x)} })
			f = f.Pullback(2, sphere)
			if l == 0 { // a constant has no derivative to take
				return f, f
			}
			return g.Codifferential(f.D()), f.Scale(float64(l * (l + 1)))
		})
	}
}
