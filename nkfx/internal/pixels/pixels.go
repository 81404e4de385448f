// Package pixels compares the pictures that tests draw with committed ones, and makes pictures smaller.
package pixels

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// Dark returns a PNG in the colors of dark pages. They are those that figures have there as SVG, by
// invert(.92) hue-rotate(180deg) of the Filter Effects Module of CSS: hues stay, white becomes nearly black.
func Dark(light []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(light))
	if err != nil {
		return nil, err
	}
	rotate := [3][3]float64{{-0.574, 1.43, 0.144}, {0.426, 0.43, 0.144}, {0.426, 1.43, -0.856}}
	to := image.NewNRGBA(from.Bounds())
	for y := to.Rect.Min.Y; y < to.Rect.Max.Y; y++ {
		for x := to.Rect.Min.X; x < to.Rect.Max.X; x++ {
			c := color.NRGBAModel.Convert(from.At(x, y)).(color.NRGBA)
			var out [3]uint8
			for i, row := range rotate {
				sum := 0.0
				for j, channel := range []uint8{c.R, c.G, c.B} {
					sum += row[j] * (0.92*255 - 0.84*float64(channel))
				}
				out[i] = uint8(min(max(sum, 0), 255) + 0.5)
			}
			to.SetNRGBA(x, y, color.NRGBA{out[0], out[1], out[2], c.A})
		}
	}
	var data bytes.Buffer
	err = png.Encode(&data, to)
	return data.Bytes(), err
}

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
