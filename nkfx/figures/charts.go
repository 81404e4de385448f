package figures

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// unclassed are the colors of lines that stand for none of the classes, in turn.
var unclassed = []color.NRGBA{Purple, Orange, SkyBlue, Ink}

// Losses draws losses over epochs on a logarithmic axis, one line for each name. It panics if there
// are more or fewer names.
func Losses(title string, names []string, losses ...[]float64) *Figure {
	fit("Losses: names", len(names), len(losses))
	f := Arrange(title, 1)
	var layers []plot.Plotter
	for i, name := range names {
		col := unclassed[i%len(unclassed)]
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

// shapes are those of the choices of features in turn, and shapeNames what they are called.
var (
	shapes     = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}}
	shapeNames = []string{"dots", "squares", "triangles"}
)

// ByParameters draws the scores of a table against the number of parameters, a panel for each data set with
// any score: ours filled, the paper's as rings. If models have several choices of features, each has its own
// shape, named in a note.
func ByParameters(t *experiments.Results) *Figure {
	f := Arrange(metricName(t)+" by size of the model: ours (filled) and the paper's (rings)", 3)
	var models, features []string // that any row asks for
	for _, row := range t.Rows {
		if !slices.Contains(models, row.Model) {
			models = append(models, row.Model)
			f.Key = append(f.Key, Key{modelStyles[row.Model].name, modelStyles[row.Model].color})
		}
		if text := featureText(row); !slices.Contains(features, text) {
			features = append(features, text)
		}
	}
	if len(features) > 1 {
		var names []string
		for i, of := range features {
			names = append(names, shapeNames[i%len(shapes)]+": "+of)
		}
		f.Notes = []string{strings.Join(names, ", ")}
	}
	for d, c := range t.Columns {
		var marks []plot.Plotter
		drawn := map[string]bool{}
		for _, row := range t.Rows {
			col := modelStyles[row.Model].color
			if r := row.Cells[d]; r != nil && !drawn[row.Model+r.Features] {
				drawn[row.Model+r.Features] = true
				shape := shapes[slices.Index(features, featureText(row))%len(shapes)]
				marks = append(marks, mark(r.Parameters, lastEpoch.mean(r), col, shape)...)
			}
			if p := c.Paper(row.Model); p != nil && !drawn[row.Model] {
				drawn[row.Model] = true
				marks = append(marks, mark(row.PaperParameters, *p, col, draw.RingGlyph{})...)
			}
		}
		if len(marks) == 0 {
			continue
		}
		label := metricName(&experiments.Results{Columns: []experiments.Column{c}})
		label = strings.Replace(label, "Accuracy", "accuracy", 1)
		p := NewChart(c.Name, marks...).Axes("parameters", label+", %")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = p.X.Min/1.5, p.X.Max*1.5, p.Y.Min-2, p.Y.Max+2
		if p.X.Min > 0 {
			p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, counts{}
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// mark returns a score with a bar of one standard deviation, by the number of parameters, if it is
// defined.
func mark(parameters int, score experiments.Published, col color.NRGBA,
	shape draw.GlyphDrawer) []plot.Plotter {
	if math.IsNaN(score.Mean) {
		return nil
	}
	at := []float64{float64(parameters), score.Mean}
	if !score.Std.Defined() { // of one training
		score.Std = 0
	}
	bar := &plotter.YErrorBars{XYs: xys(at), YErrors: plotter.YErrors{{Low: float64(score.Std),
		High: float64(score.Std)}},
		LineStyle: draw.LineStyle{Color: alpha(col, 0.6), Width: lineWidth}}
	dot := Points(at, 3.5, func(int) color.NRGBA { return col })
	dot.Shape = shape
	ground := Points(at, 3.5, func(int) color.NRGBA { return White }) // hides the bar behind a ring
	return []plot.Plotter{bar, ground, dot}
}
