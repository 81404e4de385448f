package series

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

// The same two tracks, a north-going and a date line, in the three formats.
const (
	tableText = "\ufefftrack;when;lon;lat;kind\r\nb;2020-01-01T00:00:02;-179.5;1;east\r\n" +
		"a;2020-01-01T00:01:00Z;10;46;north\r\n" +
		"a;2020-01-01T00:00:00Z;10;45;north\r\nb;2020-01-01T00:00:01Z;179.5;0;\r\n" +
		"c;2020-01-01;0;0;\r\n"
	gpxText = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
 <metadata><name>of the file</name></metadata>
 <wpt lat="1" lon="2"><name>a place</name></wpt>
 <trk><name>b</name><link href="b"><type>text/html</type></link><type>east</type>
  <trkseg><trkpt lat="0" lon="179.5"><ele>5</ele><time>2020-01-01T00:00:01Z</time></trkpt></trkseg>
  <trkseg><trkpt lat="1" lon="-179.5"><time>2020-01-01T00:00:02.5Z</time></trkpt></trkseg>
 </trk>
 <trk><name>a &amp; o</name><type>north</type><link><name>elsewhere</name></link>
  <trkseg><trkpt lat="46" lon="10"><time>2020-01-01T00:01:00Z</time></trkpt>
  <trkpt lat="45" lon="10"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk>
 <rte><name>c</name><rtept lat="0" lon="0"/></rte>
</gpx>`
	geoText = `{"type": "FeatureCollection", "features": [
 {"type": "Feature", "id": " b", "properties": {"kind": "east ", "coordTimes": [["2020-01-01T00:00:01Z"],
  ["2020-01-01T00:00:02.5Z"]]},
  "geometry": {"type": "MultiLineString", "coordinates": [[[179.5, 0, 5]], [[-179.5, 1]]]}},
 {"type": "Feature", "id": 7, "properties": {"kind": "north",
  "coordTimes": ["2020-01-01T00:01:00Z", "2020-01-01T00:00:00Z"]},
  "geometry": {"type": "LineString", "coordinates": [[10, 46], [10, 45]]}},
 {"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": null},
 {"type": "Feature", "geometry": null, "properties": {}},
 {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}, "properties": null}
], "name": "x"}
`
)

var usual = Columns{ID: "track", Coordinates: []string{"lon", "lat"}, Time: "when", Label: "kind"}

// TestFormatsAgree: with labels, and without, when all three tracks count, not all of which have times. To
// predict, all three stay, and those that are left out of a file count in the numbers of the others.
func TestFormatsAgree(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		columns, bare Columns
		ids           []string
	}{
		"a.csv": {tableText, usual, Columns{ID: "TRACK", Coordinates: []string{"lat"}},
			[]string{"b", "a"}},
		"a.gpx":     {gpxText, Columns{Label: "type"}, Columns{}, []string{"b", "a & o"}},
		"a.geojson": {geoText, Columns{Label: "kind"}, Columns{}, []string{"b", "7"}},
	} {
		s := must(OpenTracks(c.columns, write(t, name, c.text)))
		require.Equal(t, c.ids, s.IDs, name)
		require.Equal(t, []string{"east", "north"}, s.Classes, name)
		require.Equal(t, []int32{0, 1}, s.Labels, name)
		require.Equal(t, 1, s.unlabeled, name)
		require.Equal(t, "lon,lat", s.Features, name)
		require.Equal(t, []float64{179.5, 0, 180.5, 1}, s.Points(0), name) // over the date line
		require.Equal(t, []float64{10, 45, 10, 46}, s.Points(1), name)     // in the order of time
		second := 1.5
		if name == "a.csv" {
			second = 1
		}
		require.Equal(t, []float64{0, second, 0, 60}, s.Simplices[0].Cochain, name)
		s = must(OpenTracks(c.columns, "", write(t, name, c.text)))
		require.Equal(t, []string{"east", "north", ""}, s.Classes, name)
		require.Equal(t, []int32{0, 1, 2}, s.Labels, name)
		want := 2
		if name == "a.geojson" {
			want += 2 // a point and a feature without a geometry
		}
		require.Equal(t, want, s.Row(2)[0].Value, name)
		s = must(OpenTracks(c.bare, write(t, name, c.text)))
		require.Equal(t, 3, s.Len(), name)
		require.Equal(t, []string{"0"}, s.Classes)
		require.Nil(t, s.Simplices[0].Cochain, name)
	}
}

// TestSomeTimes: where some observations have no time, no times are kept and they are counted, or an error
// says where if the times are asked for. Tracks that are left out need none.
func TestSomeTimes(t *testing.T) {
	const point, timed = "<trkpt lat='1' lon='2'/>", "<trkpt lat='3' lon='4'><time>2020-01-01</time></trkpt>"
	const feature = `{"type": "Feature", "properties": {"kind": "%s", "when": %s}, "geometry": {"type": ` +
		`"LineString", "coordinates": [[1, 2], [3, 4]]}}` + "\n"
	for _, c := range []struct {
		name, text, time, label, want string
		untimed                       int
	}{
		{"a.gpx", "<gpx>\n<trk><type>a</type>" + timed + "</trk>\n<trk><name>b</name>" + timed + point +
			point + timed + "</trk></gpx>", "time", "type",
			"a.gpx, line 3: 2 of 4 points of the track b have no time", 2},
		{"a.json", fmt.Sprintf(feature+feature, "a", "[1, 2]", "", "null"), "when", "kind",
			`a.json, line 2: 2 of 2 points of the track 1 have no time in "when": add it, or leave`, 2},
		{"a.json", fmt.Sprintf(feature+feature, "a", "null", "", "null"), "when", "",
			`a.json, line 1: 2 of 2 points of the track 0 have no time in "when"`, 0},
	} {
		place := write(t, c.name, strings.ReplaceAll(c.text, `"when"`, `"times"`))
		s := must(OpenTracks(Columns{}, place))
		require.Equal(t, c.untimed, s.untimed)
		require.Empty(t, s.Time)
		require.Nil(t, s.Simplices[0].Cochain)
		place = write(t, c.name, c.text)
		_, err := OpenTracks(Columns{Time: c.time}, place)
		require.ErrorContains(t, err, c.want)
		if c.label != "" {
			s = must(OpenTracks(Columns{Time: c.time, Label: c.label}, place))
			require.Equal(t, c.time, s.Time)
			require.Zero(t, s.untimed)
		}
	}
}

func TestLabelsOfTwoFiles(t *testing.T) {
	columns := Columns{ID: "id", Coordinates: []string{"x"}, Label: "y"}
	train := write(t, "a.csv", "id,x,y\n1,0,10\n1,1,\n2,2,9\n3,,9\n3,5,\n3,,\n3,7,\n")
	test := write(t, "b.csv", "y,id,x\n9,1,4\n11,2,5\n")
	s := must(OpenTracks(columns, train, test))
	require.Equal(t, []string{"9", "10", "11"}, s.Classes) // by number
	require.Equal(t, []int32{1, 0, 0, 0, 2}, s.Labels)
	require.Equal(t, datasets.Fold{Train: []int32{0, 1, 2}, Test: []int32{3, 4}}, s.Split)
	require.Equal(t, []float64{5, 7}, s.Points(2)) // observations of nothing are not there
	columns.Task = datasets.Regression
	s = must(OpenTracks(columns, train, test))
	require.Equal(t, []string{"y"}, s.Tasks)
	require.Equal(t, []float32{10, 9, 9, 9, 11}, s.Targets)
	_, err := OpenTracks(columns, train, write(t, "c.csv", "y,id,x\n9,1,4\nten,2,5\n"))
	require.ErrorContains(t, err, `c.csv, line 3, column "y": the label ten is not a number`)
}

// TestTracksOfOne: tracks of one vessel belong together where vessels are named, and so do their pieces, but
// not tracks without a name, also if they are in one file.
func TestTracksOfOne(t *testing.T) {
	var features []string
	for _, ship := range []string{`"v"`, "null", `"w"`, `"v"`, "null", `"v"`} {
		features = append(features, `{"type": "Feature", "id": 7, "properties": {"ship": `+ship+`, "times": `+
			`[0, 1, 2, 3]}, "geometry": {"type": "LineString", `+
			`"coordinates": [[1, 2], [3, 4], [5, 6], [7, 8]]}}`)
	}
	folder := t.TempDir()
	put(t, folder, map[string]string{"a.json": strings.Join(features[:3], "\n"),
		"b.json": strings.Join(features[3:], "\n")})
	want := []int32{0, 1, 2, 0, 4, 0}
	for _, place := range []string{folder, write(t, "a.json", strings.Join(features, "\n"))} {
		s := must(OpenTracks(Columns{ID: "ship"}, place))
		require.Equal(t, want, s.Groups())
		require.Equal(t, want, must(s.Forecast(1, 2)).Groups())
		s = must(OpenTracks(Columns{}, place))
		require.Nil(t, s.Groups())
	}
}

func TestGapsInTracks(t *testing.T) {
	s := must(OpenTracks(Columns{ID: "id", Coordinates: []string{"x", "y"}, Time: "t"},
		write(t, "a.csv", "id,t,x,y\n1,100,0,0\n1,104,4,NA\n1,101,,8\n1,101,NaN,?\n1,105,5,4\n")))
	require.Equal(t, 2, s.filled)
	require.Equal(t, []float64{0, 0, 1, 8, 4, 5, 5, 4}, s.Points(0)) // linear in time
	require.Equal(t, []float64{0, 1, 4, 5}, s.Simplices[0].Cochain)
}

func TestFaultsOfTracks(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.csv", "", "a.csv is empty"},
		{"a.csv", "track,when,lon,lat,kind\n", "a.csv: no series"},
		{"a.csv", "track,lon,lat,kind\n", `a.csv, line 1: no column is called "when"`},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2\n", "a.csv, line 2: the row has 3 of 5 fields"},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2,3,a,b\n", "a.csv, line 2: the row has 6 fields under 5"},
		{"a.csv", "track,when,lon,lat,kind\n,1,2,3,a\n", `line 2: column "track": empty`},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2,b,a\n", `line 2: column "lat": "b" is not a finite number`},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2,1e39,a\n",
			`line 2: column "lat": "1e39" is not a finite number that 32`},
		{"a.csv", "track,when,lon,lat,kind\n1,noon,2,3,a\n", `line 2: column "when": "noon" is neither`},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2,3,a\n1,,2,3,a\n", `line 3: column "when": no time`},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2,3,a\n1,2,2,3,b\n",
			`line 3: column "kind": the track 1 is b here, but a before`},
		{"a.csv", "track,when,lon,lat,kind\n1,1,2,3,\n", `a.csv: no track has a label in "kind"`},
		{"a.gpx", "", "a.gpx: no series"},
		{"a.gpx", "<kml></kml>", "a.gpx, line 1: <kml> instead of <gpx>"},
		{"a.gpx", "<gpx>\n<trk>\n<trkpt lat=\"1\"/></trk></gpx>", "a.gpx, line 3: a point without lon"},
		{"a.gpx", "<gpx>\n<trk>\n<trkpt lat=\"x\" lon=\"1\"/></trk></gpx>", `a.gpx, line 3: lat: "x" is not`},
		{"a.gpx", "<gpx>\n<trk>\n<trkpt lat=\"1\" lon=\"1\"><time>x</time></trkpt></trk></gpx>",
			`line 3: time: "x"`},
		{"a.gpx", "<gpx>\n<trk>\n<trkpt lat=\"1\" lon=\"1\"/>", "a.gpx, line 3: "},
		{"a.gpx", "<gpx>\n<trk>\n</gpx>", "a.gpx, line 3: no XML: element <trk> closed by </gpx>"},
		{"a.gpx", "<gpx>\n<trk><trk>", "a.gpx, line 2: <trk> within another track"},
		{"a.gpx", "<?xml version='1.0' encoding='ISO-8859-1'?><gpx/>",
			`the encoding "iso-8859-1" is not read: save the file as UTF-8`},
		{"a.gpx", "<gpx>\n<trkpt>", "a.gpx, line 2: <trkpt> outside of a track"},
		{"a.json", "", "a.json: no series"},
		{"a.json", "\n[1]", "a.json, line 2 or after: not GeoJSON"},
		{"a.json", "{\"features\": [\n{\"type\": \"LineString\",\n\"coordinates\": [[1, 2], [1]]}]}",
			"a.json, line 2: position 1: 1 of two numbers"},
		{"a.json", "{\"type\": \"LineString\", \"coordinates\": [[1, 2], [], [3, 4]]}",
			"a.json, line 1: position 1: 0 of two numbers"},
		{"a.json", "{\"type\": \"MultiLineString\", \"coordinates\": [[], [[1, 2], []]]}",
			"a.json, line 1: position 1: 0 of two numbers"},
		{"a.json", "{\"features\": [\n{\"type\": \"LineString\",\n\"coordinates\": [[1, \"a\"]]}]}",
			`a.json, line 2: position 0: "\"a\"" is not a finite number`},
		{"a.json", "{\"features\": [\n\n{\"type\":\n 3}]}", "a.json, line 3: a number where"},
		{"a.json", "{\"features\": [\n\n{\"type\":\n",
			"a.json, line 3: the file ends within what begins here"},
		{"a.json", `{"type": "LineString", "coordinates": [[1, 2]], "properties": {"times": [1, 2]}}`,
			`a.json, line 1: 2 times in "times" for 1 positions`},
	} {
		columns := Columns{}
		if c.name == "a.csv" {
			columns = usual
		}
		_, err := OpenTracks(columns, write(t, c.name, c.text))
		require.ErrorContains(t, err, c.want, "%q", c.text)
	}
	_, err := OpenTracks(Columns{}, write(t, "a.csv", tableText))
	require.ErrorContains(t, err, "name the column")
	_, err = OpenTracks(Columns{Coordinates: []string{"speed"}}, write(t, "a.json", geoText))
	require.ErrorContains(t, err, `no coordinate "speed"`)
}

// TestHeaders: readers name columns, units and times; another order, name, unit or number of columns, and
// times that are missing or others are told with both names.
func TestHeaders(t *testing.T) {
	const table = "id,x,y,t,k\na,1,2,0,p\na,2,3,1,p\nb,1,2,0,q\nb,2,3,1,q\n"
	const gpx = "<gpx><trk><trkpt lon='1' lat='0'><ele>5</ele></trkpt></trk></gpx>"
	const geo = `{"type":"Feature","properties":{"times":[0,1]},"geometry":{"type":"LineString",` +
		`"coordinates":[[1,2,3],[2,3,4]]}}`
	open := func(name, text string, columns Columns) Header {
		return must(OpenTracks(columns, write(t, name, text))).Header
	}
	xy := open("a.csv", table, Columns{ID: "id", Coordinates: []string{"x", "y"}, Time: "t"})
	require.Equal(t, Header{[]string{"x", "y"}, []string{"", ""}, "t", false, nil}, xy)
	degrees := open("a.gpx", gpx, Columns{Coordinates: []string{"lat", "ele"}})
	require.Equal(t, Header{[]string{"lat", "ele"}, []string{"degrees", "meters"}, "", false, nil}, degrees)
	require.Equal(t, Header{[]string{"lon", "lat"}, []string{"degrees", "degrees"}, "times", false, nil},
		open("a.json", geo, Columns{}))
	dated := open("a.csv", "id,x,y,t\na,1,2,2026-01-01\na,2,3,2026-01-02\n",
		Columns{ID: "id", Coordinates: []string{"x", "y"}, Time: "t"})
	yx, timeless := xy, xy
	yx.Coordinates, timeless.Time = []string{"y", "x"}, ""
	require.NoError(t, xy.takes(xy))
	require.NoError(t, timeless.takes(xy), "the order of times is that of the observations")
	for _, c := range []struct {
		wants, given Header
		say          []string
	}{
		{xy, yx, []string{`"y" in place of "x"`, "x, y, in this order"}},
		{xy, dated, []string{"the times are dates in place of numbers"}},
		{dated, xy, []string{"the times are numbers in place of dates"}},
		{xy, Header{[]string{"x", "t"}, xy.Units, "t", false, nil},
			[]string{`coordinate 2 is "t" in place of "y"`}},
		{xy, Header{[]string{"x"}, nil, "t", false, nil}, []string{"the coordinates x in place of x, y"}},
		{xy, timeless, []string{`no times in place of "t"`}},
		{xy, Header{xy.Coordinates, xy.Units, "u", false, nil}, []string{`"u" in place of "t"`}},
		{degrees, Header{degrees.Coordinates, []string{"radians", "meters"}, "", false, nil},
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
	c := must(b.Collection())
	p := prepare(c, []int32{0, 1, 2, 3, 4}, false, 0, nil)
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

// TestDegrees: coordinates are in degrees by their units or names, unless a name is that of others. Degrees
// that are none are an error where they are told, and where a model was trained on degrees.
func TestDegrees(t *testing.T) {
	read := func(names string, columns Columns, lon, lat float64) (*Set, error) {
		columns.ID, columns.Coordinates = "id", strings.Split(names, ",")
		return OpenTracks(columns, write(t, "a.csv", fmt.Sprintf("id,%s\n1,%g,%g\n1,3,4\n", names, lon, lat)))
	}
	told := Columns{Longitude: "a", Latitude: "b"}
	for names, want := range map[string]bool{
		"lon,lat": true, "LONG,Latitude": true, "x,y": false, "lon,y": false, "c0,c1": false, "a,b": true,
	} {
		require.Equal(t, want, must(read(names, told, 1, 2)).Degrees(), names)
	}
	s := must(read("lat,lon", Columns{Longitude: "lon", Latitude: "lat"}, 1, 2))
	require.True(t, s.Degrees(), "names tell more than the order")
	for _, columns := range []Columns{
		{Coordinates: []string{"b", "a"}, Longitude: "a", Latitude: "b"},
		{Coordinates: []string{"lon", "lat", "a", "b"}, Longitude: "a", Latitude: "b"},
		{Coordinates: []string{"a", "b"}, Longitude: "a", Latitude: "a"},
	} {
		columns.ID = "id"
		_, err := OpenTracks(columns, write(t, "a.csv", "id,a,b,lon,lat\n1,1,2,3,4\n"))
		require.ErrorContains(t, err, `a.csv: the longitude is "a" and the latitude "`+columns.Latitude)
		require.ErrorContains(t, err, "give the longitude before the latitude")
	}
	good := must(read("lon,lat", Columns{}, 1, 2))
	meters := must(read("lon,lat", Columns{}, 1, 2000))
	require.False(t, meters.Degrees())
	for _, features := range []string{"number", "integrals"} {
		e := must(good.Encoder(features))
		_, err := e.Encode(meters)
		require.ErrorContains(t, err, "path 0: the latitude 2000 is beyond 90 degrees")
		e = must(meters.Encoder(features))
		must(e.Encode(good))
	}
}
