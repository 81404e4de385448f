package figures

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden images anew, to be looked at")

// golden compares a figure, rendered small, with testdata/name.png.
//
// Rasterizers round differently on other processors (fused multiplication and
// addition), which moves the edges of shapes by a fraction of a grey level in
// few pixels: at most 1 of 200 pixels may differ by more than 1/8 of the range
// of a channel.
func golden(t *testing.T, name string, f *Figure) {
	t.Helper()
	got, err := f.png(72)
	require.NoError(t, err)
	path := filepath.Join("testdata", name+".png")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	share := different(t, want, got)
	require.LessOrEqual(t, share, 1.0/200, "pixels of %s that differ", name)

	svg, err := f.SVG()
	require.NoError(t, err)
	require.Contains(t, string(svg[len(svg)-10:]), "</svg>")
}

// different returns the share of pixels that differ, 1 for another size.
func different(t *testing.T, a, b []byte) float64 {
	t.Helper()
	p, q := decode(t, a), decode(t, b)
	if p.Bounds() != q.Bounds() {
		return 1
	}
	count := 0
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			if far(p.At(x, y), q.At(x, y)) {
				count++
			}
		}
	}
	return float64(count) / float64(p.Bounds().Dx()*p.Bounds().Dy())
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return img
}

func far(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	for _, d := range [3][2]uint32{{r, r2}, {g, g2}, {bl, b2}} {
		if math.Abs(float64(d[0])-float64(d[1])) > 0xffff/8 {
			return true
		}
	}
	return false
}

func TestGoldenComparisonSeesAnotherFigure(t *testing.T) {
	a, err := vortex(1).png(72)
	require.NoError(t, err)
	b, err := vortex(-1).png(72)
	require.NoError(t, err)
	require.Zero(t, different(t, a, a))
	require.Greater(t, different(t, a, b), 1.0/200)
}
