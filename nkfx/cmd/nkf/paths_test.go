package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// TestTrainOnPaths: models of tracks and of time series are trained, saved and asked.
func TestTrainOnPaths(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "go")
	t.Chdir(t.TempDir())
	table, ts := circles(24)
	require.NoError(t, os.WriteFile("a.csv", []byte(table), 0o666))
	require.NoError(t, os.WriteFile("a.ts", []byte(ts), 0o666))
	columns := strings.Fields("--id track --x lon --y lat")
	common := strings.Fields("--epochs 1 --workers 1 --out . --name m")
	for _, data := range [][]string{
		append([]string{"--tracks", "a.csv"}, columns...), {"--ts", "a.ts"},
	} {
		line := append(append([]string{"train", "--model", "path-small", "--folds", "2"}, data...), common...)
		if data[0] == "--tracks" {
			line = append(line, "--label", "way")
		}
		code, _, stderr := nkf(t, line...)
		require.Equal(t, exitDone, code, stderr)
		code, stdout, stderr := nkf(t, append([]string{"predict", "--model", "models/m"}, data...)...)
		require.Equal(t, exitDone, code, stderr)
		require.Len(t, strings.Split(strings.TrimSpace(stdout), "\n"), 1+24, stdout)
		require.NoError(t, os.RemoveAll("models"))
		require.NoError(t, os.RemoveAll("uea"))
	}
	line := strings.Fields("train --ts a.ts --test a.ts --model path-small --epochs 1 --out .")
	code, _, stderr := nkf(t, line...)
	require.Equal(t, exitDone, code, stderr)

	require.NoError(t, os.WriteFile("bad.ts", []byte(ts+"1,2:x,4:left\n"), 0o666))
	code, _, stderr = nkf(t, "train", "--ts", "bad.ts")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, `bad.ts, line 30: channel 1: value 0: "x" is not a finite number`)
}
