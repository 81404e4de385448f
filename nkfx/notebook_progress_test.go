package nkfx

import (
	"encoding/base64"
	"encoding/xml"
	"flag"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// curves returns the drawing that is an image in a page.
func curves(t *testing.T, html string) string {
	t.Helper()
	_, encoded, found := strings.Cut(html, "base64,")
	require.True(t, found, html)
	encoded, _, _ = strings.Cut(encoded, `"`)
	svg := must(base64.StdEncoding.DecodeString(encoded))
	require.NoError(t, xml.Unmarshal(svg, new(struct{})), "an image has to be sound XML")
	return string(svg)
}

// watch returns a Progress that draws every step, and what was drawn.
func watch(t *testing.T) (progress *Progress, drawn func() []string) {
	t.Helper()
	p := openPage(t)
	progress = NewProgress()
	progress.always = true
	return progress, func() []string {
		require.Len(t, p.updated, 1, "one output is redrawn")
		return p.updated[progress.id]
	}
}

// What is left in the end is small however long the training was.
func TestProgress(t *testing.T) {
	progress, drawn := watch(t)
	const epochs = 1000
	for _, name := range []string{"0-forms", "<1-forms>"} {
		for epoch := range epochs {
			progress.Step(name, epoch+1, epochs, 1/float64(epoch+1))
		}
	}
	states := drawn()
	require.Contains(t, states[499], "0-forms: 500 of 1000, loss 0.002")
	require.Contains(t, states[499], " left")
	last := states[len(states)-1]
	require.Contains(t, last, "&lt;1-forms&gt;: 1000 of 1000, loss 0.001")
	require.NotContains(t, last, " left")
	require.Equal(t, 2, strings.Count(curves(t, last), "<polyline"))
	require.Less(t, len(last), 10000)
}

func TestProgressDrawsNowAndThen(t *testing.T) {
	progress, drawn := watch(t)
	progress.always = false
	for step := range 10000 {
		progress.Step("fast", step+1, 10000, 1)
	}
	states := drawn()
	require.Less(t, len(states), 1000)
	require.Contains(t, states[len(states)-1], "10000 of 10000", "the last step is always drawn")
}

// Losses that a logarithm or a scale cannot take do not spoil the curve.
func TestProgressOddLosses(t *testing.T) {
	progress, drawn := watch(t)
	for i, loss := range []float64{math.NaN(), 2, math.Inf(1), -1, 0} {
		progress.Step("odd", i+1, 5, loss)
	}
	states := drawn()
	require.NotContains(t, states[0], "<img")
	curve := curves(t, states[len(states)-1])
	require.Contains(t, curve, "linear scale")
	require.NotContains(t, curve, "NaN")
	require.NotContains(t, curve, "Inf")
}

// The time left is that of steps like those since the first. What comes before has no loss and takes no part.
func TestProgressTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		progress, drawn := watch(t)
		progress.Step("slow to compile", 0, 5, 0)
		time.Sleep(time.Hour)
		for step := 1; step <= 3; step++ {
			progress.Step("slow to compile", step, 5, 1/float64(step))
			time.Sleep(5 * time.Second)
		}
		states := drawn()
		require.Contains(t, states[0], "0 of 5<")
		require.Contains(t, states[1], "1 of 5, loss 1<", "one step says nothing about the pace")
		require.Contains(t, states[2], "2 of 5, loss 0.5, 15s left<")
		require.Contains(t, states[3], "3 of 5, loss 0.3333, 10s left<")
	})
}

var golden = flag.Bool("golden", false, "write the golden image anew")

// number finds the numbers in a drawing.
var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)

// The picture is testdata/progress.svg; `go test -run TestProgressPicture -golden` writes it anew.
func TestProgressPicture(t *testing.T) {
	progress, drawn := watch(t)
	for epoch := range 60 {
		x := float64(epoch)
		progress.Step("1-forms", epoch+1, 60, math.Exp(-x/10)+0.01*(1.5+math.Sin(x)))
		progress.Step("0-forms", epoch+1, 60, 1.1-0.05*math.Tanh(x/9))
	}
	states := drawn()
	got := curves(t, states[len(states)-1])
	const path = "testdata/progress.svg"
	if *golden {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := string(must(os.ReadFile(path)))
	require.Equal(t, number.ReplaceAllString(want, "#"), number.ReplaceAllString(got, "#"))
	numbers := number.FindAllString(got, -1)
	for i, w := range number.FindAllString(want, -1) {
		x := must(strconv.ParseFloat(w, 64))
		y := must(strconv.ParseFloat(numbers[i], 64))
		require.InDelta(t, x, y, 0.11, "coordinates have one digit, which may be rounded to the other side")
	}
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
