package figures_test

import (
	"math"

	"github.com/neuralkforms/nkf/nkfx/figures"
)

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
