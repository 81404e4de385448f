package exterior_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
)

// rounding is the tolerance of identities that hold exactly, in float64 with
// sums of up to some hundred terms.
const rounding = 1e-12

// sameForms checks that two bundles have the same coefficients at random
// points.
func sameForms(t *testing.T, about string, n int, forms func(g *Graph) (got, want exterior.Form)) {
	t.Helper()
	var a, b exterior.Form
	out := run(t, backendtest.Get(t, "go"), func(g *Graph) []*Node {
		a, b = forms(g)
		points := Reshape(Const(g, normals(rand.New(rand.NewPCG(1, 7)), 5*n)), 5, n)
		return []*Node{a.At(points), b.At(points)}
	})
	require.Equal(t, []int{b.Dim, b.Degree, b.Count}, []int{a.Dim, a.Degree, a.Count}, about)
	closeTo(t, flat(out[1]), flat(out[0]), rounding, about)
}

// sign returns (-1)^e.
func sign(e int) float64 { return 1 - 2*float64(e%2) }

// bend is a smooth map Rᵐ → Rⁿ.
func bend(m, n int) func(points *Node) *Node {
	w := normals(rand.New(rand.NewPCG(uint64(m), uint64(n))), m*n)
	return func(x *Node) *Node {
		y := Dot(x, Reshape(Const(x.Graph(), w), m, n)).Product()
		return Add(Sin(y), MulScalar(Square(y), 0.25))
	}
}

// identities of the calculus, for a p-form and a q-form on Rⁿ: the degrees that they
// are for, and their sides. What vanishes is added to a form that does not, since the
// tolerance is relative.
var identities = []struct {
	name    string
	degrees func(n, p, q int) bool
	sides   func(n int, a, b exterior.Form) (got, want exterior.Form)
}{
	{"d(ω∧η) = dω∧η + (-1)^p ω∧dη", func(n, p, q int) bool { return p+q < n },
		func(n int, a, b exterior.Form) (got, want exterior.Form) {
			return a.Wedge(b).D(), a.D().Wedge(b).Add(a.Wedge(b.D()).Scale(sign(a.Degree)))
		}},
	{"ω∧η = (-1)^pq η∧ω", func(n, p, q int) bool { return p+q <= n },
		func(n int, a, b exterior.Form) (got, want exterior.Form) {
			return a.Wedge(b), b.Wedge(a).Scale(sign(a.Degree * b.Degree))
		}},
	{"(ω∧η)∧ζ = ω∧(η∧ζ)", func(n, p, q int) bool { return p+q <= n },
		func(n int, a, b exterior.Form) (got, want exterior.Form) {
			c := neural(3, n, n-a.Degree-b.Degree, "tanh")
			return a.Wedge(b).Wedge(c), a.Wedge(b.Wedge(c))
		}},
	{"φ*dω = dφ*ω", func(n, p, q int) bool { return p < min(3, n) && q == 0 },
		func(n int, a, _ exterior.Form) (got, want exterior.Form) {
			return a.D().Pullback(3, bend(3, n)), a.Pullback(3, bend(3, n)).D()
		}},
	{"φ*(ω∧η) = φ*ω∧φ*η", func(n, p, q int) bool { return p+q <= min(3, n) },
		func(n int, a, b exterior.Form) (got, want exterior.Form) {
			phi := bend(3, n)
			return a.Wedge(b).Pullback(3, phi), a.Pullback(3, phi).Wedge(b.Pullback(3, phi))
		}},
	{"(φ∘ψ)* = ψ*φ*", func(n, p, q int) bool { return p <= 2 && q == 0 },
		func(n int, a, _ exterior.Form) (got, want exterior.Form) {
			phi, psi := bend(2, n), bend(3, 2)
			both := a.Pullback(3, func(x *Node) *Node { return phi(psi(x)) })
			return both, a.Pullback(2, phi).Pullback(3, psi)
		}},
	{"⋆⋆ω = (-1)^k(n-k) ω", func(n, p, q int) bool { return q == 0 },
		func(n int, a, _ exterior.Form) (got, want exterior.Form) {
			return a.Star().Star(), a.Scale(sign(a.Degree * (n - a.Degree)))
		}},
	{"ω∧⋆ω = |ω|² dx_1∧…∧dx_n", func(n, p, q int) bool { return q == 0 },
		func(n int, a, _ exterior.Form) (got, want exterior.Form) {
			norm := exterior.Form{Dim: n, Degree: n, Count: 2, Coefficients: func(points *Node) *Node {
				return ReduceAndKeep(Square(a.At(points)), ReduceSum, 1)
			}}
			return a.Wedge(a.Star()), norm
		}},
	{"δδω = 0", func(n, p, q int) bool { return p >= 2 && q == p-2 },
		func(n int, a, b exterior.Form) (got, want exterior.Form) {
			return a.Codifferential().Codifferential().Add(b), b
		}},
}

func TestIdentities(t *testing.T) {
	for _, identity := range identities {
		for n := 1; n <= 4; n++ {
			for p := 0; p <= n; p++ {
				for q := 0; q <= n; q++ {
					if identity.degrees(n, p, q) {
						about := fmt.Sprintf("%s, n=%d p=%d q=%d", identity.name, n, p, q)
						a, b := neural(1, n, p, "tanh"), neural(2, n, q, "tanh")
						want, _ := identity.sides(n, a, b)
						sameForms(t, about, want.Dim, func(*Graph) (got, want exterior.Form) {
							return identity.sides(n, a, b)
						})
					}
				}
			}
		}
	}
}
