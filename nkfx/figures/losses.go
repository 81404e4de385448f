package figures

import (
	"image/color"
)

// Losses draws losses over epochs on a logarithmic axis, one line for each
// name.
func Losses(title string, names []string, losses ...[]float64) *Figure {
	curves := &Curves{}
	f := Arrange(title, 1, &Panel{X: "epoch", Y: "training loss", LogY: true, Layers: []Layer{curves}})
	colors := []color.NRGBA{Purple, Orange, SkyBlue, Ink} // none of a class
	for i, name := range names {
		col := colors[i%len(colors)]
		var points []float64
		for epoch, loss := range losses[i] {
			if loss > 0 { // what a logarithm can show
				points = append(points, float64(epoch+1), loss)
			}
		}
		curves.Lines = append(curves.Lines, points)
		curves.Colors = append(curves.Colors, col)
		f.Key = append(f.Key, Key{name, col})
	}
	return f
}
