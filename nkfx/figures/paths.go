package figures

import (
	"fmt"
	"image/color"
	"math"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

// PathFields draws the learned 1-form of each class as a vector field, under
// 20 test paths of the class.
func PathFields(r *experiments.PathsResult) *Figure {
	scale := Strength(Typical(strengths(r.FormField)))
	f := Arrange("Learned 1-forms, one for each class, and test paths of the class", 3)
	for class, name := range r.Classes {
		f.Panels = append(f.Panels, NewPanel(fmt.Sprintf("ω%s: %s", subscript(class), name),
			arrows(r.FormField, class, scale),
			&Routes{pathsOf(r.Forms.Test.Data, class, 20), Class(class)},
		).Within(r.FormField.Low, r.FormField.High))
	}
	f.Key = classKey(r.Classes)
	f.Bars = []Bar{{"strength |ω|", scale}}
	return f.warn("1-forms", &r.Forms)
}

// PathFunctions draws the learned 0-form of each class as a scalar field,
// under 15 test paths of the class. The scale is that of the values on test
// paths: far from all paths functions are large, and say nothing.
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

// PathEmbeddings draws the paths as points in space, by their integrals
// divided by their lengths: the 1-forms on the left, the 0-forms on the
// right, training paths as rings and test paths as dots.
func PathEmbeddings(r *experiments.PathsResult) *Figure {
	f := Arrange("Paths as points: integrals of the three forms, divided by length", 2,
		pathCloud("1-forms", "∫ω", &r.Forms), pathCloud("0-forms", "Σf", &r.Functions))
	f.Side = 1.4 * panelSide
	f.Key = embeddingKey(r.Classes)
	return f.warn("1-forms", &r.Forms).warn("0-forms", &r.Functions)
}

// pathCloud returns a panel of paths as points in space, seen along the
// diagonal.
func pathCloud(name, label string, c *experiments.Classification) *Panel {
	var points [2][]float64
	embeddings := [2]experiments.Embedding{c.Train, c.Test}
	box := &Box{View: Diagonal, Labels: [3]string{label + "₁", label + "₂", label + "₃"}}
	for i := range 3 {
		box.Low[i], box.High[i] = math.Inf(1), math.Inf(-1)
	}
	for i, e := range embeddings {
		for g := range e.Labels {
			length := pathLength(e.Data, g)
			for axis, x := range e.Points[g*e.Forms():][:3] {
				v := float64(x) / length
				points[i] = append(points[i], v)
				box.Low[axis], box.High[axis] = math.Min(box.Low[axis], v), math.Max(box.High[axis], v)
			}
		}
	}
	p := NewPanel(fmt.Sprintf("%s: %.1f %% of test paths right", name, c.TestAccuracy), box)
	p.Bare = true
	for i, hollow := range []bool{true, false} {
		p.Layers = append(p.Layers, &Points{
			At: Diagonal.Flatten(points[i]), Color: labelled(embeddings[i].Labels), Hollow: hollow,
		})
	}
	return p
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
func pathsOf(c *datasets.Collection, class, count int) [][]float64 {
	var out [][]float64
	for g, label := range c.Labels {
		if int(label) == class && len(out) < count {
			at := c.Points(g)
			out = append(out, doubles(at))
		}
	}
	return out
}

// arrows returns the layer that draws 1-form j of a field.
func arrows(f experiments.Field, j int, scale *Scale) *Arrows {
	forms := len(f.Values) / max(1, 2*f.Side*f.Side)
	step := (f.High - f.Low) / float64(max(1, f.Side-1))
	a := &Arrows{Scale: scale, Longest: 0.95 * step}
	for i := range f.Side * f.Side {
		a.Points = append(a.Points, f.Low+float64(i%f.Side)*step, f.Low+float64(i/f.Side)*step)
		a.Vectors = append(a.Vectors, float64(f.Values[2*i*forms+j]), float64(f.Values[(2*i+1)*forms+j]))
	}
	return a
}

// strengths returns the strengths of all 1-forms of a field.
func strengths(f experiments.Field) []float64 {
	forms := len(f.Values) / max(1, 2*f.Side*f.Side)
	var out []float64
	for i := 0; i+2*forms <= len(f.Values); i += 2 * forms {
		for j := range forms {
			out = append(out, math.Hypot(float64(f.Values[i+j]), float64(f.Values[i+forms+j])))
		}
	}
	return out
}

// doubles returns the numbers in double precision.
func doubles(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// labelled returns the colours of points with these classes.
func labelled(labels []int32) func(int) color.NRGBA {
	return func(i int) color.NRGBA { return Class(int(labels[i])) }
}

// classKey returns the key to the colours of classes.
func classKey(names []string) []Key {
	var out []Key
	for c, name := range names {
		out = append(out, Key{name, Class(c)})
	}
	return out
}

// warn adds the warning of a classification, if it has one, and returns the
// figure.
func (f *Figure) warn(name string, c *experiments.Classification) *Figure {
	if c.Warning != "" {
		f.Notes = append(f.Notes, name+": "+c.Warning)
	}
	return f
}

// embeddingKey returns the key to points with the colours of classes.
func embeddingKey(names []string) []Key {
	return append(classKey(names), Key{"dots: test, rings: training", Grey})
}

// subscript returns the number of a form as people count, below the line.
func subscript(j int) string {
	out := ""
	for _, digit := range fmt.Sprint(j + 1) {
		out += string('₀' + digit - '0')
	}
	return out
}
