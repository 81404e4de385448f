// Package pixels compares the pictures that tests draw with committed ones.
package pixels

import (
	"bytes"
	"image/color"
	"image/png"
)

// Difference returns the share of the pixels of two PNG images in which a channel differs by more than
// 1/8 of its range, of those of the first that are chosen: all where the choice is nil. Images of
// different sizes differ everywhere. It is an error if either is no PNG.
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
	all, differing := 0, 0
	for y := p.Bounds().Min.Y; y < p.Bounds().Max.Y; y++ {
		for x := p.Bounds().Min.X; x < p.Bounds().Max.X; x++ {
			if c := p.At(x, y); chosen == nil || chosen(c) {
				all++
				if far(c, q.At(x, y)) {
					differing++
				}
			}
		}
	}
	return float64(differing) / float64(max(1, all)), nil
}

// far reports whether a channel of two colors differs by more than 1/8 of its
// range.
func far(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	return max(r, r2)-min(r, r2) > 0xffff/8 || max(g, g2)-min(g, g2) > 0xffff/8 ||
		max(bl, b2)-min(bl, b2) > 0xffff/8
}

// Colored reports whether a color is neither white nor gray nor nearly so.
func Colored(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return max(r, g, b)-min(r, g, b) > 0xffff/4
}
