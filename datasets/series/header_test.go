package series

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// TestHeaders: readers name columns, units and times; another order, name, unit or number of columns, and
// times that are missing or others are told with both names.
func TestHeaders(t *testing.T) {
	const table = "id,x,y,t,k\na,1,2,0,p\na,2,3,1,p\nb,1,2,0,q\nb,2,3,1,q\n"
	const gpx = "<gpx><trk><trkpt lon='1' lat='0'><ele>5</ele></trkpt></trk></gpx>"
	const geo = `{"type":"Feature","properties":{"times":[0,1]},"geometry":{"type":"LineString",` +
		`"coordinates":[[1,2,3],[2,3,4]]}}`
	open := func(name, text string, columns Columns) Header {
		s, err := OpenTracks(columns, write(t, name, text))
		require.NoError(t, err)
		return s.Header
	}
	xy := open("a.csv", table, Columns{ID: "id", Coordinates: []string{"x", "y"}, Time: "t"})
	require.Equal(t, Header{[]string{"x", "y"}, []string{"", ""}, "t"}, xy)
	degrees := open("a.gpx", gpx, Columns{Coordinates: []string{"lat", "ele"}})
	require.Equal(t, Header{[]string{"lat", "ele"}, []string{"degrees", "meters"}, ""}, degrees)
	require.Equal(t, Header{[]string{"lon", "lat"}, []string{"degrees", "degrees"}, "times"},
		open("a.json", geo, Columns{}))
	yx, timeless := xy, xy
	yx.Coordinates, timeless.Time = []string{"y", "x"}, ""
	require.NoError(t, xy.takes(xy))
	require.NoError(t, timeless.takes(xy), "the order of times is that of the observations")
	for _, c := range []struct {
		wants, given Header
		say          []string
	}{
		{xy, yx, []string{`"y" in place of "x"`, "x, y, in this order"}},
		{xy, Header{[]string{"x", "t"}, xy.Units, "t"}, []string{`coordinate 2 is "t" in place of "y"`}},
		{xy, Header{[]string{"x"}, nil, "t"}, []string{"the coordinates x in place of x, y"}},
		{xy, timeless, []string{`no times in place of "t"`}},
		{xy, Header{xy.Coordinates, xy.Units, "u"}, []string{`"u" in place of "t"`}},
		{degrees, Header{degrees.Coordinates, []string{"radians", "meters"}, ""},
			[]string{`"lat" is in radians in place of degrees`}},
	} {
		for _, say := range c.say {
			require.ErrorContains(t, c.wants.takes(c.given), say)
		}
	}
}

// TestFar: no path that a preparation was found on is far, whatever its distribution; one past twice the
// farthest is, in the units of deviations.
func TestFar(t *testing.T) {
	b := datasets.NewBuilder(2)
	for g := range 5 {
		var points []float64
		for i := range 9 {
			points = append(points, math.Pow(float64(i), float64(g)), 7) // heavy tails, and a constant
		}
		b.AddPath(points, 0)
	}
	b.AddPath([]float64{0, 7, -1e5, 7}, 0)
	b.AddPath([]float64{0, 11, 1, 7}, 0)
	b.AddPath([]float64{0, 9, 1, 7}, 0)
	c, err := b.Collection()
	require.NoError(t, err)
	p, err := prepare(c, []int32{0, 1, 2, 3, 4}, false)
	require.NoError(t, err)
	require.NoError(t, p.check(len(p.Mean)))
	for g := range 5 {
		_, far := p.far(c, g)
		require.Zero(t, far)
	}
	channel, far := p.far(c, 5)
	require.Zero(t, channel)
	require.InDelta(t, (1e5+p.Mean[0])/p.Deviation[0], far, 1e-9)
	channel, far = p.far(c, 6)
	require.Equal(t, 1, channel)
	require.Equal(t, 4.0, far, "a deviation of 1 stands for none")
	_, far = p.far(c, 7)
	require.Zero(t, far)
}

func TestDegrees(t *testing.T) {
	for names, want := range map[string]bool{
		"lon,lat": true, "Latitude,ele,Longitude": true, "x,y": false, "lon,y": false, "c0,c1": false,
	} {
		require.Equal(t, want, Header{Coordinates: strings.Split(names, ",")}.Degrees(), names)
	}
}
