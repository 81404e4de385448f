package nkfx

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/neuralkforms/nkf/nkfx/internal/pixels"
)

// A card is the ground of a figure: white, with a fine edge and round corners, on any page.
const (
	cardEdge   = "#d9dee4"
	cardRadius = 8
	cardShades = 8 // from the edge to what is around it, the opaque one left out
)

// card returns the PNG of a figure on a card, in few colors. width is that on the screen in pixels,
// or 0 for that of the image.
func card(data []byte, width int) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the image of a figure: %w", err)
	}
	out := pixels.Reduce(full, 256-cardShades-1)
	scale := 1.0
	if width > 0 {
		scale = float64(out.Bounds().Dx()) / float64(width)
	}
	trim(out, cardRadius*scale, scale)
	var small bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, out)
	return small.Bytes(), err
}

// trim draws the edge of a card and cuts off the corners.
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
			// The depth of the middle of the pixel.
			px, py := float64(x-area.Min.X)+0.5, float64(y-area.Min.Y)+0.5
			inside := min(px, py, w-px, h-py)
			if dx, dy := radius-min(px, w-px), radius-min(py, h-py); dx > 0 && dy > 0 {
				inside = radius - math.Hypot(dx, dy)
			}
			if inside < thick {
				covered := min(max(inside+0.5, 0), 1) // share of the pixel inside a straight edge
				card.SetColorIndex(x, y, uint8(first+int(math.Round(cardShades*covered))))
			}
		}
	}
}
