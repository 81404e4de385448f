package nkfx

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// reduce returns a PNG with the 256 most frequent colours of one, in a third of the size: drawings have few
// colours, and shades of them along edges.
func reduce(data []byte) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the image of a figure: %w", err)
	}
	// Colours that agree in the upper five bits of each channel count as one.
	key := func(r, g, b uint32) int { return int(r>>11<<10 | g>>11<<5 | b>>11) }
	type shade struct{ count, r, g, b uint64 }
	shades := make([]shade, 1<<15)
	area := full.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, _ := full.At(x, y).RGBA()
			s := &shades[key(r, g, b)]
			s.count, s.r, s.g, s.b = s.count+1, s.r+uint64(r), s.g+uint64(g), s.b+uint64(b)
		}
	}
	frequent := make([]int, len(shades))
	for i := range frequent {
		frequent[i] = i
	}
	slices.SortStableFunc(
		frequent,
		func(i, j int) int { return cmp.Compare(shades[j].count, shades[i].count) },
	)
	var palette color.Palette
	index := make([]int, len(shades)) // in the palette; -1 while it is not known
	for i := range index {
		index[i] = -1
	}
	for at, i := range frequent[:256] {
		if s := shades[i]; s.count > 0 {
			mean := func(sum uint64) uint8 { return uint8(sum / s.count >> 8) }
			palette = append(palette, color.NRGBA{mean(s.r), mean(s.g), mean(s.b), 255})
			index[i] = at
		}
	}
	out := image.NewPaletted(area, palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			pixel := full.At(x, y)
			r, g, b, _ := pixel.RGBA()
			i := key(r, g, b)
			if index[i] < 0 {
				index[i] = palette.Index(pixel)
			}
			out.SetColorIndex(x, y, uint8(index[i]))
		}
	}
	var smaller bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&smaller, out); err != nil {
		return nil, fmt.Errorf("the image of a figure: %w", err)
	}
	return smaller.Bytes(), nil
}
