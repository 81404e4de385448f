package figures

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Layer is what a panel draws: a plotter of gonum/plot that knows the range
// of its data.
type Layer interface {
	plot.Plotter
	plot.DataRanger
}

// Panel is one coordinate system with layers in it. The zero value is an
// empty panel.
type Panel struct {
	Title  string
	X, Y   string // labels of the axes
	Layers []Layer
	// Low and High are the range of both axes. Where they agree, the range
	// is that of the layers.
	Low, High float64
	Equal     bool // a unit is as long on both axes
	Bare      bool // without axes
	LogX      bool // logarithmic in x, which counts; data have to be positive
	LogY      bool // logarithmic in y; data have to be positive

	columns, rows cellNames // of a matrix, in place of numbers
}

// NewPanel returns a panel of the plane, with units alike on both axes.
func NewPanel(title string, layers ...Layer) *Panel {
	return &Panel{Title: title, Layers: layers, Equal: true}
}

// Within sets the range of both axes and returns the panel.
func (p *Panel) Within(low, high float64) *Panel {
	p.Low, p.High = low, high
	return p
}

// Axes labels the axes and returns the panel.
func (p *Panel) Axes(x, y string) *Panel {
	p.X, p.Y = x, y
	return p
}

// draw draws the panel.
func (p *Panel) draw(c draw.Canvas) {
	plt := plot.New()
	style(plt)
	plt.Title.Text, plt.X.Label.Text, plt.Y.Label.Text = typeset(p.Title), p.X, p.Y
	for _, layer := range p.Layers {
		plt.Add(layer)
	}
	if p.Low < p.High {
		plt.X.Min, plt.X.Max, plt.Y.Min, plt.Y.Max = p.Low, p.High, p.Low, p.High
	}
	if len(p.Layers) == 0 && p.Low >= p.High {
		plt.X.Min, plt.X.Max, plt.Y.Min, plt.Y.Max = 0, 1, 0, 1
	}
	if p.LogX && plt.X.Min > 0 {
		plt.X.Scale = plot.LogScale{}
		plt.X.Tick.Marker = counts{}
	}
	if p.LogY && plt.Y.Min > 0 {
		if plt.Y.Min == plt.Y.Max { // gonum/plot would widen this past zero
			plt.Y.Min, plt.Y.Max = plt.Y.Min/2, plt.Y.Max*2
		}
		plt.Y.Scale = plot.LogScale{}
		plt.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	}
	if p.columns != nil {
		plt.X.Tick.Marker, plt.Y.Tick.Marker = p.columns, p.rows
		plt.X.Tick.Length, plt.Y.Tick.Length, plt.X.LineStyle.Width, plt.Y.LineStyle.Width = 0, 0, 0, 0
	}
	if p.Bare {
		plt.HideAxes()
	}
	if p.Equal {
		equalize(plt, c)
	}
	plt.Draw(c)
}

// equalize widens the range of one axis so that units are alike on both.
func equalize(plt *plot.Plot, c draw.Canvas) {
	// The room for tick labels depends on the range: twice is enough.
	for range 2 {
		data := plt.DataCanvas(c)
		w, h := float64(data.Max.X-data.Min.X), float64(data.Max.Y-data.Min.Y)
		x, y := plt.X.Max-plt.X.Min, plt.Y.Max-plt.Y.Min
		unit := math.Max(x/w, y/h)
		widen(&plt.X, unit*w-x)
		widen(&plt.Y, unit*h-y)
	}
}

// widen makes the range of an axis longer by that much, half at either end.
func widen(a *plot.Axis, by float64) {
	a.Min -= by / 2
	a.Max += by / 2
}

// style makes a plot look as all do here.
func style(plt *plot.Plot) {
	plt.BackgroundColor = White
	plt.Title.TextStyle.Font = face(titleSize)
	plt.Title.TextStyle.Color = Ink
	plt.Title.Padding = vg.Length(4)
	for _, a := range []*plot.Axis{&plt.X, &plt.Y} {
		a.Label.TextStyle.Font = face(textSize)
		a.Label.TextStyle.Color = Ink
		a.Tick.Marker = ticks{}
		a.Tick.Label.Font = face(textSize - 2)
		a.Tick.Label.Color = Grey
		a.Tick.LineStyle.Color = Grey
		a.Tick.LineStyle.Width = vg.Length(0.5)
		a.Tick.Length = vg.Length(3)
		a.LineStyle.Color = Grey
		a.LineStyle.Width = vg.Length(0.5)
		a.Padding = vg.Length(2)
	}
}
