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
// where ∫_T λ_i λ_j = |T| (1+δ_ij) / ((n+1)(n+2)) on an n-simplex T, one that is no face of another.
func (c *Complex) whitneyMass(k int) (*Matrix, error) {
	var entries []sparse.Entry
	for n := k; n <= c.Dim(); n++ {
		covered := make([]bool, c.Count(n))
		faces, _ := c.faces(n + 1)
		for _, face := range faces {
			covered[face] = true
		}
		subsets := combin.Combinations(n+1, k+1)
		for i, is := range covered {
			if is {
				continue
			}
			if len(entries) > sparse.MaxEntries/4 {
				return nil, fmt.Errorf("simplicial: a mass matrix in degree %d of more than %d entries", k,
					sparse.MaxEntries/4)
			}
			var err error
			if entries, err = c.addMasses(entries, k, c.at(n, i), subsets); err != nil {
				return nil, err
			}
		}
	}
	return sparse.NewSymmetric(c.Count(k), entries)
}

// addMasses appends the integrals over one simplex, of which subsets are the k-faces.
func (c *Complex) addMasses(entries []sparse.Entry, k int, simplex []int32, subsets [][]int) (
	[]sparse.Entry, error) {
	n := len(simplex) - 1
	vectors, size, ok := gradients(c.points(simplex))
	if !ok || size == 0 {
		return nil, errDegenerate(simplex)
	}
	inner := make([][]float64, n+1) // ⟨dλ_a, dλ_b⟩
	for a, x := range vectors {
		for _, y := range vectors {
			inner[a] = append(inner[a], floats.Dot(x, y))
		}
	}
	if k == n { // the constant form of integral 1; determinants of thin simplices cancel
		at := int32(find(c.levels[k], simplex))
		return append(entries, sparse.Entry{I: at, J: at, V: 1 / size}), nil
	}
	faces := make([]int32, len(subsets))
	for p, subset := range subsets {
		faces[p] = c.face(simplex, subset)
	}
	factorial := math.Gamma(float64(k) + 1)
	scale := factorial * factorial * size / float64((n+1)*(n+2))
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
				return nil, fmt.Errorf("simplicial: the simplex of vertices %v is so large or small that a "+
					"mass of degree %d is %v: take a larger or smaller unit of length", simplex, k, sum)
			}
			entries = append(entries, sparse.Entry{I: faces[p], J: faces[q], V: sum})
		}
	}
	return entries, nil
}

// face returns the index of a face of a simplex.
func (c *Complex) face(simplex []int32, corners []int) int32 {
	tuple := make([]int32, len(corners))
	for a, corner := range corners {
		tuple[a] = simplex[corner]
	}
	return int32(find(c.levels[len(corners)-1], tuple))
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

// Sharp returns the field of a 1-cochain: the vector of its Whitney form at the barycenter of every simplex
// of the highest degree N, which is the mean over the simplex, [Count(N), n]. The field of df is the gradient
// of f, linear on every simplex. On points alone it is 0.
//
// It is an error if the length does not fit, if there are no coordinates, or if an N-simplex is degenerate.
func (c *Complex) Sharp(cochain []float64) ([]float64, error) {
	if err := c.checkCochain(1, cochain); err != nil {
		return nil, err
	}
	field := make([]float64, c.Count(c.Dim())*c.ambient)
	err := c.eachEdge(func(i int, edge int32, _ float64, along []float64) {
		x := cochain[edge] / float64(c.Dim()+1)
		floats.AddScaled(field[i*c.ambient:(i+1)*c.ambient], x, along)
	})
	return field, err
}

// Flat returns the 1-cochain whose Whitney form is nearest in L² to a field that is constant on every
// simplex of the highest degree N, [Count(N), n]; parts of it that are normal to the simplices do not
// matter. The divergence of a field is minus Codifferential(1, ·) of its cochain, and its curl
// Coboundary(1, ·).
//
// Flat(Sharp(df)) = df for functions f on complexes all simplices of which are faces of N-simplices. Edges
// that are not, such as those that stick out of a surface, have no field: the cochain is 0 there.
//
// It is an error if the length of the field does not fit, if the complex has no metric, or as in Sharp.
func (c *Complex) Flat(field []float64) ([]float64, error) {
	top := c.Dim()
	if len(field) != c.Count(top)*c.ambient || top < 1 {
		return nil, fmt.Errorf("simplicial: a field of length %d on %d simplices of degree %d in R^%d",
			len(field), c.Count(top), top, c.ambient)
	}
	if c.masses == nil {
		return nil, fmt.Errorf("simplicial: the cochain of a field takes a complex with a metric")
	}
	chain := make([]float64, c.Count(1))
	err := c.eachEdge(func(i int, edge int32, volume float64, along []float64) {
		share := volume / float64(top+1) // the integral of a barycentric coordinate
		chain[edge] += share * floats.Dot(field[i*c.ambient:(i+1)*c.ambient], along)
	})
	if err != nil {
		return nil, err
	}
	return c.sharp(1, chain)
}

// eachEdge calls visit for the edges [a, b] of each simplex of the highest degree, with its volume and with
// dλ_b - dλ_a.
func (c *Complex) eachEdge(visit func(simplex int, edge int32, volume float64, along []float64)) error {
	if c.ambient == 0 {
		return errCoordinates
	}
	if c.Dim() < 1 {
		return nil
	}
	along := make([]float64, c.ambient)
	for i := range c.Count(c.Dim()) {
		simplex := c.at(c.Dim(), i)
		gradients, volume, ok := gradients(c.points(simplex))
		if !ok {
			return errDegenerate(simplex)
		}
		for _, ends := range combin.Combinations(len(simplex), 2) {
			floats.SubTo(along, gradients[ends[1]], gradients[ends[0]])
			visit(i, c.face(simplex, ends), volume, along)
		}
	}
	return nil
}
