package series

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// classed returns a set of paths of one point, with classes of those names.
func classed(t *testing.T, train, test []string) *Set {
	t.Helper()
	all := slices.Concat(train, test)
	names := slices.Compact(slices.Sorted(slices.Values(all)))
	b := datasets.NewBuilder(1)
	b.Name, b.Classes = "classed", names
	s := &Set{}
	for g, name := range all {
		b.AddPath([]float64{float64(g)}, float64(slices.Index(names, name)))
		if g < len(train) {
			s.Split.Train = append(s.Split.Train, int32(g))
		} else {
			s.Split.Test = append(s.Split.Test, int32(g))
		}
	}
	c, err := b.Collection()
	require.NoError(t, err)
	s.Collection = c
	return s
}

// The splits are those of stratified_resample_data_indices of aeon 1.6.0, with random_state the number.
func TestResample(t *testing.T) {
	s := classed(t, []string{"10", "2", "2", "1", "10", "1", "1", "2", "10", "3"},
		[]string{"1", "1", "2", "3", "3", "10", "10", "2", "1", "2", "10", "3", "1", "3"})
	for number, want := range map[int]datasets.Fold{
		0: s.Split,
		1: {Train: []int32{22, 6, 5, 8, 15, 4, 12, 1, 2, 21},
			Test: []int32{3, 11, 10, 18, 16, 0, 20, 7, 17, 19, 9, 13, 14, 23}},
		2: {Train: []int32{11, 5, 10, 20, 16, 15, 19, 2, 12, 13},
			Test: []int32{6, 22, 18, 3, 4, 8, 0, 1, 17, 7, 23, 9, 14, 21}},
		29: {Train: []int32{22, 3, 6, 8, 15, 20, 17, 1, 19, 14},
			Test: []int32{5, 11, 10, 18, 16, 4, 0, 7, 2, 12, 9, 23, 21, 13}},
	} {
		got, err := s.Resample(number)
		require.NoError(t, err)
		require.Equal(t, want, got.Split, number)
	}
	_, err := s.Resample(-1)
	require.ErrorContains(t, err, "numbered from 0")
	s.Split.Test = nil
	_, err = s.Resample(1)
	require.ErrorContains(t, err, "no test part")
}

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

// Of a path on a line, interpolation gives back what is missing; nothing changes where nothing is; what is
// held or closed up has no other values than those that are kept.
func TestDrop(t *testing.T) {
	for _, timed := range []bool{false, true} {
		s := walk(t, timed, func(time float64) float64 { return 3*time - 1 })
		whole := s.track(1)
		for _, share := range []float64{0, 0.3, 0.95} {
			dropped, err := s.Drop(share)
			require.NoError(t, err)
			require.Equal(t, 5, dropped.Len())
			require.Equal(t, [][]int32{{2}, {3}, {4}}, dropped.Split.Others)
			require.Equal(t, s.Split.Test, dropped.Split.Test)
			for g := range 2 {
				require.Equal(t, s.track(g), dropped.track(g))
			}
			require.Equal(t, []int32{0, 1, 1, 1, 1}, dropped.Labels)
			missing := min(18, int(math.Round(share*20)))
			require.InDeltaSlice(t, whole.points, dropped.track(2).points, 1e-4, // float32 to 1,082
				"interpolated")
			closed, held := dropped.track(3), dropped.track(4)
			require.Len(t, closed.points, 20-missing)
			require.Len(t, held.points, 20)
			require.Subset(t, whole.points, closed.points)
			require.Equal(t, closed.points, slices.Compact(slices.Clone(held.points)), "no two are equal")
			for _, o := range []track{closed, held} {
				require.Equal(t, whole.points[0], o.points[0])
				require.Equal(t, whole.points[19], o.points[len(o.points)-1])
			}
			require.Equal(t, timed, closed.times != nil)
		}
	}
}

// TestDropByTime: a path that closes up, taken by time, is the one that is interpolated, whether that is
// resampled by time or, where observations were even in time, by number, as models are usually trained.
func TestDropByTime(t *testing.T) {
	for _, uneven := range []bool{false, true} {
		s := walk(t, true, func(time float64) float64 { return math.Sin(time / 10) })
		if !uneven {
			for i := range s.Simplices[0].Cochain {
				s.Simplices[0].Cochain[i] = float64(i % 20)
			}
		}
		dropped, err := s.Drop(0.3)
		require.NoError(t, err)
		prepared := func(byTime bool, reading int) []float64 {
			p, err := prepare(s.Collection, s.Split.Train, byTime)
			require.NoError(t, err)
			out, err := p.apply(dropped.Collection)
			require.NoError(t, err)
			require.Equal(t, 33, p.Points)
			return out.Points(int(dropped.Split.Others[reading][0]))
		}
		interpolated, closed := prepared(true, 0), prepared(true, 1)
		// Interpolated values of up to 1 are kept in 32 bits, and divided by a deviation of about 0.7.
		require.InDeltaSlice(t, interpolated, closed, 1e-6)
		if !uneven {
			require.InDeltaSlice(t, prepared(false, 0), closed, 1e-6)
		}
		require.NotEqual(t, prepared(false, 0), prepared(false, 1), "by number they are not the same")
	}
}

func TestDropErrors(t *testing.T) {
	s := walk(t, false, func(time float64) float64 { return time })
	for _, share := range []float64{-0.1, 1, math.NaN()} {
		_, err := s.Drop(share)
		require.ErrorContains(t, err, strconv.FormatFloat(share, 'g', -1, 64))
	}
	s.Split.Test = nil
	_, err := s.Drop(0.3)
	require.ErrorContains(t, err, "no test part")
}
