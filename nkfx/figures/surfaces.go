package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// SurfaceEmbedding draws the surfaces as points in the plane, by their integrals: training surfaces as
// rings, test surfaces as dots.
func SurfaceEmbedding(r *experiments.SurfacesResult) *Figure {
	return embedding("Surfaces", "2-forms", r.Classes, &r.Forms)
}

// SurfaceIntegrals draws a test surface of each class in space, the median of its class by ∫ω₁, once for
// every form. Triangles have the color of their part of that form's integral.
func SurfaceIntegrals(r *experiments.SurfacesResult) *Figure {
	test := r.Forms.Test
	forms := test.Forms()
	f := Arrange("Each form over a test surface of each class", 0)
	f.Side, f.Ratio = 1.3*panelSide, 0.75
	scale := Signed(Typical(test.Integrals))
	// From this far above no triangle of a sine wave is hidden behind another.
	view := View{Azimuth: Front.Azimuth, Elevation: 0.3 * math.Pi}
	for j := range forms {
		f.Columns = 0
		for class, name := range r.Classes {
			of := members(test, class)
			if len(of) == 0 {
				continue
			}
			slices.SortStableFunc(of, func(g, h int) int {
				return cmp.Compare(test.Points[g*forms], test.Points[h*forms])
			})
			g := of[len(of)/2]
			f.Columns++
			at, triangles := test.Data.Points(g), test.Data.Corners(2, g)
			var values []float64
			start := test.Data.Simplices[2].Start
			for i := start[g]; i < start[g+1]; i++ {
				values = append(values, float64(test.Integrals[int(i)*forms+j]))
			}
			f.Panels = append(f.Panels, NewPanel(
				fmt.Sprintf("%s: ∫ω%s = %+.2f", name, subscript(j), test.Points[g*forms+j]),
				boxed(at, view, "x", "y", "z"),
				&Mesh{Vertices: at, Triangles: triangles, Values: values, Scale: scale, View: view}).Bare())
		}
	}
	f.Bars = []Bar{{"∫ω over a triangle", scale}}
	return f.warn("2-forms", &r.Forms)
}

// boxed returns the box around points in space, [P, 3].
func boxed(points []float64, view View, labels ...string) *Box {
	box := &Box{View: view, Labels: [3]string(labels)}
	copy(box.Low[:], points)
	copy(box.High[:], points)
	for i, x := range points {
		box.Low[i%3], box.High[i%3] = min(box.Low[i%3], x), max(box.High[i%3], x)
	}
	return box
}
