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
	"time"

	"github.com/stretchr/testify/require"
)

// curves returns the drawing that is an image in a page.
func curves(t *testing.T, html string) string {
	t.Helper()
	_, encoded, found := strings.Cut(html, "base64,")
	require.True(t, found, html)
	encoded, _, _ = strings.Cut(encoded, `"`)
	svg, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(svg, new(struct{})), "an image has to be sound XML")
	return string(svg)
}

// One output is redrawn, and what is left there in the end is small however long the training was.
func TestProgress(t *testing.T) {
	p := openPage(t)
	progress := NewProgress()
	progress.always = true
	const epochs = 1000
	for _, name := range []string{"0-forms", "<1-forms>"} {
		for epoch := range epochs {
			progress.Step(name, epoch+1, epochs, 1/float64(epoch+1))
		}
	}
	require.Len(t, p.updated, 1)
	states := p.updated[progress.id]
	require.Contains(t, states[499], "0-forms: 500 of 1000, loss 0.002")
	require.Contains(t, states[499], " left")
	last := states[len(states)-1]
	require.Contains(t, last, "&lt;1-forms&gt;: 1000 of 1000, loss 0.001")
	require.NotContains(t, last, " left")
	require.Equal(t, 2, strings.Count(curves(t, last), "<polyline"))
	require.Less(t, len(last), 10000)
}

func TestProgressDrawsNowAndThen(t *testing.T) {
	p := openPage(t)
	progress := NewProgress()
	for step := range 10000 {
		progress.Step("fast", step+1, 10000, 1)
	}
	states := p.updated[progress.id]
	require.Less(t, len(states), 1000)
	require.Contains(t, states[len(states)-1], "10000 of 10000", "the last step is always drawn")
}

func TestProgressTimeLeft(t *testing.T) {
	begin := time.Now()
	b := bar{done: 1, total: 11, first: 1, begin: begin, end: begin}
	_, known := b.left()
	require.False(t, known, "one step says nothing about the pace")
	b.done, b.end = 6, begin.Add(5*time.Second)
	left, known := b.left()
	require.True(t, known)
	require.Equal(t, 5*time.Second, left)
}

// Losses that a logarithm or a scale cannot take do not spoil the curve.
func TestProgressOddLosses(t *testing.T) {
	p := openPage(t)
	progress := NewProgress()
	progress.always = true
	for i, loss := range []float64{math.NaN(), 2, math.Inf(1), -1, 0} {
		progress.Step("odd", i+1, 5, loss)
	}
	states := p.updated[progress.id]
	require.NotContains(t, states[0], "<img")
	drawn := curves(t, states[len(states)-1])
	require.Contains(t, drawn, "linear scale")
	require.NotContains(t, drawn, "NaN")
	require.NotContains(t, drawn, "Inf")
}

// What comes before the first step has no loss, and takes no part in the time left.
func TestProgressBeforeTheFirstStep(t *testing.T) {
	p := openPage(t)
	progress := NewProgress()
	progress.always = true
	for range 2 {
		progress.Step("slow to compile", 0, 5, 0)
	}
	states := p.updated[progress.id]
	require.Contains(t, states[1], "0 of 5")
	require.NotContains(t, states[1], "loss")
	progress.bars[0].begin = progress.bars[0].begin.Add(-time.Hour)
	progress.Step("slow to compile", 1, 5, 2)
	progress.Step("slow to compile", 2, 5, 1)
	left, known := progress.bars[0].left()
	require.True(t, known)
	require.Less(t, left, time.Minute)
	require.Equal(t, []float64{2, 1}, progress.bars[0].losses)
}

var golden = flag.Bool("golden", false, "write the golden image anew")

// number finds the numbers in a drawing.
var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)

// The picture is testdata/progress.svg; `go test -run TestProgressPicture -golden` writes it anew.
func TestProgressPicture(t *testing.T) {
	p := openPage(t)
	progress := NewProgress()
	progress.always = true
	for epoch := range 60 {
		x := float64(epoch)
		progress.Step("1-forms", epoch+1, 60, math.Exp(-x/10)+0.01*(1.5+math.Sin(x)))
		progress.Step("0-forms", epoch+1, 60, 1.1-0.05*math.Tanh(x/9))
	}
	states := p.updated[progress.id]
	got := curves(t, states[len(states)-1])
	const path = "testdata/progress.svg"
	if *golden {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	want := string(data)
	require.Equal(t, number.ReplaceAllString(want, "#"), number.ReplaceAllString(got, "#"))
	numbers := number.FindAllString(got, -1)
	for i, w := range number.FindAllString(want, -1) {
		x, err := strconv.ParseFloat(w, 64)
		require.NoError(t, err)
		y, err := strconv.ParseFloat(numbers[i], 64)
		require.NoError(t, err)
		require.InDelta(t, x, y, 0.11, "coordinates have one digit, which may be rounded to the other side")
	}
}
