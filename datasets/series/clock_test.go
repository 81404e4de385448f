package series

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dated returns a table of six tracks like those of wander, some hours each, that begin a number of days and
// hours after the beginning of March.
func dated(days, hours int) string {
	random := rand.New(rand.NewPCG(7, 7))
	text := "id,lon,lat,ele,when,kind\n"
	for g := range 6 {
		at, x, y := (24*days+hours+4*g)*3600, random.Float64(), random.Float64()
		for range 20 {
			at += 60 + random.IntN(900)
			x, y = x+random.NormFloat64()/8, y+random.NormFloat64()/8
			text += fmt.Sprintf("%d,%.6f,%.6f,%.3f,2026-03-%02dT%02d:%02d:%02dZ,%d\n", g, x, y, 100*x*y,
				1+at/86_400, at/3600%24, at/60%60, at%60, g%2)
		}
	}
	return text
}

// opened returns the tracks of a table with a clock.
func opened(t *testing.T, text string, coordinates []string, clock ...string) *Set {
	t.Helper()
	s := must(OpenTracks(Columns{ID: "id", Coordinates: coordinates, Time: "when", Clock: clock,
		Label: "kind"}, write(t, "a.csv", text)))
	return s
}

// TestClock: the hands are at the angles of the absolute times, in UTC, in the order of the times, after the
// other coordinates, and observations without a value have none.
func TestClock(t *testing.T) {
	const text = "id,x,when,kind\n" +
		"a,2,2026-01-01T18:00:00+06:00,p\n" + // noon
		"a,1,2026-01-01T06:00:00Z,p\n" +
		"a,,2026-01-01T13:00:00Z,p\n" +
		"a,4,2026-01-01 18:00,p\n" +
		"b,5,1970-01-01,q\nb,6,1969-12-31T21:00:00Z,q\n"
	s := opened(t, text, []string{"x"}, "day", "31556952")
	require.Equal(t, Header{
		Coordinates: []string{"x", "day cos", "day sin", "31556952 cos", "31556952 sin"},
		Units:       []string{"", "", "", "", ""},
		Time:        "when", Dates: true, Clock: []string{"day", "31556952"},
	}, s.Header)
	require.Equal(t, "x,day cos,day sin,31556952 cos,31556952 sin", s.Features)
	require.Equal(t, []float64{0, 6 * 3600, 12 * 3600, 0, 3 * 3600}, s.Simplices[0].Cochain)
	day := func(g int) (hands []float64) {
		for p := range slices.Chunk(s.Points(g), 5) {
			hands = append(hands, p[:3]...)
		}
		return hands
	}
	// A sine and an angle are right to 2⁻⁵², and a quarter of a turn has 1e-16 of an error.
	require.InDeltaSlice(t, []float64{1, 0, 1, 2, -1, 0, 4, 0, -1}, day(0), 1e-15)
	require.InDeltaSlice(t, []float64{6, math.Sqrt(0.5), -math.Sqrt(0.5), 5, 1, 0}, day(1), 1e-15)
	years := opened(t, text, []string{"x"}, "day", "year")
	require.Equal(t, s.Vertices, years.Vertices, "a year is 365.2425 days")

	sin, cos := math.Sincos(2 * math.Pi / (24 * 60))
	for name, text := range map[string]string{"a.gpx": gpxText, "a.json": geoText} {
		label := map[string]string{"a.gpx": "type", "a.json": "kind"}[name]
		s := must(OpenTracks(Columns{Label: label, Clock: []string{"day"}}, write(t, name, text)))
		require.InDeltaSlice(t, []float64{10, 45, 1, 0, 10, 46, cos, sin}, s.Points(1), 1e-15, name)
	}

	hours := opened(t, "id,x,when,kind\na,1,1000000000006,p\nb,1,2.5,q\nb,2,4,q\n", []string{"x"}, "24")
	require.Equal(t, "x,24 cos,24 sin", hours.Features)
	sin, cos = math.Sincos(2 * math.Pi * 22 / 24) // 10¹² is 16 modulo 24
	require.InDeltaSlice(t, []float64{1, cos, sin}, hours.Points(0), 1e-15)
	sin, cos = math.Sincos(2 * math.Pi * 2.5 / 24)
	require.InDeltaSlice(t, []float64{1, cos, sin, 2, 0.5, math.Sqrt(0.75)}, hours.Points(1), 1e-15)
}

// TestWholeDays: tracks some days later have the same coordinates and are the same to a model, and some hours
// later are not.
func TestWholeDays(t *testing.T) {
	names := []string{"lon", "lat", "ele"}
	s, later := opened(t, dated(0, 0), names, "day"), opened(t, dated(17, 0), names, "day")
	require.Equal(t, s.Vertices, later.Vertices)
	require.NotEqual(t, s.Vertices, opened(t, dated(0, 5), names, "day").Vertices)
	year := opened(t, dated(0, 0), names, "year")
	require.NotEqual(t, year.Vertices, opened(t, dated(17, 0), names, "year").Vertices)
	for _, features := range []string{"integrals", "", "number"} {
		require.Equal(t, inputsOf(t, s, s, features), inputsOf(t, later, s, features))
	}
}

// TestClockIsNoPlace: with a clock, distances, speeds, turns and areas of tracks are those without, in the
// plane, in space and on the Earth, where the chart keeps the hands. Hands have no velocities.
func TestClockIsNoPlace(t *testing.T) {
	for _, names := range [][]string{{"ele"}, {"lon", "ele"}, {"lon", "lat"}, {"lon", "lat", "ele"}} {
		plain, clock := opened(t, dated(0, 3), names), opened(t, dated(0, 3), names, "day", "year")
		encode := func(s *Set, features string) (encoder, []float64) {
			e := must(s.Encoder(features))
			require.NoError(t, e.Check())
			return e.(encoder), inputsOf(t, s, s, features)
		}
		e, x := encode(plain, "integrals")
		hands, y := encode(clock, "integrals")
		n := len(e.names())
		require.Equal(t, append(slices.Clone(e.names()), clock.Coordinates[len(names):]...), hands.names())
		require.Equal(t, e.Integrals.Place, hands.Integrals.Place)
		require.Equal(t, e.Integrals.Scale, hands.Integrals.Scale[:n])
		for pair := range slices.Chunk(hands.Integrals.Scale[n:], 2) {
			require.Equal(t, pair[0], pair[1])
		}
		moved := func(row []float64, n int) []float64 { // what is not 0
			motion := slices.Clone(row[:maps.Collect(Groups(n))["motion"]])
			return slices.DeleteFunc(motion, func(x float64) bool { return x == 0 })
		}
		width, wider := len(x)/6/Views, len(y)/6/Views
		for g := range 6 * Views {
			want := moved(x[g*width:], n)
			require.Equal(t, want, moved(y[g*wider:], n+4), names)
			require.NotEmpty(t, want)
		}

		p, x := encode(plain, "")
		q, y := encode(clock, "")
		require.Positive(t, p.Speed)
		require.Equal(t, p.Speed, q.Speed)
		width, wider = p.channels(), q.channels()
		require.Equal(t, width+4, wider)
		for i := range len(x) / width {
			a, b := x[i*width:][:width], y[i*wider:][:wider]
			require.Equal(t, a, slices.Delete(slices.Clone(b), n, n+4), "the others, velocities and length")
			for j, angle := range b[n : n+4] { // to the last of 24 bits, in deviations
				b[n+j] = angle*q.Deviation[n+j] + q.Mean[n+j]
			}
			require.LessOrEqual(t, math.Hypot(b[n], b[n+1]), 1+1e-6, "on chords of the circle")
			require.Greater(t, math.Hypot(b[n], b[n+1]), 0.99) // of 16 minutes at most
			require.InDelta(t, 1, math.Hypot(b[n+2], b[n+3]), 1e-6)
		}
	}
}

// TestFarHands: both hands of a period have one scale, so that a clock ahead or behind is as good. No time is
// far of those around, and an hour is far where the training had others only.
func TestFarHands(t *testing.T) {
	at := func(minutes ...int) *Set {
		text := "id,x,when,kind\n"
		for g, minute := range minutes {
			text += fmt.Sprintf("%d,%d,2026-05-01T%02d:%02d:00Z,%d\n", g, g%2, minute/60, minute%60, g%2)
		}
		return opened(t, text, []string{"x"}, "day")
	}
	far := func(training, asked *Set) (hands []string) {
		e := must(training.Encoder("number"))
		p := e.(encoder).preparation
		require.Equal(t, p.Deviation[1], p.Deviation[2])
		n := must(e.(encoder).Compare(asked))
		for _, f := range n.Far {
			if f != nil {
				hands = append(hands, f.Column)
			}
		}
		return hands
	}
	around := at(0, 6*60, 12*60, 18*60)
	noon := at(11*60, 12*60, 13*60)
	require.Empty(t, far(around, at(60, 7*60, 13*60, 19*60, 23*60)))
	require.Empty(t, far(noon, at(11*60+30, 10*60+30)), "a cosine alone would be 4 deviations away")
	require.Equal(t, []string{"day cos"}, far(noon, at(0, 12*60)))
	require.Equal(t, []string{"day sin"}, far(noon, at(18*60, 12*60)))
	require.Empty(t, far(at(12*60, 12*60), at(0, 0)), "a deviation of 1 stands for none")
}

func TestFaultsOfClocks(t *testing.T) {
	const gpx = "<gpx><trk>\n<trkpt lon='1' lat='0'/></trk></gpx>"
	table := Columns{ID: "id", Coordinates: []string{"x"}, Time: "when"}
	timeless, twice := table, table
	timeless.Time, twice.Coordinates = "", []string{"24 sin"}
	const dates, numbers = "id,x,when\na,1,2026-01-01\n", "id,x,when\na,1,5\n"
	for _, c := range []struct {
		name, text string
		columns    Columns
		clock      []string
		want       string
	}{
		{"a.csv", dates, table, []string{"day", "week"}, `"week" is not a period of a clock: take day, year`},
		{"a.csv", dates, table, []string{"inf"}, `"inf" is not a period`},
		{"a.csv", dates, table, []string{"nan"}, `"nan" is not a period`},
		{"a.csv", dates, timeless, []string{"day"}, "a.csv, line 2: a clock needs the time of each"},
		{"a.csv", numbers, table, []string{"24", "day"}, `period "day", but the times in "when" are numbers`},
		{"a.csv", numbers, table, []string{"year"}, "for example 86400 for a day in seconds"},
		{"a.csv", dates, table, []string{"day", "day"}, `two coordinates are called "day cos"`},
		{"a.csv", "id,24 sin,when\na,1,5\n", twice, []string{"24"}, `two coordinates are called "24 sin"`},
		{"a.gpx", gpx, Columns{}, []string{"day"}, "a.gpx, line 1: a clock needs the time of each"},
	} {
		c.columns.Clock = c.clock
		_, err := OpenTracks(c.columns, write(t, c.name, c.text))
		require.ErrorContains(t, err, c.want)
	}
	s := opened(t, dated(0, 0), []string{"lon", "lat"}, "day")
	for _, features := range []string{"integrals", "time"} {
		e := must(s.Encoder(features))
		wrong := e.(encoder)
		wrong.Header.Clock = []string{"day", "year"}
		require.ErrorContains(t, wrong.Check(), "a clock of 2 periods among 4 coordinates")
		wrong = e.(encoder)
		if wrong.Hands = 0; features == "integrals" {
			unwound := *wrong.Integrals
			unwound.Hands = 0
			wrong.Hands, wrong.Integrals = 2, &unwound
		}
		require.ErrorContains(t, wrong.Check(), "a clock of 1 periods")
	}
}

// TestNumbersLikeDates: numbers are told all of which may be dates without hyphens.
func TestNumbersLikeDates(t *testing.T) {
	columns := Columns{ID: "id", Coordinates: []string{"x"}, Time: "t"}
	for times, want := range map[string]bool{
		"20240131 20240201 20240202": true, "20240131 20240201 20240232": false, "20240131 1": false,
		"1 20240131": false, "2024-01-31 2024-02-01": false, "1706659200 1706745600": false,
		"15000101": false,
	} {
		table := "id,x,t\n"
		for _, at := range strings.Fields(times) {
			table += "1,2," + at + "\n"
		}
		require.Equal(t, want, must(OpenTracks(columns, write(t, "a.csv", table))).calendar, times)
	}
}
