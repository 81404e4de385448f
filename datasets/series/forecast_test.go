package series

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/neuralkforms/nkf/datasets"
)

// tableOf returns tracks of two coordinates, each a list of a time and a place.
func tableOf(t *testing.T, columns Columns, tracks ...[][3]float64) *Set {
	t.Helper()
	text := "id,t," + strings.Join(columns.Coordinates, ",") + "\n"
	for g, track := range tracks {
		for _, row := range track {
			text += fmt.Sprintf("%c,%.17g,%.17g,%.17g\n", 'a'+g, row[0], row[1], row[2])
		}
	}
	columns.ID, columns.Time = "id", "t"
	return must(OpenTracks(columns, write(t, "a.csv", text)))
}

var (
	plane = Columns{Coordinates: []string{"x", "y"}}
	globe = Columns{Coordinates: []string{"lon", "lat"}}
)

// squares returns a track with x = t² and y = -t at some times.
func squares(times ...float64) (track [][3]float64) {
	for _, t := range times {
		track = append(track, [3]float64{t, t * t, -t})
	}
	return track
}

// TestForecastPieces: pieces are made of observations alone, so that nothing of them comes from the future,
// and targets are where the track is at the time ahead. What is in a long gap is no target, and what comes
// after one has no history.
func TestForecastPieces(t *testing.T) {
	s := tableOf(t, plane,
		squares(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), // ends at 3, 5 and 7: at 9 the time ahead is not over
		squares(0, 1, 2, 3),                       // too short
		squares(0, 1, 2, 3, 4, 9, 10, 11, 12),     // not at 3 and 4, before the gap, or at 9, after it
		squares(0, 2.5, 3.5, 4.5, 5, 6))           // ends at 3.5, between 2.5 and 4.5 in time
	pieces := must(s.Forecast(2, 3))
	require.Equal(t, []int32{0, 0, 0, 2, 3}, pieces.Groups())
	require.Equal(t, []string{"a", "a", "a", "c", "d"}, pieces.IDs)
	require.Equal(t, []string{"change of x", "change of y"}, pieces.Tasks)
	require.Equal(t, []float32{25 - 9, -2, 49 - 25, -2, 81 - 49, -2, 144 - 100, -2,
		(25+36)/2. - 3.5*3.5, -2}, pieces.Targets)
	require.Equal(t, []float64{4, -2, 9, -3, 16, -4, 25, -5}, pieces.Points(1), "from 2 to 5")
	require.Equal(t, []float64{0, 1, 2, 3}, pieces.track(1).times)
	require.Equal(t, []float64{16, -4, 81, -9, 100, -10}, pieces.Points(3), "4 is before 7, where it begins")
	require.Equal(t, []int32{0, 1, 2, 3, 4}, pieces.Split.Train)
	require.Nil(t, s.Groups())

	var table strings.Builder
	require.NoError(t, pieces.WriteCSV(&table))
	require.Contains(t, table.String(), "id,x,y,t,change of x,change of y\n0,0,-0,0,16,-2\n")

	names, rules, err := pieces.Baselines()
	require.NoError(t, err)
	require.Equal(t, []string{"staying", "going on"}, names)
	require.Equal(t, make([]float64, 10), rules[0])
	require.Equal(t, []float64{9 - 1, -2, 25 - 9, -2, 49 - 25, -2}, rules[1][:6])
	names, _, err = s.Baselines()
	require.NoError(t, err)
	require.Empty(t, names)
}

// TestForecastOfTenths: of observations in tenths of a second, which no float64 is, none is lost: of 396
// pieces there were 275 by numbers and 79 by dates.
func TestForecastOfTenths(t *testing.T) {
	for _, form := range []string{"%d.%d", "2024-01-01T00:00:%02d.%dZ"} {
		text := "id,t,x\n"
		for i := range 400 {
			text += fmt.Sprintf("a,"+form+",%d\n", i/10, i%10, i*i)
		}
		columns := Columns{ID: "id", Coordinates: []string{"x"}, Time: "t"}
		s := must(OpenTracks(columns, write(t, "a.csv", text)))
		pieces := must(s.Forecast(0.1, 0.3))
		require.Equal(t, 396, pieces.Len())
		for g := range pieces.Len() {
			require.InDelta(t, 2*(g+3)+1, pieces.Targets[g], 1e-2) // 2e-6 of the time between two places
		}
		require.Zero(t, pieces.forecast.short(pieces.Collection))
	}
}

// greatCircle returns a track along a great circle at a speed in degrees per time, through a place at some
// time in a direction from the north to the east.
func greatCircle(lon, lat, direction, speed, through float64, times ...float64) (track [][3]float64) {
	c := chartAt(0, 1, sphere(lon, lat))
	sin, cos := math.Sincos(direction)
	way := r3.Add(r3.Scale(sin, c.East), r3.Scale(cos, c.North))
	for _, t := range times {
		sin, cos := math.Sincos((t - through) * speed * math.Pi / 180)
		v := r3.Add(r3.Scale(cos, c.Up), r3.Scale(sin, way))
		track = append(track, [3]float64{t, math.Atan2(v.Y, v.X) * 180 / math.Pi,
			math.Asin(max(-1, min(1, v.Z))) * 180 / math.Pi})
	}
	return track
}

// TestForecastOnEarth: a track on a great circle at constant speed goes on as it did, wherever it is: in a
// temperate place, over the date line, near a pole and over it. The distance is that of the speed, and its
// direction that at the end of the piece.
func TestForecastOnEarth(t *testing.T) {
	times := []float64{0, 0.9, 2.2, 3, 4.1, 5}
	tracks := [][][3]float64{
		greatCircle(10, 50, 0.7, 0.1, 3, times...),
		greatCircle(179.9, -40, 1.2, 0.2, 3, times...),
		greatCircle(-100, 89.9, 2, 0.1, 3, times...),
		greatCircle(30, 89.85, 0, 0.1, 3, times...),
	}
	pieces := must(tableOf(t, globe, tracks...).Forecast(2, 3))
	require.Equal(t, []string{"east", "north"}, pieces.Tasks)
	_, rules, err := pieces.Baselines()
	require.NoError(t, err)
	const degree = earthRadius * math.Pi / 180
	for g, want := range []struct{ direction, distance float64 }{{0.7, 0.2}, {1.2, 0.4}, {2, 0.2}, {0, 0.2}} {
		sin, cos := math.Sincos(want.direction)
		for i, share := range []float64{sin, cos} {
			// Both places lie on chords between observations, up to 0.26 degrees apart, whose points are
			// not exactly evenly spaced on the circle.
			require.InDelta(t, want.distance*degree*share, pieces.Targets[2*g+i], 0.1, g)
			require.InDelta(t, float64(pieces.Targets[2*g+i]), rules[1][2*g+i], 0.1, g)
		}
	}
	// Half of the way between two places on either side of the pole is the pole.
	over := [][3]float64{{0, 0, 89}, {1, 0, 89.5}, {1.5, 0, 89.75}, {2.5, 180, 89.75}}
	pieces = must(tableOf(t, globe, over).Forecast(1, 1))
	require.InDeltaSlice(t, []float32{0, 0.5 * degree}, pieces.Targets, 0.01)
}

// TestForecastElevation: coordinates that are no places change as they are.
func TestForecastElevation(t *testing.T) {
	text := "id,t,ele,lat,lon\n"
	for i := range 5 {
		text += fmt.Sprintf("a,%d,%d,0,%d\n", i, 100*i*i, i)
	}
	s := must(OpenTracks(Columns{ID: "id", Coordinates: []string{"ele", "lat", "lon"}, Time: "t"},
		write(t, "a.csv", text)))
	pieces := must(s.Forecast(1, 3))
	require.Equal(t, []string{"east", "north", "change of ele"}, pieces.Tasks)
	require.InDeltaSlice(t, []float32{earthRadius * math.Pi / 180, 0, 700}, pieces.Targets, 0.01)
}

// TestForecastsThatCannotBe are errors, with the numbers.
func TestForecastsThatCannotBe(t *testing.T) {
	s := tableOf(t, plane, squares(0, 1, 2, 3, 4))
	_, err := s.Forecast(2, 0)
	require.ErrorContains(t, err, "a: no track to train on, or none to test with, can be forecast by 2 "+
		"after 6: that takes tracks of 8, with observations at most 2 apart, and the longest is 4")
	_, err = s.Forecast(1, 1) // the other observation of each history is in its first half
	require.ErrorContains(t, err, "that takes tracks of 2, with observations at most 0.5 apart")
	tested := *s
	tested.Split.Test = []int32{0} // and none is left to train on
	_, err = tested.Forecast(1, 2)
	require.ErrorContains(t, err, "no track to train on")
	for _, bad := range [][2]float64{{0, 1}, {-1, 1}, {1, -1}, {math.NaN(), 1}, {math.Inf(1), 1}} {
		_, err := s.Forecast(bad[0], bad[1])
		require.ErrorContains(t, err, "both are positive times")
	}
	timeless := must(OpenTracks(Columns{ID: "id", Coordinates: []string{"x", "y"}},
		write(t, "a.csv", "id,x,y\na,1,2\na,2,3\n")))
	_, err = timeless.Forecast(1, 1)
	require.ErrorContains(t, err, "the tracks have no times")

	columns := plane
	columns.ID, columns.Time, columns.Clock = "id", "t", []string{"2"}
	_, err = must(OpenTracks(columns, write(t, "a.csv", "id,t,x,y\na,0,1,2\na,1,2,3\n"))).Forecast(1, 1)
	require.ErrorContains(t, err, "have a clock")

	pieces := must(s.Forecast(1, 2))
	_, err = pieces.Encoder("number")
	require.ErrorContains(t, err, "forecasts are made by time")
	e := must(pieces.Encoder(""))
	_, err = e.Encode(must(s.Forecast(1, 3)))
	require.ErrorContains(t, err, "pieces for a forecast by 1 after 3: the model makes one by 1 after 2")
	_, err = e.Encode(timeless)
	require.ErrorContains(t, err, "there are no times")
	labeled := *s
	labeled.Label = "y"
	_, err = e.Encode(&labeled)
	require.ErrorContains(t, err, "leave the label out")
	broken := e.(encoder)
	broken.Forecast = &forecast{1, -1}
	require.ErrorContains(t, broken.Check(), "both are positive times")
}

// TestForecastEncoder: of a whole track an encoder, also a saved one, reads what it read of the piece that
// ends there, wherever and whenever the track is. A track shorter than the history stays where it begins
// before, and a note says so.
func TestForecastEncoder(t *testing.T) {
	shifted := func(track [][3]float64, time, x float64) (out [][3]float64) {
		for _, row := range track {
			out = append(out, [3]float64{row[0] + time, row[1] + x, row[2]})
		}
		return out
	}
	long := squares(0, 1, 2, 3.25, 4, 5)
	whole := tableOf(t, plane, long[:5], shifted(long[:5], 64, 1000), long[3:5],
		[][3]float64{{0, 3.25 * 3.25, -3.25}, long[3], long[4]})
	pieces := must(tableOf(t, plane, long).Forecast(1, 3.5))
	require.Equal(t, 1, pieces.Len(), "which ends at 4")
	for _, features := range []string{"", "integrals"} {
		text := must(json.Marshal(must(pieces.Encoder(features))))
		saved := NewEncoder()
		require.NoError(t, json.Unmarshal(text, saved))
		require.NoError(t, saved.Check())
		of := func(s *Set) *datasets.Collection { return must(saved.Encode(s)) }
		values := func(c *datasets.Collection, g int) []float64 {
			if features == "" {
				return c.Points(g)
			}
			return floats64(c.Globals[g*c.GlobalWidth : (g+1)*c.GlobalWidth])
		}
		piece, tracks := of(pieces), of(whole)
		require.Equal(t, values(piece, 0), values(tracks, 0))
		require.InDeltaSlice(t, values(piece, 0), values(tracks, 1), 1e-9, "sums round")
		require.Equal(t, values(tracks, 3), values(tracks, 2))
		require.False(t, floats.EqualApprox(values(piece, 0), values(tracks, 2), 1e-3))
		novelty := must(saved.(datasets.Comparer).Compare(whole))
		require.Len(t, novelty.Notes, 1)
		require.Contains(t, novelty.Notes[0], "1 of 4 paths are shorter than the time of 3.5")
	}
}

// floats64 returns numbers in 64 bits.
func floats64(values []float32) (out []float64) {
	for _, x := range values {
		out = append(out, float64(x))
	}
	return out
}
