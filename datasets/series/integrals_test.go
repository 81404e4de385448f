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
func wander(change func(x, y, t float64) (float64, float64, float64)) *datasets.Collection {
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
		b.AddPath(points, float64(g%2))
		b.SetCochain(0, times)
	}
	return must(b.Collection())
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

// inputsOf returns what models are given of tracks, by an encoder found on others.
func inputsOf(t *testing.T, s, on *Set, features string) []float64 {
	t.Helper()
	e := must(on.Encoder(features))
	require.NoError(t, e.Check())
	c := must(e.Encode(s))
	inputs := slices.Clone(c.Vertices)
	for _, x := range c.Globals {
		inputs = append(inputs, float64(x))
	}
	return inputs
}

// TestUnitsDoNotMatter: of tracks in other units of place and time, moved by 1e7, by another clock, or moved
// on the Earth across the date line, models are given the same, in integrals and at points evenly in time.
func TestUnitsDoNotMatter(t *testing.T) {
	plain := tracksOf(wander(same), "x", "y")
	onEarth := tracksOf(wander(same), "lon", "lat")
	turned := tracksOf(wander(func(x, y, t float64) (float64, float64, float64) {
		return math.Mod(x+179.5+180, 360) - 180, y, t
	}), "lon", "lat")
	crossing := false
	for g := range turned.Len() {
		for i, p := 2, turned.Points(g); i < len(p); i += 2 {
			crossing = crossing || math.Abs(p[i]-p[i-2]) > 180
		}
	}
	require.True(t, crossing)
	for _, features := range []string{"integrals", ""} {
		want := inputsOf(t, plain, plain, features)
		for name, change := range map[string]func(x, y, t float64) (float64, float64, float64){
			"units": func(x, y, t float64) (float64, float64, float64) { return 3281 * x, 3281 * y, 60 * t },
			"shift": func(x, y, t float64) (float64, float64, float64) { return x + 1e7, y - 1e7, t },
		} {
			s := tracksOf(wander(change), "x", "y")
			// A shift by 1e7 leaves 2e-9 of a coordinate, of steps of 1/8, and logarithms from 1e-3 on have
			// it about 1e4 times.
			require.InDeltaSlice(t, want, inputsOf(t, s, s, features), 1e-4, features+" "+name)
		}
		// Meters are known to 1e-9, of steps of 14 km; logarithms from 1e-3 on and float32 have more.
		require.InDeltaSlice(t, inputsOf(t, onEarth, onEarth, features),
			inputsOf(t, turned, turned, features), 1e-5, features)
	}
}

// TestInputsOfSavedModels: trained models are given what they were trained with by nkf 0.2.
func TestInputsOfSavedModels(t *testing.T) {
	for features, want := range map[string][2]float64{
		"integrals": {31.148890562760, 43.374700464662}, "": {2.5753224933743, 0.4865077710630},
	} {
		for i, names := range [][]string{{"x", "y"}, {"lon", "lat"}} {
			s, sum := tracksOf(wander(same), names...), 0.0
			for j, x := range inputsOf(t, s, s, features) {
				sum += math.Sin(float64(j)) * x
			}
			require.InDelta(t, want[i], sum, 1e-5, "%s %s", features, names) // float32 has 1e-7
		}
	}
}

// TestSamplingDoesNotMatter: with points added on all segments or on those of one half, a track is the same
// track, also near the pole, where segments are no lines of lon and lat: integrals differed by 0.02 there.
func TestSamplingDoesNotMatter(t *testing.T) {
	plain := tracksOf(wander(same), "x", "y")
	polar := tracksOf(wander(func(x, y, t float64) (float64, float64, float64) {
		return x + math.Copysign(90, y-0.5), 90 - math.Abs(y-0.5), t // over the pole at 0.5
	}), "lon", "lat")
	sampled(t, plain, "integrals", Views)
	sampled(t, plain, "", 1)
	sampled(t, polar, "integrals", Views)
}

// TestCutsFrom180: cuts have longitudes from 0 to 360, or over the date line, if their track has.
func TestCutsFrom180(t *testing.T) {
	s := tracksOf(wander(func(x, y, t float64) (lon, lat, at float64) { return 190 + x, y, t }), "lon", "lat")
	_, all, err := s.Cut()
	require.NoError(t, err)
	for g := range all.(*Set).Len() {
		whole, cut := s.track(g%s.Len()), all.(*Set).track(g)
		require.InDeltaSlice(t, whole.row(0), cut.row(0), 1e-9) // of 190 degrees by way of meters
		require.InDeltaSlice(t, whole.row(len(whole.times)-1), cut.row(len(cut.times)-1), 1e-9)
	}
}

// sampled compares what models are given of tracks, in the first view, with that of cuts with more points.
func sampled(t *testing.T, s *Set, features string, views int) {
	t.Helper()
	_, all, err := s.Cut()
	require.NoError(t, err)
	inputs := inputsOf(t, all.(*Set), s, features)
	of := len(inputs) / (1 + len(Cuts))
	require.Equal(t, inputsOf(t, s, s, features), inputs[:of])
	width := of / 6
	for _, name := range []string{"ten for one", "half four times as dense"} {
		got := inputs[(1+slices.Index(Cuts, name))*of:]
		for g := range 6 {
			// Sums of 256 numbers to 1e-15, of meters to 1e-9, and angles to the root of it.
			require.InDeltaSlice(t, inputs[g*width:][:width/views], got[g*width:][:width/views], 2e-6, name)
		}
	}
}

// TestGaps: no window of an integral reaches into a gap, and windows are evenly spaced elsewhere. A path has
// gaps where it is much sparser than elsewhere.
func TestGaps(t *testing.T) {
	require.Equal(t, []float64{1, 3}, []float64{median([]float64{-1, 0}), median([]float64{-1, 3})})
	x := track{n: 2}
	for i := range 41 { // 20 steps, one that takes a time of 100, and 20 more
		x.points, x.times = append(x.points, float64(i), 0), append(x.times, float64(i+99*min(1, i/21)))
	}
	c := newCurve(x, 2, 0)
	require.Equal(t, [][2]float64{{0, 139}}, c.seen)
	c.split(99)
	require.Equal(t, [][2]float64{{0, 20}, {120, 139}}, c.seen)
	require.Equal(t, 20.0, c.longest())
	for _, time := range []float64{0, 5, 19, 20} {
		before := 0
		for _, from := range c.starts(time) {
			inFirst := from >= 0 && from+time <= 20+1e-9
			require.True(t, inFirst || from >= 120 && from+time <= 139+1e-9, from)
			if inFirst {
				before++
			}
		}
		first, second := 20-time, max(0, 19-time)
		require.InDelta(t, samples*max(first, 1e-9)/max(first+second, 1e-9), before, 1)
	}
	plain := tracksOf(wander(same), "x", "y")
	m := must(plain.Encoder("integrals")).(encoder).Integrals
	for g := range 6 {
		whole := plain.track(g)
		require.Len(t, m.curve(whole).seen, 1)
		require.Len(t, m.curve(whole.cut("every fourth", 0)).seen, 1)
		require.Len(t, m.curve(whole.pick(slices.Concat(every(13, 1), []int{38, 39}))).seen, 2)
	}
}

// TestGapsOfDates: the longest interval in training is no gap in tracks by another clock, which rounds it up:
// of 2,928 integrals, 173 differed by up to 6.
func TestGapsOfDates(t *testing.T) {
	from := func(first float64) *Set {
		b := datasets.NewBuilder(2)
		for g := range 4 {
			var points, times []float64
			for i := range 40 {
				points = append(points, math.Sin(float64(i*(g+1))/9), float64(i)/9)
				times = append(times, first+float64(i+(30+g)*min(1, i/21))/10)
			}
			b.AddPath(points, float64(g%2))
			b.SetCochain(0, times)
		}
		return tracksOf(must(b.Collection()), "x", "y")
	}
	on := from(0)
	want := inputsOf(t, on, on, "integrals")
	// 2e-7 seconds of a tenth, which logarithms have up to 32 times.
	require.InDeltaSlice(t, want, inputsOf(t, from(1.7e9+0.1), on, "integrals"), 1e-3)
}

// TestAtThePole: tracks that stay at a pole, whatever their longitudes, stand still: of the rounding of their
// places, which is in two of three coordinates, integrals of 2·10¹⁶ were made.
func TestAtThePole(t *testing.T) {
	s := tracksOf(wander(func(x, _, t float64) (lon, lat, at float64) { return 90 * x, 90, t }), "lon", "lat")
	for _, x := range inputsOf(t, s, s, "integrals") {
		require.Less(t, math.Abs(x), 10.0) // -7 is the logarithm of the least speed
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
		line := newCurve(track{1, []float64{0, 1}, []float64{0, 1}}, 1, 0)
		many := slices.Concat([]float64{0}, line.starts(0), []float64{1})
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
