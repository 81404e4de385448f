package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// PathFields draws the learned 1-form of each class as a vector field, under 20 test paths of the class.
func PathFields(r *experiments.PathsResult) *Figure {
	fields := fieldsOf(r.FormField)
	f := Arrange("Learned 1-forms, one for each class, and test paths of the class", 3)
	for class, name := range r.Classes {
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("ω%s: %s", subscript(class), name),
			fields[class], &Routes{pathsOf(r.Forms.Test.Data, class, 20), Class(class)},
		).Within(r.FormField.Low, r.FormField.High))
		f.Bars = []Bar{{"strength |ω|", fields[class].Scale}}
	}
	f.Key = classKey(r.Classes)
	return f.warn("1-forms", &r.Forms)
}

// PathFunctions draws the learned 0-form of each class as a scalar field, under 15 test paths of the
// class. The scale is that of the values on test paths: far from all paths functions are large, and
// say nothing.
func PathFunctions(r *experiments.PathsResult) *Figure {
	field := r.FunctionField
	scale := Signed(Typical(r.Functions.Test.Integrals))
	f := Arrange("Learned 0-forms, one for each class, and test paths of the class", 3)
	for class, name := range r.Classes {
		values := make([]float64, field.Side*field.Side)
		for i := range values {
			values[i] = float64(field.Values[i*len(r.Classes)+class])
		}
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("f%s: %s", subscript(class), name),
			&Heat{
				Rows: field.Side, Columns: field.Side, Values: values, Scale: scale, Smooth: true,
				XMin: field.Low, XMax: field.High, YMin: field.Low, YMax: field.High,
			},
			&Routes{pathsOf(r.Functions.Test.Data, class, 15), Class(class)},
		).Within(field.Low, field.High))
	}
	f.Key = classKey(r.Classes)
	f.Bars = []Bar{{"f(x, y)", scale}}
	return f.warn("0-forms", &r.Functions)
}

// PathEmbeddings draws the paths as points in space, by their integrals divided by their lengths: the
// 1-forms on the left, the 0-forms on the right, training paths as rings and test paths as dots.
func PathEmbeddings(r *experiments.PathsResult) *Figure {
	f := Arrange("Paths as points: integrals of the three forms, divided by length", 2,
		pathCloud("1-forms", "∫ω", &r.Forms), pathCloud("0-forms", "Σf", &r.Functions))
	f.Side = 1.4 * panelSide
	f.Key = embeddingKey(r.Classes)
	return f.warn("1-forms", &r.Forms).warn("0-forms", &r.Functions)
}

// pathCloud returns a panel of paths as points in space, seen along the diagonal.
func pathCloud(name, label string, c *experiments.Classification) *Panel {
	perLength := func(e experiments.Embedding) (points []float64) {
		for g := range e.Labels {
			length := pathLength(e.Data, g)
			for _, x := range e.Points[g*e.Forms():][:3] {
				points = append(points, float64(x)/length)
			}
		}
		return points
	}
	train, test := perLength(c.Train), perLength(c.Test)
	box := around(slices.Concat(train, test), Diagonal, label+"₁", label+"₂", label+"₃")
	return NewPanel(fmt.Sprintf("%s: %.1f %% of test paths right", name, c.TestAccuracy), box,
		Rings(Diagonal.Flatten(train), labeled(c.Train.Labels)),
		Points(Diagonal.Flatten(test), labeled(c.Test.Labels))).Bare()
}

// pathLength returns the length of path g.
func pathLength(c *datasets.Collection, g int) float64 {
	at := c.Points(g)
	sum := 0.0
	for i := 2; i < len(at); i += 2 {
		sum += math.Hypot(float64(at[i]-at[i-2]), float64(at[i+1]-at[i-1]))
	}
	return positive(sum)
}

// pathsOf returns the first paths of a class.
func pathsOf(c *datasets.Collection, class, count int) (out [][]float64) {
	for g, label := range c.Labels {
		if int(label) == class && len(out) < count {
			at := c.Points(g)
			out = append(out, doubles(at))
		}
	}
	return out
}

// fieldsOf returns the layers that draw the 1-forms of a field, on one scale.
func fieldsOf(f experiments.Field) []*Arrows {
	step := (f.High - f.Low) / float64(max(1, f.Side-1))
	var points []float64
	for i := range f.Side * f.Side {
		points = append(points, f.Low+float64(i%f.Side)*step, f.Low+float64(i/f.Side)*step)
	}
	return FieldsOf(points, f.Values, len(f.Values)/max(1, len(points)), 0.95*step)
}

// embedding draws complexes as points in the plane, by their first two integrals, with a line between
// the classes: training complexes as rings, test complexes as dots.
func embedding(name, forms string, classes []string, c *experiments.Classification) *Figure {
	train, test := doubles(c.Train.Points), doubles(c.Test.Points)
	xmin, xmax, ymin, ymax := boundsOf(0, train, test)
	low, high := min(xmin, ymin), max(xmax, ymax)
	f := Arrange(fmt.Sprintf("%s as points: %.1f %% of test %s right", name, c.TestAccuracy,
		strings.ToLower(name)), 1, NewChart("", Curve([]float64{low, low, high, high}, Faint),
		Rings(train, labeled(c.Train.Labels)), Points(test, labeled(c.Test.Labels))).Axes("∫ω₁", "∫ω₂"))
	f.Side = 1.5 * panelSide
	f.Key = embeddingKey(classes)
	return f.warn(forms, c)
}

// doubles returns the numbers in double precision.
func doubles(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// labeled returns the colors of points with these classes.
func labeled(labels []int32) func(int) color.NRGBA {
	return func(i int) color.NRGBA { return Class(int(labels[i])) }
}

// classKey returns the key to the colors of classes.
func classKey(names []string) (out []Key) {
	for c, name := range names {
		out = append(out, Key{name, Class(c)})
	}
	return out
}

// embeddingKey returns the key to points with the colors of classes.
func embeddingKey(names []string) []Key {
	return append(classKey(names), Key{"dots: test, rings: training", Grey})
}

// warn adds the warning of a classification, if it has one, and returns the figure.
func (f *Figure) warn(name string, c *experiments.Classification) *Figure {
	if c.Warning != "" {
		f.Notes = append(f.Notes, name+": "+c.Warning)
	}
	return f
}

// subscript returns the number of a form, counted from 1, below the line.
func subscript(j int) (out string) {
	for _, digit := range fmt.Sprint(j + 1) {
		out += string('₀' + digit - '0')
	}
	return out
}
