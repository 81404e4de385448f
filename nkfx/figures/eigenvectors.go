package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// parts are the colors of the Hodge decomposition, near those of the paper.
var parts = map[string]color.NRGBA{"gradient": Blue, "curl": Green, "harmonic": Vermilion}

// EigenvectorCover draws the points with discs around them, which meet where
// the complex has an edge, beside the complex.
func EigenvectorCover(r *experiments.EigenvectorsResult) *Figure {
	xmin, xmax, ymin, ymax := boundsOf(r.Radius, r.Points)
	low, high := min(xmin, ymin), max(xmax, ymax)
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

// fittedTitle begins the title of their fields.
const fittedTitle = "1-forms fitted to eigenvectors"

// EigenvectorFields draws the 1-forms that were fitted to the eigenvectors, as
// the vector fields they are, where the complex is: each in the color of its
// eigenvector's part of the Hodge decomposition, with the distance of its
// integrals from the eigenvector as title. Results of several set-ups for the
// same complex, with a name each, stand beside each other on one scale.
func EigenvectorFields(names []string, results ...*experiments.EigenvectorsResult) *Figure {
	if len(results) == 0 {
		return Arrange(fittedTitle, 1)
	}
	var seen []float64
	var errors []string
	for i, r := range results {
		for j := range r.Values {
			a := over(arrows(r.Field, j, Strength(1)), r.Points, r.Triangles)
			for i := 0; i < len(a.Vectors); i += 2 {
				seen = append(seen, math.Hypot(a.Vectors[i], a.Vectors[i+1]))
			}
		}
		errors = append(errors, strings.TrimSpace(fmt.Sprintf("%.1f %% %s", 100*r.Error, at(names, i))))
	}
	high := Typical(seen)
	f := Arrange(fittedTitle+"; relative error "+strings.Join(errors, ", "), 3)
	for j := range results[0].Values {
		for i, r := range results {
			label := at(names, i)
			if i == 0 {
				value := fmt.Sprintf("λ%s = %.3f, %s", subscript(j), r.Values[j], label)
				label = strings.TrimSuffix(value, ", ")
			}
			p := NewPanel(fmt.Sprintf("%s: %.1f %%", label, 100*r.Errors[j]),
				&Points{At: r.Points, Color: func(int) color.NRGBA { return Faint }, Size: 1.5},
				over(arrows(r.Field, j, Tint(parts[r.Parts[j]], high)), r.Points, r.Triangles),
			).Within(r.Field.Low, r.Field.High)
			p.Bare = true
			f.Panels = append(f.Panels, p)
		}
	}
	if len(results) > 1 {
		f.Columns, f.Side = 2*len(results), 0.9*panelSide
	}
	f.Key = []Key{{"gradient", parts["gradient"]}, {"curl", parts["curl"]}, {"harmonic", parts["harmonic"]}}
	f.Bars = []Bar{{"strength |ω|", Strength(high)}}
	return f
}

// at returns name i, or nothing.
func at(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// over returns the arrows whose points are in a triangle.
func over(a *Arrows, points []float64, triangles []int32) *Arrows {
	out := &Arrows{Scale: a.Scale, Longest: a.Longest}
	for i := 0; i < len(a.Points); i += 2 {
		x, y := a.Points[i], a.Points[i+1]
		// side is positive to the left of the way from vertex p to vertex q.
		side := func(p, q int32) float64 {
			px, py, qx, qy := points[2*p], points[2*p+1], points[2*q], points[2*q+1]
			return (qx-px)*(y-py) - (qy-py)*(x-px)
		}
		for t := range slices.Chunk(triangles, 3) {
			u, v, w := side(t[0], t[1]), side(t[1], t[2]), side(t[2], t[0])
			if min(u, v, w) >= 0 || max(u, v, w) <= 0 {
				out.Points = append(out.Points, x, y)
				out.Vectors = append(out.Vectors, a.Vectors[i:i+2]...)
				break
			}
		}
	}
	return out
}
