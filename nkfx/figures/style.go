package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// The palette of Okabe and Ito (Color Universal Design, 2008), which people with any kind of color
// vision can tell apart, by its authors' names. It has no red: Vermilion, which stands in its place, is
// a dark orange.
var (
	Green     = rgb(0x009E73)
	Vermilion = rgb(0xD55E00)
	Blue      = rgb(0x0072B2)
	Orange    = rgb(0xE69F00)
	Purple    = rgb(0xCC79A7)
	SkyBlue   = rgb(0x56B4E9)
	Yellow    = rgb(0xF0E442)
)

// Neutral colors.
var (
	Ink   = rgb(0x1B1F24) // text, and what is strong
	Grey  = rgb(0x6E7781) // axes, and what is secondary
	Faint = rgb(0xD9DEE4) // grids, and what is weak
	White = rgb(0xFFFFFF) // the card that a figure stands on
)

// classes are the colors of classes in turn: green, orange and blue, near those of the paper, and then
// the rest of the palette.
var classes = []color.NRGBA{Green, Vermilion, Blue, Orange, Purple, SkyBlue, Yellow, Ink}

// Class returns the color of class c, the same in every figure. Colors repeat after eight.
func Class(c int) color.NRGBA {
	n := len(classes)
	return classes[(c%n+n)%n]
}

// rgb returns the opaque color 0xRRGGBB.
func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// alpha returns the color with an opacity in [0, 1].
func alpha(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// mix returns the color between a, at t = 0, and b, at t = 1.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	at := func(a, b uint8) uint8 { return uint8(float64(a) + t*(float64(b)-float64(a)) + 0.5) }
	return color.NRGBA{R: at(a.R, b.R), G: at(a.G, b.G), B: at(a.B, b.B), A: at(a.A, b.A)}
}

// Sizes in a figure, chosen to read at the width of a notebook.
const (
	textSize  = vg.Length(10)
	titleSize = vg.Length(11)
	lineWidth = vg.Length(1)
	gap       = vg.Length(10) // around and between panels
	panelSide = vg.Length(210)
)

// textStyle returns the style of text of a size.
func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color: Ink, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}
