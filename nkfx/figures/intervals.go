package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// Intervals draws mean differences with their 95 % intervals, in percentage points: from above one for every
// row, and in a row one for every name, in its color. A comparison that is nil is left out.
func Intervals(title string, rows, names []string, of func(row, name int) *experiments.Comparison) *Figure {
	colors := []color.NRGBA{Purple, Orange, SkyBlue, Ink}
	zero := Curve([]float64{0, -0.5, 0, float64(len(rows)) - 0.5}, Gray)
	layers := []plot.Plotter{zero}
	f := Arrange(title, 1)
	f.Side, f.Ratio = 2*panelSide, 0.75
	for n, name := range names {
		col := colors[n%len(colors)]
		f.Key = append(f.Key, Key{name, col})
		for row := range rows {
			c := of(row, n)
			if c == nil {
				continue
			}
			share := (float64(n)+0.5)/float64(len(names)) - 0.5 // of the height of a row
			at := []float64{c.Mean, float64(len(rows)-1-row) - 0.7*share}
			bar := &plotter.XErrorBars{XYs: xys(at), XErrors: plotter.XErrors{{Low: c.Mean - c.Low,
				High: c.High - c.Mean}}, LineStyle: draw.LineStyle{Color: col, Width: lineWidth}}
			layers = append(layers, bar, Points(at, 3.5, func(int) color.NRGBA { return col }))
		}
	}
	p := NewChart("", layers...).Axes("percentage points", "")
	var marks []plot.Tick
	for row, name := range rows {
		marks = append(marks, plot.Tick{Value: float64(len(rows) - 1 - row), Label: name})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(marks), 0
	f.Panels = []*Panel{p}
	return f
}
