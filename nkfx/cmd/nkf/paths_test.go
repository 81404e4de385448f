package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/models"
)

// circles returns paths around the origin, left and right in turn, from every start and of several lengths,
// as a table of tracks and in the .ts format.
func circles(count int) (table, ts string) {
	var rows, lines strings.Builder
	rows.WriteString("track,lon,lat,way\n")
	lines.WriteString("@problemName circles\n@univariate false\n@equalLength false\n" +
		"@classLabel true left right\n@data\n")
	for g := range count {
		way, sign := "left", 1.0
		if g%2 == 1 {
			way, sign = "right", -1
		}
		var x, y []string
		for i := range 9 + g%4 {
			sin, cos := math.Sincos(sign*float64(i)/2 + float64(g))
			x, y = append(x, fmt.Sprintf("%.4f", cos)), append(y, fmt.Sprintf("%.4f", sin))
			fmt.Fprintf(&rows, "t%d,%.4f,%.4f,%s\n", g, cos, sin, way)
		}
		fmt.Fprintf(&lines, "%s:%s:%s\n", strings.Join(x, ","), strings.Join(y, ","), way)
	}
	return rows.String(), lines.String()
}

// TestTrainOnPaths: models of tracks and of time series are trained, saved and asked, of series with a label
// and without.
func TestTrainOnPaths(t *testing.T) {
	workshop(t)
	table, ts := circles(24)
	put(t, "a.csv", table)
	put(t, "a.ts", ts)
	for _, model := range []string{"path-small --epochs 1", "signature-ridge"} {
		const tracks = " --label way --id track --x lon --y lat --tracks a.csv"
		for _, data := range []string{tracks, " --ts a.ts"} {
			done(t, "train --folds 2 --workers 1 --out . --name m --model "+model+data)
			stdout, stderr := done(t, "predict --model models/m"+data)
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			require.Len(t, lines, 1+24, stdout)
			right := 0
			for i, line := range lines[1:] {
				if strings.Contains(line, []string{"\tleft\t", "\tright\t"}[i%2]) {
					right++
				}
			}
			require.Contains(t, stderr, fmt.Sprintf("%d of 24 paths with a label are right", right))
			if model == "signature-ridge" {
				require.Equal(t, 24, right, "the area is left or right")
			}
			require.NoError(t, os.RemoveAll("models"))
		}
	}
	done(t, "train --ts a.ts --test a.ts --model path-small --epochs 1 --out . --name m")
	put(t, "new.ts", strings.ReplaceAll(ts, ":right\n", ":?\n"))
	stdout, stderr := done(t, "predict --model models/m --ts new.ts")
	require.Contains(t, stdout, "\n23\t")
	require.Contains(t, stderr, "of 12 paths with a label are right")

	put(t, "bad.ts", ts+"1,2:x,4:left\n")
	fails(t, `bad.ts, line 30: channel 1: value 0: "x" is not a finite number`, "train --ts bad.ts")
	fails(t, `"auto" is made of integrals: it takes no other features, and no paths resampled by number`,
		"train --tracks a.csv --id track --x lon --y lat --label way --resample number")
}

// TestPathsAsTables: the paths are whole, and then in each of the cuts; folds replace the default split.
func TestPathsAsTables(t *testing.T) {
	workshop(t)
	done(t, "run tracks --dataset Curves --csv . --cuts")
	table := sure(os.ReadFile("curves.csv"))
	// Of 50 observations: 14 are every fourth, with 9 more on a segment 491, with 3 on half of them 125; 35
	// and 34 are without some.
	require.Equal(t, 1+150*(50+14+491+125+35+34), bytes.Count(table, []byte("\n")))
	fails(t, "301 folds", "run uea --dataset ERing --folds 301")
}

// TestTrainOnUnevenTracks: tracks of unequal lengths with uneven times, rows in any order, gaps in one
// coordinate or both, and tracks without a label, which are predicted, of classes and of numbers. The result
// says whether they were resampled by time. Another column to learn is another
// training, though the file and the model are the same.
func TestTrainOnUnevenTracks(t *testing.T) {
	workshop(t)
	observations := []string{}
	for g := range 24 {
		for i := range 6 + g%5 {
			at := float64(i) + 0.4*math.Sin(float64(7*i+g)) // uneven
			sin, cos := math.Sincos(at * float64(1-2*(g%2)))
			x, y := fmt.Sprintf("%.4f", cos), fmt.Sprintf("%.4f", sin)
			switch {
			case i == 2:
				x = ""
			case i == 4:
				x, y = "NA", "?"
			}
			way, speed := []string{"left", "right"}[g%2], fmt.Sprintf("%.2f", 1.5+float64(g)/8)
			if g >= 20 {
				way, speed = "", ""
			}
			observations = append(observations, fmt.Sprintf("t%d;%.3f;%s;%s;%s;%s", g, at, x, y, way, speed))
		}
	}
	slices.Reverse(observations)
	put(t, "a.csv", "track;when;lon;lat;way;speed\n"+strings.Join(observations, "\n"))
	const columns = " --tracks a.csv --id track --x lon --y lat "
	const train = "train --model path-small --folds 2 --epochs 1 --workers 1 --out . --json --t when " +
		columns
	for _, c := range []struct{ label, resample, features, metric string }{
		{"way", "number", "lon,lat", "accuracy"},
		{"way", "time", "lon,lat, evenly in time", "accuracy"},
		{"speed", "", "lon,lat, evenly in time", "rmse"},
		{"speed", "number", "lon,lat", "rmse"},
	} {
		line := train + "--label " + c.label + " --name " + c.label + c.resample
		if c.resample != "" {
			line += " --resample " + c.resample
		}
		stdout, stderr := done(t, line)
		require.Contains(t, stderr, "20 paths of 5 to 9 points")
		require.Contains(t, stderr, "20 values are missing and interpolated")
		require.Contains(t, stderr, "4 paths without a label left out")
		require.Contains(t, stderr, "places are on the sphere")
		result := rows[experiments.Result](t, stdout)[0]
		require.Equal(t, c.metric, result.Metric)
		require.Equal(t, c.features, result.Features)
		for _, fold := range result.Folds {
			require.Positive(t, fold.Seconds)
		}
		stdout, _ = done(t, "predict --t when --model models/"+c.label+c.resample+columns)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		require.Len(t, lines, 1+24)
		require.Regexp(t, "^path\ttrack\t"+c.label, lines[0])
		for _, line := range lines[1:] {
			require.NotContains(t, line, "NaN")
		}
		compared, stderr := done(t, "predict --t when --label "+c.label+" --model models/"+c.label+
			c.resample+columns)
		require.Equal(t, stdout, compared, "also of tracks without a label")
		require.Regexp(t, "of 20 paths with a label are right|root mean square error [0-9]", stderr)
	}
	fails(t, `there are no times in place of "when"`, "predict --model models/waytime"+columns)
}

// TestTrainOnFoldersOfTracks: a folder of GPX files in folders of their classes is trained on, tested with
// another, given as a pattern, and predicted file by file; other files are other trainings. Times of some
// are not used, which is said.
func TestTrainOnFoldersOfTracks(t *testing.T) {
	workshop(t)
	for g := range 24 {
		var points strings.Builder
		time := ""
		if g == 0 {
			time = "<time>2020-01-01</time>"
		}
		for i := range 9 + g%4 {
			sin, cos := math.Sincos(float64(1-2*(g%2))*float64(i)/2 + float64(g))
			fmt.Fprintf(&points, "<trkpt lon='%.4f' lat='%.4f'>%s</trkpt>", cos, sin, time)
		}
		folder := []string{"tours", "tours", "more"}[g%3] + "/" + []string{"left", "right"}[g%2]
		put(t, fmt.Sprintf("%s/%02d.gpx", folder, g), "<gpx><trk>"+points.String()+"</trk></gpx>")
	}
	var folds int
	for _, data := range []string{
		"--tracks tours --folds 2", "--tracks tours/*/*.gpx --test more", "--tracks tours --test more/*",
	} {
		stdout, stderr := done(t, "train --model path-small --epochs 1 --workers 1 --out . --json "+data)
		require.Contains(t, stderr, "of 9 to 12 points, coordinates lon,lat")
		require.Contains(t, stderr, " points have no time, so that no times are used: name them (--t)")
		require.NotContains(t, stderr, "there are no times")
		result := rows[experiments.Result](t, stdout)[0]
		require.Equal(t, "tours", result.Dataset)
		folds = len(result.Folds)
	}
	require.Equal(t, 1, folds)
	journal := sure(os.ReadFile("own-paths/tours-path-small.jsonl"))
	require.Equal(t, 2+1, strings.Count(string(journal), "\n"), "the pattern is the folder")

	stdout, _ := done(t, "predict --model models/tours-path-small --tracks more")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Equal(t, "path\tid\tclass\tP(left)\tP(right)", lines[0])
	require.Len(t, lines, 1+8)
	require.Regexp(t, "^0\tleft/02.gpx\t(left|right)\t", lines[1])

	put(t, "tours/left/bad.gpx", "<gpx><trk>\n<trkpt lat='1'/>")
	fails(t, "left/bad.gpx, line 2: a point without lon", "train --tracks tours")
}

// TestColumnsOfAModel: a model of tracks knows its columns, and swapped ones are an error that says which;
// tracks far outside of those it was trained on are predicted, and told.
func TestColumnsOfAModel(t *testing.T) {
	workshop(t)
	write := func(name string, shift float64) {
		text := "track,lon,lat,when,way\n"
		for g := range 12 {
			for i := range 9 {
				text += fmt.Sprintf("t%d,%.3f,%.3f,%d,%s\n", g, shift+151+float64(i)/100,
					float64(g%5*i*(1-2*(g%2)))/100-33, i, []string{"left", "right"}[g%2])
			}
		}
		put(t, name, text)
	}
	write("a.csv", 0)
	write("far.csv", -20)
	done(t, "train --tracks a.csv --id track --x lon --y lat --t when --label way --model signature-ridge "+
		"--folds 2 --out . --name m")
	fails(t, `"lat" in place of "lon": name the coordinates lon, lat`,
		"predict --model models/m --id track --tracks a.csv --x lat --y lon --t when")
	const usual = "predict --model models/m --id track --x lon --y lat --t when --tracks "
	_, stderr := done(t, usual+"a.csv")
	require.NotContains(t, stderr, "far outside")
	stdout, stderr := done(t, usual+"far.csv --json")
	require.Contains(t, stderr, "12 of 12 paths lie far outside of the paths in training, in standard "+
		"deviations from their mean: path 0 (t0): up by ")
	for _, row := range rows[models.Prediction](t, stdout) {
		require.Equal(t, "up", row.Far.Column) // the sphere falls off by 300 km, and tracks by 5 m
		require.Greater(t, row.Far.Deviations, 1000.0)
	}
}
