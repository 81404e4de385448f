package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// requireBasis checks that vectors are orthonormal and that the matrix of the surface's cover, which is
// computed again, maps them to their eigenvalues.
func requireBasis(t *testing.T, c *Complex, b *Basis) {
	t.Helper()
	m := len(b.Values)
	cover := newTufted(c, must(c.mollified()))
	cover.delaunay()
	entries, areas := cover.stiffness(c.Count(0))
	size := 0.0
	for _, e := range entries {
		if e.I == e.J {
			size = max(size, e.V/areas[e.I])
		}
	}
	for j := range m {
		product := make([]float64, len(areas))
		for _, e := range entries {
			product[e.I] += e.V * b.Vectors[int(e.J)*m+j]
			if e.I != e.J {
				product[e.J] += e.V * b.Vectors[int(e.I)*m+j]
			}
		}
		rest := 0.0
		for i, y := range product {
			if areas[i] > 0 {
				d := y/areas[i] - b.Values[j]*b.Vectors[i*m+j]
				rest += areas[i] * d * d
			}
		}
		// Rounding in K, times the number of entries that add up in the solver, and where its iteration ends.
		require.LessOrEqual(t, math.Sqrt(rest), 1e-12*size+3e-12*b.Values[j], "residual %d", j)
		for l := range m {
			dot := 0.0
			for i := range areas {
				dot += areas[i] * b.Vectors[i*m+j] * b.Vectors[i*m+l]
			}
			want := 0.0
			if j == l {
				want = 1
			}
			require.InDelta(t, want, dot, 1e-12) // some hundred roundings
		}
	}
}

// fins is a book: pages, grids of triangles, that share their back edge, each turned on by an angle.
func fins(pages, n int) *Complex {
	page, _ := must2(Grid(n, n)) // the first n+1 vertices are those of the back edge
	var coords []float64
	var triangles [][]int
	for p := range pages {
		sin, cos := math.Sincos(2 * math.Pi * float64(p) / float64(pages))
		for at := range slices.Chunk(page.Coords()[min(p, 1)*2*(n+1):], 2) {
			r, z := at[0]/float64(n), at[1]/float64(n)
			coords = append(coords, r*cos, r*sin, z)
		}
		for corners := range slices.Chunk(page.Simplices(2), 3) {
			var triangle []int
			for _, v := range corners {
				triangle = append(triangle, int(v)+p*n*(n+1)*min(int(v)/(n+1), 1))
			}
			triangles = append(triangles, triangle)
		}
	}
	return must(must(New(len(coords)/3, triangles)).Embed(3, coords))
}

// TestBasisOfABook: functions on a book of p square pages are cos(πaz) times those of a star of p segments
// with Neumann ends: cos(πkr), and sin(π(k+½)r) with amplitudes that add up to 0, so p - 1 times. No edge
// may have more than two triangles for the usual cotangent Laplacian.
func TestBasisOfABook(t *testing.T) {
	for pages := 1; pages <= 5; pages++ {
		c := fins(pages, 16)
		b := must(c.Basis(12))
		requireBasis(t, c, b)
		var want []float64
		for a := range 8 {
			for k := range 8 {
				along := float64(a * a)
				want = append(want, math.Pi*math.Pi*(along+float64(k*k)))
				half := float64(k) + 0.5
				want = append(want, slices.Repeat([]float64{math.Pi * math.Pi * (along + half*half)},
					pages-1)...)
			}
		}
		slices.Sort(want)
		for j, v := range b.Values {
			require.InDelta(t, want[j], v, want[j]*want[j]/(6*16*16)+1e-9, "%d pages", pages)
		}
		require.InDelta(t, float64(pages), floats.Sum(b.Mass), 1e-4)
	}
}

// split returns a triangulation with new vertices at the middle of some edges, each of which cuts one of the
// two triangles of its edge in halves and leaves the other whole: between these is a triangle without area.
func split(c *Complex, every int) *Complex {
	coords, triangles := slices.Clone(c.Coords()), [][]int{}
	for i := range c.Count(2) {
		corners := c.at(2, i)
		a, b, z := int(corners[0]), int(corners[1]), int(corners[2])
		if i%every > 0 {
			triangles = append(triangles, []int{a, b, z})
			continue
		}
		m := len(coords) / c.ambient
		for j := range c.ambient {
			coords = append(coords, (coords[a*c.ambient+j]+coords[b*c.ambient+j])/2)
		}
		triangles = append(triangles, []int{a, m, z}, []int{m, b, z}, []int{a, m, b})
	}
	return must(must(New(len(coords)/c.ambient, triangles)).Embed(c.ambient, coords))
}

// Triangle inequalities hold with 1e-5 of the mean length, for one triangle with nothing to spare; without
// narrow triangles nothing changes.
func TestMollified(t *testing.T) {
	sphere := sphereOf(3)
	require.Equal(t, must(sphere.Volumes(1)), must(sphere.mollified()))
	broken := split(sphere, 40)
	_, err := broken.WithMetric()
	require.ErrorContains(t, err, "is degenerate")
	lengths := must(broken.mollified())
	least := math.Inf(1)
	faces, _ := broken.faces(2)
	for f := range slices.Chunk(faces, 3) {
		l := []float64{lengths[f[0]], lengths[f[1]], lengths[f[2]]}
		slices.Sort(l)
		least = min(least, l[0]+l[1]-l[2])
	}
	mean := floats.Sum(must(broken.Volumes(1))) / float64(broken.Count(1))
	require.InDelta(t, 1e-5*mean, least, 1e-15) // lengths of about 0.1
}

// TestBasisOfBadTriangles: needles, triangles without area, and vertices at the same place leave the
// spectrum as it is.
func TestBasisOfBadTriangles(t *testing.T) {
	sphere := sphereOf(3)
	want := must(sphere.Basis(25))
	bad := split(sphere, 20)
	got := must(bad.Basis(25))
	requireBasis(t, bad, got)
	require.InDeltaSlice(t, want.Values, got.Values, 0.02*want.Values[24])

	// A cap on an edge, collapsed: the edge's end twice, a vertex of its own for one fan.
	n := sphere.Count(0)
	coords := append(slices.Clone(sphere.Coords()), sphere.Coords()[:3]...)
	var triangles [][]int
	for i := range sphere.Count(2) {
		v := sphere.at(2, i)
		s := []int{int(v[0]), int(v[1]), int(v[2])}
		if s[0] == 0 && i == 0 {
			triangles = append(triangles, []int{0, n, s[1]}, []int{0, n, s[2]})
			s[0] = n
		}
		triangles = append(triangles, s)
	}
	twice := must(New(n+2, triangles)) // and a vertex without triangles
	twice = must(twice.Embed(3, append(coords, 5, 5, 5)))
	got = must(twice.Basis(25))
	requireBasis(t, twice, got)
	require.Zero(t, got.Mass[n+1])
	require.InDeltaSlice(t, want.Values, got.Values, 0.02*want.Values[24])
}

// TestBasisOfParts: two spheres have each eigenvalue twice, and the constants of each for kernel.
func TestBasisOfParts(t *testing.T) {
	one := sphereOf(2)
	coords, triangles := slices.Clone(one.Coords()), [][]int{}
	n := one.Count(0)
	for i := range one.Coords() {
		coords = append(coords, one.Coords()[i]+3)
	}
	for i := range one.Count(2) {
		v := one.at(2, i)
		for part := range 2 {
			triangles = append(triangles, []int{int(v[0]) + part*n, int(v[1]) + part*n, int(v[2]) + part*n})
		}
	}
	two := must(must(New(2*n, triangles)).Embed(3, coords))
	want, got := must(one.Basis(16)), must(two.Basis(32))
	requireBasis(t, two, got)
	for j, v := range want.Values {
		require.InDelta(t, v, got.Values[2*j], 1e-10)
		require.InDelta(t, v, got.Values[2*j+1], 1e-10)
	}
	all := must(one.Basis(10000))
	require.Len(t, all.Values, n)
	requireBasis(t, one, all)
}

// BenchmarkBasis is of a torus of 15,000 vertices, as in nkfx/internal/bench/peers/basis_scipy.py.
func BenchmarkBasis(b *testing.B) {
	c := torusOf(100, 150)
	for b.Loop() {
		must(c.Basis(128))
	}
}
