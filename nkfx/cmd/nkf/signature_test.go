package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readCSV returns the rows of a text in CSV as maps from the names of columns.
func readCSV(t *testing.T, text string) (head []string, rows []map[string]string) {
	t.Helper()
	all := sure(csv.NewReader(strings.NewReader(text)).ReadAll())
	for _, fields := range all[1:] {
		row := map[string]string{}
		for i, field := range fields {
			row[all[0][i]] = field
		}
		require.Len(t, row, len(all[0]), "names of columns are different")
		rows = append(rows, row)
	}
	return all[0], rows
}

// twoTracks are a corner, with a gap at its middle, and a point without a label.
const twoTracks = "id,t,x,y,kind\na,0,0,0,\"up, left\"\nb,0,3,4,\na,3,1,1,\na,2,1,,\na,1,1,0,\n"

// TestSignature: words of a corner, whose integrals are known, and of a point, where they are zero.
func TestSignature(t *testing.T) {
	workshop(t)
	put(t, "a.csv", twoTracks)
	for flags, want := range map[string]string{
		"--depth 2": "path,id,x,y,x.x,x.y,y.x,y.y\n" +
			"0,a,1,1,0.5,1,0,0.5\n1,b,0,0,0,0,0,0\n",
		"--depth 2 --log": "path,id,x,y,x.y\n0,a,1,1,0.5\n1,b,0,0,0\n",
		"--depth 1 --time": "path,id,x,y,t\n" +
			"0,a,1,1,3\n1,b,0,0,0\n",
		"--depth 1 --basepoint": "path,id,x,y\n0,a,1,1\n1,b,3,4\n",
		"--depth 2 --log --lead-lag": "path,id,x,y,lag_x,lag_y,x.y,x.lag_x,x.lag_y,y.lag_x,y.lag_y," +
			"lag_x.lag_y\n0,a,1,1,1,1,0.5,0.5,0.5,-0.5,0.25,0.5\n1,b" + strings.Repeat(",0", 10) + "\n",
		"--depth 1 --label kind": "path,id,kind,x,y\n0,a,\"up, left\",1,1\n1,b,,0,0\n",
	} {
		stdout, _ := done(t, "signature --csv a.csv --id id --x x --y y --t t "+flags)
		require.Equal(t, want, stdout, flags)
	}
}

// TestTimesLikeDates: numbers that may be dates are told.
func TestTimesLikeDates(t *testing.T) {
	workshop(t)
	put(t, "a.csv", "id,t,x\na,20240131,0\na,20240201,1\n")
	stdout, stderr := done(t, "signature --csv a.csv --id id --x x --t t --depth 1 --time")
	require.Contains(t, stdout, "\n0,a,1,70\n")
	require.Contains(t, stderr, "times look like dates, but are read as numbers")
}

// TestSignatureOfManyPaths: several batches of time series of unequal lengths, east and then north. What the
// words xy and yx differ by is the area of the rectangle, twice that between path and chord; times run from 0
// to 1.
func TestSignatureOfManyPaths(t *testing.T) {
	workshop(t)
	const count = maxPaths + 40
	text, areas := "@univariate false\n@classLabel true a b\n@data\n", make([]float64, count)
	for g := range count {
		east, north, steps := float64(g%5), float64(g%3), 1+g%7
		areas[g] = east * north
		var x, y []string
		for i := range 2*steps + 1 {
			x = append(x, fmt.Sprint(1+east*float64(min(i, steps))/float64(steps)))
			y = append(y, fmt.Sprint(north*float64(max(0, i-steps))/float64(steps)))
		}
		text += fmt.Sprintf("%s:%s:%s\n", strings.Join(x, ","), strings.Join(y, ","), []string{"a", "b"}[g%2])
	}
	put(t, "a.ts", text)
	stdout, _ := done(t, "signature --ts a.ts --depth 2 --time")
	head, rows := readCSV(t, stdout)
	require.Equal(t, []string{"path", "class", "c0", "c1", "time", "c0.c0", "c0.c1"}, head[:7])
	require.Len(t, rows, count)
	number := func(text string) float64 { return sure(strconv.ParseFloat(text, 64)) }
	for g, row := range rows {
		require.Equal(t, strconv.Itoa(g), row["path"])
		require.Equal(t, []string{"a", "b"}[g%2], row["class"])
		require.Equal(t, "1", row["time"])
		// Coordinates are kept in 32 bits.
		require.InDelta(t, areas[g], number(row["c0.c1"])-number(row["c1.c0"]), 1e-5, g)
	}
}

// TestSignatureRefuses: what cannot be is a sentence.
func TestSignatureRefuses(t *testing.T) {
	workshop(t)
	put(t, "a.csv", twoTracks)
	put(t, "b.csv", "path,x,x.x\n1,0,0\n1,1,1\n")
	const a = "signature --csv a.csv --id id --x x --y y"
	for line, want := range map[string]string{
		a + " --depth 30":                                   "2 coordinates have more than 131072 words",
		"signature --csv a.csv --id id":                     "a.csv: a table needs --id, and --x",
		"signature --csv b.csv --id path --x x":             `two columns would be called "path"`,
		"signature --csv b.csv --id path --coordinates x,z": `b.csv, line 1: no column is called "z"`,
		"signature --csv absent.csv --id path --x x":        "absent.csv: no such file",
	} {
		code, stdout, stderr := nkf(line)
		require.NotEqual(t, exitDone, code, line)
		require.NotContains(t, stdout, "1", line)
		require.Contains(t, stderr, want, line)
	}
	put(t, "b.csv", "id,x,x.x\n1,0,0\n1,1,1\n")
	fails(t, `two columns would be called "x.x": give those of the file other names`,
		"signature --csv b.csv --id id --coordinates x,x.x")
}

// TestSignatureAway: a loop of 20 by 40 cm has the same words at the origin, in UTM and, in degrees, at the
// longitude 151, to the digits that 64 bits leave there; what was made of places is said.
func TestSignatureAway(t *testing.T) {
	workshop(t)
	table, lines := "id,x,y\n", []string{`{"type": "Feature", "geometry": null, "properties": {}}`}
	const degree = 111_320.0 // meters
	for g, origin := range [][2]float64{{0, 0}, {500_000, 1e7}} {
		var positions []string
		for i := range 17 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 8)
			x, y := 0.1*cos, 0.2*sin
			table += fmt.Sprintf("%d,%.6f,%.6f\n", g, origin[0]+x, origin[1]+y)
			at := float64(151 * g)
			positions = append(positions, fmt.Sprintf("[%.12f, %.12f]", at+x/degree, y/degree))
		}
		lines = append(lines, `{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", `+
			`"coordinates": [`+strings.Join(positions, ",")+"]}}")
	}
	places := `{"type": "FeatureCollection", "features": [` + strings.Join(lines, ",") + "]}"
	put(t, "a.csv", table)
	put(t, "a.json", places)
	for flags, area := range map[string]float64{
		"--tracks a.csv --id id --x x --y y": 1, "--tracks a.json": 1 / (degree * degree),
	} {
		stdout, stderr := done(t, "signature --depth 2 --log "+flags)
		head, rows := readCSV(t, stdout)
		for _, row := range rows {
			got := sure(strconv.ParseFloat(row[head[len(head)-1]], 64))
			// 16 chords of the ellipse, with semiaxes 0.1 and 0.2 m. At 1e7 m the last bit is 2e-9 m, and six
			// decimals lose up to 5e-7 m: 1e-5 of the area.
			require.InEpsilon(t, 0.1*0.2*8*math.Sin(math.Pi/8)*area, got, 1e-4, stdout)
		}
		says := strings.Contains(flags, "json")
		require.Equal(t, says, strings.Contains(stderr, "are taken for coordinates of a plane"), stderr)
		require.Equal(t, says, strings.Contains(stderr, "1 feature or track without a line left out"), stderr)
		require.Equal(t, map[bool]string{true: "1", false: "0"}[says], rows[0]["path"], "as in the file")
	}
}

// TestNothingOrAll: what fails on a late row has written none, to standard output or to a pipe, which would
// look complete, and has left no temporary file.
func TestNothingOrAll(t *testing.T) {
	workshop(t)
	t.Setenv("TMPDIR", t.TempDir())
	tracks := "id,x,y\n"
	for g := range 600 { // in several batches, the last of which overflows
		tracks += fmt.Sprintf("%d,0,0\n%d,%d,1\n", g, g, g)
	}
	tracks += "600,0,0\n600,1e38,-1e38\n600,-1e38,1e38\n"
	put(t, "tracks.csv", tracks)
	fails(t, "path 600: the word ", "signature --tracks tracks.csv --id id --x x --y y --depth 12")
	requireFiles(t, os.Getenv("TMPDIR"))
}
