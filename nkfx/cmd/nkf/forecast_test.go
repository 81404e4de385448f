package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// TestForecastTracks: a model is trained to forecast tracks, beside rules that need no training, and
// forecasts whole tracks beyond their ends: those that cross the date line at constant speeds to the east.
func TestForecastTracks(t *testing.T) {
	workshop(t)
	text := "ship,when,lon,lat\n"
	speed := func(g int) float64 { return 2 + float64(g)/2 } // m/s
	for g := range 20 {
		lat := float64(g-10) / 2
		for i := range 32 {
			seconds := 10*i + g%3*(i%2)
			lon := 179.99 + speed(g)*float64(seconds)/6_371_008.8/math.Cos(lat*math.Pi/180)*180/math.Pi
			if lon > 180 {
				lon -= 360
			}
			at := time.Date(2026, 1, g+1, 0, 0, seconds, 0, time.UTC)
			text += fmt.Sprintf("s%d,%s,%.9f,%g\n", g, at.Format(time.RFC3339), lon, lat)
		}
	}
	put(t, "ships.csv", text)
	const data = " --id ship --lon lon --lat lat --t when --tracks ships.csv"
	stdout, stderr := done(t, "train --forecast 60 --folds 3 --out . --workers 1"+data)
	require.Contains(t, stderr, "ships: 40 pieces of 20 tracks, to learn the displacement in the next 60: "+
		`"east", "north"; east and north are in meters`)
	require.Regexp(t, `staying +going on +seconds`, stdout)
	require.Contains(t, stdout, "ships-east+north-points-ridge")

	const model = "predict --model models/ships-east+north-points-ridge"
	stdout, _ = done(t, model+data)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Equal(t, "path\tship\teast\tnorth", lines[0])
	require.Len(t, lines, 1+20)
	for g, line := range lines[1:] {
		east := sure(strconv.ParseFloat(strings.Split(line, "\t")[2], 64))
		require.InDelta(t, 60*speed(g), east, 0.1, line)
	}
	short := text[:strings.Index(text, "s1,")] // one track, of which 30 seconds remain
	short = strings.Join(strings.SplitAfter(short, "\n")[:5], "")
	put(t, "short.csv", short)
	_, stderr = done(t, model+strings.Replace(data, "ships.", "short.", 1))
	require.Contains(t, stderr, "1 of 1 paths are shorter than the time of 180 that a forecast is made by")

	stdout, _ = done(t, "train --forecast 30 --history 60 --folds 3 --out . --workers 1 --json --name other "+
		"--model auto"+data)
	result := rows[experiments.Result](t, stdout)[0]
	require.Equal(t, "rmse", result.Metric)
	require.Less(t, float64(result.Baselines[1].Mean), 0.1)
	require.Less(t, float64(result.Mean), float64(result.Baselines[0].Mean)/20)
	fails(t, "leave the label out", "predict --model models/other --label lat"+data)
	put(t, "a.csv", "id,t,x,y\na,0,0,0\na,1,1,1\n")
	fails(t, "can be forecast by 5 after 15: that takes tracks of 20",
		"train --tracks a.csv --id id --t t --x x --y y --forecast 5")
}
