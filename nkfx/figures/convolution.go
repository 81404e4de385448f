package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// ConvolutionTemplates draws the template field of each class in its
// neighbourhood, beside a test drawing of the class on which the translations
// are coloured by what they see with that template, ∫ω times density.
func ConvolutionTemplates(r *experiments.ConvolutionResult) *Figure {
	strength := Strength(Typical(strengths(r.Field)))
	forms := len(r.Classes)
	moves := len(r.Translations) / 2
	seen := Signed(Typical(r.Seen))
	f := Arrange("Template 1-forms, and what their translations see of a test drawing", 2)
	for class, name := range r.Classes {
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("template ω%s: %s", subscript(class), name),
			arrows(r.Field, class, strength)).Within(r.Field.Low*1.05, r.Field.High*1.05))
		g := slices.Index(r.Forms.Test.Labels, int32(class))
		if g < 0 {
			continue
		}
		at, edges := r.Forms.Test.Data.Points(g), r.Forms.Test.Data.Corners(1, g)
		values := make([]float64, moves)
		for t := range values {
			values[t] = float64(r.Seen[(g*moves+t)*forms+class])
		}
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("%s: Σ∫ω%s = %+.2f", name, subscript(class),
			r.Forms.Test.Points[g*forms+class]),
			&Points{
				At: doubles(r.Translations), Size: 13,
				Color: func(t int) color.NRGBA { return seen.At(values[t]) },
			},
			&Complex{Points: doubles(at), Edges: edges, Color: Class(class), Heads: true},
		).Within(-0.05, 1.05))
	}
	f.Key = classKey(r.Classes)
	f.Bars, f.Below = []Bar{{"strength |ω|", strength}, {"seen by a translation", seen}}, true
	f.Side = 1.2 * panelSide
	return f.warn("templates", &r.Forms)
}

// ConvolutionEmbedding draws the drawings as points in the plane, by the sums
// of what all translations see: training drawings as rings, test drawings as
// dots.
func ConvolutionEmbedding(r *experiments.ConvolutionResult) *Figure {
	p := plane(&r.Forms)
	f := Arrange(fmt.Sprintf("Drawings as points: %.1f %% of test drawings right",
		r.Forms.TestAccuracy), 1, p)
	f.Side = 1.5 * panelSide
	f.Key = embeddingKey(r.Classes)
	return f.warn("templates", &r.Forms)
}

// plane returns the panel of complexes as points in the plane, by their first
// two integrals, with a line between the classes.
func plane(c *experiments.Classification) *Panel {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range append(slices.Clone(c.Train.Points), c.Test.Points...) {
		low, high = math.Min(low, float64(x)), math.Max(high, float64(x))
	}
	return &Panel{X: "∫ω₁", Y: "∫ω₂", Layers: []Layer{
		&Curves{Lines: [][]float64{{low, low, high, high}}, Colors: []color.NRGBA{Faint}},
		&Points{At: doubles(c.Train.Points), Color: labelled(c.Train.Labels), Hollow: true},
		&Points{At: doubles(c.Test.Points), Color: labelled(c.Test.Labels)},
	}}
}
