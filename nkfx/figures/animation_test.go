package figures

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
)

// turning is a field of arrows, of which one row turns, over a heat map that stays.
func turning() *Animation {
	return Animate("angle, degrees", Steps(0, 90, 15), 50, func(degrees int) *Figure {
		sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
		var points, vectors []float64
		for i := range 100 {
			points = append(points, float64(i%10), float64(i/10))
			if i < 10 {
				vectors = append(vectors, cos, sin)
			} else {
				vectors = append(vectors, 1, 0)
			}
		}
		values := slices.Repeat([]float64{1, 2, 3, 4}, 100)
		heat := &Heat{Rows: 20, Columns: 20, Values: values, XMax: 9, YMax: 9}
		panel := NewPanel("∫ dx∧dy < 1", heat, FieldsOf(points, vectors, 1, 0.8)[0]).Within(-1, 10)
		return Arrange(fmt.Sprintf("turned by %d°", degrees), 1, panel)
	})
}

// animationData is what a page has.
type animationData struct {
	Label              string
	Values, Alt, Lines []string
	First              int
	Frames             [][]int
}

// unzip reads the data of a page.
func unzip(t *testing.T, page string) (data animationData, size int) {
	t.Helper()
	found := regexp.MustCompile(`data-animation="([^"]*)"`).FindStringSubmatch(page)
	require.NotNil(t, found)
	packed, err := base64.StdEncoding.DecodeString(found[1])
	require.NoError(t, err)
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(reader).Decode(&data))
	return data, len(page)
}

// TestAnimationData: the frames of a page are the figures, and what they share is in it once.
func TestAnimationData(t *testing.T) {
	a := turning()
	data, size := unzip(t, a.HTML())
	require.Equal(t, "angle, degrees", data.Label)
	require.Equal(t, []string{"0", "15", "30", "45", "60", "75", "90"}, data.Values)
	require.Equal(t, 3, data.First, "45 is nearest to 50")
	require.Equal(t, "turned by 90°: ∫ dx∧dy < 1", data.Alt[6])
	total := 0
	for i, numbers := range data.Frames {
		var frame []string
		for _, n := range numbers {
			frame = append(frame, data.Lines[n])
		}
		svg, err := a.frames[i].svg(true)
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(string(svg), strings.Join(frame, "\n")))
		total += len(svg)
	}
	first, err := a.SVG()
	require.NoError(t, err)
	require.Contains(t, string(first), "turned by 45°")
	require.Equal(t, "turned by 45°: ∫ dx∧dy < 1", a.Description())
	require.Less(t, size, total/10)
}

// TestAnimationAsksNothingOfTheNetwork: a page of few names has no address.
func TestAnimationAsksNothingOfTheNetwork(t *testing.T) {
	page := turning().HTML()
	require.NotRegexp(t, `https?:|//[a-z]+\.|import|fetch`, page)
	require.Equal(t, 1, strings.Count(page, "</script>"))
	require.Less(t, len(common+animationProgram), 5_000, "the program is in every output")
}

// TestBrokenAnimation says what is wrong in place of the frames.
func TestBrokenAnimation(t *testing.T) {
	none := Animate("x", nil, 0, func(int) *Figure { return nil })
	require.Contains(t, none.HTML(), "an animation of no values")
	bad := Animate("x", []int{0, 1}, 0, func(x int) *Figure {
		return Arrange("bad", 1, NewPanel("", []plot.Plotter{&Complex{}, broken{}}[x]))
	})
	require.True(t, strings.HasPrefix(bad.HTML(), "<p>figure &#34;bad&#34;: "))
}

func TestSteps(t *testing.T) {
	require.Equal(t, []int{0, 60, 100}, Steps(0, 100, 60))
	require.Equal(t, []int{7}, Steps(7, 7, 2))
	tenths := Steps(-0.3, 0.3, 0.1)
	require.Len(t, tenths, 7)
	require.InDelta(t, 0, tenths[3], 1e-15)
	require.Equal(t, 0.3, tenths[6])
	require.Equal(t, "−0.3", Animate("", tenths, 0, func(float64) *Figure { return &Figure{} }).values[0])
}
