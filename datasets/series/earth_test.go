package series

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// line returns a feature with a line of these positions.
func line(positions string) string {
	return `{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [` +
		positions + `]}}`
}

// collection returns a collection of features, a line each.
func collection(features ...string) string {
	return "{\"type\": \"FeatureCollection\",\n\"features\": [\n" + strings.Join(features, ",\n") + "]}"
}

// TestNoPlace: degrees that no place on the Earth has are errors with the line, in all formats.
func TestNoPlace(t *testing.T) {
	for place, want := range map[string]string{
		"[0, 95]": "the latitude 95 is beyond 90", "[0, -90.01]": "the latitude -90.01 is beyond 90",
		"[500, 0]": "the longitude 500 is beyond 360", "[1e9, 1e9]": "is beyond",
	} {
		_, err := OpenTracks(Columns{}, write(t, "a.json", collection(line("[0, 0]"), line("[1, 1],"+place))))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "a.json, line 4: position 1: ")
		lon, lat, _ := strings.Cut(strings.Trim(place, "[]"), ", ")
		_, err = OpenTracks(Columns{}, write(t, "a.gpx", fmt.Sprintf("<gpx><trk>\n<trkpt lon='%s' lat='%s'/>"+
			"</trk></gpx>", lon, lat)))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "a.gpx, line 2: ")
		_, err = OpenTracks(Columns{ID: "id", Coordinates: []string{"a", "b"}, Longitude: "a", Latitude: "b"},
			write(t, "a.csv", "id,a,b\n1,"+lon+","+lat+"\n"))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "a.csv, line 2: ")
	}
}

// TestDateLine: a track that crosses the date line runs on, however its longitudes are counted, also where
// RFC 7946 has it cut in two; such tracks are counted.
func TestDateLine(t *testing.T) {
	for content, want := range map[string][]float64{
		line("[179.5, 0], [-179.5, 1]"):            {179.5, 0, 180.5, 1},
		line("[-179.5, 0], [179.5, 1]"):            {-179.5, 0, -180.5, 1},
		line("[359.5, 0], [0.5, 1]"):               {359.5, 0, 360.5, 1},
		line("[179.5, 0], [180.5, 1], [-179, 2]"):  {179.5, 0, 180.5, 1, 181, 2},
		line("[179.5, 0], [null, 0], [-179.5, 1]"): {179.5, 0, 180, 0, 180.5, 1},
		`{"type": "MultiLineString", "coordinates": [[[179, 0], [180, 0]], [[-180, 0], [-179, 0]]]}`: {
			179, 0, 180, 0, 180, 0, 181, 0},
	} {
		s, err := OpenTracks(Columns{}, write(t, "a.json", content))
		require.NoError(t, err, content)
		require.Equal(t, want, s.Points(0), content)
		require.Equal(t, 1, s.crossing, content)
	}
	// In tables, by units or names, counted from -180 or from 0; what is missing is on the shorter way.
	for _, c := range []Columns{
		{Coordinates: []string{"lon", "lat"}}, {Coordinates: []string{"Longitude", "latitude"}},
		{Coordinates: []string{"x", "y"}, Longitude: "x", Latitude: "y"},
	} {
		c.ID = "id"
		for _, ends := range [][2]float64{{179.5, -179.5}, {359.5, 0.5}} {
			s := must(OpenTracks(c, write(t, "a.csv", fmt.Sprintf("id,%s\n1,%g,0\n1,,0\n1,%g,0\n",
				strings.Join(c.Coordinates, ","), ends[0], ends[1]))))
			require.Equal(t, []float64{ends[0], ends[0] + 0.5, ends[0] + 1}, pick(s.track(0), 0), c)
			require.Equal(t, 1, s.crossing, c)
		}
	}
	apart := collection(line("[170, 0], [175, 0]"), line("[-170, 0]"))
	s := must(OpenTracks(Columns{}, write(t, "a.json", apart)))
	require.Zero(t, s.crossing) // two tracks, and neither crosses
}

// TestOtherGeoJSON: features without a line are counted, and what is no GeoJSON of longitudes and latitudes
// is an error.
func TestOtherGeoJSON(t *testing.T) {
	s := must(OpenTracks(Columns{}, write(t, "a.json", collection(line("[0, 0], [1, 1]"),
		`{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`,
		`{"type": "Feature", "properties": {}, "geometry": null}`, line(""), line("[2, 2], [3, 3]"),
		`{"properties": {}, "type": "Feature", "geometry": {"coordinates": [[[0, 0], [1, 0], [0, 0]]], `+
			`"type": "Polygon"}}`))))
	require.Equal(t, 2, s.Len())
	require.Equal(t, 4, s.skipped)
	s = must(OpenTracks(Columns{}, write(t, "a.gpx", "<gpx><trk/><trk><trkpt lat='1' lon='2'/></trk></gpx>")))
	require.Equal(t, 1, s.skipped)
	const crs = `{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "%s"}}, ` +
		`"features": [%s]}`
	for _, name := range []string{
		"urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326",
	} {
		_, err := OpenTracks(Columns{}, write(t, "a.json", fmt.Sprintf(crs, name, line("[0, 0]"))))
		require.NoError(t, err, name)
	}
	for content, want := range map[string]string{
		fmt.Sprintf(crs, "EPSG:3857", line("[0, 0]")):  "the crs is",
		fmt.Sprintf(crs, "EPSG:43260", line("[0, 0]")): "the crs is",

		`{"type": "Topology", "features": []}`:          `"Topology" is not a type of GeoJSON`,
		`{"type": "FeatureCollection"}`:                 "a FeatureCollection without features",
		`{"type": "FeatureCollection", "features": {}}`: "the features are no list",
		collection(`{"coordinates": [[0, 0]]}`):         "line 3: an object without a type",
		collection(`7`):                                 "line 3: a number where something else",
		collection(line("[0, 0x10]")):                   "line",
	} {
		_, err := OpenTracks(Columns{}, write(t, "a.json", content))
		require.ErrorContains(t, err, want, content)
	}
	for _, content := range []string{"5", "{}", "[0, 0]", "[[[0, 0]]]", "[[[[[0, 0]]]]]",
		"[[0, 0], [[1, 1]]]", "[[0, 0, [1]]]"} {
		content = fmt.Sprintf(`{"type": "LineString", "coordinates": %s}`, content)
		_, err := OpenTracks(Columns{}, write(t, "a.json", content))
		require.ErrorContains(t, err, "the coordinates are not a list of positions", content)
		require.NotContains(t, err.Error(), "[]", content)
		require.NotContains(t, err.Error(), "float64", content)
	}
}

// TestMixedTimes: times are all numbers or all dates, in a file and among files.
func TestMixedTimes(t *testing.T) {
	const numbers, dates = "[1, 2]", `["2020-01-01T00:00:00Z", "2020-01-02"]`
	timed := func(times string) string {
		return strings.Replace(line("[0, 0], [1, 1]"), "{}", `{"times": `+times+"}", 1)
	}
	for _, content := range []string{
		collection(timed(numbers), timed(dates)), collection(timed(`[1, "2020-01-01"]`)),
	} {
		_, err := OpenTracks(Columns{}, write(t, "a.json", content))
		require.ErrorContains(t, err, "is a date, but the times before are numbers")
	}
	_, err := OpenTracks(Columns{}, write(t, "a.json", timed(dates)), write(t, "b.json", timed(numbers)))
	require.ErrorContains(t, err, `b.json, line 1: time 0 in "times": "1" is a number, but the times before`)
	_, err = OpenTracks(usual, write(t, "a.csv", "track,when,lon,lat,kind\n1,1,2,3,a\n1,2020-01-01,2,3,a\n"))
	require.ErrorContains(t, err, `a.csv, line 3: column "when": "2020-01-01" is a date`)
}
