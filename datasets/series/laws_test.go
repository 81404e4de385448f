package series

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
)

// files are a track of three points in every format, with coordinates in which a format has freedom: degrees
// are not shifted by 1e7, elevations are.
var files = map[string]string{
	"a.csv": "id,x,y\n0,%[1]v,%[2]v\n0,%[3]v,%[4]v\n0,%[5]v,%[6]v\n",
	"a.ts":  "@dimensions 2\n@data\n%[1]v,%[3]v,%[5]v:%[2]v,%[4]v,%[6]v\n",
	"a.gpx": "<?xml version='1.0' encoding='utf-8'?>\n<gpx><trk>\n" + point("%[1]v", "%[2]v") +
		point("%[3]v", "%[4]v") + point("%[5]v", "%[6]v") + "</trk></gpx>",
	"a.geojson": collection(line("[1, 2, %[1]v, %[2]v], [1, 2, %[3]v, %[4]v], [1, 2, %[5]v, %[6]v]")),
}

// written returns a file of a track about (at, -at), whose steps 64 bits hold exactly wherever that is.
func written(name string, at float64) string {
	return fmt.Sprintf(files[name], at, -at, at+0.75, 0.5-at, at-0.25, -1.125-at)
}

// asked are the columns of the coordinates of files.
var asked = map[string]Columns{
	"a.csv": {ID: "id", Coordinates: []string{"x", "y"}}, "a.gpx": {Coordinates: []string{"ele", "depth"}},
	"a.geojson": {Coordinates: []string{"ele", "m"}},
}

// TestShift: of tracks that are shifted by 1e7, differences of the coordinates are the same numbers, and what
// networks are given is the same.
func TestShift(t *testing.T) {
	for name := range files {
		var sets [2]*Set
		for i, shift := range []float64{0, 1e7} {
			sets[i] = must(open(write(t, name, written(name, shift)), asked[name]))
		}
		near, far := sets[0].Points(0), sets[1].Points(0)
		require.Len(t, near, 6)
		for i := 2; i < len(near); i++ {
			require.InDelta(t, near[i]-near[i-2], far[i]-far[i-2], 0, name) // all are exact
		}
		var inputs [2][]float64
		for i, s := range sets {
			p := prepare(s.Collection, s.Split.Train, false, 0, nil)
			inputs[i] = must(encoder{preparation: *p}.all(s.Collection)).Vertices
		}
		// The mean is rounded by half of 2^-29, the last bit of 1e7, and so is the sum for it now and then;
		// the deviation is above 0.1.
		require.InDeltaSlice(t, inputs[0], inputs[1], 1e-7, name)
	}
}

// TestOtherEncodings: every format is read alike in UTF-16, packed and with other ends of lines; a text in
// Windows-1252 is an error with the line.
func TestOtherEncodings(t *testing.T) {
	for name := range files {
		content := written(name, 0)
		want := must(open(write(t, name, content), asked[name]))
		utf16 := must(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(
			strings.ReplaceAll(content, "\n", "\r\n")))
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		must(z.Write([]byte(utf16)))
		require.NoError(t, z.Close())
		for _, file := range []string{utf16, packed.String()} { // the content says whether it is packed
			got := must(open(write(t, name+".gz", file), asked[name]))
			require.Equal(t, want.Vertices, got.Vertices, name)
			require.Equal(t, want.Name, got.Name)
		}
	}
	for name, content := range map[string]string{
		"a.csv": "id,x,y\ncaf\xe9,1,2\n", "a.ts": "@data\n# caf\xe9\n1,2\n",
		"a.geojson": "{\"type\": \"LineString\",\n\"id\": \"caf\xe9\", \"coordinates\": [[1, 2]]}",
	} {
		_, err := open(write(t, name, content), asked[name])
		require.ErrorContains(t, err, name+", line 2: the text is not in UTF-8, but perhaps in Windows-1252")
	}
	_, err := open(write(t, "a.gpx", "<gpx><trk>\n<name>caf\xe9</name></trk></gpx>"), Columns{})
	require.ErrorContains(t, err, "a.gpx, line 2: no XML: invalid UTF-8")
	said := must(open(write(t, "b.csv", "sep=|\nid|x|y\n1|2|3\n"), asked["a.csv"]))
	require.Equal(t, []float64{2, 3}, said.Vertices)
}

// TestOtherWords: a word for what is missing is a gap in every format, and Go's own spellings are no numbers.
func TestOtherWords(t *testing.T) {
	for name, content := range map[string]string{
		"a.csv":     "id,x,y\n0,1,2\n0,%s,3\n0,5,4\n",
		"a.ts":      "@data\n1,%s,5:2,3,4\n",
		"a.gpx":     "<gpx><trk>" + point("1", "2") + point("%s", "3") + point("5", "4") + "</trk></gpx>",
		"a.geojson": line("[0, 0, 1, 2], [0, 0, %s, 3], [0, 0, 5, 4]"),
	} {
		s := must(open(write(t, name, strings.ReplaceAll(content, "%s", "null")), asked[name]))
		require.Equal(t, []float64{1, 2, 3, 3, 5, 4}, s.Vertices, name)
		require.Equal(t, 1, s.filled)
		_, err := open(write(t, name, strings.ReplaceAll(content, "%s", "0x10")), asked[name])
		require.Error(t, err, name)
	}
}

// point returns a point of GPX.
func point(elevation, depth string) string {
	return "<trkpt lat='0' lon='0'><ele>" + elevation + "</ele><depth>" + depth + "</depth></trkpt>"
}
