package figures

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// ConvolutionTemplates draws the template field of each class in its neighborhood, beside a test drawing of
// the class, where translations are colored by their values with that template, ∫ω times density.
func ConvolutionTemplates(r *experiments.ConvolutionResult) *Figure {
	fields := streamsOf(r.Field)
	forms := len(r.Classes)
	moves := len(r.Translations) / 2
	seen := Signed(Typical(r.Seen))
	f := Arrange("Template 1-forms, and what their translations see of a test drawing", 2)
	for class, name := range r.Classes {
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("template ω%s: %s", subscript(class), name),
			fields[class]).Within(r.Field.Low*1.05, r.Field.High*1.05))
		f.Bars = []Bar{{"strength |ω|", fields[class].Scale}, {"seen by a translation", seen}}
		g := slices.Index(r.Forms.Test.Labels, int32(class))
		if g < 0 {
			continue
		}
		at, edges := r.Forms.Test.Data.Points(g), r.Forms.Test.Data.Corners(1, g)
		translations := Points(doubles(r.Translations), 13, func(t int) color.NRGBA {
			return seen.At(float64(r.Seen[(g*moves+t)*forms+class]))
		})
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("%s: Σ∫ω%s = %+.2f", name, subscript(class),
			r.Forms.Test.Points[g*forms+class]), translations,
			&Complex{Points: at, Edges: edges, Color: Class(class), Heads: true},
		).Within(-0.05, 1.05))
	}
	f.Key, f.Side = classKey(r.Classes), 1.2*panelSide
	return f.warn("templates", &r.Forms)
}

// ConvolutionEmbedding draws the drawings as points in the plane, by the sums of their values over all
// translations: training drawings as rings, test drawings as dots.
func ConvolutionEmbedding(r *experiments.ConvolutionResult) *Figure {
	return embedding("Drawings", "templates", r.Classes, &r.Forms)
}
