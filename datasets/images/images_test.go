package images

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
)

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, content, 0o666))
}

func pngOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

// TestImages: the grid of an image is a disk with the right places and colors; damaged files are named.
func TestImages(t *testing.T) {
	folder := t.TempDir()
	for name, size := range map[string]image.Point{"small/b.png": {3, 4}, "wide/a.PNG": {64, 32}} {
		img := image.NewGray(image.Rectangle{Max: size})
		for i := range img.Pix {
			img.Pix[i] = uint8(255 * (i % size.X / ((size.X + 1) / 2))) // black and white
		}
		write(t, filepath.Join(folder, name), pngOf(t, img))
	}
	s, err := Open(folder)
	require.NoError(t, err)
	require.Equal(t, []string{"small", "wide"}, s.Describe().Classes)
	require.Equal(t, []datasets.Field{{Name: "image", Column: "image", Value: "wide/a.PNG"}}, s.Row(1))
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

// brightness returns that of the image of a file, row after row.
func brightness(t *testing.T, name string, content []byte) (values []float64) {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, name), content)
	s, err := Open(folder)
	require.NoError(t, err)
	c, err := encoder{"gray", 4}.Encode(s)
	require.NoError(t, err)
	for p := range slices.Chunk(c.Vertices, 3) {
		values = append(values, math.Round(p[2]*10)/10)
	}
	return values
}

// TestTransparent: what is black and transparent is white; half of it, half as bright.
func TestTransparent(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 2)) // black, and transparent
	for x, alpha := range []uint8{255, 0, 102, 255} {
		img.SetNRGBA(x, 0, color.NRGBA{A: alpha})
	}
	require.Equal(t, []float64{0, 1, 0.6, 0, 1, 1, 1, 1}, brightness(t, "a.png", pngOf(t, img)))
}

// TestExif: an image of 4 × 2 pixels whose first pixel is black and second gray, in all orientations, is
// shown as Exif defines them. Files that are cut off or damaged there are as they are stored.
func TestExif(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 4, 2))
	copy(img.Pix, []uint8{0, 102, 255, 255, 255, 255, 255, 255})
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: 100}))
	for o, want := range [][]float64{
		{0, 0.4, 1, 1, 1, 1, 1, 1}, {0, 0.4, 1, 1, 1, 1, 1, 1}, {1, 1, 0.4, 0, 1, 1, 1, 1},
		{1, 1, 1, 1, 1, 1, 0.4, 0}, {1, 1, 1, 1, 0, 0.4, 1, 1}, {0, 1, 0.4, 1, 1, 1, 1, 1},
		{1, 0, 1, 0.4, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 0.4, 1, 0}, {1, 1, 1, 1, 0.4, 1, 0, 1},
	} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			content := withExif(order, uint16(o), b.Bytes())
			require.Equal(t, want, brightness(t, "a.JPG", content), o)
			for end := range content {
				orientationOf(content[:end])
				broken := slices.Clone(content)
				broken[end] = 0xff
				orientationOf(broken)
			}
		}
	}
}

// withExif returns a JPEG file with an Exif segment whose directory has two entries, after padding.
func withExif(order binary.AppendByteOrder, value uint16, content []byte) []byte {
	tiff := []byte("MM")
	if order.String() == "LittleEndian" {
		tiff = []byte("II")
	}
	tiff = order.AppendUint32(order.AppendUint16(tiff, 42), 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, tag := range []uint16{0x0100, 0x0112} {
		tiff = order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, tag), 3), 1)
		tiff = order.AppendUint16(order.AppendUint16(tiff, value), 0)
	}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xff, 0xe1}, uint16(2+len(segment)))
	return append(append(out, segment...), content[2:]...)
}

// TestMemory: a set holds files, not pixels.
func TestMemory(t *testing.T) {
	folder, content := t.TempDir(), pngOf(t, image.NewGray(image.Rect(0, 0, 1024, 1024)))
	for _, name := range []string{"a.png", "b.png", "c.png", "d.png"} {
		write(t, filepath.Join(folder, name), content)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, err := Open(folder)
	require.NoError(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int(after.HeapAlloc)-int(before.HeapAlloc), 1<<20, "of %d pixels", s.Len()<<20)
}
