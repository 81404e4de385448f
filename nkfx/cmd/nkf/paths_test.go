package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// circles returns paths around the origin, left and right in turn, from every start and of several lengths,
// as a table and in the .ts format.
func circles(count int) (table, ts string) {
	var rows, lines strings.Builder
	rows.WriteString("path,x,y,way\n")
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

// TestTrainOnPaths: models of tables of paths and of time series are trained, saved and asked, of series with
// a label and without.
func TestTrainOnPaths(t *testing.T) {
	workshop(t)
	table, ts := circles(24)
	put(t, "a.csv", table)
	put(t, "a.ts", ts)
	const model = "path --epochs 1"
	for _, data := range []string{" a.csv --label way --id path --coordinates x,y", " a.ts"} {
		done(t, "train paths --folds 2 --workers 1 --out . --name m --model "+model+data)
		stdout, stderr := done(t, "predict paths --model models/m"+data)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		require.Len(t, lines, 1+24, stdout)
		right := 0
		for i, line := range lines[1:] {
			if strings.Contains(line, []string{"\tleft\t", "\tright\t"}[i%2]) {
				right++
			}
		}
		require.Contains(t, stderr, fmt.Sprintf("%d of 24 paths with a label are right", right))
		require.NoError(t, os.RemoveAll("models"))
	}
	done(t, "train paths a.ts --test a.ts --model path --epochs 1 --out . --name m")
	put(t, "new.ts", strings.ReplaceAll(ts, ":right\n", ":?\n"))
	stdout, stderr := done(t, "predict paths --model models/m new.ts")
	require.Contains(t, stdout, "\n23\t")
	require.Contains(t, stderr, "of 12 paths with a label are right")

	put(t, "bad.ts", ts+"1,2:x,4:left\n")
	fails(t, `bad.ts, line 30: channel 1: value 0: "x" is not a finite number`, "train paths bad.ts")
	fails(t, "301 folds", "run uea --dataset ERing --folds 301")
}

// TestTrainOnUnevenPaths: paths of unequal lengths, rows in any order, gaps in one coordinate or both, and
// paths without a label, which are predicted, of classes and of numbers. Another column to learn is another
// training, though the file and the model are the same.
func TestTrainOnUnevenPaths(t *testing.T) {
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
	put(t, "a.csv", "boat;when;x;y;way;speed\n"+strings.Join(observations, "\n"))
	const columns = " a.csv --id boat --coordinates x,y --order when "
	for label, metric := range map[string]string{"way": "accuracy", "speed": "rmse"} {
		stdout, stderr := done(t, "train paths --model path --folds 2 --epochs 1 --workers 1 --out . --json "+
			"--label "+label+" --name "+label+columns)
		require.Contains(t, stderr, "20 paths of 5 to 9 points")
		require.Contains(t, stderr, "20 values are missing and interpolated")
		require.Contains(t, stderr, "4 paths without a label left out")
		result := rows[experiments.Result](t, stdout)[0]
		require.Equal(t, metric, result.Metric)
		require.Equal(t, "x,y", result.Features)
		stdout, _ = done(t, "predict paths --model models/"+label+columns)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		require.Len(t, lines, 1+24)
		require.Regexp(t, "^path\tboat\t"+label, lines[0])
		for _, line := range lines[1:] {
			require.NotContains(t, line, "NaN")
		}
		compared, stderr := done(t, "predict paths --label "+label+" --model models/"+label+columns)
		require.Equal(t, stdout, compared, "also of paths without a label")
		require.Regexp(t, "of 20 paths with a label are right|root mean square error [0-9]", stderr)
	}
	fails(t, "a has the coordinates y, x in place of x, y",
		"predict paths --model models/way a.csv --id boat --coordinates y,x")
}
