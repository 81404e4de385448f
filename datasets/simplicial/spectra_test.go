package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// coexact returns the eigenvalues up to 20 of the coexact k-forms on [0, π]^n, ascending, which d takes to
// the exact forms of one degree more. For every vector a of numbers from 0 on, forms f dx_I have the
// eigenvalue |a|²: f is the product of sin(a_i x_i) for i in I, as the normal part is 0 at the ends, and of
// cos(a_i x_i) for the others. If s of the numbers are not 0, these are C(s, k) forms, and C(s-1, k) of them
// are coexact.
func coexact(n, k int) (values []float64) {
	for _, a := range combin.Cartesian(slices.Repeat([]int{5}, n)) {
		square, s := 0.0, 0
		for _, x := range a {
			square += float64(x * x)
			s += min(x, 1)
		}
		if s > k && square <= 20 {
			values = append(values, slices.Repeat([]float64{square}, combin.Binomial(s-1, k))...)
		}
	}
	slices.Sort(values)
	return values
}

// Eigenvalues of Whitney forms converge with order 2 in all degrees, in each part to its own spectrum, with
// its multiplicities. The errors are those of a wave of some 10 vertices: (λh²)/12 and a few times that.
func TestSpectraConverge(t *testing.T) {
	for _, test := range []struct {
		n, cells, m int
		tol         float64 // of the relative error of the m smallest, on the finer mesh
	}{{2, 8, 12, 0.05}, {3, 3, 8, 0.15}} {
		var meshes [2]*Complex // the second half as fine
		for i := range meshes {
			c, _ := must2(Grid(slices.Repeat([]int{test.cells << i}, test.n)...))
			side := math.Pi / float64(test.cells<<i)
			coords := floats.ScaleTo(make([]float64, len(c.coords)), side, c.coords)
			meshes[i] = weighted(must(c.Embed(test.n, coords)))
		}
		for k := range test.n + 1 {
			want := make([][]float64, 3)
			want[Harmonic] = make([]float64, 1-min(k, 1))
			if k > 0 {
				want[Gradient] = coexact(test.n, k-1)
			}
			want[Curl] = coexact(test.n, k)
			all := slices.Sorted(slices.Values(slices.Concat(want...)))
			var off [2]float64
			for i, c := range meshes {
				e := must(c.Eigen(k, test.m))
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
						require.Greater(t, values[next[part]], all[test.m-1]*(1-off[i])-1e-9, Part(part))
					}
				}
			}
			require.Less(t, off[1], test.tol, "degree %d", k)
			require.InDelta(t, 2, math.Log2(off[0]/off[1]), 0.5, "degree %d", k)
		}
	}
}

// Eigenvalues go with the square of the unit of length, also those of the mixed problem, whose blocks go with
// different powers of it.
func TestSpectraScale(t *testing.T) {
	c := bent(2)
	for k := range 3 {
		var want []float64
		for _, scale := range []float64{1, 1e-6, 1e7} {
			coords := floats.ScaleTo(make([]float64, len(c.coords)), scale, c.coords)
			e := must(weighted(must(c.Embed(c.ambient, coords))).Eigen(k, 8))
			floats.Scale(scale*scale, e.Values)
			if want == nil {
				want = e.Values
			}
			require.InDeltaSlice(t, want, e.Values, 1e-9) // rounding of eigenvalues up to 1e4
		}
	}
}
