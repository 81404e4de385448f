package laws

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"

	"github.com/neuralkforms/nkf/layers/exterior"
)

// Stokes checks ∫_σ dω = ∫_∂σ ω over random (k+1)-simplices, where ∂σ is the
// alternating sum of the faces. Both sides carry the rule's error.
func Stokes(s Subject) error {
	return s.equal("Stokes", func(d sample) (got, want *Node) {
		k := d.form.Degree
		for i := range d.simplices {
			d.simplices[i] = append(d.simplices[i], d.vertex(d.normals(d.form.Dim)))
		}
		for a := range k + 2 {
			faces := make([][]int32, len(d.simplices))
			for i, simplex := range d.simplices {
				faces[i] = slices.Delete(slices.Clone(simplex), a, a+1)
			}
			face := d.integral(faces)
			switch {
			case want == nil:
				want = face
			case a%2 == 0:
				want = Add(want, face)
			default:
				want = Sub(want, face)
			}
		}
		return d.plain(d.form.D(), d.simplices), want
	})
}

// Closed checks d(dω) = 0 at random points, relative to the second
// derivatives that cancel in it: the discrepancy is relative to the largest
// coefficient of dω. It holds for k ≤ n-2, beyond which d∘d has no
// components.
func Closed(s Subject) error {
	values, err := s.run("Closed", func(d sample) []*Node {
		points := d.constant(d.vertices, -1, d.form.Dim)
		first := d.form.D()
		return doubles(first.At(points), first.D().At(points))
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
// integral over a simplex by the sign of the permutation. Rules that are not
// symmetric, such as Gauss in two dimensions and more, obey it up to their
// own error.
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
		return d.integral(permuted), Mul(d.constant(signs, -1, 1), d.integral(d.simplices))
	})
}

// Subdivision checks that the integrals over the two parts of a simplex add
// up to the whole, where a random edge is cut at a random point. It holds up
// to the error of the rule, and trivially for points, k = 0.
func Subdivision(s Subject) error {
	return s.equal("Subdivision", func(d sample) (got, want *Node) {
		if d.form.Degree == 0 {
			return d.integral(d.simplices), d.integral(d.simplices)
		}
		first, second := make([][]int32, len(d.simplices)), make([][]int32, len(d.simplices))
		for i, simplex := range d.simplices {
			edge := d.rng.Perm(len(simplex))[:2]
			share := 0.25 + 0.5*d.rng.Float64()
			cut := make([]float64, d.form.Dim)
			for axis := range cut {
				cut[axis] = share*d.at(simplex[edge[0]])[axis] + (1-share)*d.at(simplex[edge[1]])[axis]
			}
			v := d.vertex(cut)
			first[i], second[i] = slices.Clone(simplex), slices.Clone(simplex)
			first[i][edge[0]], second[i][edge[1]] = v, v
		}
		return Add(d.integral(first), d.integral(second)), d.integral(d.simplices)
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
		r := d.constant(d.normals(d.form.Count*forms), d.form.Count, forms)
		combined := d.plain(d.form.Combine(r), d.simplices)
		got = exterior.Chains(combined, Const(d.graph, simplex), Const(d.graph, chain),
			d.constant(l, -1), chains)
		x := d.integral(d.simplices)
		return got, Dot(Dot(d.constant(l, chains, count), x).Product(), r).Product()
	})
}

// Pullback checks ∫_σ φ*ω = ∫_φ(σ) ω for a random affine map φ: Rⁿ → Rⁿ.
func Pullback(s Subject) error {
	return s.equal("Pullback", func(d sample) (got, want *Node) {
		n := d.form.Dim
		phi := exterior.Affine{W: d.constant(d.normals(n*n), n, n), B: d.constant(d.normals(n), n)}
		vertices, indices := d.nodes(d.simplices)
		return d.plain(d.form.Pullback(n, phi.Apply), d.simplices), d.over(phi.Apply(vertices), indices)
	})
}

// Agreement checks that the integral of the subject equals the plain integral
// of its form with its rule.
func Agreement(s Subject) error {
	return s.equal("Agreement", func(d sample) (got, want *Node) {
		return d.integral(d.simplices), d.plain(d.form, d.simplices)
	})
}

// Padding checks that simplices with all corners at one vertex have integrals
// of exactly zero, and change no other value and no gradient by the vertices.
// Points, k = 0, cannot be squeezed: they are not checked.
func Padding(s Subject) error {
	pads := 0
	values, err := s.run("Padding", func(d sample) []*Node {
		vertices, indices := d.nodes(d.simplices)
		x := d.over(vertices, indices)
		if d.form.Degree == 0 {
			return doubles(x)
		}
		padded := slices.Clone(d.simplices)
		for i := range len(d.simplices) {
			padded = append(padded, slices.Repeat([]int32{int32(i)}, d.form.Degree+1))
		}
		pads = d.form.Count * len(d.simplices)
		y := d.over(vertices, Const(d.graph, padded))
		// Squares alone have no gradient at zero, whatever the integral does.
		loss := func(x *Node) *Node { return ReduceAllSum(Add(x, Square(x))) }
		return doubles(x, y, Gradient(loss(x), vertices)[0], Gradient(loss(y), vertices)[0])
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
