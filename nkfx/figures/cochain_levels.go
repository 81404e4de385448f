package figures

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// CochainLevels draws the levels of a cochain network for one graph: its vertices where the network has
// moved them, and under the edges the form whose integrals over them are largest. A vertex has the
// color of its message, the sum of the integrals over its edges, each directed towards it; after the
// last layer there is none.
func CochainLevels(title string, levels []experiments.CochainLevel) *Figure {
	f := Arrange(title, min(len(levels), 4))
	scale := messages(levels)
	for i, level := range levels {
		j := level.Largest()
		field := fieldsOf(level.Field)[j]
		field.Scale = Tint(SkyBlue, Typical(field.strengths()))
		f.Panels = append(f.Panels, NewPanel(
			fmt.Sprintf("level %d: ω%s, %.0f %% in this plane", i, subscript(j), 100*level.Share),
			append([]plot.Plotter{field}, told(level, level.Points, scale, 5)...)...,
		).Within(level.Field.Low, level.Field.High))
		if level.Messages == nil {
			f.Key = []Key{{"no message: the last level is only read out", Ink}}
		}
	}
	f.Bars = []Bar{{"δX, towards the vertex", scale}}
	return f
}

// CochainMessages draws a graph where it was before its vertices moved, level by level, with what its
// edges tell its vertices: an arrow on each edge points to the end to which the integral of the level's
// largest form is positive.
func CochainMessages(title string, places []float64, levels []experiments.CochainLevel) *Figure {
	f := Arrange(title, min(len(levels), 4))
	scale := messages(levels)
	for i, level := range levels {
		if level.Messages != nil {
			f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("level %d: ω%s", i, subscript(level.Largest())),
				told(level, places, scale, 6)...))
		}
	}
	f.Bars = []Bar{{"δX, towards the vertex", scale}}
	return f
}

// messages returns the scale of the messages of the largest forms.
func messages(levels []experiments.CochainLevel) *Scale {
	var all []float64
	for _, level := range levels {
		for v := level.Largest(); v < len(level.Messages); v += level.Forms {
			all = append(all, level.Messages[v])
		}
	}
	return Signed(Typical(all))
}

// told returns the graph of a level at places: its edges oriented so that the integrals of the largest
// form are positive, and its vertices in the colors of their messages, ink where there are none.
func told(level experiments.CochainLevel, places []float64, scale *Scale, size vg.Length) []plot.Plotter {
	j := level.Largest()
	edges := slices.Clone(level.Edges)
	for e := 0; e+1 < len(edges); e += 2 {
		if level.Integrals[e/2*level.Forms+j] < 0 {
			slices.Reverse(edges[e : e+2])
		}
	}
	// Without a rim vertices near zero are as pale as the card.
	vertices, rim := Points(places, nil), Rings(places, func(int) color.NRGBA { return Grey })
	if level.Messages != nil {
		vertices = Points(places, func(v int) color.NRGBA { return scale.At(level.Messages[v*level.Forms+j]) })
	}
	vertices.Radius, rim.Radius = size, size
	return []plot.Plotter{&Complex{Points: places, Edges: edges, Color: Ink, Heads: true}, vertices, rim}
}
