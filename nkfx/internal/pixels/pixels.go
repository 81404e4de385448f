// Package pixels compares pictures: those that tests draw with those that are
// committed.
package pixels

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// Difference returns the share of the pixels of two PNG images in which a
// channel differs by more than 1/8 of its range, of those of the first that
// are chosen: all where the choice is nil. Images of different sizes differ
// everywhere. It is an error if either is no PNG.
func Difference(a, b []byte, chosen func(color.Color) bool) (float64, error) {
	p, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		return 0, err
	}
	q, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return 0, err
	}
	if p.Bounds() != q.Bounds() {
		return 1, nil
	}
	all, count := 0, 0
	each(p, func(x, y int) {
		if c := p.At(x, y); chosen == nil || chosen(c) {
			all++
			if far(c, q.At(x, y)) {
				count++
			}
		}
	})
	return float64(count) / float64(max(1, all)), nil
}

// each calls f for every pixel.
func each(img image.Image, f func(x, y int)) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			f(x, y)
		}
	}
}

// far reports whether a channel of two colors differs by more than 1/8 of its
// range.
func far(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	for _, d := range [3][2]uint32{{r, r2}, {g, g2}, {bl, b2}} {
		if max(d[0], d[1])-min(d[0], d[1]) > 0xffff/8 {
			return true
		}
	}
	return false
}

// Colored reports whether a color is neither white nor gray nor nearly so.
func Colored(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return max(r, g, b)-min(r, g, b) > 0xffff/4
}
