package simplicial

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// split returns a triangulation with new vertices at the middle of some edges, each of which cuts one of the
// two triangles of its edge in halves and leaves the other whole: between these is a triangle without area.
func split(t *testing.T, c *Complex, every int) *Complex {
	t.Helper()
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
	out := must(New(len(coords)/c.ambient, triangles))
	out = must(out.Embed(c.ambient, coords))
	return out
}

// TestMollify: a sphere with degenerate triangles has no metric, but nearly that of the sphere when it is
// mollified; triangle inequalities then hold, with what the factor gives, for all triangles and for one of
// them with nothing to spare.
func TestMollify(t *testing.T) {
	sphere := sphereOf(t, 3)
	broken := split(t, sphere, 40)
	_, err := broken.WithMetric(Galerkin)
	require.ErrorContains(t, err, "Mollify")
	want := must(with(t, sphere, Galerkin).Eigen(0, 9))
	for _, factor := range []float64{1e-3, 1e-5, 1e-7} {
		whole := must(broken.Mollify(factor))
		mean, least := 0.0, math.Inf(1)
		for i := range broken.Count(1) {
			p := broken.points(broken.at(1, i))
			mean += distance(p[0], p[1]) / float64(broken.Count(1))
		}
		for i := range whole.Count(2) {
			l := whole.sides(whole.at(2, i))
			slices.Sort(l[:])
			least = math.Min(least, l[0]+l[1]-l[2])
		}
		require.InDelta(t, factor*mean, least, 1e-15) // lengths of about 0.1
		got := must(with(t, whole, Galerkin).Eigen(0, 9))
		// As the factor vanishes a long edge becomes that of both halves: the heights of narrow triangles,
		// and the errors, go with its root.
		require.InDeltaSlice(t, want.Values, got.Values, 0.9*math.Sqrt(factor))
	}
}

// TestMollifyChangesNothing: triangles that are not narrow have the metric that they had, and what the metric
// is of does not depend on where vertices lie.
func TestMollifyChangesNothing(t *testing.T) {
	c := sphereOf(t, 2)
	same := must(c.Mollify(1e-5))
	for k := range 3 {
		want := must(c.Volumes(k))
		got := must(same.Volumes(k))
		require.InDeltaSlice(t, want, got, 1e-15) // rounding of areas of 0.1
	}
	angles := must(c.AngleDefects())
	got := must(same.AngleDefects())
	require.InDeltaSlice(t, angles, got, 1e-13)
	for _, m := range metrics {
		a, b := with(t, c, m), with(t, same, m)
		for k := range 3 {
			x := randomCochain(newRand(5), c.Count(k))
			require.InDeltaSlice(t, a.flat(k, x), b.flat(k, x), 1e-11, m.String())
		}
	}
}

// TestMollifyByHand: of a triangle with corners at 0, 1 and 3 of a line, whose lengths 1, 2 and 3 have the
// mean 2, each edge grows by 2δ, and of one with a double corner as well.
func TestMollifyByHand(t *testing.T) {
	c := must(New(3, [][]int{{0, 1, 2}}))
	const delta = 0.125
	for _, want := range [][]float64{{1, 3, 2}, {0, 3, 3}} {
		flat := must(c.Embed(1, []float64{0, want[0], 3}))
		grown := must(flat.Mollify(delta))
		lengths := must(grown.Volumes(1))
		for i := range want {
			want[i] += 2 * delta
		}
		require.InDeltaSlice(t, want, lengths, 1e-15)
		areas := must(grown.Volumes(2))
		s := (want[0] + want[1] + want[2]) / 2
		require.InDelta(t, math.Sqrt(s*(s-want[0])*(s-want[1])*(s-want[2])), areas[0], 1e-15) // Heron
	}
}
