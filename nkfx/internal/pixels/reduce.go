package pixels

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// Reduce returns an image in its most frequent colors, at most that many, a third of the size as PNG:
// drawings have few colors, and shades of them along edges. Pixels that are hardly there are not there,
// others are on white.
func Reduce(full image.Image, most int) *image.Paletted {
	// Colors that agree in the upper five bits of each channel count as one.
	key := func(r, g, b uint32) int { return int(r>>11<<10 | g>>11<<5 | b>>11) }
	type shade struct{ key, count, r, g, b uint64 }
	shades := make([]shade, 1<<15)
	area := full.Bounds()
	var clear color.Palette
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, seen := onWhite(full.At(x, y))
			if !seen {
				clear = color.Palette{color.NRGBA{}}
				continue
			}
			s := &shades[key(r, g, b)]
			s.count, s.r, s.g, s.b = s.count+1, s.r+uint64(r), s.g+uint64(g), s.b+uint64(b)
		}
	}
	index := make([]int, len(shades)) // in the palette, -1 while unknown
	for i := range shades {
		shades[i].key, index[i] = uint64(i), -1
	}
	slices.SortStableFunc(shades, func(a, b shade) int { return cmp.Compare(b.count, a.count) })
	palette := clear
	for _, s := range shades[:most-len(clear)] {
		if s.count > 0 {
			mean := func(sum uint64) uint8 { return uint8(sum / s.count >> 8) }
			index[s.key] = len(palette)
			palette = append(palette, color.NRGBA{mean(s.r), mean(s.g), mean(s.b), 255})
		}
	}
	out := image.NewPaletted(area, palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, seen := onWhite(full.At(x, y))
			if !seen {
				continue // 0 is clear
			}
			i := &index[key(r, g, b)]
			if *i < 0 {
				pixel := color.RGBA64{uint16(r), uint16(g), uint16(b), 0xffff}
				*i = len(clear) + palette[len(clear):].Index(pixel)
			}
			out.SetColorIndex(x, y, uint8(*i))
		}
	}
	return out
}

// onWhite returns the channels of a color on white, and whether it is seen.
func onWhite(c color.Color) (r, g, b uint32, seen bool) {
	r, g, b, a := c.RGBA()
	return r + 0xffff - a, g + 0xffff - a, b + 0xffff - a, a >= 0xffff/4
}
