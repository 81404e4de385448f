package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/internal/typeset"
)

// PathFields draws the learned 1-form of each class by streamlines, under 20 test paths of the class. Above
// it stands the mean integral along the test paths of each class.
func PathFields(r *experiments.PathsResult) *Figure {
	fields := streamsOf(r.FormField)
	return learned("1-forms", "∫ω", r.Classes, &r.Forms, r.FormField, Bar{"strength |ω|", fields[0].Scale},
		func(class int) plot.Plotter { return fields[class] })
}

// PathFunctions draws the learned 0-form of each class as a scalar field, under 20 test paths of the class.
// The scale is that of the values on test paths: far from all paths, functions are large and have no
// meaning.
func PathFunctions(r *experiments.PathsResult) *Figure {
	field, scale := r.FunctionField, Signed(Typical(r.Functions.Test.Integrals))
	return learned("0-forms", "Σf", r.Classes, &r.Functions, field, Bar{"f(x, y)", scale},
		func(class int) plot.Plotter {
			h := &Heat{Rows: field.Side, Columns: field.Side, Scale: scale, Smooth: true,
				XMin: field.Low, XMax: field.High, YMin: field.Low, YMax: field.High}
			for i := range field.Side * field.Side {
				h.Values = append(h.Values, float64(field.Values[i*len(r.Classes)+class]))
			}
			return h
		})
}

// learned draws the form of each class under the first test paths of the class.
func learned(forms, symbol string, classes []string, c *experiments.Classification, field experiments.Field,
	bar Bar, form func(class int) plot.Plotter) *Figure {
	f := Arrange(fmt.Sprintf("Learned %s, one for each class, and test paths of the class", forms), 3)
	for class := range classes {
		title := symbol + subscript(class)
		for other, name := range classes {
			value := math.Round(mean(c.Test, other, class))
			title += fmt.Sprintf("%c %s %+.0f", ":,"[min(other, 1)], name, value+0) // −0 + 0 = 0
		}
		f.Panels = append(f.Panels, NewPanel(typeset.Text(title),
			form(class), PathsOf(c.Test.Data, class, 20)).Within(field.Low, field.High))
	}
	f.Key, f.Bars = classKey(classes), []Bar{bar}
	return f.warn(forms, c)
}

// mean returns the mean integral of a form over the paths of a class, 0 if there are none.
func mean(e experiments.Embedding, class, form int) float64 {
	sum, paths := 0.0, members(e, class)
	for _, g := range paths {
		sum += float64(e.Points[g*e.Forms()+form])
	}
	return sum / float64(max(1, len(paths)))
}

// PathEmbeddings draws the paths as points in space, training paths as rings and test paths as dots: on the
// left by their integrals divided by their lengths, on the right by the means of the 0-forms over their
// points.
func PathEmbeddings(r *experiments.PathsResult) *Figure {
	points := func(c *datasets.Collection, g int) float64 { return float64(c.Count(0, g)) }
	f := Arrange("Paths as points: integrals of 1-forms per length, and means of 0-forms over the points", 2,
		pathCloud("1-forms", "∫ω/L", &r.Forms, pathLength),
		pathCloud("0-forms", "mean f", &r.Functions, points))
	f.Side = 1.4 * panelSide
	f.Key = embeddingKey(r.Classes)
	return f.warn("1-forms", &r.Forms).warn("0-forms", &r.Functions)
}

// pathCloud returns a panel of paths as points in space, seen along the diagonal: what is read out of them,
// divided by their sizes.
func pathCloud(name, label string, c *experiments.Classification,
	size func(c *datasets.Collection, g int) float64) *Panel {
	bySize := func(e experiments.Embedding) (points []float64) {
		for g := range e.Labels {
			for _, x := range e.Points[g*e.Forms():][:3] {
				points = append(points, float64(x)/positive(size(e.Data, g)))
			}
		}
		return points
	}
	train, test := bySize(c.Train), bySize(c.Test)
	box := boxed(slices.Concat(train, test), Diagonal, label+"₁", label+"₂", label+"₃")
	return NewPanel(fmt.Sprintf("%s: test accuracy %.1f %%", name, c.TestAccuracy), box,
		Rings(Diagonal.Flatten(train), 2, labeled(c.Train.Labels)),
		Points(Diagonal.Flatten(test), 2, labeled(c.Test.Labels))).Bare()
}

// pathLength returns the length of path g.
func pathLength(c *datasets.Collection, g int) float64 {
	at := c.Points(g)
	sum := 0.0
	for i := 2; i < len(at); i += 2 {
		sum += math.Hypot(at[i]-at[i-2], at[i+1]-at[i-1])
	}
	return sum
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
	low, high := square(0, train, test)
	chart := NewChart("", Curve([]float64{low, low, high, high}, Faint)).Axes("∫ω₁", "∫ω₂")
	chart.Add(Rings(train, 2, labeled(c.Train.Labels)), Points(test, 2, labeled(c.Test.Labels)))
	f := Arrange(fmt.Sprintf("%s as points: test accuracy %.1f %%", name, c.TestAccuracy), 1, chart)
	f.Side = 1.5 * panelSide
	f.Key = embeddingKey(classes)
	return f.warn(forms, c)
}

// members returns the complexes of a class.
func members(e experiments.Embedding, class int) (found []int) {
	for g, label := range e.Labels {
		if int(label) == class {
			found = append(found, g)
		}
	}
	return found
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
	return append(classKey(names), Key{"dots: test, rings: training", Gray})
}

// warn adds the warning of a classification, if it has one, and returns the figure.
func (f *Figure) warn(name string, c *experiments.Classification) *Figure {
	if c.Warning != "" {
		f.Notes = append(f.Notes, name+": "+c.Warning)
	}
	return f
}

// subscript returns the number of a form, counted from 1, below the line.
func subscript(j int) string { return typeset.Subscript(j + 1) }
