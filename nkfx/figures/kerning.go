package figures

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// kerned is a canvas that places every letter by the metrics of its font.
// The faces of golang.org/x/image/font/opentype, with which vgimg writes whole
// strings, kern by pixels of a font that is as many pixels large as it has
// units: pairs such as "Te" overlap at the sizes of a figure.
type kerned struct{ *vgimg.Canvas }

// FillString writes the letters one by one, each where the string that ends
// with it ends.
func (k kerned) FillString(face font.Face, at vg.Point, s string) {
	for i, r := range s {
		letter := string(r)
		end := face.Width(s[:i] + letter)
		k.Canvas.FillString(face, vg.Point{X: at.X + end - face.Width(letter), Y: at.Y}, letter)
	}
}
