package series

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

func TestGrid(t *testing.T) {
	for length, want := range map[int]int{1: 9, 9: 9, 10: 17, 33: 33, 65: 65, 66: 129, 1000: 129} {
		require.Equal(t, want, grid(length), length)
	}
}

// Paths of 9 points keep them, but for the units; of 5, every second point is one of theirs, and the ends of
// all are the ends.
func TestPrepare(t *testing.T) {
	b := datasets.NewBuilder(2)
	var long, short []float64
	for i := range 9 {
		long = append(long, float64(i*i), 7)
	}
	for i := range 5 {
		short = append(short, float64(i*i), 7)
	}
	b.AddPath(long, 0)
	b.AddPath(short, 1)
	c := must(b.Collection())
	p := prepare(c, []int32{0, 1})
	require.Equal(t, 9, p.Points)
	require.Equal(t, 9.0, p.Longest)
	require.Equal(t, []float64{7, 1}, []float64{p.Mean[1], p.Deviation[1]})
	out := must(encoder{preparation: p}.all(c))
	require.Equal(t, 3, out.Dim)
	require.Equal(t, []int32{0, 1}, out.Labels)
	for i := range 9 {
		x := out.Points(0)[3*i : 3*i+3]
		require.InDelta(t, float64(i*i), float64(x[0])*p.Deviation[0]+p.Mean[0], 1e-5) // float32
		require.Equal(t, []float64{0, 1}, x[1:])
		if i%2 == 0 {
			x = out.Points(1)[3*i : 3*i+3]
			require.InDelta(t, float64(i*i/4), float64(x[0])*p.Deviation[0]+p.Mean[0], 1e-5)
			require.InDelta(t, 2*5.0/9-1, x[2], 1e-6)
		}
	}
	alone := prepare(c, []int32{1})
	require.Equal(t, []any{9, 5.0}, []any{alone.Points, alone.Longest}, "columns are those of all paths")
	b = datasets.NewBuilder(1)
	b.AddPath([]float64{0.3, math.Nextafter(0.3, 1), 0.3}, 0)
	p = prepare(must(b.Collection()), []int32{0})
	require.Zero(t, p.Longest)
	require.Equal(t, 1.0, p.Deviation[0], "the last digit is rounding")
	_, err := encoder{preparation: p}.all(c)
	require.ErrorContains(t, err, "has 2 coordinates: the model is for 1")
	b.AddPath(nil, 0)
	_, err = encoder{preparation: p}.all(must(b.Collection()))
	require.ErrorContains(t, err, "path 1 has no points")
}

// lines returns six paths in the plane, of which the last two are far off and longer.
func lines(coordinates []string, far float64) *Set {
	b := datasets.NewBuilder(2)
	s := &Set{Label: "class", Coordinates: coordinates}
	for g := range 6 {
		var points []float64
		for i := range 9 + 4*(g/4) {
			x := float64(i) + float64(g)*0.1
			if g >= 4 {
				x += far
			}
			points = append(points, x, math.Sin(x))
		}
		b.AddPath(points, float64(g%2))
		s.Split.Train = append(s.Split.Train, int32(g))
	}
	s.Collection = must(b.Collection())
	return s
}

// TestShift: networks are given the same of paths that are moved by 1e7.
func TestShift(t *testing.T) {
	s := lines([]string{"x", "y"}, 1)
	want := must(must(s.Encoder("", nil)).Encode(s)).Vertices
	s.Vertices = slices.Clone(s.Vertices)
	for i := range s.Vertices {
		s.Vertices[i] += 1e7
	}
	got := must(must(s.Encoder("", nil)).Encode(s)).Vertices
	require.InDeltaSlice(t, want, got, 1e-8) // a shift by 1e7 leaves 2e-9 of a coordinate
}

// TestOtherCoordinates: what a model was not trained on is told with both names.
func TestOtherCoordinates(t *testing.T) {
	e := must(lines([]string{"x", "y"}, 1).Encoder("", nil))
	require.NoError(t, e.Check())
	_, err := e.Encode(lines([]string{"y", "x"}, 1))
	require.ErrorContains(t, err, "has the coordinates y, x in place of x, y, in this order")
	_, err = e.Encode(&datasets.Collection{})
	require.ErrorContains(t, err, "another kind of data")
	_, err = lines(nil, 1).Encoder("time", nil)
	require.ErrorContains(t, err, "no choice of features")
}

// TestFitted: an encoder has seen none but the paths that it is fitted to, but the columns are those of all,
// also where the lengths of the former are equal and others are not.
func TestFitted(t *testing.T) {
	train := []int32{0, 1, 2, 3}
	encode := func(far float64, train []int32) *datasets.Collection {
		s := lines([]string{"x", "y"}, far)
		return must(must(s.Encoder("", train)).Encode(s))
	}
	a, b, all := encode(1, train), encode(50, train), encode(50, nil)
	require.Equal(t, all.Dim, b.Dim)
	require.Equal(t, all.VertexStart, b.VertexStart)
	for g := range 4 {
		require.Equal(t, a.Points(g), b.Points(g))
		require.NotEqual(t, all.Points(g), b.Points(g))
	}
	_, err := lines(nil, 1).Encoder("", []int32{})
	require.ErrorContains(t, err, "no paths")
}
