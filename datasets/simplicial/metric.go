package simplicial

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/neuralkforms/nkf/datasets/simplicial/internal/sparse"
)

// Metric says what the inner products of cochains are.
type Metric int

const (
	// Combinatorial takes the simplices of each degree as orthonormal. It takes no coordinates.
	Combinatorial Metric = iota
	// Barycentric is the diagonal Hodge star |⋆σ|/|σ|, with cells of barycenters as duals. It is
	// positive on every mesh, but its duals are not orthogonal to the simplices, so that nothing
	// converges: of a square cut into n² squares and these into triangles, the energy of linear functions
	// is 8 to 41 % too large and the double eigenvalue 1 of the Laplacian is 0.79 and 1.32, for every n.
	// Only the masses of vertices and of the highest degree are right. Take Galerkin.
	Barycentric
	// Circumcentric is the diagonal Hodge star |⋆σ|/|σ| with cells of circumcenters as duals, which are
	// orthogonal to the simplices (Desbrun, Hirani, Leok and Marsden, Discrete Exterior Calculus, 2005).
	// They have to be positive, as they are where simplices contain their circumcenters. On good
	// meshes eigenvalues of the Laplacians converge with order 2, as with Galerkin.
	Circumcentric
	// Galerkin is the L² inner product of Whitney forms, ∫⟨W_σ, W_τ⟩ (Dodziuk, Finite-difference approach
	// to the Hodge theory of harmonic forms, 1976). On every mesh whose angles stay away from 0 eigenvalues
	// of the Laplacians converge with order 2 in all degrees (Arnold, Falk and Winther, Finite element
	// exterior calculus, homological techniques, and applications, 2006): the metric to take. Its
	// codifferential takes the inverse of a mass matrix that is not diagonal.
	Galerkin
)

// String returns the name in lower case.
func (m Metric) String() string {
	if m < Combinatorial || m > Galerkin {
		return fmt.Sprintf("Metric(%d)", int(m))
	}
	return [...]string{"combinatorial", "barycentric", "circumcentric", "galerkin"}[m]
}

// mass is the inner product of the cochains of one degree.
type mass struct {
	matrix *sparse.Symmetric
	factor func() (*sparse.LDL, error) // nil if the matrix is diagonal
}

// maxMetric is the largest dimension of a simplex with a metric: its faces have 9! flags.
const maxMetric = 8

// WithMetric returns the same complex with the inner products of cochains that its embedding induces: those
// of Mass, on which Codifferential, Laplacian, Hodge and Eigen depend. Complexes have the combinatorial
// metric to begin with, and what is made of a complex, such as another embedding, has it again.
//
// Forms live on the simplices that are no faces of others, each with its own volume: triangles of a
// surface, and edges that stick out of it. It is an error if the complex has no coordinates, if such a
// simplex is degenerate or has more than 9 vertices, or if the dual cell of a simplex is not positive.
func (c *Complex) WithMetric(m Metric) (*Complex, error) {
	if m < Combinatorial || m > Galerkin {
		return nil, fmt.Errorf("simplicial: no metric of number %d", int(m))
	}
	out := &Complex{ambient: c.ambient, coords: c.coords, levels: c.levels, lengths: c.lengths}
	if m == Combinatorial {
		return out, nil
	}
	if c.ambient == 0 && c.Count(0) > 0 {
		return nil, errCoordinates
	}
	if c.Dim() > maxMetric {
		return nil, fmt.Errorf("simplicial: metric of a complex of dimension %d, want at most %d", c.Dim(),
			maxMetric)
	}
	var stars [][]float64
	var err error
	if m != Galerkin {
		if stars, err = c.stars(m == Circumcentric); err != nil {
			return nil, err
		}
	}
	for k := range c.Dim() + 1 {
		var inner mass
		if m == Galerkin {
			inner.matrix, err = c.whitneyMass(k)
			inner.factor = sync.OnceValues(func() (*sparse.LDL, error) {
				return sparse.Factorize(inner.matrix)
			})
		} else {
			inner.matrix, err = sparse.Diagonal(stars[k])
		}
		if err != nil {
			return nil, err
		}
		out.masses = append(out.masses, inner)
	}
	return out, nil
}

// eachMaximal calls visit for the simplices that are no faces of others, with their points and, for each
// degree k, the indices of their k-faces in lexicographic order of the corners.
func (c *Complex) eachMaximal(visit func(simplex []int32, points [][]float64, faces [][]int) error) error {
	covered := make([][]bool, c.Dim()+1)
	for k := range covered {
		covered[k] = make([]bool, c.Count(k))
		faces, _ := c.Faces(k)
		for _, face := range faces {
			covered[k-1][face] = true
		}
	}
	for n := range covered {
		subsets := make([][][]int, n+1)
		for k := range subsets {
			subsets[k] = combin.Combinations(n+1, k+1)
		}
		for i, is := range covered[n] {
			if is {
				continue
			}
			simplex := c.at(n, i)
			faces := make([][]int, n+1)
			tuple := make([]int32, n+1)
			for k := range faces {
				for _, subset := range subsets[k] {
					for a, corner := range subset {
						tuple[a] = simplex[corner]
					}
					faces[k] = append(faces[k], find(c.levels[k], tuple[:k+1]))
				}
			}
			if err := visit(simplex, c.shape(simplex), faces); err != nil {
				return err
			}
		}
	}
	return nil
}

func errDegenerate(simplex []int32) error {
	return fmt.Errorf("simplicial: the simplex of vertices %v is degenerate and has no metric: "+
		"leave it out, move its vertices apart, or Mollify the complex", simplex)
}

// stars returns the diagonals of the Hodge stars |⋆σ|/|σ| of all degrees.
func (c *Complex) stars(circumcentric bool) ([][]float64, error) {
	stars := make([][]float64, c.Dim()+1)
	for k := range stars {
		stars[k] = make([]float64, c.Count(k))
	}
	err := c.eachMaximal(func(simplex []int32, points [][]float64, faces [][]int) error {
		d, ok := newDuals(points, circumcentric)
		if !ok || volumeOf(points) == 0 {
			return errDegenerate(simplex)
		}
		for k := range faces {
			for i, subset := range combin.Combinations(len(points), k+1) {
				face := 0
				for _, corner := range subset {
					face |= 1 << corner
				}
				stars[k][faces[k][i]] += d.volume(face)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k := range stars {
		volumes, err := c.Volumes(k)
		if err != nil {
			return nil, err
		}
		for i, dual := range stars[k] {
			if !(dual > 0 && volumes[i] > 0) || math.IsInf(dual/volumes[i], 0) {
				return nil, fmt.Errorf("simplicial: simplex %v has volume %v and its dual %v: "+
					"want both positive and finite; take another metric than the circumcentric, "+
					"or repair the mesh", c.at(k, i), volumes[i], dual)
			}
			stars[k][i] /= volumes[i]
		}
	}
	return stars, nil
}

// massOrNil is Mass, nil where it is the identity.
func (c *Complex) massOrNil(k int) *sparse.Symmetric {
	if c.masses == nil {
		return nil
	}
	return c.Mass(k)
}

// Mass returns the matrix M of the inner products of k-cochains, ⟨x, y⟩ = xᵀMy, which is the identity with
// the combinatorial metric.
func (c *Complex) Mass(k int) *sparse.Symmetric {
	if c.masses != nil && k >= 0 && k <= c.Dim() {
		return c.masses[k].matrix
	}
	ones := make([]float64, c.Count(k))
	for i := range ones {
		ones[i] = 1
	}
	m, err := sparse.Diagonal(ones)
	if err != nil {
		panic(err) // ones are finite
	}
	return m
}

// flat returns the k-chain Mx of a cochain, whose values on others are the inner products with x.
func (c *Complex) flat(k int, x []float64) []float64 {
	if c.masses == nil || k < 0 || k > c.Dim() {
		return x
	}
	return push(&c.masses[k].matrix.Matrix, x)
}

// sharp returns the k-cochain M⁻¹x of a chain.
func (c *Complex) sharp(k int, x []float64) ([]float64, error) {
	if c.masses == nil || k < 0 || k > c.Dim() {
		return x, nil
	}
	if factor := c.masses[k].factor; factor != nil {
		f, err := factor()
		if err != nil {
			return nil, err
		}
		x = slices.Clone(x)
		f.SolveTo(x, x)
		return x, nil
	}
	y := make([]float64, len(x))
	c.masses[k].matrix.DoNonZero(func(i, _ int, mass float64) { y[i] = x[i] / mass })
	return y, nil
}
