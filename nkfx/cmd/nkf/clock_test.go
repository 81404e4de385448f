package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// shifts returns a table of tracks, with dates, of days and of nights. Each is there twice: about noon, and
// twelve hours later.
func shifts() string {
	random := rand.New(rand.NewPCG(3, 3))
	text := "animal,x,y,when,kind\n"
	for g := range 40 {
		if g%2 == 1 {
			continue
		}
		start := time.Date(2026, 1, 1+random.IntN(300), 10+random.IntN(4), random.IntN(60), 0, 0, time.UTC)
		var x, y float64
		for i := range 12 {
			x, y = x+random.NormFloat64(), y+random.NormFloat64()
			at := start.Add(time.Duration(i*10+random.IntN(9)) * time.Minute)
			for k, kind := range []string{"diurnal", "nocturnal"} {
				text += fmt.Sprintf("%d,%.3f,%.3f,%s,%s\n", g+k, x, y,
					at.Add(time.Duration(12*k)*time.Hour).Format(time.RFC3339), kind)
			}
		}
	}
	return text
}

// TestClock: models of tracks that differ only in the hour of the day know it with --clock, and without it
// nothing. A saved model asks for the clock of its training.
func TestClock(t *testing.T) {
	workshop(t)
	put(t, "a.csv", shifts())
	columns := "--tracks a.csv --id animal --x x --y y --t when --label kind "
	for _, model := range []string{"auto", "path-small --epochs 10"} {
		train := "train --folds 2 --workers 1 --out . --json --model " + model + " " + columns
		for _, clock := range []string{"", "--clock day"} {
			require.NoError(t, os.RemoveAll("models"))
			stdout, stderr := done(t, train+"--name m "+clock)
			result := rows[experiments.Result](t, stdout)[0]
			_, told := done(t, "predict --model models/m "+columns+clock)
			if clock == "" {
				require.Less(t, float64(result.Mean), 60.0)
				require.Contains(t, told, "nkf: 20 of 40 paths with a label are right, 50.00 %")
				continue
			}
			require.Contains(t, stderr, "coordinates x,y,day cos,day sin")
			require.Greater(t, float64(result.Mean), 97.0)
			require.Contains(t, told, "nkf: 40 of 40 paths with a label are right, 100.00 %")
			require.NotContains(t, told, "far outside")
			fails(t, "the periods of the clock are none in place of day: give --clock as in the training",
				"predict --model models/m "+columns)
		}
	}
}
