package simplicial

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// center returns the barycentric coordinates of the center of a face of an n-simplex.
func center(n int, face []int) []float64 {
	x := make([]float64, n+1)
	for _, corner := range face {
		x[corner] = 1 / float64(len(face))
	}
	return x
}

// whitney returns the Whitney form Σ_σ x_σ W_σ of a k-cochain at a point of every simplex of the highest
// degree N, the one with those barycentric coordinates: its coefficients, [Count(N), C(n,k)].
func whitney(c *Complex, k int, cochain, barycentric []float64) (out []float64) {
	indices := combin.Combinations(c.ambient, k)
	for i := range c.Count(c.Dim()) {
		simplex := c.at(c.Dim(), i)
		gradients, _, _ := gradients(c.points(simplex))
		values := make([]float64, len(indices))
		for _, sigma := range combin.Combinations(c.Dim()+1, k+1) {
			x := math.Gamma(float64(k)+1) * cochain[c.face(simplex, sigma)]
			for a, corner := range sigma {
				for j, index := range indices {
					sign := float64(1 - 2*(a%2))
					values[j] += sign * x * barycentric[corner] * minor(gradients, without(sigma, a), index)
				}
			}
		}
		out = append(out, values...)
	}
	return out
}

// Integrating the Whitney form of a cochain gives the cochain. Forms are affine on a simplex: their
// integrals are the values at the barycenter times the minors of the edges, over k!.
func TestDeRhamOfWhitneyIsTheIdentity(t *testing.T) {
	for dim := 1; dim <= 4; dim++ {
		for n := dim; n <= dim+1; n++ {
			c := bent(dim)
			if n == dim { // drop the height
				var coords []float64
				for i := range c.Count(0) {
					coords = append(coords, c.Coords()[i*(n+1):i*(n+1)+n]...)
				}
				c = must(c.Embed(n, coords))
			}
			for k := 0; k <= dim; k++ {
				x := randomCochain(newRand(8), c.Count(k))
				components := combin.Combinations(n, k)
				for _, local := range combin.Combinations(dim+1, k+1) {
					form := whitney(c, k, x, center(dim, local))
					for i := range c.Count(dim) {
						face := make([]int32, k+1)
						for a, corner := range local {
							face[a] = c.at(dim, i)[corner]
						}
						d, rows := edges(c.points(face)), combin.Combinations(max(k, 1), k)
						integral := 0.0
						for j, index := range components {
							blade := minor(d, rows[0], index) / math.Gamma(float64(k)+1)
							integral += form[i*len(components)+j] * blade
						}
						require.InDelta(t, x[find(c.levels[k], face)], integral, 1e-12,
							"n=%d N=%d k=%d", n, dim, k)
					}
				}
			}
		}
	}
}

// The mass matrix is the integral of the inner products, by a rule of corners and barycenter that is exact
// to degree 2.
func TestMassIsTheInnerProductOfWhitneyForms(t *testing.T) {
	for dim := 1; dim <= 4; dim++ {
		c := weighted(bent(dim))
		volumes := must(c.Volumes(dim))
		for k := 0; k <= dim; k++ {
			x, y := randomCochain(newRand(10), c.Count(k)), randomCochain(newRand(11), c.Count(k))
			want := 0.0
			add := func(point []float64, weight float64) {
				left := whitney(c, k, x, point)
				right := whitney(c, k, y, point)
				for i, v := range volumes {
					width := len(left) / len(volumes)
					want += weight * v * floats.Dot(left[i*width:(i+1)*width], right[i*width:(i+1)*width])
				}
			}
			n := float64(dim)
			for corner := range dim + 1 {
				add(center(dim, []int{corner}), 1/((n+1)*(n+2)))
			}
			add(center(dim, combin.Combinations(dim+1, dim+1)[0]), (n+1)/(n+2))
			got := mat.Inner(mat.NewVecDense(len(x), x), c.Mass(k), mat.NewVecDense(len(y), y))
			require.InDelta(t, want, got, 1e-11*(1+math.Abs(want)), "N=%d k=%d", dim, k)
		}
	}
}

// ♯ takes a cochain to its Whitney form at the barycenters, and ♭ is its adjoint: ⟨♭X, y⟩ = ∫⟨X, ♯y⟩.
func TestFields(t *testing.T) {
	for dim := 1; dim <= 3; dim++ {
		c := weighted(bent(dim))
		y := randomCochain(newRand(12), c.Count(1))
		sharp := must(c.Sharp(y))
		middle := center(dim, combin.Combinations(dim+1, dim+1)[0])
		require.InDeltaSlice(t, whitney(c, 1, y, middle), sharp, 1e-12) // sums of ten numbers near 1
		field, want := randomCochain(newRand(13), len(sharp)), 0.0
		for i, volume := range must(c.Volumes(dim)) {
			own := field[i*c.ambient : (i+1)*c.ambient]
			want += volume * floats.Dot(own, sharp[i*c.ambient:(i+1)*c.ambient])
		}
		require.InDelta(t, want, c.inner(1, must(c.Flat(field)), y), 1e-11)
	}
	points := must(must(New(2, nil)).Embed(3, make([]float64, 6)))
	require.Equal(t, make([]float64, 6), must(points.Sharp(nil)))
}

// ♭♯df = df also where simplices are of one degree but no manifold; an edge that sticks out has no field.
func TestFlatOfSharp(t *testing.T) {
	for seed, simplices := range [][][]int{
		{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {4, 5, 6}}, // three triangles at an edge, a corner in common
		{{0, 1, 2}, {0, 1, 3}, {3, 4}},
	} {
		c := must(New(7, simplices))
		c = weighted(embedded(c, 3, uint64(seed)))
		df := must(c.Coboundary(0, randomCochain(newRand(1), c.Count(0))))
		back := must(c.Flat(must(c.Sharp(df))))
		if out, _, ok := c.Index(3, 4); ok {
			df[out] = 0
		}
		require.InDeltaSlice(t, df, back, 1e-12) // the rounding of six numbers of size 1
	}
}
