package laws

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/exterior"
)

// Stokes checks ∫_σ dω = ∫_∂σ ω over random (k+1)-simplices, where ∂σ is the
// alternating sum of the faces, for the coefficients of dω and for the faster
// ways that [exterior.Integrate] takes. Both sides carry the rule's error.
func Stokes(s Subject) error {
	return s.equal("Stokes", func(d sample) (got, want *Node) {
		k := d.Form.Degree
		for i := range d.simplices {
			d.simplices[i] = append(d.simplices[i], d.vertex(d.normals(d.Form.Dim)))
		}
		for a := range k + 2 {
			faces := make([][]int32, len(d.simplices))
			for i, simplex := range d.simplices {
				faces[i] = slices.Delete(slices.Clone(simplex), a, a+1)
			}
			face := d.integral(d.Form, faces)
			switch {
			case want == nil:
				want = face
			case a%2 == 0:
				want = Add(want, face)
			default:
				want = Sub(want, face)
			}
		}
		own, coefficients := d.integral(d.Form.D(), d.simplices), d.integral(plain(d.Form.D()), d.simplices)
		along := d.integral(plain(d.Form).D(), d.simplices)
		return Stack([]*Node{own, coefficients, along}, 0), Stack([]*Node{want, want, want}, 0)
	})
}

// Closed checks d(dω) = 0 at random points, relative to the second
// derivatives that cancel in it: the discrepancy is relative to the largest
// coefficient of dω. It holds for k ≤ n-2, beyond which d∘d has no
// components.
func Closed(s Subject) error {
	values, err := s.run("Closed", func(d sample) []*Node {
		points := d.constant(d.vertices, -1, d.Form.Dim)
		first := d.Form.D()
		return []*Node{first.At(points), first.D().At(points)}
	})
	if err != nil {
		return err
	}
	// The sum of both is compared with the first alone.
	off := append(slices.Clone(values[0]), values[1]...)
	want := append(slices.Clone(values[0]), make([]float64, len(values[1]))...)
	return compare("Closed", off, want, s.tolerance())
}

// Orientation checks that a random reordering of its vertices multiplies the
// integral over a simplex by the sign of the permutation: ∫_σ ω + ∫_-σ ω = 0, to
// rounding for a symmetric rule. Others, such as Gauss in two dimensions and more,
// obey it up to their own error.
func Orientation(s Subject) error {
	return s.equal("Orientation", func(d sample) (got, want *Node) {
		signs, permuted := make([]float64, len(d.simplices)), make([][]int32, len(d.simplices))
		for i, simplex := range d.simplices {
			perm := d.rng.Perm(len(simplex))
			signs[i] = 1
			for a, p := range perm {
				permuted[i] = append(permuted[i], simplex[p])
				for _, q := range perm[:a] {
					if q > p {
						signs[i] = -signs[i]
					}
				}
			}
		}
		integral := d.integral(d.Form, d.simplices)
		return d.integral(d.Form, permuted), Mul(d.constant(signs, -1, 1), integral)
	})
}

// Subdivision checks that the integrals over the two parts of a simplex add
// up to the whole, where a random edge is cut at a random point. It holds up
// to the error of the rule, and trivially for points, k = 0.
func Subdivision(s Subject) error {
	return s.equal("Subdivision", func(d sample) (got, want *Node) {
		if d.Form.Degree == 0 {
			return d.integral(d.Form, d.simplices), d.integral(d.Form, d.simplices)
		}
		first, second := make([][]int32, len(d.simplices)), make([][]int32, len(d.simplices))
		for i, simplex := range d.simplices {
			edge := d.rng.Perm(len(simplex))[:2]
			share := 0.25 + 0.5*d.rng.Float64()
			cut := make([]float64, d.Form.Dim)
			for axis := range cut {
				cut[axis] = share*d.at(simplex[edge[0]])[axis] + (1-share)*d.at(simplex[edge[1]])[axis]
			}
			v := d.vertex(cut)
			first[i], second[i] = slices.Clone(simplex), slices.Clone(simplex)
			first[i][edge[0]], second[i][edge[1]] = v, v
		}
		return Add(d.integral(d.Form, first), d.integral(d.Form, second)), d.integral(d.Form, d.simplices)
	})
}

// Linearity checks X(Lβ, ωR) = L·X(β, ω)·R for random L and R: the integral
// is linear in chains and in forms (paper, section 3).
func Linearity(s Subject) error {
	return s.equal("Linearity", func(d sample) (got, want *Node) {
		const chains, forms = 3, 2
		count := len(d.simplices)
		l := d.normals(chains * count)
		var simplex, chain []int32
		for c := range chains {
			for i := range count {
				simplex, chain = append(simplex, int32(i)), append(chain, int32(c))
			}
		}
		r := d.constant(d.normals(d.Form.Count*forms), d.Form.Count, forms)
		combined := d.integral(plain(d.Form.Combine(r)), d.simplices)
		got = exterior.Chains(combined, Const(d.graph, simplex), Const(d.graph, chain),
			d.constant(l, -1), chains)
		x := d.integral(d.Form, d.simplices)
		return got, Dot(Dot(d.constant(l, chains, count), x).Product(), r).Product()
	})
}

// Pullback checks ∫_σ φ*ω = ∫_φ(σ) ω for a random affine map φ: Rⁿ → Rⁿ.
func Pullback(s Subject) error {
	return s.equal("Pullback", func(d sample) (got, want *Node) {
		n := d.Form.Dim
		phi := exterior.Affine{W: d.constant(d.normals(n*n), n, n), B: d.constant(d.normals(n), n)}
		vertices, indices := d.nodes(d.simplices)
		got = d.integral(d.Form.Pullback(n, phi.Apply), d.simplices)
		return got, exterior.Integrate(d.Form, phi.Apply(vertices), indices)
	})
}

// Agreement checks that the form's own Integral equals the integral of its
// coefficients by its rule.
func Agreement(s Subject) error {
	return s.equal("Agreement", func(d sample) (got, want *Node) {
		return d.integral(d.Form, d.simplices), d.integral(plain(d.Form), d.simplices)
	})
}

// Padding checks that simplices with all corners at one vertex have integrals
// of exactly zero, and change no other value and no gradient by the vertices.
// Points, k = 0, cannot be collapsed and are not checked.
func Padding(s Subject) error {
	pads := 0
	values, err := s.run("Padding", func(d sample) []*Node {
		vertices, indices := d.nodes(d.simplices)
		x := exterior.Integrate(d.Form, vertices, indices)
		if d.Form.Degree == 0 {
			return []*Node{x}
		}
		padded := slices.Clone(d.simplices)
		for i := range len(d.simplices) {
			padded = append(padded, slices.Repeat([]int32{int32(i)}, d.Form.Degree+1))
		}
		pads = d.Form.Count * len(d.simplices)
		y := exterior.Integrate(d.Form, vertices, Const(d.graph, padded))
		// Squares alone have no gradient at zero, whatever the integral does.
		loss := func(x *Node) *Node { return ReduceAllSum(Add(x, Square(x))) }
		return []*Node{x, y, Gradient(loss(x), vertices)[0], Gradient(loss(y), vertices)[0]}
	})
	if err != nil || len(values) == 1 {
		return err
	}
	real := len(values[1]) - pads
	if err := compare("Padding", values[1][real:], make([]float64, pads), 0); err != nil {
		return err
	}
	if err := compare("Padding", values[1][:real], values[0], s.tolerance()); err != nil {
		return err
	}
	return compare("Padding", values[3], values[2], s.tolerance())
}
