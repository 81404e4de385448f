package images

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImages: the grid of an image is a disk with the right places and colors; damaged files are named.
func TestImages(t *testing.T) {
	folder := t.TempDir()
	for name, size := range map[string]image.Point{"small/b.png": {3, 4}, "wide/a.PNG": {64, 32}} {
		img := image.NewGray(image.Rectangle{Max: size})
		for i := range img.Pix {
			img.Pix[i] = uint8(255 * (i % size.X / ((size.X + 1) / 2))) // black and white
		}
		require.NoError(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o777))
		file, err := os.Create(filepath.Join(folder, name))
		require.NoError(t, err)
		require.NoError(t, png.Encode(file, img))
		require.NoError(t, file.Close())
	}
	s, err := Open(folder)
	require.NoError(t, err)
	require.Equal(t, []string{"small", "wide"}, s.Describe().Classes)
	e, err := s.Encoder("")
	require.NoError(t, err)
	c, err := e.Encode(s)
	require.NoError(t, err)
	require.Equal(t, []int32{0, 1}, c.Labels)
	require.Equal(t, []int32{0, 12 * 16, 12*16 + 16*8}, c.VertexStart)
	require.Equal(t, []float64{-15. / 16, 7. / 16, 0}, c.Vertices[3*12*16:][:3])
	require.InDeltaSlice(t, []float64{15. / 16, 7. / 16, 1}, c.Vertices[3*12*16:][45:48], 1e-4) // 16 bits
	for g := range 2 {
		count := func(start []int32) int { return int(start[g+1] - start[g]) }
		require.Equal(t, 1, count(c.VertexStart)-count(c.Simplices[1].Start)+count(c.Simplices[2].Start))
	}
	require.NoError(t, os.Truncate(filepath.Join(folder, "wide/a.PNG"), 60))
	_, err = Open(folder)
	require.ErrorContains(t, err, "wide/a.PNG")
}
