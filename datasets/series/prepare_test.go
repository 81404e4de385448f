package series

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
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
	p := prepare(c, []int32{0, 1}, false, 0, nil)
	require.Equal(t, 9, p.Points)
	require.Equal(t, 9.0, p.Longest)
	require.Equal(t, []float64{7, 1}, []float64{p.Mean[1], p.Deviation[1]})
	out := must(encoder{preparation: *p}.all(c))
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
	p = prepare(c, []int32{0}, false, 0, nil)
	require.Zero(t, p.Longest)
	b = datasets.NewBuilder(1)
	b.AddPath([]float64{0.3, math.Nextafter(0.3, 1), 0.3}, 0)
	p = prepare(must(b.Collection()), []int32{0}, false, 0, nil)
	require.Equal(t, 1.0, p.Deviation[0], "the last digit is rounding")
	require.ErrorContains(t, new(encoder).fit(c, nil, nil), "no paths")
	_, err := encoder{preparation: *p}.all(c)
	require.ErrorContains(t, err, "has 2 coordinates: the model is for 1")
	b.AddPath(nil, 0)
	_, err = encoder{preparation: *p}.all(must(b.Collection()))
	require.ErrorContains(t, err, "path 1 has no points")
}

// Observations of x = 3t at uneven times, two of them at one: by time, points are those of a path that was
// observed evenly, and durations are told apart.
func TestPrepareByTime(t *testing.T) {
	b := datasets.NewBuilder(1)
	for _, times := range [][]float64{
		{0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 0.5, 3, 3, 7.25, 8}, {0, 4}, {0, 0}, {0},
	} {
		var points []float64
		for _, t := range times {
			points = append(points, 3*t)
		}
		b.AddPath(points, 0)
		b.SetCochain(0, times)
	}
	c := must(b.Collection())
	p := prepare(c, []int32{0, 1, 2}, true, 0, nil)
	require.Equal(t, 9, p.Points)
	require.Equal(t, 8.0, p.Longest)
	require.InEpsilon(t, 3/p.Deviation[0], p.Speed, 1e-12)
	out := must(encoder{preparation: *p}.all(c))
	require.Equal(t, ", evenly in time", out.Features)
	for g, duration := range []float64{8, 8, 4, 0, 0} {
		for i := range 9 {
			x := out.Points(g)[3*i : 3*i+3]
			// Coordinates are kept in 32 bits.
			require.InDelta(t, 3*duration*float64(i)/8, float64(x[0])*p.Deviation[0]+p.Mean[0], 1e-5)
			require.InDelta(t, math.Log(2)*min(1, duration), x[1], 1e-6, "the speed, whatever the duration")
			require.InDelta(t, 2*duration/8-1, x[2], 1e-6)
		}
	}
	p = prepare(c, []int32{0, 1}, true, 0, nil)
	require.Zero(t, p.Longest, "of one duration, whatever the numbers of observations")
	require.Zero(t, p.Speed, "differences of points are velocities")
	b = datasets.NewBuilder(1)
	for _, at := range []float64{0, 0.1, 1.7e9 + 0.1} { // three durations of 0.3 but for rounding
		b.AddPath([]float64{1, 2}, 0)
		b.SetCochain(0, []float64{at, at + 0.3})
	}
	require.Zero(t, prepare(must(b.Collection()), []int32{0, 1, 2}, true, 0, nil).Longest)
	b = datasets.NewBuilder(1)
	b.AddPath([]float64{1, 2}, 0)
	timeless := must(b.Collection())
	for _, timed := range []encoder{{preparation: *p}, {Integrals: &integrals{Timed: true}},
		{Forecast: &forecast{1, 1}}} {
		require.ErrorContains(t, timed.fit(timeless, []int32{0}, nil), "the paths have no times: name the")
		_, err := timed.all(timeless)
		require.ErrorContains(t, err, "the paths have no times: name the")
	}
}

// walk returns a set of two paths, the second to test with, of which the coordinates are what f says at
// uneven times.
func walk(timed bool, f func(time float64) float64) *Set {
	b := datasets.NewBuilder(1)
	b.Name, b.Classes = "walk", []string{"a", "b"}
	for g := range 2 {
		var points, times []float64
		for i := range 20 {
			at := float64(i)
			if timed {
				at = float64(i * i)
			}
			points, times = append(points, f(at)), append(times, at)
		}
		b.AddPath(points, float64(g))
		if timed {
			b.SetCochain(0, times)
		}
	}
	return &Set{Collection: must(b.Collection()), Split: datasets.Fold{Train: []int32{0}, Test: []int32{1}}}
}

// TestCut: cut paths begin and end as the whole ones, and lie on them; with points on the segments they are
// the same path by time.
func TestCut(t *testing.T) {
	for _, timed := range []bool{false, true} {
		place := func(time float64) float64 { return 3*time - 1 }
		s := walk(timed, place)
		ways, source, err := s.Cut()
		require.NoError(t, err)
		require.Equal(t, Cuts, ways)
		cut := source.(*Set)
		require.Equal(t, 2*(len(Cuts)+1), cut.Len())
		require.Equal(t, s.Split.Test, cut.Split.Test)
		prepared := must(must(cut.Encoder("")).Encode(cut))
		for c, name := range append([]string{"whole"}, Cuts...) {
			for g := range 2 {
				whole, part := cut.track(g), cut.track(2*c+g)
				last := len(part.times) - 1
				require.Equal(t, []int{20, 6, 191, 50, 14, 14}[c], last+1, name)
				require.Equal(t, whole.row(0), part.row(0))
				require.Equal(t, whole.row(19), part.row(last))
				require.Equal(t, whole.times[19], part.times[last])
				require.True(t, slices.IsSorted(part.times))
				for i, at := range part.times {
					// Of numbers up to 1,082, a share of a difference.
					require.InDelta(t, place(at), part.row(i)[0], 1e-12*1082)
				}
				require.InDeltaSlice(t, prepared.Points(g), prepared.Points(2*c+g), 1e-12, name)
				require.Equal(t, s.Labels[g], cut.Labels[2*c+g])
			}
		}
	}
	for count := range 5 { // short paths keep their ends
		line := track{1, []float64{1, 2, 3, 4, 5}[:count+1], []float64{0, 1, 2, 3, 4}[:count+1]}
		for _, name := range Cuts {
			part := line.cut(name, 1)
			require.Equal(t, 1.0, part.points[0], name)
			require.EqualValues(t, count+1, part.points[len(part.points)-1], name)
		}
	}
}

// TestWriteCSV: what is written is read as the same tracks.
func TestWriteCSV(t *testing.T) {
	s := walk(true, math.Sqrt)
	s.Header, s.Label = Header{Coordinates: []string{"x"}, Units: []string{""}, Time: "when"}, "kind"
	var text bytes.Buffer
	require.NoError(t, s.WriteCSV(&text))
	again := must(OpenTracks(Columns{ID: "id", Coordinates: s.Coordinates, Time: "when", Label: "kind"},
		write(t, "a.csv", text.String())))
	require.Equal(t, s.Vertices, again.Vertices)
	require.Equal(t, s.Simplices[0].Cochain, again.Simplices[0].Cochain)
	require.Equal(t, s.Labels, again.Labels)
	require.Equal(t, s.Classes, again.Classes)
	s.Header.Coordinates = []string{"id"}
	require.ErrorContains(t, s.WriteCSV(&text), "column 1 is called id")
}

// TestRefit: the paths of a fold have the columns of all, and are those of an encoder that has seen none but
// its training part, also where their lengths are equal and those of others are not, on the Earth and in a
// plane.
func TestRefit(t *testing.T) {
	tracks := func(names string, far float64) *Set {
		content := "id," + names + ",time,class\n"
		for g := range 6 {
			for i := range 9 + 4*(g/4) {
				x := float64(i) + float64(g)*0.1
				if g >= 4 {
					x += far
				}
				content += fmt.Sprintf("%d,%g,%g,%d,%d\n", g, x, math.Sin(x), i, g%2)
			}
		}
		s := must(OpenTracks(Columns{ID: "id", Coordinates: strings.Split(names, ","), Time: "time",
			Label: "class"}, write(t, "a.csv", content)))
		return s
	}
	fold := datasets.Fold{Train: []int32{3, 0}, Validation: []int32{1, 2}, Test: []int32{4},
		Others: [][]int32{{5}}}
	for _, names := range []string{"x,y", "lon,lat"} {
		for _, features := range []string{"number", "time", "integrals"} {
			var refitted [2]*datasets.Collection
			for i, far := range []float64{1, 50} {
				s := tracks(names, far)
				e := must(s.Encoder(features))
				all := must(e.Encode(s))
				refitted[i] = must(e.(datasets.Refitter).Refit(s, []datasets.Fold{fold}))
				require.Equal(t, all.Info, refitted[i].Info)
				require.Equal(t, [2]int{all.Dim, all.GlobalWidth},
					[2]int{refitted[i].Dim, refitted[i].GlobalWidth})
				require.Equal(t, []int32{1, 0, 1, 0, 0, 1}, refitted[i].Labels, "in the order of the parts")
				if features == "integrals" { // the views are those of the number of a path among all
					s.Split.Train = []int32{0, 1, 2, 3}
					all := must(must(s.Encoder(features)).Encode(s))
					require.Equal(t, must(all.Part([]int32{3, 0, 1, 2, 4, 5}, 0, nil)), refitted[i])
				}
			}
			for i := range refitted {
				part := must(refitted[i].Part([]int32{0, 1, 2, 3}, 0, nil))
				part.SHA256 = ""
				refitted[i] = part
			}
			require.Equal(t, refitted[0], refitted[1], names+features)
		}
	}
}
