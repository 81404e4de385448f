package figures

import (
	"fmt"
	"image/color"
	"math"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// parts are the colors of the Hodge decomposition, near those of the paper.
var parts = map[string]color.NRGBA{"gradient": Blue, "curl": Green, "harmonic": Vermilion}

// EigenvectorCover draws the points with discs around them, which meet where
// the complex has an edge, beside the complex.
func EigenvectorCover(r *experiments.EigenvectorsResult) *Figure {
	low, high := r.Field.Low, r.Field.High
	title := fmt.Sprintf("%d points, %d edges, %d triangles",
		len(r.Points)/2, len(r.Edges)/2, len(r.Triangles)/3)
	f := Arrange(title, 2,
		NewPanel(fmt.Sprintf("discs of radius %g", r.Radius),
			&Discs{r.Points, r.Radius, SkyBlue}).Within(low, high),
		NewPanel(fmt.Sprintf("edges up to %g, and triangles", 2*r.Radius),
			&Complex{Points: r.Points, Edges: r.Edges, Triangles: r.Triangles, Color: Blue},
		).Within(low, high))
	f.Side = 1.3 * panelSide
	return f
}

// EigenvectorFields draws the 1-forms fitted to the eigenvectors as vector
// fields where the discs are, as their integrals show them, in the colour of
// their part of the Hodge decomposition, with the eigenvalues as titles.
func EigenvectorFields(r *experiments.EigenvectorsResult) *Figure {
	// Arrows far from the points belong to no edge; they do not count.
	var seen []float64
	for j := range r.Values {
		a := near(arrows(r.Field, j, Strength(1)), r.Points, r.Radius)
		for i := 0; i < len(a.Vectors); i += 2 {
			seen = append(seen, math.Hypot(a.Vectors[i], a.Vectors[i+1]))
		}
	}
	high := Typical(seen)
	f := Arrange(fmt.Sprintf("Eigenvectors of the Hodge 1-Laplacian as fields (relative error %.1f %%)",
		100*r.Error), 3)
	for j, value := range r.Values {
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("λ%s = %.3f, %s", subscript(j), value, r.Parts[j]),
			&Points{At: r.Points, Color: func(int) color.NRGBA { return Faint }, Size: 1.5},
			near(arrows(r.Field, j, Tint(parts[r.Parts[j]], high)), r.Points, r.Radius),
		).Within(r.Field.Low, r.Field.High))
	}
	f.Key = []Key{{"gradient", parts["gradient"]}, {"curl", parts["curl"]}, {"harmonic", parts["harmonic"]}}
	f.Bars = []Bar{{"strength |ω|", Strength(high)}}
	return f
}

// near returns the arrows within the radius of one of the points.
func near(a *Arrows, points []float64, radius float64) *Arrows {
	out := &Arrows{Scale: a.Scale, Longest: a.Longest}
	for i := 0; i < len(a.Points); i += 2 {
		for j := 0; j < len(points); j += 2 {
			if math.Hypot(a.Points[i]-points[j], a.Points[i+1]-points[j+1]) <= radius {
				out.Points = append(out.Points, a.Points[i:i+2]...)
				out.Vectors = append(out.Vectors, a.Vectors[i:i+2]...)
				break
			}
		}
	}
	return out
}
