package synthetic

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// samplers are the generators of collections with their published options.
var samplers = map[string]interface {
	Sample(perClass int, seed uint64, part Part) (*datasets.Collection, error)
}{
	"paths":     NewPaths(),
	"points":    Paths{Points: 50, Noise: 0.05, Degree: 0},
	"surfaces":  NewSurfaces(),
	"templates": NewTemplates(),
	"strands":   Strands{Length: 5},
}

func TestSamplesAreDeterminedBySeedAndPart(t *testing.T) {
	for name, s := range samplers {
		t.Run(name, func(t *testing.T) {
			a := must(s.Sample(5, 3, Train))
			require.NoError(t, a.Validate())
			require.Equal(t, 5*len(a.Classes), a.Len())
			for g, label := range a.Labels {
				require.EqualValues(t, g/5, label, "classes are equally large")
			}
			require.Equal(t, a, must(s.Sample(5, 3, Train)))
			for _, other := range []struct {
				seed uint64
				part Part
			}{{4, Train}, {3, Test}} {
				b := must(s.Sample(5, other.seed, other.part))
				require.Equal(t, a.Labels, b.Labels)
				require.NotEqual(t, a.Vertices[:4], b.Vertices[:4])
			}
		})
	}
}

// sweep returns how the edges of complex g run: the sum of x_0·y_1 - x_1·y_0
// over its edges about a point, twice the area that they sweep.
func sweep(c *datasets.Collection, g int, about [2]float64) float64 {
	at, edges := c.Points(g), c.Corners(1, g)
	sum := 0.0
	for e := 0; e < len(edges); e += 2 {
		p, q := edges[e], edges[e+1]
		px, py := float64(at[2*p])-about[0], float64(at[2*p+1])-about[1]
		qx, qy := float64(at[2*q])-about[0], float64(at[2*q+1])-about[1]
		sum += px*qy - qx*py
	}
	return sum
}

func TestPathsRunAsTheirClassSays(t *testing.T) {
	p := NewPaths()
	p.Noise = 0
	c := must(p.Sample(200, 7, Train))
	turns := map[int]int{}
	for g, label := range c.Labels {
		at, edges := c.Points(g), c.Corners(1, g)
		require.Len(t, at, 2*p.Points)
		require.Len(t, edges, 2*(p.Points-1))
		last := len(at) - 2
		dx, dy := at[last]-at[0], at[last+1]-at[1]
		switch c.Classes[label] {
		case "rising":
			require.True(t, dx > 0 && dy > 0)
		case "falling":
			require.True(t, dx > 0 && dy < 0)
		case "circle":
			radius := math.Hypot(float64(at[0]), float64(at[1]))
			require.InDelta(t, 1.35, radius, 1.15+1e-6, "uniform in [0.2, 2.5]")
			for i := 0; i < len(at); i += 2 {
				// Points are rounded to float32: 2^-24 relative, twice.
				require.InEpsilon(t, radius, math.Hypot(float64(at[i]), float64(at[i+1])), 1e-6)
			}
			swept := sweep(c, g, [2]float64{})
			require.Positive(t, swept, "counterclockwise")
			turns[int(math.Round(2*math.Pi/(swept/radius/radius)))]++
		}
	}
	for kappa := 1; kappa <= 3; kappa++ {
		require.Greater(t, turns[kappa], 40, "a third of 200 each, six standard deviations below at most")
	}
}

func TestPathsOfDegreeZeroHaveTheSamePoints(t *testing.T) {
	edges := must(NewPaths().Sample(3, 5, Test))
	p := NewPaths()
	p.Degree = 0
	points := must(p.Sample(3, 5, Test))
	require.Equal(t, edges.Vertices, points.Vertices)
	require.Zero(t, points.Degree())
	simplices := 0
	for g := range points.Len() {
		simplices += points.Count(points.Degree(), g)
	}
	require.Equal(t, len(points.Vertices)/2, simplices)
}

func TestSurfacesFollowTheirSine(t *testing.T) {
	s := NewSurfaces()
	s.Noise = 0
	c := must(s.Sample(20, 1, Train))
	for g, label := range c.Labels {
		at, triangles := c.Points(g), c.Corners(2, g)
		require.Len(t, at, 3*25)
		require.Len(t, triangles, 3*32)
		for i := 0; i < len(at); i += 3 {
			require.InDelta(t, math.Sin(at[i+int(label)]), at[i+2], 1e-15)
		}
		for triangle := range slices.Chunk(triangles, 3) {
			require.IsIncreasing(t, triangle, "oriented by order")
		}
		require.LessOrEqual(t, max(math.Abs(at[0]), math.Abs(at[1])), 10.0)
	}
}

func TestTemplatesRunAsTheirClassSays(t *testing.T) {
	c := must(NewTemplates().Sample(50, 2, Train))
	for g, label := range c.Labels {
		at, edges := c.Points(g), c.Corners(1, g)
		require.Len(t, edges, 2*templateShapes*templateEdges)
		mean := [2]float64{}
		for i, v := range at {
			require.True(t, v >= -1e-6 && v <= 1+1e-6, "in the unit square")
			mean[i%2] += float64(v) / float64(len(at)/2)
		}
		require.InDelta(t, 0.5, mean[0], 1e-5)
		require.InDelta(t, 0.5, mean[1], 1e-5)
		ends := map[int32]int{} // edges in minus edges out
		for i := 0; i < len(edges); i += 2 {
			ends[edges[i]]--
			ends[edges[i+1]]++
		}
		if c.Classes[label] == "cycles" {
			require.Negative(t, sweep(c, g, mean), "clockwise")
			for v, n := range ends {
				require.Zero(t, n, "vertex %d: a cycle has no boundary", v)
			}
			continue
		}
		sinks := 0
		for _, n := range ends {
			if n == templateEdges {
				sinks++
			} else {
				require.Equal(t, -1, n, "a ray begins")
			}
		}
		require.Equal(t, templateShapes, sinks)
	}
}

// TestStrandsNeedTheirLength: both classes have two marks of each sign; the class is in the product of the
// marks of a path, whose ends are Length edges apart.
func TestStrandsNeedTheirLength(t *testing.T) {
	s := Strands{Length: 7}
	c := must(s.Sample(20, 1, Train))
	for g, label := range c.Labels {
		at, edges := c.Points(g), c.Corners(1, g)
		require.Len(t, edges, 2*2*s.Length)
		next, total := map[int32]int32{}, 0.0
		for i := 0; i < len(edges); i += 2 {
			next[edges[i]] = edges[i+1]
		}
		for _, start := range []int32{0, int32(s.Length + 1)} {
			end, length := start, 0
			for v, ok := next[end]; ok; v, ok = next[end] {
				if end, length = v, length+1; length < s.Length {
					require.Zero(t, at[3*end+2], "inside a path")
				}
			}
			require.Equal(t, s.Length, length)
			first, last := at[3*start+2], at[3*end+2]
			require.EqualValues(t, 1-2*label, first*last, "the class")
			total += first + last
		}
		require.Zero(t, total, "in both classes")
	}
}

func TestBadOptions(t *testing.T) {
	errors := func(_ any, err error) string {
		require.Error(t, err)
		return err.Error()
	}
	require.Contains(t, errors(NewPaths().Sample(0, 1, Train)), "use 1 or more")
	require.Contains(t, errors(Paths{Points: 5, Degree: 2}.Sample(1, 1, Train)), "degree 2")
	require.Contains(t, errors(Paths{Points: 1, Degree: 1}.Sample(1, 1, Train)), "more points")
	require.Contains(t, errors(Paths{Points: 5, Noise: math.NaN()}.Sample(1, 1, Train)), "finite")
	require.Contains(t, errors(Surfaces{Cells: 0}.Sample(1, 1, Train)), "surfaces")
	require.Contains(t, errors(Circles{}.Sample(1)), "points")
	require.Contains(t, errors(Strands{Length: 1}.Sample(1, 1, Train)), "2 or more")
	huge := NewPaths()
	huge.Noise = 1e300
	require.Contains(t, errors(huge.Sample(1, 1, Train)), "finite")
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestTorus: Betti numbers 1, 2, 1; points at the radius of the tube from the
// ring.
func TestTorus(t *testing.T) {
	c := must(Torus(7, 0.3))
	require.Equal(t, []int{1, 2, 1}, c.Betti())
	require.Equal(t, []int{49, 147, 98}, []int{c.Count(0), c.Count(1), c.Count(2)})
	for at := c.Coords(); len(at) > 0; at = at[3:] {
		// float64 rounding of a few operations on numbers of size one.
		require.InDelta(t, 0.3, math.Hypot(math.Hypot(at[0], at[1])-1, at[2]), 1e-15)
	}
	for _, tube := range []float64{0, 1, -1, math.NaN(), math.Inf(1)} {
		_, err := Torus(7, tube)
		require.ErrorContains(t, err, "a radius between 0 and 1")
	}
	_, err := Torus(2, 0.5)
	require.ErrorContains(t, err, "use 3 or more")
}

// TestCurrents: along the paths the integral of the 1-form of the flow tells the direction, and lengths do
// not.
func TestCurrents(t *testing.T) {
	c := must(Currents(50, 1, Train))
	require.Equal(t, 100, c.Len())
	var lengths, flows [2]float64
	for g := range c.Len() {
		points := c.Points(g)
		require.Greater(t, len(points), 2*15)
		for i := 2; i < len(points); i += 2 {
			dx, dy := points[i]-points[i-2], points[i+1]-points[i-1]
			x, y := points[i]-dx/2, points[i+1]-dy/2
			wave := math.Sin(2*x - y)
			flow := (math.Sin(x)*math.Cos(y)+0.5*wave)*dx + (-math.Cos(x)*math.Sin(y)+wave)*dy
			lengths[c.Labels[g]] += math.Hypot(dx, dy) / 50
			flows[c.Labels[g]] += flow / 50
		}
	}
	require.InEpsilon(t, lengths[0], lengths[1], 0.15)
	require.Greater(t, flows[0], 1.0)
	require.Less(t, flows[1], -1.0)
	_, err := Currents(0, 1, Train)
	require.ErrorContains(t, err, "use 1 or more")
}
