package figures_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

// The form -y dx + x dy under a path that runs along it.
func Example() {
	field := &figures.Arrows{Scale: figures.Strength(1.5), Longest: 0.45}
	for x := -1.0; x <= 1; x += 0.5 {
		for y := -1.0; y <= 1; y += 0.5 {
			field.Points = append(field.Points, x, y)
			field.Vectors = append(field.Vectors, -y, x)
		}
	}
	path := &figures.Routes{Paths: [][]float64{{1, 0, 0.7, 0.7, 0, 1}}, Color: figures.Class(0)}
	f := figures.Arrange("A form and a path", 1, figures.NewPanel("", field, path).Within(-1.3, 1.3))
	f.Key = []figures.Key{{Name: "path", Color: figures.Class(0)}}
	f.Bars = []figures.Bar{{Label: "strength", Scale: field.Scale}}
	golden("form.png", f) // f.Save("form.png") would write it, f.SVG() and f.PNG() return bytes
	// Output: form.png
}

// A point that goes round: nkfx.Show(a) shows it with a slider, which stays alive in the saved notebook.
func ExampleAnimate() {
	a := figures.Animate("angle, degrees", figures.Steps(0, 345, 15), 60, func(degrees int) *figures.Figure {
		sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
		point := figures.Points([]float64{cos, sin}, 5, nil)
		return figures.Arrange("", 1, figures.NewPanel(fmt.Sprintf("x = %.2f", cos), point).Within(-1.2, 1.2))
	})
	fmt.Println(a.Description(), strings.Contains(a.HTML(), "nkf-animation"))
	// Output: x = 0.50 true
}

// Three forms on one scale.
func ExampleFieldsOf() {
	points := grid(-1, 1, 9)
	var coefficients []float64 // of dx and dy: those of x dx + y dy, y dx - x dy, dx
	for i := 0; i < len(points); i += 2 {
		x, y := points[i], points[i+1]
		coefficients = append(coefficients, x, y, 1, y, -x, 0)
	}
	f := figures.Arrange("", 3)
	for _, form := range figures.FieldsOf(points, coefficients, 3, 0.22) {
		f.Panels = append(f.Panels, figures.NewPanel("", form))
		f.Bars = []figures.Bar{{Label: "strength", Scale: form.Scale}}
	}
	for i, name := range []string{"a gradient", "a rotation", "a constant"} {
		f.Panels[i].Title.Text = name
	}
	golden("forms.png", f)
	// Output: forms.png
}

// The colors of classes, of which there are eight.
func ExampleClass() {
	row := []float64{0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0}
	f := figures.Arrange("", 1, figures.NewChart("", figures.Points(row, 8, figures.Class)).Bare())
	f.Side, f.Ratio = 280, 0.15
	for c, name := range []string{"0", "1", "2", "3", "4", "5", "6", "7"} {
		f.Key = append(f.Key, figures.Key{Name: name, Color: figures.Class(c)})
	}
	golden("classes.png", f)
	// Output: classes.png
}

// All scales, from their lowest numbers to their highest, and no number at the end.
func ExampleScale() {
	f := figures.Arrange("", 4)
	for _, s := range []struct {
		name  string
		scale *figures.Scale
	}{
		{"Strength", figures.Strength(1)}, {"Tint", figures.Tint(figures.Blue, 1)},
		{"Signed", figures.Signed(1)}, {"Response", figures.Response(1)},
	} {
		low, high := s.scale.Low, s.scale.High
		h := &figures.Heat{Rows: 1, Columns: 9, XMin: low, XMax: high, YMax: 0.2, Scale: s.scale}
		for i := range 8 {
			h.Values = append(h.Values, low+(high-low)*float64(i)/7)
		}
		h.Values = append(h.Values, math.NaN())
		title := fmt.Sprintf("%s, %g to %g", s.name, low, high)
		f.Panels = append(f.Panels, figures.NewChart(title, h).Bare())
	}
	f.Side, f.Ratio = 120, 0.3
	golden("scales.png", f)
	// Output: scales.png
}

func ExampleLosses() {
	forms, functions := []float64{1, 0.1, 0.02}, []float64{1.1, 1.05, 1.04}
	golden("losses.png", madeUp(figures.Losses("Training", []string{"1-forms", "0-forms"}, forms, functions)))
	// Output: losses.png
}

// The integrals of three forms over four simplices.
func ExampleIntegrationMatrix() {
	x := []float64{1, 0, -1, 0.5, 0.5, 0, -0.2, 1, 0.1, 0, -0.6, 0.3}
	golden("matrix.png", figures.IntegrationMatrix("Integrals", 3, x))
	// Output: matrix.png
}

// Two triangles, and beside them the integrals of two forms over their edges.
func ExampleMatrixPanel() {
	triangles := &figures.Complex{Points: []float64{0, 0, 1, 0.1, 0.4, 0.9, 1.4, 0.8},
		Edges: []int32{0, 1, 0, 2, 1, 2, 1, 3, 2, 3}, Color: figures.Blue, Heads: true, Numbered: true}
	matrix, scale := figures.MatrixPanel("X", 2, []float64{1, 0.1, 0.4, 0.9, -0.6, 0.8, 0.4, 0.7, 1, -0.1})
	panel := figures.NewPanel("a complex", triangles).Within(-0.2, 1.6)
	f := figures.Arrange("dx and dy over edges", 2, panel, matrix)
	f.Bars = []figures.Bar{{Label: "∫ω over σ", Scale: scale}}
	golden("edges.png", f)
	// Output: edges.png
}

// Four forms that can be integrated by hand meet five edges.
func ExamplePairing() {
	forms := []func(x, y float64) (float64, float64){
		func(x, y float64) (float64, float64) { return 1, 0 },  // dx
		func(x, y float64) (float64, float64) { return 0, 1 },  // dy
		func(x, y float64) (float64, float64) { return x, y },  // x dx + y dy
		func(x, y float64) (float64, float64) { return -y, x }, // -y dx + x dy
	}
	edges := &figures.Complex{Points: []float64{-1.2, -1, 1, -1.3, 1.4, 0.5, 0.2, 0.2, -1.3, 1.3},
		Edges: []int32{0, 1, 1, 2, 2, 3, 3, 4, 0, 4}, Color: figures.Ink}
	at := grid(-1.7, 1.7, 9)
	var coefficients, x []float64
	for i := 0; i < len(at); i += 2 {
		var u, v []float64
		for _, form := range forms {
			a, b := form(at[i], at[i+1])
			u, v = append(u, a), append(v, b)
		}
		coefficients = append(append(coefficients, u...), v...)
	}
	for e := 0; e < len(edges.Edges); e += 2 {
		p, q := edges.Points[2*edges.Edges[e]:], edges.Points[2*edges.Edges[e+1]:]
		for _, form := range forms { // the value in the middle is exact for these
			u, v := form((p[0]+q[0])/2, (p[1]+q[1])/2)
			x = append(x, u*(q[0]-p[0])+v*(q[1]-p[1]))
		}
	}
	fields := figures.FieldsOf(at, coefficients, len(forms), 0.38)
	const title = "dx, dy, x dx + y dy and −y dx + x dy over five edges"
	golden("pairing.png", figures.Pairing(title, edges, fields, x))
	// Output: pairing.png
}

func ExamplePipeline() {
	points := grid(-1, 1, 7)
	var coefficients []float64 // of three forms
	for i := 0; i < len(points); i += 2 {
		x := points[i]
		coefficients = append(coefficients,
			1, math.Cos(1+x), math.Cos(2+2*x),
			0, math.Sin(1+x), math.Sin(2+2*x))
	}
	golden("pipeline.png", madeUp(figures.Pipeline("From a complex to its class", figures.Stages{
		Complex: &figures.Complex{Points: []float64{-0.8, -0.5, 0.1, -0.8, 0.8, 0, 0, 0.7},
			Edges: []int32{0, 1, 1, 2, 2, 3, 3, 0, 1, 3}, Color: figures.Blue, Heads: true},
		Forms:   figures.FieldsOf(points, coefficients, 3, 0.3),
		Matrix:  []float64{1, -0.5, 0, 0.3, -1, 0.4, 0, 0.8, -0.2, 0.6, 0.1, -0.9, 0.2, -0.4, 0.5},
		Readout: []float64{1.5, 2.1, 1.3}, How: "Σ X²",
		Classes: []string{"ring", "star"}, Probabilities: []float64{0.85, 0.15},
	})))
	// Output: pipeline.png
}

// grid returns the points of a square grid on [low, high]², x fastest.
func grid(low, high float64, side int) []float64 {
	var points []float64
	for i := range side * side {
		for _, at := range [2]int{i % side, i / side} {
			points = append(points, low+(high-low)*float64(at)/float64(side-1))
		}
	}
	return points
}

// Five points with discs around them, the complex of the discs that meet, and the edges as they are oriented.
func ExampleComplex() {
	points := []float64{0, 0, 1, 0.1, 0.4, 0.9, 1.4, 0.8, -0.5, 0.7}
	edges := []int32{0, 1, 0, 2, 1, 2, 1, 3, 3, 2, 0, 4, 2, 4}
	f := figures.Arrange("A complex and its cover", 3,
		figures.NewPanel("discs", figures.Discs(points, 0.4, figures.Blue)...).Within(-1, 2),
		figures.NewPanel("complex", &figures.Complex{
			Points: points, Edges: edges, Triangles: []int32{0, 1, 2, 1, 2, 3}, Color: figures.Blue,
		}).Within(-1, 2),
		figures.NewPanel("oriented", &figures.Complex{
			Points: points, Edges: edges, Color: figures.Class(1), Heads: true, Numbered: true,
		}).Within(-1, 2))
	golden("complexes.png", f)
	// Output: complexes.png
}

// A function, a matrix in which a number is missing, and points.
func ExampleHeat() {
	const side = 41
	at := grid(-3, 3, side)
	values := make([]float64, side*side)
	for i := range values {
		values[i] = math.Sin(at[2*i]) * math.Cos(at[2*i+1])
	}
	scale := figures.Signed(1)
	matrix := []float64{1, -0.5, 0, 0.25, math.NaN(), -1}
	scatter := []float64{-2, -2, 0, 0, 2, 2, -2, 2, 9, 9}
	f := figures.Arrange("", 3,
		figures.NewPanel("f(x, y)", &figures.Heat{Rows: side, Columns: side, Values: values,
			XMin: -3, XMax: 3, YMin: -3, YMax: 3, Scale: scale, Smooth: true}).Within(-3, 3),
		figures.NewPanel("matrix",
			&figures.Heat{Rows: 2, Columns: 3, Values: matrix, XMax: 3, YMax: 2, Scale: scale}),
		figures.NewPanel("points",
			figures.Points(scatter, 2, figures.Class), figures.Rings([]float64{1, -1}, 4, nil)).Within(-3, 3))
	f.Bars = []figures.Bar{{Label: "value", Scale: scale}, {Label: "strength", Scale: figures.Strength(2)}}
	golden("heat.png", f)
	// Output: heat.png
}

// torus returns a torus of radii 2 and 0.8: vertices, triangles, and at the barycenter of each of these
// the unit vector around the tube.
func torus(around, across int) (vertices []float64, triangles []int32, field []float64) {
	at := func(i, j float64) (point, way []float64) {
		su, cu := math.Sincos(2 * math.Pi * i / float64(around))
		sv, cv := math.Sincos(2 * math.Pi * j / float64(across))
		return []float64{(2 + 0.8*cv) * cu, (2 + 0.8*cv) * su, 0.8 * sv}, []float64{-sv * cu, -sv * su, cv}
	}
	for i := range around {
		for j := range across {
			point, _ := at(float64(i), float64(j))
			vertices = append(vertices, point...)
			number := func(i, j int) int32 { return int32(i%around*across + j%across) }
			a, b, c, d := number(i, j), number(i+1, j), number(i+1, j+1), number(i, j+1)
			triangles = append(triangles, a, b, c, a, c, d)
			for _, third := range []float64{2. / 3, 1. / 3} {
				_, way := at(float64(i)+third, float64(j)+1-third)
				field = append(field, way...)
			}
		}
	}
	return vertices, triangles, field
}

// A function on the vertices of a torus, and a field on its triangles, which turn together in a browser.
func ExampleTurnable() {
	vertices, triangles, _ := torus(36, 18)
	var height []float64
	for i := 2; i < len(vertices); i += 3 {
		height = append(height, vertices[i])
	}
	scale := figures.Signed(0.8)
	function := &figures.Mesh{Vertices: vertices, Triangles: triangles, Values: height, Smooth: true,
		Scale: scale, View: figures.Front}
	var field []float64
	vertices, triangles, field = torus(18, 9)
	around := &figures.Mesh{Vertices: vertices, Triangles: triangles,
		Values: make([]float64, len(triangles)/3), Scale: figures.Signed(1), View: figures.Front,
		Field: field, Strength: figures.Strength(1), Longest: 0.5}
	f := figures.Arrange("", 2, figures.NewPanel("z", function).Bare(),
		figures.NewPanel("around", around).Bare())
	f.Bars = []figures.Bar{{Label: "z", Scale: scale}}
	golden("scene.png", figures.Turnable(f).Figure)
	// Output: scene.png
}

// A surface in space, and its vertices.
func ExampleMesh() {
	const side = 9
	var vertices []float64
	var triangles []int32
	var values []float64
	for y := range side {
		for x := range side {
			vertices = append(vertices, float64(x)/2, float64(y)/2, math.Sin(float64(x)/2))
			if x+1 < side && y+1 < side {
				v := int32(y*side + x)
				triangles = append(triangles, v, v+1, v+side, v+1, v+side+1, v+side)
				values = append(values, math.Cos(float64(x)/2), math.Cos(float64(x)/2))
			}
		}
	}
	view := figures.Front
	box := &figures.Box{Low: [3]float64{0, 0, -1}, High: [3]float64{4, 4, 1}, View: view}
	box.Labels = [3]string{"x", "y", "z"}
	mesh := &figures.Mesh{Vertices: vertices, Triangles: triangles, Values: values, View: view}
	mesh.Scale = figures.Signed(1)
	surface := figures.NewPanel("z = sin x", box, mesh).Bare()
	cloud := figures.NewPanel("points in space", box, figures.Points(view.Flatten(vertices), 2, nil)).Bare()
	golden("space.png", figures.Arrange("Surfaces in space", 2, surface, cloud))
	// Output: space.png
}
