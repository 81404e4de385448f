package series

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// walk returns a set of two paths, the second to test with, of which the coordinates are what f says at
// uneven times.
func walk(t *testing.T, timed bool, f func(time float64) float64) *Set {
	t.Helper()
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
	c, err := b.Collection()
	require.NoError(t, err)
	return &Set{Collection: c, Split: datasets.Fold{Train: []int32{0}, Test: []int32{1}}}
}

// TestCut: cut paths begin and end as the whole ones, and lie on them; with points on the segments they are
// the same path by time.
func TestCut(t *testing.T) {
	for _, timed := range []bool{false, true} {
		place := func(time float64) float64 { return 3*time - 1 }
		s := walk(t, timed, place)
		ways, source, err := s.Cut()
		require.NoError(t, err)
		require.Equal(t, Cuts, ways)
		cut := source.(*Set)
		require.Equal(t, 2*(len(Cuts)+1), cut.Len())
		require.Equal(t, s.Split.Test, cut.Split.Test)
		e, err := cut.Encoder("")
		require.NoError(t, err)
		prepared, err := e.Encode(cut)
		require.NoError(t, err)
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
	s := walk(t, true, math.Sqrt)
	s.Header, s.Label = Header{Coordinates: []string{"x"}, Units: []string{""}, Time: "when"}, "kind"
	var text bytes.Buffer
	require.NoError(t, s.WriteCSV(&text))
	again, err := OpenTracks(Columns{ID: "id", Coordinates: s.Coordinates, Time: "when", Label: "kind"},
		write(t, "a.csv", text.String()))
	require.NoError(t, err)
	require.Equal(t, s.Vertices, again.Vertices)
	require.Equal(t, s.Simplices[0].Cochain, again.Simplices[0].Cochain)
	require.Equal(t, s.Labels, again.Labels)
	require.Equal(t, s.Classes, again.Classes)
	s.Header.Coordinates = []string{"id"}
	require.ErrorContains(t, s.WriteCSV(&text), "column 1 is called id")
}
