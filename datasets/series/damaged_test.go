package series

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets/internal/heap"
)

const tsText = "# a comment\n@problemName Waves\n@timeStamps false\n@missing true\n@univariate false\n" +
	"@dimensions 2\n@equalLength false\n@classLabel true up down\n@data\n" +
	"1,2.5,-3e0:4,?,6:down\n7,8:9,10:up\n" +
	"0.1,0.2,0.3,0.4:1,2,NaN,4:up\n"

// sound are files that can be read, by the ending of their names.
var sound = []struct {
	ending, text string
	columns      Columns
}{
	{".ts", tsText, Columns{}}, {".csv", tableText, usual},
	{".gpx", gpxText, Columns{Label: "type"}}, {".geojson", geoText, Columns{Label: "kind"}},
}

// open reads a file in any of the formats.
func open(name string, columns Columns) (*Set, error) {
	if filepath.Ext(name) == ".ts" {
		return OpenTS(name)
	}
	return OpenTracks(columns, name)
}

// TestMemory: a file takes a few times its bytes, whatever the lengths of its lines. The bounds are about 1.5
// times what was measured: the collector runs when it will.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files of 8 MB")
	}
	const size = 8 << 20
	repeat := func(head, text, tail string) string {
		return head + strings.Repeat(text, (size-len(head))/len(text)) + tail
	}
	const head, point = "track,when,lon,lat,kind\n", "<trkpt lat='12.5' lon='3.25'/>\n"
	for name, c := range map[string]struct {
		file, text string
		times      uint64
	}{
		// A path takes about 150 bytes beside its values, which counts where it has three of them.
		"short":      {"a.ts", repeat("@data\n", "0.12345,0.34567,0.45678\n", ""), 24},
		"series":     {"a.ts", repeat("@data\n", strings.Repeat("0.12345,", 50)+"1\n", ""), 10},
		"one line":   {"a.ts", repeat("@data\n", "0.12345,", "1\n"), 10},
		"one word":   {"a.ts", repeat("@data\n", "1234567890", "\n"), 6},
		"table":      {"a.csv", repeat(head, "12,100.25,0.123,0.456,a\n", ""), 8},
		"tracks":     {"a.csv", repeat(head, "a,1,2,3,4\nb,1,2,3,5\n", ""), 16},
		"one field":  {"a.csv", repeat(head, "\"aaaaaaaaa", "\n"), 6},
		"gpx":        {"a.gpx", repeat("<gpx><trk>", point, "</trk></gpx>"), 6},
		"one text":   {"a.gpx", repeat("<gpx><trk><name>", "aaaaaaaaaa", "</name></trk></gpx>"), 6},
		"nested":     {"a.gpx", repeat("<gpx>", "<trkseg>", ""), 6},
		"geojson":    {"a.json", repeat(`{"features": [`, geoFeature, `{}]}`), 8},
		"one object": {"a.json", repeat(geoLine, "[12.25, 13.5],", `[1, 2]]}`), 16},
		"brackets":   {"a.json", repeat(geoLine, "[[[[[[[[", ``), 6},
	} {
		columns := Columns{}
		if c.file == "a.csv" {
			columns = usual
		}
		path := write(t, c.file, c.text)
		grown := heap.Peak(func() { _, _ = open(path, columns) })
		t.Logf("%s: %.1f times the file", name, float64(grown)/size)
		require.Less(t, grown, c.times*size, name)
	}
}

const (
	geoLine    = `{"type": "LineString", "coordinates": [`
	geoFeature = `{"type": "Feature", "geometry": ` + geoLine + `[1.25, 2.5], [3.75, 4.25]]}},` + "\n"
)

// fuzz fuzzes a format, from files that can be read.
func fuzz(f *testing.F, ending string) {
	var columns Columns
	for _, c := range sound {
		if c.ending == ending {
			columns = c.columns
			f.Add([]byte(c.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := open(write(t, "a"+ending, string(text)), columns)
		if err != nil {
			require.Contains(t, err.Error(), "a"+ending)
			return
		}
		require.NoError(t, s.Validate())
	})
}

func FuzzTS(f *testing.F)      { fuzz(f, ".ts") }
func FuzzTable(f *testing.F)   { fuzz(f, ".csv") }
func FuzzGPX(f *testing.F)     { fuzz(f, ".gpx") }
func FuzzGeoJSON(f *testing.F) { fuzz(f, ".geojson") }
