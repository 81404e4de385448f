package simplicial

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Whitney forms: for a k-simplex σ = [v_0 … v_k]
//
//	W_σ = k! Σ_i (-1)^i λ_i dλ_0 ∧ … ∧ dλ_{i-1} ∧ dλ_{i+1} ∧ … ∧ dλ_k
//
// on the simplices that contain σ, with barycentric coordinates λ_i. They are dual to simplices, ∫_τ W_σ =
// 1 for τ = σ and 0 for others, and dW is W of the coboundary (Whitney, Geometric Integration Theory,
// 1957, IV.27).

// whitneyMass returns the inner products of the Whitney forms of degree k,
//
//	∫_T ⟨W_σ, W_τ⟩ = (k!)² Σ_ij (-1)^(i+j) ∫_T λ_i λ_j · det ⟨dλ_a, dλ_b⟩,   a ∈ σ∖i, b ∈ τ∖j,
//
// where ∫_T λ_i λ_j = |T| (1+δ_ij) / ((n+1)(n+2)) on an n-simplex.
func (c *Complex) whitneyMass(k int) (*sparse.Symmetric, error) {
	var entries []sparse.Entry
	err := c.eachMaximal(func(simplex []int32, points [][]float64, faces [][]int) error {
		if k >= len(faces) {
			return nil
		}
		n := len(points) - 1
		_, inner, ok := gradients(points)
		size := volumeOf(points)
		if !ok || size == 0 {
			return errDegenerate(simplex)
		}
		if k == n { // the constant form of integral 1; determinants of thin simplices cancel
			at := int32(faces[k][0])
			entries = append(entries, sparse.Entry{I: at, J: at, V: 1 / size})
			return nil
		}
		factorial := math.Gamma(float64(k) + 1)
		scale := factorial * factorial * size / float64((n+1)*(n+2))
		subsets := combin.Combinations(n+1, k+1)
		for p, sigma := range subsets {
			for q, tau := range subsets[:p+1] {
				sum := 0.0
				for i, a := range sigma {
					for j, b := range tau {
						term := scale * minor(inner, without(sigma, i), without(tau, j))
						if a == b {
							term *= 2
						}
						sum += float64(1-2*((i+j)%2)) * term
					}
				}
				if p == q && !(sum > 0) {
					return fmt.Errorf("simplicial: the simplex of vertices %v is so large or small that a "+
						"mass of degree %d is %v: take a larger or smaller unit of length", simplex, k, sum)
				}
				entries = append(entries, sparse.Entry{I: int32(faces[k][p]), J: int32(faces[k][q]), V: sum})
			}
		}
		if len(entries) > sparse.MaxEntries/2 {
			return fmt.Errorf("simplicial: a mass matrix in degree %d of more than %d entries", k,
				sparse.MaxEntries/2)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sparse.New(c.Count(k), entries)
}

// without returns the elements but that at i.
func without(s []int, i int) []int { return append(s[:i:i], s[i+1:]...) }

// minor returns the determinant of some rows and columns by Laplace's expansion; they are few.
func minor(m [][]float64, rows, cols []int) float64 {
	if len(rows) == 0 {
		return 1
	}
	sum := 0.0
	for j, col := range cols {
		sum += float64(1-2*(j%2)) * m[rows[0]][col] * minor(m, rows[1:], without(cols, j))
	}
	return sum
}

// Whitney returns the Whitney form Σ_σ x_σ W_σ of a k-cochain at a point of every simplex of the highest
// degree N, the one with those N+1 barycentric coordinates: its coefficients along the simplex in the
// order of the increasing multi-indices of R^n, [Count(N), C(n,k)]. Its integrals over k-simplices are the
// cochain, so that it interpolates (Whitney, Geometric Integration Theory, 1957); of the field of a
// 1-cochain see Sharp.
//
// It is an error if the lengths do not fit, if there are no coordinates, if an N-simplex is degenerate, or if
// there are more than MaxSize coefficients.
func (c *Complex) Whitney(k int, cochain, barycentric []float64) ([]float64, error) {
	top := c.Dim()
	if err := c.checkCochain(k, cochain); err != nil {
		return nil, err
	}
	if c.ambient == 0 {
		return nil, errCoordinates
	}
	if k < 0 || k > top || len(barycentric) != top+1 {
		return nil, fmt.Errorf("simplicial: Whitney forms of degree %d at a point of %d barycentric "+
			"coordinates in a complex of dimension %d, want a degree up to that and one more of them", k,
			len(barycentric), top)
	}
	if c.ambient < top {
		return nil, errDegenerate(c.at(top, 0))
	}
	size := float64(c.Count(top)) * combin.GeneralizedBinomial(float64(c.ambient), float64(k))
	if size > MaxSize {
		return nil, fmt.Errorf("simplicial: Whitney forms of degree %d on %d simplices in R^%d have %.3g "+
			"coefficients, want at most %d", k, c.Count(top), c.ambient, size, MaxSize)
	}
	indices := combin.Combinations(c.ambient, k)
	out := make([]float64, 0, c.Count(top)*len(indices))
	factorial := math.Gamma(float64(k) + 1)
	subsets := combin.Combinations(top+1, k+1)
	tuple := make([]int32, k+1)
	for i := range c.Count(top) {
		simplex := c.at(top, i)
		gradients, _, ok := gradients(c.points(simplex))
		if !ok {
			return nil, errDegenerate(simplex)
		}
		values := make([]float64, len(indices))
		for _, sigma := range subsets {
			for a, corner := range sigma {
				tuple[a] = simplex[corner]
			}
			x := factorial * cochain[find(c.levels[k], tuple)]
			for a, corner := range sigma {
				x := x * float64(1-2*(a%2)) * barycentric[corner]
				for j, index := range indices {
					values[j] += x * minor(gradients, without(sigma, a), index)
				}
			}
		}
		out = append(out, values...)
	}
	return out, nil
}

// Sharp returns the field of a 1-cochain: the vector of its Whitney form at the barycenter of every
// simplex of the highest degree N, which is the mean over the simplex, [Count(N), n]. Of df it is the
// gradient of the function that is linear on every simplex.
//
// Errors are those of Whitney.
func (c *Complex) Sharp(cochain []float64) ([]float64, error) {
	barycenter := make([]float64, c.Dim()+1)
	floats.AddConst(1/float64(max(1, len(barycenter))), barycenter)
	return c.Whitney(1, cochain, barycenter)
}

// Flat returns the 1-cochain whose Whitney form is nearest in L² to a field that is constant on every
// simplex of the highest degree N, [Count(N), n]; parts of it that are normal to the simplices do not
// matter. The divergence of a field is minus Codifferential(1, ·) of its cochain, and its curl
// Coboundary(1, ·).
//
// Flat(Sharp(df)) = df for functions f on complexes all simplices of which are faces of N-simplices, unless
// they are mollified. Edges that are not, such as those that stick out of a surface, have no field: the
// cochain is 0 there. Fields go by the coordinates also of a mollified complex, the metric by its lengths.
//
// It is an error if the length of the field does not fit, if the metric of the complex is not Galerkin, or
// as in Whitney.
func (c *Complex) Flat(field []float64) ([]float64, error) {
	top := c.Dim()
	if len(field) != c.Count(top)*c.ambient || top < 1 {
		return nil, fmt.Errorf("simplicial: a field of length %d on %d simplices of degree %d in R^%d",
			len(field), c.Count(top), top, c.ambient)
	}
	if c.masses == nil || c.masses[1].factor == nil {
		return nil, fmt.Errorf("simplicial: the cochain of a field takes the metric %v", Galerkin)
	}
	chain := make([]float64, c.Count(1))
	for i := range c.Count(top) {
		simplex := c.at(top, i)
		points := c.points(simplex)
		gradients, _, ok := gradients(points)
		if !ok {
			return nil, errDegenerate(simplex)
		}
		vector := field[i*c.ambient : (i+1)*c.ambient]
		share := volumeOf(points) / float64(top+1) // the integral of a barycentric coordinate
		for a := range simplex {
			for b := range a {
				slope := floats.Dot(vector, gradients[a]) - floats.Dot(vector, gradients[b])
				chain[find(c.levels[1], []int32{simplex[b], simplex[a]})] += share * slope
			}
		}
	}
	return c.sharp(1, chain)
}
