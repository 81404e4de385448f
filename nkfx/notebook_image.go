package nkfx

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
)

// reduce returns an image with its most frequent colors, so many at most, in a third of the size as
// PNG: drawings have few colors, and shades of them along edges.
func reduce(full image.Image, most int) *image.Paletted {
	// Colors that agree in the upper five bits of each channel count as one.
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
	for at, i := range frequent[:most] {
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
	return out
}

// A card is what a figure stands on: white, with a fine edge and round corners, so that it looks
// meant on any ground.
const (
	cardEdge   = "#d9dee4"
	cardRadius = 8
)

// card returns the PNG of a figure on a card, in few colors. width is that on the screen, in
// pixels; where it is 0, the screen shows the pixels of the image.
func card(data []byte, width int) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the image of a figure: %w", err)
	}
	out := reduce(full, 256-cardShades-1)
	scale := 1.0
	if width > 0 {
		scale = float64(out.Bounds().Dx()) / float64(width)
	}
	trim(out, cardRadius*scale, scale)
	var smaller bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&smaller, out); err != nil {
		return nil, fmt.Errorf("the image of a figure: %w", err)
	}
	return smaller.Bytes(), nil
}

// cardShades is the number of shades, the opaque one left out, from the edge of a card to what is
// around it.
const cardShades = 8

// trim draws the edge of a card, that thick, and takes off the corners.
func trim(card *image.Paletted, radius, thick float64) {
	area := card.Bounds()
	first := len(card.Palette)
	for shade := range cardShades + 1 {
		alpha := uint8(255 * shade / cardShades)
		card.Palette = append(card.Palette, color.NRGBA{0xd9, 0xde, 0xe4, alpha})
	}
	w, h := float64(area.Dx()), float64(area.Dy())
	radius = min(radius, w/2, h/2)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			// How far the middle of the pixel is inside.
			px, py := float64(x-area.Min.X)+0.5, float64(y-area.Min.Y)+0.5
			inside := min(px, py, w-px, h-py)
			if dx, dy := radius-min(px, w-px), radius-min(py, h-py); dx > 0 && dy > 0 {
				inside = radius - math.Hypot(dx, dy)
			}
			if inside < thick {
				covered := min(max(inside+0.5, 0), 1) // of the pixel, as if the edge were straight there
				card.SetColorIndex(x, y, uint8(first+int(math.Round(cardShades*covered))))
			}
		}
	}
}
