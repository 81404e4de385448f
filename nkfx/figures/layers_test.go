package figures

import (
	"image/color"
	"math"
	"testing"
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

// vortex is a field that turns about the origin and falls off, under a path
// that follows it.
func vortex(sign float64) *Figure {
	points := grid(-2, 2, 13)
	var vectors, path []float64
	for i := 0; i < len(points); i += 2 {
		x, y := points[i], points[i+1]
		f := sign * math.Exp(-(x*x+y*y)/2)
		vectors = append(vectors, -y*f, x*f)
	}
	for i := range 40 {
		sin, cos := math.Sincos(sign * float64(i) / 8)
		path = append(path, 1.4*cos, 1.4*sin)
	}
	scale := Strength(0.65)
	f := Arrange("A field and a path along it", 2,
		NewPanel("anticlockwise", &Arrows{points, vectors, scale, 0.32},
			&Routes{[][]float64{path}, Class(0)}).Within(-2.3, 2.3).Axes("x", "y"),
		NewPanel("tinted", &Arrows{points, vectors, Tint(Blue, 0.65), 0.32}).
			Within(-2.3, 2.3).Axes("x", "y"))
	f.Key = []Key{{"circle", Class(0)}, {"other", Class(1)}}
	f.Bars = []Bar{{"strength |ω|", scale}}
	return f
}

func TestField(t *testing.T) { golden(t, "field", vortex(1)) }

func TestComplexes(t *testing.T) {
	points := []float64{0, 0, 1, 0.1, 0.4, 0.9, 1.4, 0.8, -0.5, 0.7}
	edges := []int32{0, 1, 0, 2, 1, 2, 1, 3, 2, 3, 0, 4, 2, 4}
	f := Arrange("A complex and its cover", 3,
		NewPanel("discs", &Discs{points, 0.4, Blue}).Within(-1, 2),
		NewPanel("complex", &Complex{
			Points: points, Edges: edges, Triangles: []int32{0, 1, 2, 1, 2, 3}, Color: Blue,
		}).Within(-1, 2),
		NewPanel("oriented", &Complex{Points: points, Edges: edges, Color: Class(1), Heads: true}).
			Within(-1, 2))
	golden(t, "complexes", f)
}

func TestHeatAndPoints(t *testing.T) {
	const side = 41
	at := grid(-3, 3, side)
	values := make([]float64, side*side)
	for i := range values {
		values[i] = math.Sin(at[2*i]) * math.Cos(at[2*i+1])
	}
	scale := Signed(1)
	matrix := []float64{1, -0.5, 0, 0.25, math.NaN(), -1}
	scatter := []float64{-2, -2, 0, 0, 2, 2, -2, 2, 9, 9}
	f := Arrange("", 3,
		NewPanel("f(x, y)", &Heat{side, side, values, -3, 3, -3, 3, scale}).Within(-3, 3),
		NewPanel("matrix", &Heat{2, 3, matrix, 0, 3, 0, 2, scale}),
		NewPanel("points", &Points{At: scatter, Color: func(i int) color.NRGBA { return Class(i) }},
			&Points{At: []float64{1, -1}, Hollow: true, Size: 4}).Within(-3, 3))
	f.Bars = []Bar{{"value", scale}, {"strength", Strength(2)}}
	golden(t, "heat", f)
}

func TestSpace(t *testing.T) {
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
	box := &Box{Low: [3]float64{0, 0, -1}, High: [3]float64{4, 4, 1}, View: Usual}
	box.Labels = [3]string{"x", "y", "z"}
	surface := NewPanel("z = sin x", box, &Mesh{vertices, triangles, values, Signed(1), Usual})
	surface.Bare = true
	cloud := NewPanel("points in space", box, &Points{At: Usual.Flatten(vertices)})
	cloud.Bare = true
	golden(t, "space", Arrange("Surfaces in space", 2, surface, cloud))
}

func TestIntegrationMatrix(t *testing.T) {
	x := []float64{1, 0, -1, 0.5, 0.5, 0, -0.2, 1, 0.1, 0, -0.6, 0.3}
	golden(t, "matrix", IntegrationMatrix("Integrals", 3, x))
}

func TestCurves(t *testing.T) {
	var a, b []float64
	for i := range 50 {
		a = append(a, float64(i), math.Exp(-float64(i)/8)+0.001)
		b = append(b, float64(i), math.Exp(-float64(i)/20)+0.01)
	}
	p := &Panel{Title: "training", X: "epoch", Y: "loss", LogY: true,
		Layers: []Layer{&Curves{[][]float64{a, b}, []color.NRGBA{Blue, Orange}}}}
	f := Arrange("Loss", 1, p)
	f.Key = []Key{{"1-forms", Blue}, {"0-forms", Orange}}
	golden(t, "curves", f)
}
