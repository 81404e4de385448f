package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// CochainLevels draws the levels of a cochain network for one graph: its
// vertices where the network has moved them, and under the edges the form whose
// integrals over them are largest. A vertex has the colour of its message, the
// sum of the integrals over its edges, each directed towards it; after the last
// layer there is none.
func CochainLevels(title string, levels []experiments.CochainLevel) *Figure {
	f := Arrange(title, min(len(levels), 4))
	var messages []float64
	shown := make([]int, len(levels))
	for i, level := range levels {
		shown[i] = level.Largest()
		for v := shown[i]; v < len(level.Messages); v += level.Forms {
			messages = append(messages, level.Messages[v])
		}
	}
	scale := Signed(Typical(messages))
	for i, level := range levels {
		j := shown[i]
		field := arrows(level.Field, j, nil)
		var strengths []float64
		for p := 0; p < len(field.Vectors); p += 2 {
			strengths = append(strengths, math.Hypot(field.Vectors[p], field.Vectors[p+1]))
		}
		field.Scale = Tint(SkyBlue, Typical(strengths))
		points := &Points{At: level.Points, Size: 5} // ink
		if level.Messages != nil {
			points.Color = func(v int) color.NRGBA { return scale.At(level.Messages[v*level.Forms+j]) }
		}
		f.Panels = append(f.Panels, NewPanel(
			fmt.Sprintf("level %d: ω%s, %.0f %% in this plane", i, subscript(j), 100*level.Share),
			field, &Complex{Points: level.Points, Edges: along(level, j), Color: Ink, Heads: true},
			points, rim(level.Points, points.Size),
		).Within(level.Field.Low, level.Field.High))
	}
	if slices.ContainsFunc(levels, func(l experiments.CochainLevel) bool { return l.Messages == nil }) {
		f.Key = []Key{{"no message: the last level is only read out", Ink}}
	}
	f.Bars = []Bar{{"δX, towards the vertex", scale}}
	return f
}

// CochainMessages draws a graph where it was before its vertices moved, level
// by level, with what its edges tell its vertices: an arrow on each edge points
// to the end to which the integral of the level's largest form is positive.
func CochainMessages(title string, places []float64, levels []experiments.CochainLevel) *Figure {
	f := Arrange(title, min(len(levels), 4))
	var all []float64
	for _, level := range levels {
		j := level.Largest()
		for v := j; v < len(level.Messages); v += level.Forms {
			all = append(all, level.Messages[v])
		}
	}
	scale := Signed(Typical(all))
	for i, level := range levels {
		if level.Messages == nil {
			continue
		}
		j := level.Largest()
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("level %d: ω%s", i, subscript(j)),
			&Complex{Points: places, Edges: along(level, j), Color: Ink, Heads: true},
			&Points{At: places, Size: 6, Color: func(v int) color.NRGBA {
				return scale.At(level.Messages[v*level.Forms+j])
			}}, rim(places, 6)))
	}
	f.Bars = []Bar{{"δX, towards the vertex", scale}}
	return f
}

// along returns the edges, oriented so that the integrals of form j are positive.
func along(level experiments.CochainLevel, j int) []int32 {
	edges := slices.Clone(level.Edges)
	for e := 0; e+1 < len(edges); e += 2 {
		if level.Integrals[e/2*level.Forms+j] < 0 {
			slices.Reverse(edges[e : e+2])
		}
	}
	return edges
}

// rim draws the outline of dots, without which those that are near zero are as pale as the card.
func rim(at []float64, size vg.Length) *Points {
	return &Points{At: at, Size: size, Hollow: true, Color: func(int) color.NRGBA { return Grey }}
}
