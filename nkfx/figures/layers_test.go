package figures

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
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
		NewPanel("oriented", &Complex{Points: points, Edges: edges, Color: Class(1), Heads: true,
			Numbered: true}).Within(-1, 2))
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
		NewPanel("f(x, y)", &Heat{Rows: side, Columns: side, Values: values,
			XMin: -3, XMax: 3, YMin: -3, YMax: 3, Scale: scale, Smooth: true}).Within(-3, 3),
		NewPanel("matrix", &Heat{Rows: 2, Columns: 3, Values: matrix, XMax: 3, YMax: 2, Scale: scale}),
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

func TestPipeline(t *testing.T) {
	points := grid(-1, 1, 7)
	var coefficients []float64 // of three forms
	for i := 0; i < len(points); i += 2 {
		x := points[i]
		coefficients = append(coefficients, 1, math.Cos(1+x), math.Cos(2+2*x), 0, math.Sin(1+x),
			math.Sin(2+2*x))
	}
	forms := FieldsOf(points, coefficients, 3, 0.3)
	x := []float64{1, -0.5, 0, 0.3, -1, 0.4, 0, 0.8, -0.2, 0.6, 0.1, -0.9, 0.2, -0.4, 0.5}
	golden(t, "pipeline", Pipeline("From a complex to its class", Stages{
		Complex: &Complex{Points: []float64{-0.8, -0.5, 0.1, -0.8, 0.8, 0, 0, 0.7},
			Edges: []int32{0, 1, 1, 2, 2, 3, 3, 0, 1, 3}, Color: Blue, Heads: true},
		Forms: forms, Matrix: x, Readout: []float64{1.5, 2.1, 1.3}, How: "Σ X²",
		Classes: []string{"ring", "star"}, Probabilities: []float64{0.85, 0.15},
	}))
}

func TestMinus(t *testing.T) {
	require.Equal(t, "−1 = −2 (−3): 1-forms, 1e−05, a-b, -x", minus("-1 = -2 (-3): 1-forms, 1e-05, a-b, -x"))
}

func TestTicks(t *testing.T) {
	labels := func(ticker plot.Ticker, low, high float64) (out []string) {
		for _, tick := range ticker.Ticks(low, high) {
			out = append(out, tick.Label)
		}
		return out
	}
	require.Equal(t, []string{"−4", "−2", "0", "2", "4"}, labels(ticks{}, -4.5, 4.5))
	require.Equal(t, []string{"0.0", "0.1", "0.2", "0.3"}, labels(ticks{}, 0, 0.3), "the ends count")
	require.Equal(t, []string{"0", "10", "20", "30"}, labels(ticks{}, 0, 35))
	require.Equal(t, []string{"1e+09", "2e+09", "3e+09"}, labels(ticks{}, 5e8, 3.2e9))
	require.Empty(t, labels(ticks{}, 1, 1))
	require.Empty(t, labels(ticks{}, math.NaN(), 1))
	require.Equal(t, []string{"2K", "5K", "10K"}, labels(counts{}, 1500, 12000))
	require.Equal(t, []string{"3K", "3.5K", "4K", "4.5K"}, labels(counts{}, 2800, 4900), "few of these")
	require.Empty(t, labels(counts{}, 0, 5))
	require.Equal(t, []string{"10K", "", "", "100K", "", "", "1M"}, labels(counts{}, 8000, 1.2e6))
	for _, length := range []float64{1e-12, 0.3, 1, 4.99, 5, 5.01, 17, 1e9} {
		count := len(ticks{}.Ticks(0, length))
		require.GreaterOrEqual(t, count, 3, length)
		require.LessOrEqual(t, count, 6, length)
	}
}
