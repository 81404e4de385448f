package figures

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// parts are the colors of the Hodge decomposition, near those of the paper.
var parts = map[string]color.NRGBA{"gradient": Blue, "curl": Green, "harmonic": Vermilion}

// EigenvectorCover draws the points with discs around them, which meet where the complex has an edge,
// beside the complex.
func EigenvectorCover(r *experiments.EigenvectorsResult) *Figure {
	low, high := square(r.Radius, r.Points)
	title := fmt.Sprintf("%d points, %d edges, %d triangles",
		len(r.Points)/2, len(r.Edges)/2, len(r.Triangles)/3)
	f := Arrange(title, 2,
		NewPanel(fmt.Sprintf("discs of radius %g", r.Radius),
			Discs(r.Points, r.Radius, SkyBlue)...).Within(low, high),
		NewPanel(fmt.Sprintf("edges up to %g, and triangles", 2*r.Radius),
			&Complex{Points: r.Points, Edges: r.Edges, Triangles: r.Triangles, Color: Blue},
		).Within(low, high))
	f.Side = 1.3 * panelSide
	return f
}

// EigenvectorFields draws the 1-forms that were fitted to the eigenvectors, as vector fields near the
// complex: each in the color of its eigenvector's part of the Hodge decomposition, with the distance of its
// integrals from the eigenvector as title. Results of several set-ups for the same complex, with a name each,
// are drawn side by side on one scale.
func EigenvectorFields(names []string, results ...*experiments.EigenvectorsResult) *Figure {
	f := Arrange("1-forms fitted to eigenvectors", 3)
	if len(results) == 0 {
		return f
	}
	names = append(slices.Clone(names), make([]string, len(results))...) // some have no name
	fields := make([][]*Arrows, len(results))
	var seen []float64
	var errors []string
	for i, r := range results {
		fields[i] = fieldsOf(r.Field)
		for _, a := range fields[i] {
			a.restrict(r.Points, r.Triangles)
			seen = append(seen, a.strengths()...)
		}
		errors = append(errors, strings.TrimSpace(fmt.Sprintf("%.1f %% %s", 100*r.Error, names[i])))
	}
	f.Title += "; relative error " + strings.Join(errors, ", ")
	high := Typical(seen)
	for j := range results[0].Values {
		for i, r := range results {
			label := names[i]
			if i == 0 {
				value := fmt.Sprintf("λ%s = %.3f, %s", subscript(j), r.Values[j], label)
				label = strings.TrimSuffix(value, ", ")
			}
			fields[i][j].Scale = Tint(parts[r.Parts[j]], high)
			f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("%s: %.1f %%", label, 100*r.Errors[j]),
				Points(r.Points, 1.5, func(int) color.NRGBA { return Faint }), fields[i][j],
			).Within(r.Field.Low, r.Field.High).Bare())
		}
	}
	if len(results) > 1 {
		f.Columns, f.Side = 2*len(results), 0.9*panelSide
	}
	for _, part := range []string{"gradient", "curl", "harmonic"} {
		f.Key = append(f.Key, Key{part, parts[part]})
	}
	f.Bars = []Bar{{"strength |ω|", Strength(high)}}
	return f
}

// restrict drops the arrows whose points are in no triangle.
func (a *Arrows) restrict(points []float64, triangles []int32) {
	all := *a
	a.Points, a.Vectors = nil, nil
	for i := 0; i < len(all.Points); i += 2 {
		x, y := all.Points[i], all.Points[i+1]
		// side is positive to the left of the way from vertex p to vertex q.
		side := func(p, q int32) float64 {
			px, py, qx, qy := points[2*p], points[2*p+1], points[2*q], points[2*q+1]
			return (qx-px)*(y-py) - (qy-py)*(x-px)
		}
		for t := range slices.Chunk(triangles, 3) {
			u, v, w := side(t[0], t[1]), side(t[1], t[2]), side(t[2], t[0])
			if min(u, v, w) >= 0 || max(u, v, w) <= 0 {
				a.Points = append(a.Points, x, y)
				a.Vectors = append(a.Vectors, all.Vectors[i:i+2]...)
				break
			}
		}
	}
}
