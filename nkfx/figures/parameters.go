package figures

import (
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// AccuracyByParameters draws accuracy against the number of parameters, a
// panel for each data set with any figure: ours filled, the paper's as rings.
// Where models have several choices of features, each has a shape of its own,
// which a note names.
func AccuracyByParameters(t *experiments.Table) *Figure {
	return byParameters(t, "Accuracy", "accuracy, %")
}

// AUROCByParameters draws areas under the receiver operating characteristic
// likewise.
func AUROCByParameters(t *experiments.Table) *Figure { return byParameters(t, "AUROC", "AUROC, %") }

// shapes are those of the choices of features in turn, and shapeNames what
// they are called.
var (
	shapes     = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}}
	shapeNames = []string{"dots", "squares", "triangles"}
)

// byParameters draws scores of that name against the number of parameters.
func byParameters(t *experiments.Table, name, label string) *Figure {
	f := &Figure{Title: name + " by size of the model: ours (filled) and the paper's (rings)", Columns: 3}
	seen := map[string]bool{}
	var features []string // that any row asks for
	for _, row := range t.Rows {
		if !seen[row.Model] {
			seen[row.Model] = true
			f.Key = append(f.Key, Key{modelNames[row.Model], modelColors[row.Model]})
		}
		if !slices.Contains(features, row.Features) {
			features = append(features, row.Features)
		}
	}
	shape := func(features []string, of string) int { return slices.Index(features, of) % len(shapes) }
	if len(features) > 1 {
		var names []string
		for _, of := range features {
			names = append(names, shapeNames[shape(features, of)]+": "+featureText(of))
		}
		f.Notes = []string{strings.Join(names, ", ")}
	}
	for d, name := range t.Datasets {
		m := &marks{}
		drawn := map[string]bool{}
		for _, row := range t.Rows {
			col := modelColors[row.Model]
			if r := row.Cells[d]; r != nil && !drawn[row.Model+r.Features] {
				drawn[row.Model+r.Features] = true
				m.add(r.Parameters, lastEpoch(r), col, shapes[shape(features, row.Features)])
			}
			if p := row.Paper(name); p != nil && !drawn[row.Model] {
				drawn[row.Model] = true
				m.add(row.PaperParameters, *p, col, draw.RingGlyph{})
			}
		}
		if len(m.marks) > 0 {
			panel := &Panel{Title: name, X: "parameters", LogX: true, Y: label, Layers: []Layer{m}}
			f.Panels = append(f.Panels, panel)
		}
	}
	return f
}

// marks draws figures with bars of one standard deviation, by the number of
// parameters.
type marks struct{ marks []mark }

type mark struct {
	x      float64
	figure experiments.Figure
	color  color.NRGBA
	shape  draw.GlyphDrawer
}

func (m *marks) add(parameters int, f experiments.Figure, col color.NRGBA, shape draw.GlyphDrawer) {
	m.marks = append(m.marks, mark{float64(parameters), f, col, shape})
}

// Plot draws the layer.
func (m *marks) Plot(c draw.Canvas, plt *plot.Plot) {
	at := place(c, plt)
	dot := func(p vg.Point, col color.Color, shape draw.GlyphDrawer) {
		c.DrawGlyph(draw.GlyphStyle{Color: col, Radius: 3.5, Shape: shape}, p)
	}
	for _, k := range m.marks {
		low, high := at(k.x, k.figure.Mean-k.figure.Std), at(k.x, k.figure.Mean+k.figure.Std)
		line(c, []vg.Point{low, high}, alpha(k.color, 0.6), lineWidth)
		middle := at(k.x, k.figure.Mean)
		if _, hollow := k.shape.(draw.RingGlyph); hollow {
			dot(middle, White, draw.CircleGlyph{}) // the bar is not to be seen through the ring
		}
		dot(middle, k.color, k.shape)
	}
}

// DataRange returns the range of the bars and a margin.
func (m *marks) DataRange() (xmin, xmax, ymin, ymax float64) {
	var ends []float64
	for _, k := range m.marks {
		ends = append(ends, k.x, k.figure.Mean-k.figure.Std, k.x, k.figure.Mean+k.figure.Std)
	}
	xmin, xmax, ymin, ymax = boundsOf(0, ends)
	return xmin / 1.5, xmax * 1.5, ymin - 2, ymax + 2
}
