package figures

import (
	"go/parser"
	"go/token"
	"image/color"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hue returns the word for a color by its angle on the wheel of HSV, where red is at 0° and its neighbors
// begin half a sector from it: people call what is from there to 45° orange.
func hue(c color.NRGBA) string {
	r, g, b := float64(c.R), float64(c.G), float64(c.B)
	high, low := max(r, g, b), min(r, g, b)
	angle := 0.0
	switch high {
	case r:
		angle = math.Mod(60*(g-b)/(high-low)+360, 360)
	case g:
		angle = 60*(b-r)/(high-low) + 120
	case b:
		angle = 60*(r-g)/(high-low) + 240
	}
	for _, sector := range []struct {
		to   float64
		word string
	}{{15, "red"}, {45, "orange"}, {75, "yellow"}, {170, "green"}, {270, "blue"}, {345, "purple"}} {
		if angle < sector.to {
			return sector.word
		}
	}
	return "red"
}

// packageText returns the documentation of the package and of what it exports, in one line.
func packageText(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var text strings.Builder
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, comment := range file.Comments {
			text.WriteString(comment.Text() + " ")
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// TestColorsAreCalledWhatTheyAre: what the documentation says of colors is what the eye sees.
func TestColorsAreCalledWhatTheyAre(t *testing.T) {
	for want, c := range map[string]color.NRGBA{
		"green": Green, "orange": Orange, "purple": Purple, "yellow": Yellow, "blue": SkyBlue,
	} {
		require.Equal(t, want, hue(c))
	}
	require.Equal(t, "orange", hue(Vermilion), "the documentation of the palette says so")
	require.Equal(t, "red", hue(rgb(0xFF0000)))
	require.Equal(t, "red", hue(rgb(0xFF0010)))

	text := packageText(t)
	found := regexp.MustCompile(`gradient (\w+), curl (\w+) and harmonic (\w+)`).FindStringSubmatch(text)
	require.Len(t, found, 4)
	for i, part := range []string{"gradient", "curl", "harmonic"} {
		require.Equal(t, hue(parts[part]), found[i+1], part)
	}
	ends := regexp.MustCompile(`(\w+) where negative[^.]*?(\w+) where positive`)
	signed := ends.FindAllStringSubmatch(text, -1)
	require.Len(t, signed, 3, "in the package, at Signed and at Response")
	for _, words := range signed {
		for _, s := range []*Scale{Signed(1), Response(1)} {
			require.Equal(t, hue(s.At(-0.7)), words[1], words[0])
			require.Equal(t, hue(s.At(0.7)), words[2], words[0])
		}
	}
	found = regexp.MustCompile(`colors of classes in turn: (\w+), (\w+) and (\w+)`).FindStringSubmatch(text)
	require.Len(t, found, 4)
	for c := range 3 {
		require.Equal(t, hue(Class(c)), found[c+1])
	}
	red := regexp.MustCompile(`.{0,40}\b[Rr]ed\b.{0,40}`).FindAllString(text, -1)
	require.Len(t, red, 1, "%q", red)
	require.Contains(t, red[0], "no red", "no color of the palette is")
}
