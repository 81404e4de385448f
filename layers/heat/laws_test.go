package heat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/mesh"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// kernel returns the heat kernel from vertex 0 on.
func kernel(t *testing.T, backend compute.Backend, s surface, time float64) []float64 {
	s.columns, s.functions = 1, make([]float64, len(s.Mass))
	s.functions[0] = 1 / s.Mass[0]
	return onVertices(t, backend, s, func(s *surfaces) *Node {
		return s.sum(s.heat(s.spectrum(s.functions()), Const(s.functions().Graph(), []float64{time})))
	})
}

// requireOrder2 asks that errors fall by a factor of about four at least from each level of subdivision to
// the next.
func requireOrder2(t *testing.T, errors []float64) {
	t.Helper()
	for i := range len(errors) - 1 {
		require.Greater(t, math.Log2(errors[i]/errors[i+1]), 1.75, "%v", errors)
	}
}

// TestHeatKernels of the unit sphere, Σ_l (2l+1)/4π exp(-l(l+1)t) P_l(cos θ), and of the flat torus of sides
// 2π, a product of Σ_k exp(-k²t + ikx)/2π, in R⁴.
func TestHeatKernels(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		const time = 0.25 // the 65th eigenvalue of the sphere is 72, that of the torus 20
		var errors []float64
		for level := 2; level < 5; level++ {
			m := sphere(level)
			basis := must(complexOf(3, m.Vertices, m.Triangles).Basis(64))
			got := kernel(t, backend, surface{Basis: basis}, time)
			worst := 0.0
			for v, k := range got {
				// Legendre polynomials of x
				x, want, before, p := floats.Dot(m.Vertices[:3], m.Vertices[3*v:3*v+3]), 0.0, 0.0, 1.0
				for l := range 30 {
					n := float64(l)
					want += (2*n + 1) / (4 * math.Pi) * math.Exp(-n*(n+1)*time) * p
					before, p = p, ((2*n+1)*x*p-n*before)/(n+1)
				}
				worst = max(worst, math.Abs(k-want))
			}
			errors = append(errors, worst)
		}
		requireOrder2(t, errors)

		errors = nil
		for n := 12; n <= 48; n *= 2 {
			var vertices []float64
			var triangles []int32
			at := func(i, j int) int32 { return int32(i%n*n + j%n) }
			for i := range n {
				for j := range n {
					for _, angle := range []int{i, j} {
						sin, cos := math.Sincos(2 * math.Pi * float64(angle) / float64(n))
						vertices = append(vertices, cos, sin)
					}
					triangles = append(triangles, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j), at(i+1, j+1),
						at(i, j+1))
				}
			}
			got := kernel(t, backend, surface{Basis: must(complexOf(4, vertices, triangles).Basis(69))}, time)
			line := func(i int) (sum float64) {
				for k := -20; k <= 20; k++ {
					wave := math.Cos(2 * math.Pi * float64(k*i) / float64(n))
					sum += math.Exp(-float64(k*k)*time) * wave / (2 * math.Pi)
				}
				return sum
			}
			worst := 0.0
			for v, k := range got {
				worst = max(worst, math.Abs(k-line(v/n)*line(v%n)))
			}
			errors = append(errors, worst)
		}
		requireOrder2(t, errors)
	})
}

// TestForms: coordinates of the sphere have ⟨dx_i, dx_j⟩ = δ_ij - x_i x_j and |dx_i ∧ dx_j| = |x_k|.
func TestForms(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		var errors []float64
		for level := 2; level < 5; level++ {
			m := sphere(level)
			s := surface{Basis: must(complexOf(3, m.Vertices, m.Triangles).Basis(16)), columns: 3}
			s.functions = m.Vertices
			got := onVertices(t, backend, s, func(s *surfaces) *Node {
				x := s.functions()
				y := Concatenate([]*Node{SliceAxis(x, 1, AxisRange(1)), SliceAxis(x, 1, AxisRange(0, 1))}, 1)
				of := func(x *Node) *Node { return s.sum(s.laplacian(s.spectrum(x))) }
				next, square := s.forms(x, y, of(x), of(y), 2)
				alone, _ := s.forms(x, x, of(x), of(x), 1)
				return Concatenate([]*Node{alone, next, square}, 1)
			})
			worst := 0.0
			for v := range len(s.Mass) {
				p := m.Vertices[3*v : 3*v+3]
				for i := range 3 {
					j, k := (i+1)%3, (i+2)%3
					worst = max(worst, math.Abs(got[9*v+i]-(1-p[i]*p[i])),
						math.Abs(got[9*v+3+i]+p[i]*p[j]), math.Abs(got[9*v+6+i]-p[k]*p[k]))
				}
			}
			errors = append(errors, worst)
		}
		requireOrder2(t, errors)
	})
}

// TestLayersConverge: the output of a layer, and of a network, converge with order 2 as a surface is
// subdivided. Functions and logits are many, since the leading error of a few may be near zero by chance.
func TestLayersConverge(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		for _, at := range []func(level int) *mesh.Mesh{sphere, torus} {
			store := seeded(t)
			var before [][]float64
			var changes [2][]float64
			for level := range 4 {
				m := at(level + 1) // before that, the torus is too coarse for the leading error to show
				s := surface{Basis: unit(must(complexOf(3, m.Vertices, m.Triangles).Basis(16))), columns: 12}
				for _, x := range m.Vertices {
					sin, cos := math.Sincos(x)
					s.functions = append(s.functions, sin, cos, math.Sin(2*x), math.Cos(2*x))
				}
				got := compute64(backend, store, func(scope *model.Scope, g *Graph) []*Node {
					b := batch(g, 1, s)
					surfaces := newSurfaces(b)
					h := layer(scope.At("layer"), surfaces, surfaces.functions(), 2)
					config := Config{Width: 8, Layers: 2, Degree: 2, Head: 32}
					logits := Network(scope.At("network"), b, config, 32)
					return []*Node{surfaces.mean(Concatenate([]*Node{h, Square(h)}, 1)), logits}
				})
				for i := range got {
					if before != nil {
						sum := 0.0
						for j, x := range got[i] {
							sum += (x - before[i][j]) * (x - before[i][j])
						}
						changes[i] = append(changes[i], math.Sqrt(sum))
					}
				}
				before = got
			}
			for i := range changes {
				requireOrder2(t, changes[i])
			}
		}
	})
}

// TestSampled: the sum of a function's coefficients from a sample of 200 of 642 nodes is that from all nodes,
// but for what is left after Newton's steps, if the function is in the span of the basis. Without the
// correction it is far from it.
func TestSampled(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		r := rand.New(rand.NewPCG(1, 7))
		const k = 25
		m := sphere(3)
		all := surface{Basis: unit(must(complexOf(3, m.Vertices, m.Triangles).Basis(k))), columns: 1}
		part := surface{Basis: &simplicial.Basis{Values: all.Values}, columns: 1}
		coefficients := make([]float64, k)
		for j := range coefficients {
			coefficients[j] = r.NormFloat64()
		}
		for v := range all.Mass {
			row := all.Vectors[v*k : (v+1)*k]
			for j := range row { // the weights of mesh.Mesh.Heat
				share := all.Values[j] / all.Values[k-1] * k / (k + 1)
				row[j] *= math.Sqrt(1 - share*share*share*share)
			}
			all.functions = append(all.functions, floats.Dot(row, coefficients))
		}
		chosen := r.Perm(len(all.Mass))[:200]
		for _, v := range chosen {
			part.Mass = append(part.Mass, all.Mass[v])
			part.functions = append(part.functions, all.functions[v])
			part.Vectors = append(part.Vectors, all.Vectors[v*k:(v+1)*k]...)
		}
		smooth := func(s surface, correct bool) []float64 {
			return onVertices(t, backend, s, func(s *surfaces) *Node {
				if s.whole(); correct {
					s.sampled()
				}
				return s.sum(s.spectrum(s.functions()))
			})
		}
		want, got, plain := smooth(all, false), smooth(part, true), smooth(part, false)
		worst, without := 0.0, 0.0
		for i, v := range chosen {
			worst = max(worst, math.Abs(got[i]-want[v]))
			without = max(without, math.Abs(plain[i]-want[v]))
		}
		require.Less(t, worst, 1e-9)
		require.Greater(t, without, 1.0)
	})
}

// TestSampledOfFew: an icosahedron has 12 functions. Where 16 are asked for, none is left out, and a sample
// of all of its vertices is not corrected.
func TestSampledOfFew(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		m := sphere(0)
		h := must(m.Heat(16, 0))
		s := surface{&simplicial.Basis{Values: h.Values, Vectors: h.Vectors, Mass: h.Areas}, m.Vertices, 3}
		got := onVertices(t, backend, s, func(s *surfaces) *Node {
			s.sampled()
			return s.sum(s.spectrum(s.functions()))
		})
		require.InDeltaSlice(t, m.Vertices, got, 1e-12)
	})
}

// TestNetworkIsInvariant: two surfaces, of several blocks and of less than one, have the same logits if they
// are alone, in another order, with other padding, with vertices in another order and in another basis of
// each eigenspace; one without vertices has finite ones. So have vertices that are labeled.
func TestNetworkIsInvariant(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		r := rand.New(rand.NewPCG(1, 5))
		var all []surface
		for _, m := range []*mesh.Mesh{sphere(3), sphere(2)} {
			s := surface{Basis: unit(must(complexOf(3, m.Vertices, m.Triangles).Basis(16))), columns: 3}
			for j := range s.Values { // equal but for an error of the triangulation
				l := math.Floor(math.Sqrt(float64(j)))
				s.Values[j] = 4 * math.Pi * l * (l + 1)
			}
			for _, x := range m.Vertices {
				s.functions = append(s.functions, x+0.1*r.NormFloat64())
			}
			all = append(all, s)
		}
		store := seeded(t)
		logits := func(padding int, surfaces ...surface) []float64 {
			return compute64(backend, store, func(scope *model.Scope, g *Graph) []*Node {
				return []*Node{Network(scope.At("network"), batch(g, padding, surfaces...),
					Config{Width: 8, Layers: 2, Degree: 2, Head: 8}, 4)}
			})[0]
		}
		want := logits(1, all...)
		for _, l := range want {
			require.False(t, math.IsNaN(l))
		}
		require.InDeltaSlice(t, want[:4], logits(1, all[0]), 1e-10)
		require.InDeltaSlice(t, want[4:], logits(200, all[1]), 1e-10)
		got := logits(7, all[1], all[0])
		require.InDeltaSlice(t, want, slices.Concat(got[4:], got[:4]), 1e-10)
		empty := surface{Basis: all[0].Basis, columns: 3}
		basis := *empty.Basis
		basis.Mass, basis.Vectors = nil, nil
		empty.Basis = &basis
		got = logits(1, all[0], empty, all[1])
		require.InDeltaSlice(t, want, slices.Concat(got[:4], got[8:]), 1e-10)
		require.False(t, math.IsNaN(got[4]))

		for b := range all {
			all[b] = turned(all[b], r)
		}
		require.InDeltaSlice(t, want, logits(1, all...), 1e-8)
	})
}

// turned returns the surface with its vertices in another order, and the eigenfunctions of the degrees 1 to 3
// of a sphere turned at random.
func turned(s surface, r *rand.Rand) surface {
	basis := *s.Basis
	basis.Mass, basis.Vectors = nil, nil
	out := surface{Basis: &basis, columns: s.columns}
	k := len(s.Values)
	var turns [][3]float64 // cos, sin and a pair of columns
	for l, from := 1, 1; l < 4; l, from = l+1, from+2*l+1 {
		for i := from; i < from+2*l; i++ {
			sin, cos := math.Sincos(6 * r.Float64())
			turns = append(turns, [3]float64{cos, sin, float64(i)})
		}
	}
	for _, v := range r.Perm(len(s.Mass)) {
		row := slices.Clone(s.Vectors[v*k : (v+1)*k])
		row[0] = -row[0]
		for _, t := range turns {
			i := int(t[2])
			row[i], row[i+1] = t[0]*row[i]-t[1]*row[i+1], t[1]*row[i]+t[0]*row[i+1]
		}
		basis.Mass, basis.Vectors = append(basis.Mass, s.Mass[v]), append(basis.Vectors, row...)
		out.functions = append(out.functions, s.functions[v*s.columns:(v+1)*s.columns]...)
	}
	return out
}
