package series

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/datasets"
)

// wander returns tracks of lon, lat or of x, y, with uneven times; each turns more the higher its number.
func wander(t *testing.T, change func(x, y, t float64) (float64, float64, float64),
	thin func(points, times []float64) ([]float64, []float64)) *datasets.Collection {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 5))
	b := datasets.NewBuilder(2)
	for g := range 6 {
		var points, times []float64
		x, y, at, heading := random.Float64(), random.Float64(), 0.0, 0.0
		for range 40 {
			heading += random.NormFloat64() * float64(g+1) / 8
			at += 0.1 + random.ExpFloat64()
			x, y = x+math.Cos(heading)/8, y+math.Sin(heading)/8
			p, q, r := change(x, y, at)
			points, times = append(points, p, q), append(times, r)
		}
		if thin != nil {
			points, times = thin(points, times)
		}
		b.AddPath(points, float64(g%2))
		b.SetCochain(0, times)
	}
	c, err := b.Collection()
	require.NoError(t, err)
	return c
}

func same(x, y, t float64) (float64, float64, float64) { return x, y, t }

// tracksOf returns a collection as a source.
func tracksOf(c *datasets.Collection, names ...string) *Set {
	s := &Set{Collection: c, Header: Header{Coordinates: names, Units: []string{"", ""}, Time: "t"}}
	s.IDs = make([]string, c.Len())
	for g := range c.Len() {
		s.Split.Train = append(s.Split.Train, int32(g))
	}
	return s
}

// integralsOf returns those of tracks, by an encoder found on them, or on others.
func integralsOf(t *testing.T, s, on *Set) []float32 {
	t.Helper()
	e, err := on.Encoder("integrals")
	require.NoError(t, err)
	require.NoError(t, e.Check())
	c, err := e.Encode(s)
	require.NoError(t, err)
	return c.Globals
}

// TestIntegralsDoNotDependOnUnits: tracks in other units of place and time, moved by 1e7, or moved on the
// Earth across the date line, have the same integrals.
func TestIntegralsDoNotDependOnUnits(t *testing.T) {
	plain := tracksOf(wander(t, same, nil), "x", "y")
	want := integralsOf(t, plain, plain)
	for name, change := range map[string]func(x, y, t float64) (float64, float64, float64){
		"units": func(x, y, t float64) (float64, float64, float64) { return 3281 * x, 3281 * y, 60 * t },
		"shift": func(x, y, t float64) (float64, float64, float64) { return x + 1e7, y - 1e7, t },
	} {
		s := tracksOf(wander(t, change, nil), "x", "y")
		// A shift by 1e7 leaves 2e-9 of a coordinate, of steps of 1/8, and logarithms from 1e-3 on have it
		// about 1e4 times.
		require.InDeltaSlice(t, want, integralsOf(t, s, s), 1e-4, name)
	}
	onEarth := tracksOf(wander(t, same, nil), "lon", "lat")
	want = integralsOf(t, onEarth, onEarth)
	turned := tracksOf(wander(t, func(x, y, t float64) (float64, float64, float64) {
		return math.Mod(x+179.5+180, 360) - 180, y, t
	}, nil), "lon", "lat")
	crossing := false
	for g := range turned.Len() {
		for i, p := 2, turned.Points(g); i < len(p); i += 2 {
			crossing = crossing || math.Abs(p[i]-p[i-2]) > 180
		}
	}
	require.True(t, crossing)
	// Meters are known to 1e-9, of steps of 14 km; logarithms from 1e-3 on and float32 have more.
	require.InDeltaSlice(t, want, integralsOf(t, turned, turned), 1e-5)
}

// TestIntegralsDoNotDependOnSampling: with points added on all segments or on those of one half, a track is
// the same track.
func TestIntegralsDoNotDependOnSampling(t *testing.T) {
	plain := tracksOf(wander(t, same, nil), "x", "y")
	e, err := plain.Encoder("integrals")
	require.NoError(t, err)
	width := 0
	for _, g := range Groups(2) {
		width += g.Width
	}
	first := func(all []float32) (rows []float32) {
		for g := range plain.Len() {
			rows = append(rows, all[g*Views*width:][:width]...)
		}
		return rows
	}
	want, err := e.Encode(plain)
	require.NoError(t, err)
	require.Equal(t, Views*width, want.GlobalWidth)
	for name, parts := range map[string]func(i int) int{
		"ten for one":           func(int) int { return 10 },
		"half four times dense": func(i int) int { return 1 + 3*(i/20) },
	} {
		s := tracksOf(wander(t, same, func(points, times []float64) (p, q []float64) {
			for i := range len(times) - 1 {
				for k := range parts(i) {
					share := float64(k) / float64(parts(i))
					for j := range 2 {
						p = append(p, points[2*i+j]+share*(points[2*i+2+j]-points[2*i+j]))
					}
					q = append(q, times[i]+share*(times[i+1]-times[i]))
				}
			}
			return append(p, points[len(points)-2:]...), append(q, times[len(times)-1])
		}), "x", "y")
		got, err := e.Encode(s)
		require.NoError(t, err)
		// Sums of 256 numbers to 1e-15, and angles to the root of it.
		require.InDeltaSlice(t, first(want.Globals), first(got.Globals), 1e-6, name)
	}
}

// onSphere returns a curve of lon and lat along great circles, at times 0, 1, ….
func onSphere(degrees ...float64) *curve {
	chart := chartAt(0, 1, r3.Vec{X: 1, Y: 0.3, Z: 0.2})
	b := datasets.NewBuilder(2)
	b.AddPath(degrees)
	c, err := b.Collection()
	if err != nil {
		panic(err)
	}
	if c, err = chart.apply(c); err != nil {
		panic(err)
	}
	var times []float64
	for i := range len(degrees) / 2 {
		times = append(times, float64(i))
	}
	return newCurve(track{3, c.Points(0), times}, 3, earthRadius)
}

// TestGreatCircles: a quarter of the equator, of a meridian and over the pole has a quarter of the length of
// a great circle, however it is sampled, also across the date line; without times the clock is the length.
func TestGreatCircles(t *testing.T) {
	for _, degrees := range [][]float64{
		{0, 0, 90, 0}, {10, 0, 10, 90}, {135, 0, -135, 0}, {20, 45, -160, 45},
	} {
		c := onSphere(degrees...)
		many := slices.Concat([]float64{0}, spaced(0, 1), []float64{1})
		for _, times := range [][]float64{{0, 1}, {0, 0.3, 1}, many} {
			require.InEpsilon(t, math.Pi/2*earthRadius, c.length(c.at(times)), 1e-12, degrees)
		}
		timeless := newCurve(track{3, c.points, nil}, 3, earthRadius)
		require.InEpsilon(t, math.Pi/2*earthRadius, timeless.duration(), 1e-12)
	}
}

// TestAreaOnSphere: an eighth of the sphere has that area, to the left of its rim, and a small square that of
// the plane.
func TestAreaOnSphere(t *testing.T) {
	sphere := 4 * math.Pi * earthRadius * earthRadius
	eighth := onSphere(0, 0, 90, 0, 0, 90)
	require.InEpsilon(t, sphere/8, eighth.area(eighth.track), 1e-12)
	back := onSphere(0, 90, 90, 0, 0, 0)
	require.InEpsilon(t, -sphere/8, back.area(back.track), 1e-12)
	small := onSphere(30, 0, 30.01, 0, 30.01, 0.01, 30, 0.01)
	side := 0.01 * math.Pi / 180 * earthRadius
	require.InEpsilon(t, side*side, small.area(small.track), 1e-6) // curved by (side/R)², 3e-8
	plane := newCurve(track{2, []float64{1e7, 1e7, 1e7 + 1, 1e7, 1e7 + 1, 1e7 + 1}, []float64{0, 1, 2}}, 2, 0)
	require.InDelta(t, 0.5, plane.area(plane.track), 1e-15)
}
