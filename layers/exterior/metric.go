package exterior

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Metric is a Riemannian metric on Rⁿ, or on the part of it where points are.
type Metric struct {
	// Dim is n.
	Dim int
	// Tensor maps points [P, n] to the matrices g_ij there, [P, n, n], symmetric
	// and positive definite. As in [Form], it has to treat points one by one.
	Tensor func(points *Node) *Node
}

// Field is a vector field: it maps points [P, n] to vectors [P, n], one by one.
type Field func(points *Node) *Node

// Induced returns the metric that a differentiable map φ: Rᵐ → Rⁿ, given on rows
// as in [Form.Pullback], induces on Rᵐ from the Euclidean one: JᵀJ with the
// Jacobian J. Lengths and areas of it are those of the image.
func Induced(m int, phi func(points *Node) *Node) Metric {
	return Metric{Dim: m, Tensor: func(points *Node) *Node {
		jacobian := partials(phi, points, axes(points), nil)
		return Einsum("ipa,jpa->pij", jacobian, jacobian)
	}}
}

// Pullback returns the metric φ*g on Rᵐ for φ: Rᵐ → Rⁿ as in [Form.Pullback].
func (g Metric) Pullback(m int, phi func(points *Node) *Node) Metric {
	return Metric{Dim: m, Tensor: func(points *Node) *Node {
		jacobian := partials(phi, points, axes(points), nil)
		return Einsum("ipa,jpa->pij", Einsum("ipa,pab->ipb", jacobian, g.at(phi(points))), jacobian)
	}}
}

// at returns the matrices at points.
func (g Metric) at(points *Node) *Node {
	if g.Tensor == nil {
		exceptions.Panicf("exterior.Metric: a metric in dimension %d without a Tensor", g.Dim)
	}
	x := g.Tensor(points)
	if x.Rank() != 3 || x.Shape().Dimensions[0] != points.Shape().Dimensions[0] ||
		x.Shape().Dimensions[1] != g.Dim || x.Shape().Dimensions[2] != g.Dim {
		exceptions.Panicf("exterior.Metric: matrices of shape %s at points %s: want [P, n = %d, n]",
			x.Shape(), points.Shape(), g.Dim)
	}
	return x
}

// match panics unless the forms are those of the space.
func (g Metric) match(method string, dim int) {
	if g.Dim != dim {
		exceptions.Panicf("exterior.Metric.%s: a metric in dimension %d and forms in dimension %d", method,
			g.Dim, dim)
	}
}

// minors returns the k×k minors of matrices with rows [n, P, m], n of each: [C(n,k), P, C(m,k)]. For k = 0
// they are 1.
func minors(rows *Node, k int) *Node {
	n, count, m := rows.Shape().Dimensions[0], rows.Shape().Dimensions[1], rows.Shape().Dimensions[2]
	if k == 0 {
		return OnesLike(SliceAxis(SliceAxis(rows, 0, AxisElem(0)), 2, AxisElem(0)))
	}
	names := MultiIndices(n, k)
	vectors := make([]*Node, k)
	for a := range vectors {
		pick := make([]int32, len(names))
		for j, name := range names {
			pick[j] = int32(name[a])
		}
		vectors[a] = Reshape(takeRows(rows, pick), len(names)*count, m)
	}
	return Reshape(blade(vectors...), len(names), count, Components(m, k))
}

// root returns √det g at points, [P, 1, 1], from the matrices.
func root(matrices *Node) *Node {
	n := matrices.Shape().Dimensions[1]
	return Sqrt(Transpose(minors(Transpose(matrices, 0, 1), n), 0, 1))
}

// Volume returns the volume form √det g dx_1 ∧ … ∧ dx_n. Its integral over an
// n-simplex, oriented as Rⁿ, is the volume.
func (g Metric) Volume() Form {
	return Form{Dim: g.Dim, Degree: g.Dim, Count: 1, Coefficients: func(points *Node) *Node {
		return root(g.at(points))
	}}
}

// Star returns the Hodge duals ⋆ω_j of a bundle of k-forms, (n-k)-forms with
// ω ∧ ⋆η = ⟨ω, η⟩ √det g dx_1 ∧ … ∧ dx_n. By Jacobi's identity on complementary
// minors of the inverse no inverse is needed:
//
//	(⋆ω)_I = (det g)^(-1/2) Σ_J det(g_IJ) (⋆₀ω)_J,   ⋆₀ that of [Form.Star].
//
// Applied twice it is (-1)^(k(n-k)).
func (g Metric) Star(f Form) Form {
	g.match("Star", f.Dim)
	flat := f.Star()
	return flat.derived(f.Dim, flat.Degree, f.Count, func(points *Node) *Node {
		matrices := g.at(points)
		lower := minors(Transpose(matrices, 0, 1), flat.Degree)
		return Div(Einsum("jpi,pil->pjl", lower, flat.At(points)), root(matrices))
	})
}

// Inner returns the inner products ⟨ω_j, η_j⟩ of two bundles of k-forms, which
// pair up as in [Form.Wedge]: functions.
func (g Metric) Inner(a, b Form) Form {
	if a.Degree != b.Degree {
		exceptions.Panicf("exterior.Metric.Inner: forms of degrees %d and %d", a.Degree, b.Degree)
	}
	product := a.Wedge(g.Star(b))
	return a.derived(g.Dim, 0, product.Count, func(points *Node) *Node {
		return Div(product.At(points), root(g.at(points)))
	})
}

// Norm returns the norms |ω_j|, functions. Where a form is 0 the gradient is
// taken as 0.
func (g Metric) Norm(f Form) Form {
	square := g.Inner(f, f)
	return square.derived(g.Dim, 0, f.Count, func(points *Node) *Node {
		x := square.At(points)
		positive := GreaterThan(x, ZerosLike(x))
		return Where(positive, Sqrt(Where(positive, x, OnesLike(x))), ZerosLike(x))
	})
}

// Codifferential returns the bundle of (k-1)-forms δω = (-1)^(n(k+1)+1) ⋆d⋆ω for
// the metric, as [Form.Codifferential] does for the Euclidean one: δd of a
// function is minus its Laplacian of Beltrami.
func (g Metric) Codifferential(f Form) Form { return f.codifferential(g.Star) }

// Flat returns the 1-form X♭ = Σ g_ij X^i dx_j of a field.
func (g Metric) Flat(x Field) Form {
	return Form{Dim: g.Dim, Degree: 1, Count: 1, Coefficients: func(points *Node) *Node {
		return ExpandAxes(Einsum("pij,pi->pj", g.at(points), x(points)), -1)
	}}
}

// Sharp returns the field ω♯ of a 1-form, whose X♭ is ω. Of df it is the
// gradient of f. It panics for bundles of more than one form; [Form.Combine]
// takes one out.
func (g Metric) Sharp(f Form) Field {
	if f.Degree != 1 || f.Count != 1 {
		exceptions.Panicf("exterior.Metric.Sharp: a bundle of %d %d-forms: want one 1-form", f.Count,
			f.Degree)
	}
	// The contraction of √det g dx with X is ⋆ω, and that of dx is ⋆₀ of the components of X.
	dual := g.Star(f).Star().Scale(float64(1 - 2*((g.Dim-1)%2)))
	return func(points *Node) *Node {
		return Squeeze(Div(dual.At(points), root(g.at(points))), 2)
	}
}

// Interior returns the interior products ι_X ω_j, (k-1)-forms,
//
//	(ι_X ω)(v_2, …, v_k) = ω(X, v_2, …, v_k),
//
// which take no metric. It panics for k = 0, where they have no components.
func (f Form) Interior(x Field) Form {
	if f.Degree == 0 {
		exceptions.Panicf("exterior.Form.Interior: the interior product of a function is zero, and has no " +
			"components: want forms of degree 1 or more")
	}
	components := f.derived(f.Dim, 1, 1, func(points *Node) *Node { return ExpandAxes(x(points), -1) })
	// ι_X ω = ± ⋆₀(X ∧ ⋆₀ω), with any metric and so with that.
	out := components.Wedge(f.Star()).Star().Scale(float64(1 - 2*((f.Dim-f.Degree)*(f.Degree-1)%2)))
	out.Rule = f.Rule
	return out
}

// Lie returns the Lie derivatives L_X ω_j along the flow of a field,
//
//	(L_X ω)_I = Σ_i X^i ∂_i ω_I + (Σ_i dx_i ∧ ι_{∂_i X} ω)_I,
//
// the rate at which the flow changes the form. It commutes with d, and by
// Cartan's formula is dι_X + ι_X d.
func (f Form) Lie(x Field) Form {
	return f.derived(f.Dim, f.Degree, f.Count, func(points *Node) *Node {
		along := partials(f.At, points, ExpandAxes(x(points), 0), nil)
		sum := Squeeze(along, 0)
		if f.Degree == 0 {
			return sum
		}
		slopes := partials(x, points, axes(points), nil)
		for i := range f.Dim {
			slope := Squeeze(SliceAxis(slopes, 0, AxisElem(i)), 0)
			unit := make([]float64, f.Dim)
			unit[i] = 1
			dx := BroadcastToDims(Reshape(ConstAsDType(points.Graph(), points.DType(), unit), 1, f.Dim, 1),
				points.Shape().Dimensions[0], f.Dim, 1)
			inside := f.Interior(func(*Node) *Node { return slope }).At(points)
			sum = Add(sum, wedge(dx, inside, f.Dim, 1, f.Degree-1))
		}
		return sum
	})
}
