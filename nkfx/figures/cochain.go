package figures

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// CochainLevels draws a cochain network on one graph, level by level. A vertex has the color of its
// message, the sum of the integrals of the level's largest form over its edges, each directed towards
// it; an arrow on each edge points to the end to which the integral is positive. After the last layer
// there is no message.
//
// Vertices are drawn at places [V, 2], for all levels with a message. If places is nil, they are drawn at the
// positions to which the network has moved them, over the form.
func CochainLevels(title string, places []float64, levels []experiments.CochainLevel) *Figure {
	f := Arrange(title, min(len(levels), 4))
	var messages []float64
	for _, level := range levels {
		for v := level.Largest(); v < len(level.Messages); v += level.Forms {
			messages = append(messages, level.Messages[v])
		}
	}
	scale := Signed(Typical(messages))
	for i, level := range levels {
		j := level.Largest()
		name := fmt.Sprintf("level %d: ω%s", i, subscript(j))
		edges := slices.Clone(level.Edges)
		for e := 0; e+1 < len(edges); e += 2 {
			if level.Integrals[e/2*level.Forms+j] < 0 {
				slices.Reverse(edges[e : e+2])
			}
		}
		var message func(v int) color.NRGBA
		if level.Messages != nil {
			message = func(v int) color.NRGBA { return scale.At(level.Messages[v*level.Forms+j]) }
		}
		graph := func(at []float64) []plot.Plotter {
			// Without a rim vertices near zero are as pale as the card.
			return []plot.Plotter{&Complex{Points: at, Edges: edges, Color: Ink, Heads: true},
				Points(at, 5, message), Rings(at, 5, func(int) color.NRGBA { return Gray })}
		}
		switch {
		case places == nil:
			field := fieldsOf(level.Field)[j]
			field.Scale = Tint(SkyBlue, Typical(field.strengths()))
			name += fmt.Sprintf(", %.0f %% in this plane", 100*level.Share)
			layers := append([]plot.Plotter{field}, graph(level.Points)...)
			f.Panels = append(f.Panels, NewPanel(name, layers...).Within(level.Field.Low, level.Field.High))
			if level.Messages == nil {
				f.Key = []Key{{"no message: the last level is only read out", Ink}}
			}
		case level.Messages != nil:
			f.Panels = append(f.Panels, NewPanel(name, graph(places)...))
		}
	}
	f.Bars = []Bar{{"δX, towards the vertex", scale}}
	return f
}
