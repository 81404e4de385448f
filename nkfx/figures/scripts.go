package figures

import (
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// scripts draws the super- and subscripts of 10⁻⁵ and ω₁ with the digits of the font, smaller, and the wedge
// of dx∧dy with its Λ. The font has no glyphs for some of them, and wide ones for others.
type scripts struct{ text.Handler }

// Sizes of super- and subscripts, in sizes of the text.
const (
	scriptSize = 0.72
	raise      = 0.36
	lower      = -0.16
)

// The characters of scripts and what is drawn for each.
var (
	superscripts = []rune(typeset.Raised)
	subscripts   = []rune(typeset.Lowered)
	scriptDigits = []rune(typeset.Digits)
)

// run is a part of a text on one level.
type run struct {
	text        string
	size, shift vg.Length // of the letters, and of their baseline, in sizes of the text
}

// runs splits a line of text by levels.
func runs(line string) (out []run) {
	for _, r := range line {
		next := run{string(r), 1, 0}
		if r == '∧' {
			next = run{"Λ", scriptSize, 0}
		}
		for i, digit := range scriptDigits {
			switch r {
			case superscripts[i]:
				next = run{string(digit), scriptSize, raise}
			case subscripts[i]:
				next = run{string(digit), scriptSize, lower}
			}
		}
		if last := len(out) - 1; last >= 0 && out[last].size == next.size && out[last].shift == next.shift {
			out[last].text += next.text
			continue
		}
		out = append(out, next)
	}
	return out
}

// Box returns the width of a line, and its height above and depth below the baseline.
func (s scripts) Box(line string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = s.Handler.Box("", fnt)
	for _, r := range runs(line) {
		part, _, _ := s.Handler.Box(r.text, font.From(fnt, r.size*fnt.Size))
		width += part
	}
	return width, height, depth
}

// Draw draws a text; one of several lines has no scripts.
func (s scripts) Draw(c vg.Canvas, txt string, style text.Style, at vg.Point) {
	parts := runs(txt)
	if len(parts) < 2 || strings.Contains(txt, "\n") {
		s.Handler.Draw(c, txt, style, at)
		return
	}
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(style.Rotation)
	}
	sin, cos := math.Sincos(style.Rotation)
	size, x, y := style.Font.Size, float64(at.X), float64(at.Y)
	at.X = vg.Length(x*cos+y*sin) + vg.Length(style.XAlign)*style.Width(txt)
	at.Y = vg.Length(y*cos-x*sin) + vg.Length(style.YAlign)*style.Height(txt)
	at.Y += size - style.FontExtents().Ascent
	for _, r := range parts {
		face := s.Cache().Lookup(style.Font, r.size*size)
		c.FillString(face, at.Add(vg.Point{Y: r.shift * size}), r.text)
		at.X += face.Width(r.text)
	}
}
