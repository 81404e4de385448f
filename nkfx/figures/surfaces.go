package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// SurfaceEmbedding draws the surfaces as points in the plane, by their
// integrals: training surfaces as rings, test surfaces as dots.
func SurfaceEmbedding(r *experiments.SurfacesResult) *Figure {
	p := plane(&r.Forms)
	f := Arrange(fmt.Sprintf("Surfaces as points: %.1f %% of test surfaces right",
		r.Forms.TestAccuracy), 1, p)
	f.Side = 1.5 * panelSide
	f.Key = embeddingKey(r.Classes)
	return f.warn("2-forms", &r.Forms)
}

// SurfaceIntegrals draws a test surface of each class in space, the one in the
// middle by ∫ω₁, every triangle coloured by its share of that.
func SurfaceIntegrals(r *experiments.SurfacesResult) *Figure {
	data, forms := r.Forms.Test.Data, r.Forms.Test.Forms()
	f := Arrange("The first form over a test surface of each class", len(r.Classes))
	f.Side, f.Ratio = 1.3*panelSide, 0.75
	var first []float64
	for i := 0; i < len(r.Forms.Test.Integrals); i += forms {
		first = append(first, float64(r.Forms.Test.Integrals[i]))
	}
	scale := Signed(Typical(first))
	// From so far above no triangle of a sine wave is hidden behind another.
	view := View{Azimuth: Usual.Azimuth, Elevation: 0.3 * math.Pi}
	for class, name := range r.Classes {
		var members []int
		for g, label := range data.Labels {
			if int(label) == class {
				members = append(members, g)
			}
		}
		if len(members) == 0 {
			continue
		}
		slices.SortStableFunc(members, func(g, h int) int {
			return cmp.Compare(r.Forms.Test.Points[g*forms], r.Forms.Test.Points[h*forms])
		})
		g := members[len(members)/2]
		vertices, triangles := data.Complex(g)
		at := doubles(vertices)
		box := &Box{View: view, Labels: [3]string{"x", "y", "z"}}
		for axis := range 3 {
			box.Low[axis], box.High[axis] = at[axis], at[axis]
			for i := axis; i < len(at); i += 3 {
				box.Low[axis], box.High[axis] = min(box.Low[axis], at[i]), max(box.High[axis], at[i])
			}
		}
		p := NewPanel(fmt.Sprintf("%s: ∫ω₁ = %+.2f", name, r.Forms.Test.Points[g*forms]),
			box, &Mesh{at, triangles, first[data.SimplexStart[g]:data.SimplexStart[g+1]], scale, view})
		p.Bare = true
		f.Panels = append(f.Panels, p)
	}
	f.Bars = []Bar{{"∫ω₁ over a triangle", scale}}
	return f.warn("2-forms", &r.Forms)
}
