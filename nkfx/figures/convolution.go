package figures

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

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

// ConvolutionEmbedding draws the drawings by the number that decides, the difference of the two scores:
// those of a class in its order, the least at the bottom, training drawings as rings and test drawings as
// dots. Right of the line a drawing is classified as the second class.
func ConvolutionEmbedding(r *experiments.ConvolutionResult) *Figure {
	c, names := &r.Forms, r.Classes
	chart := NewChart("", Curve([]float64{0, 0, 0, 100}, Faint)).
		Axes(fmt.Sprintf("score of %s − score of %s", names[1], names[0]), "drawings of the class, %")
	for _, part := range []struct {
		experiments.Embedding
		marks func([]float64, vg.Length, func(int) color.NRGBA) *plotter.Scatter
	}{{c.Train, Rings}, {c.Test, Points}} {
		for class := range names {
			var differences []float64
			for _, g := range members(part.Embedding, class) {
				x := part.Points[g*part.Forms():]
				differences = append(differences, float64(x[1]-x[0]))
			}
			slices.Sort(differences)
			var at []float64
			for i, x := range differences {
				at = append(at, x, 100*(float64(i)+0.5)/float64(len(differences)))
			}
			chart.Add(part.marks(at, 2.2, func(int) color.NRGBA { return Class(class) }))
		}
	}
	f := Arrange(fmt.Sprintf("Drawings by the difference of their scores: test accuracy %.1f %%",
		c.TestAccuracy), 1, chart)
	f.Side, f.Ratio = 1.9*panelSide, 0.6
	f.Key = embeddingKey(names)
	return f.warn("templates", c)
}
