package figures

import (
	"image/color"

	"gonum.org/v1/plot"
)

// Losses draws losses over epochs on a logarithmic axis, one line for each name.
func Losses(title string, names []string, losses ...[]float64) *Figure {
	f := Arrange(title, 1)
	var layers []plot.Plotter
	colors := []color.NRGBA{Purple, Orange, SkyBlue, Ink} // none of a class
	for i, name := range names {
		col := colors[i%len(colors)]
		var points []float64
		for epoch, loss := range losses[i] {
			if loss > 0 { // what a logarithm can show
				points = append(points, float64(epoch+1), loss)
			}
		}
		layers = append(layers, Curve(points, col))
		if len(points) == 2 {
			layers = append(layers, Points(points, 2, func(int) color.NRGBA { return col }))
		}
		f.Key = append(f.Key, Key{name, col})
	}
	f.Panels = []*Panel{NewChart("", layers...).Axes("epoch", "training loss").LogY()}
	return f
}
