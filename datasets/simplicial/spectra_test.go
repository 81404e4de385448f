package simplicial

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
)

// domain is a manifold with the spectra of the Laplace-de Rham operator, under absolute boundary conditions.
type domain struct {
	name  string
	dim   int
	betti []int
	// coexact returns the eigenvalues, up to some multiple ones, of the coexact k-forms for k < dim; d takes
	// them to the exact forms of one degree more.
	coexact func(k int) []float64
	meshes  [2]*Complex // the second half as fine
}

// requireSpectra checks that eigenvalues converge with order 2 in all degrees, in each part to its own
// spectrum, with its multiplicities. The relative error of the m smallest is at most tol on the finer mesh.
func (d domain) requireSpectra(t *testing.T, m int, tol float64) {
	t.Helper()
	for k := 0; k <= d.dim; k++ {
		want := make([][]float64, 3)
		want[Harmonic] = make([]float64, d.betti[k])
		if k > 0 {
			want[Gradient] = d.coexact(k - 1)
		}
		if k < d.dim {
			want[Curl] = d.coexact(k)
		}
		all := slices.Sorted(slices.Values(slices.Concat(want...)))
		var off [2]float64
		for i, mesh := range d.meshes {
			c := weighted(mesh)
			e := must(c.Eigen(k, m))
			requireEigen(t, c, k, e, 1e-9) // eigenvalues of the matrix go up to 1e5
			next := [3]int{}
			for j, value := range e.Values {
				part := e.Parts[j]
				exact := want[part][next[part]]
				next[part]++
				off[i] = max(off[i], math.Abs(value-exact)/max(1, exact))
			}
			// None is missing: a part that lags behind would have smaller eigenvalues left.
			for part, values := range want {
				if next[part] < len(values) {
					require.Greater(t, values[next[part]], all[m-1]*(1-off[i])-1e-9, "%v of %v",
						Part(part), d.name)
				}
			}
		}
		order := math.Log2(off[0] / off[1])
		t.Logf("%s, degree %d: relative errors %.1e, order %.2f", d.name, k, off, order)
		require.Less(t, off[1], tol, "%s, degree %d", d.name, k)
		require.InDelta(t, 2, order, 0.5, "%s, degree %d", d.name, k)
	}
}

// ladder returns the coexact eigenvalues of degree k from those of all k-forms, total(j) of degree j: the
// spectrum of degree j has the exact ones that are the coexact ones of degree j-1, and harmonic zeros.
func ladder(k int, total func(j int) []float64) []float64 {
	var coexact []float64
	for j := range k + 1 {
		below := slices.Clone(coexact)
		coexact = nil
		for _, value := range slices.Sorted(slices.Values(total(j))) {
			if i := slices.Index(below, value); i >= 0 {
				below = slices.Delete(below, i, i+1)
			} else if value > 0 {
				coexact = append(coexact, value)
			}
		}
	}
	return coexact
}

// largest is up to where eigenvalues a² + b² + … are listed.
const largest = 20

// squares returns the sums of squares of integers, from those of each axis on, up to largest.
func squares(from []int) []float64 {
	sums := []float64{0}
	for _, first := range from {
		var next []float64
		for _, sum := range sums {
			for a := first; a*a <= largest; a++ {
				if total := sum + float64(a*a); total <= largest {
					next = append(next, total)
				}
			}
		}
		sums = next
	}
	return sums
}

// cubeOf returns [0, π]^n in m^n cubes. The forms f dx_I have the eigenvalues Σ a_i², where f is the product
// of sin(a_i x_i) for i in I, which the normal part of is 0, and of cos(a_i x_i) for the others.
func cubeOf(t *testing.T, dim int, cells int) domain {
	t.Helper()
	d := domain{name: "cube", dim: dim, betti: make([]int, dim+1)}
	d.betti[0] = 1
	d.coexact = func(k int) []float64 {
		return ladder(k, func(j int) (values []float64) {
			for code := range 1 << dim {
				from := make([]int, dim)
				sines := 0
				for i := range from {
					from[i] = code >> i & 1
					sines += from[i]
				}
				if sines == j {
					values = append(values, squares(from)...)
				}
			}
			return values
		})
	}
	for i := range d.meshes {
		count := make([]int, dim)
		for a := range count {
			count[a] = cells << i
		}
		c, _ := must2(Grid(count...))
		coords := slices.Clone(c.Coords())
		floats.Scale(math.Pi/float64(cells<<i), coords)
		d.meshes[i] = must(c.Embed(dim, coords))
	}
	return d
}

// besselZeros returns the squares of the positive zeros of J_m' or J_m below a limit, twice for m > 0.
func besselZeros(derivative bool, limit float64) []float64 {
	var values []float64
	for m := range int(limit) {
		f := func(x float64) float64 {
			if derivative {
				return math.Jn(m-1, x) - math.Jn(m+1, x)
			}
			return math.Jn(m, x)
		}
		const step = 0.05 // zeros are more than 1 apart
		for x := step; x < limit; x += step {
			low, high := x, x+step
			if f(low)*f(high) > 0 {
				continue
			}
			for range 60 {
				if middle := (low + high) / 2; f(low)*f(middle) > 0 {
					low = middle
				} else {
					high = middle
				}
			}
			values = append(values, low*low)
			if m > 0 {
				values = append(values, low*low)
			}
		}
	}
	slices.Sort(values)
	return values
}

// diskDomain is the unit disk: functions with free ends, of the zeros of J_m', and 2-forms with fixed ones,
// of those of J_m.
func diskDomain(t *testing.T, n int) domain {
	t.Helper()
	d := domain{name: "disk", dim: 2, betti: []int{1, 0, 0}}
	d.coexact = func(k int) []float64 { return besselZeros(k == 0, 8) }
	require.InDelta(t, 3.3900, d.coexact(0)[0], 1e-4) // 1.8412²
	require.InDelta(t, 5.7832, d.coexact(1)[0], 1e-4) // 2.4048²
	for i := range d.meshes {
		d.meshes[i] = rings(t, n<<i, newRand(uint64(i)))
	}
	return d
}

// rings returns n rings of a disk, of 6, 12, … points. Those inside are moved, so that triangles are obtuse,
// too.
func rings(t *testing.T, n int, rng *rand.Rand) *Complex {
	t.Helper()
	coords, triangles := []float64{0, 0}, [][]int{}
	point := func(ring, j int) int { return max(0, 1+3*ring*(ring-1)+j%max(1, 6*ring)) * min(1, ring) }
	for r := 1; r <= n; r++ {
		for j := range 6 * r {
			sin, cos := math.Sincos(math.Pi * float64(j) / float64(3*r))
			x, y := cos*float64(r)/float64(n), sin*float64(r)/float64(n)
			if r < n {
				x, y = x+0.5*(rng.Float64()-0.5)/float64(n), y+0.5*(rng.Float64()-0.5)/float64(n)
			}
			coords = append(coords, x, y)
			inner := j / r * (r - 1) // the first of the sextant
			inner += j % r
			triangles = append(triangles, []int{point(r, j), point(r, j+1), point(r-1, inner)})
			if j%r < r-1 {
				triangles = append(triangles, []int{point(r-1, inner), point(r, j+1), point(r-1, inner+1)})
			}
		}
	}
	c := must(must(New(len(coords)/2, triangles)).Embed(2, coords))
	obtuse := 0
	for j := range c.Count(2) {
		p := c.points(c.at(2, j))
		for corner := range 3 {
			e := edges([][]float64{p[corner], p[(corner+1)%3], p[(corner+2)%3]})
			if floats.Dot(e[0], e[1]) < 0 {
				obtuse++
			}
		}
	}
	require.Greater(t, obtuse, 20)
	return c
}

// Eigenvalues of Whitney forms converge with order 2 in all degrees on every shape-regular mesh. The errors
// are those of a wave of some 10 vertices: (λh²)/12 and a few times that.
func TestSpectraConverge(t *testing.T) {
	for _, test := range []struct {
		domain
		m   int
		tol float64
	}{
		{cubeOf(t, 2, 8), 12, 0.05},
		{cubeOf(t, 3, 3), 8, 0.15},
		{diskDomain(t, 6), 10, 0.05},
	} {
		test.requireSpectra(t, test.m, test.tol)
	}
}

// Eigenvalues go with the square of the unit of length, also those of the mixed problem, whose blocks go with
// different powers of it.
func TestSpectraScale(t *testing.T) {
	c := diskDomain(t, 6).meshes[0]
	for k := range 3 {
		var want []float64
		for _, scale := range []float64{1, 1e-6, 1e7} {
			coords := floats.ScaleTo(make([]float64, len(c.coords)), scale, c.coords)
			scaled := must(c.Embed(2, coords))
			e := must(weighted(scaled).Eigen(k, 8))
			floats.Scale(scale*scale, e.Values)
			if want == nil {
				want = e.Values
			}
			require.InDeltaSlice(t, want, e.Values, 1e-9) // rounding of eigenvalues up to 1e4
		}
	}
}
