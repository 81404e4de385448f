package figures_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/figures"
)

// The results that the examples draw are those of forms that need no training.

// field samples forms whose components at a point are given.
func field(low, high float64, side int, components func(x, y float64) []float64) experiments.Field {
	f := experiments.Field{Low: low, High: high, Side: side}
	at := grid(low, high, side)
	for i := 0; i < len(at); i += 2 {
		for _, v := range components(at[i], at[i+1]) {
			f.Values = append(f.Values, float32(v))
		}
	}
	return f
}

// embedding embeds complexes by integrals over simplices that are given.
func embedding(c *datasets.Collection, forms int,
	integral func(corners [][]float32, j int) float64) experiments.Embedding {
	e := experiments.Embedding{Labels: c.Labels, Data: c, Points: make([]float32, c.Len()*forms)}
	k := c.Degree() + 1
	for g := range c.Len() {
		at, simplices := datasets.Float32s(c.Points(g)), c.Corners(c.Degree(), g)
		for i := 0; i < len(simplices); i += k {
			var corners [][]float32
			for _, v := range simplices[i : i+k] {
				corners = append(corners, at[int(v)*c.Dim:][:c.Dim])
			}
			for j := range forms {
				x := float32(integral(corners, j))
				e.Integrals = append(e.Integrals, x)
				e.Points[g*forms+j] += x
			}
		}
	}
	return e
}

// samples returns training and test data.
func samples(s interface {
	Sample(int, uint64, synthetic.Part) (*datasets.Collection, error)
}, perClass int) (train, test *datasets.Collection) {
	train, test = must(s.Sample(perClass, 1, synthetic.Train)), must(s.Sample(perClass, 1, synthetic.Test))
	return train, test
}

// must returns x: what is drawn here has no errors.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// ideal are 1-forms that tell the classes of paths apart: dx+dy, dx-dy and x dy - y dx.
func ideal(x, y float64) [3][2]float64 { return [3][2]float64{{1, 1}, {1, -1}, {-y, x}} }

// paths is what the ideal forms make of paths.
func paths() *experiments.PathsResult {
	train, test := samples(synthetic.NewPaths(), 12)
	along := func(p [][]float32, j int) float64 {
		w := ideal(float64(p[0][0]+p[1][0])/2, float64(p[0][1]+p[1][1])/2)[j]
		return w[0]*float64(p[1][0]-p[0][0]) + w[1]*float64(p[1][1]-p[0][1])
	}
	forms := experiments.Classification{
		TestAccuracy: 100, Losses: []float64{1, 0.1, 0.02},
		Train: embedding(train, 3, along), Test: embedding(test, 3, along),
	}
	return &experiments.PathsResult{Classes: test.Classes, Forms: forms, Functions: forms,
		FormField: field(-4.5, 4.5, 15, func(x, y float64) []float64 {
			w := ideal(x, y)
			return []float64{w[0][0], w[1][0], w[2][0], w[0][1], w[1][1], w[2][1]}
		}),
		FunctionField: field(-5, 5, 31, func(x, y float64) []float64 {
			return []float64{x, y, x * y / 5}
		}),
	}
}

// surfaces is what ∫ dy∧dz and ∫ dz∧dx make of surfaces.
func surfaces() *experiments.SurfacesResult {
	train, test := samples(synthetic.NewSurfaces(), 8)
	area := func(p [][]float32, j int) float64 {
		a, b := [2]int{1, 2}[j], [2]int{2, 0}[j]
		u := [2]float64{float64(p[1][a] - p[0][a]), float64(p[1][b] - p[0][b])}
		v := [2]float64{float64(p[2][a] - p[0][a]), float64(p[2][b] - p[0][b])}
		return (u[0]*v[1] - u[1]*v[0]) / 2
	}
	return &experiments.SurfacesResult{Classes: test.Classes, Forms: experiments.Classification{
		TestAccuracy: 100, Train: embedding(train, 2, area), Test: embedding(test, 2, area),
	}}
}

// eigenvectors is a complex with three forms on it, one of each kind.
func eigenvectors() *experiments.EigenvectorsResult {
	points := must(synthetic.NewCircles().Sample(1))
	c := must(simplicial.Rips(2, points, 0.5, 2))
	return &experiments.EigenvectorsResult{
		Points: points, Edges: c.Simplices(1), Triangles: c.Simplices(2), Radius: 0.25,
		Values: []float64{0, 0.3, 0.6}, Parts: []string{"harmonic", "gradient", "curl"}, Error: 0.04,
		Errors: []float64{0.03, 0.04, 0.05},
		Field: field(-1.4, 1.4, 21, func(x, y float64) []float64 {
			r2 := math.Max(0.1, x*x+y*y)
			return []float64{-y / r2, 1, -y, x / r2, 0, x}
		}),
	}
}

// convolution is what templates that turn and point inwards make of cycles and stars.
func convolution() *experiments.ConvolutionResult {
	train, test := samples(synthetic.NewTemplates(), 4)
	turn := func(p [][]float32, j int) float64 {
		return float64(p[0][0]*p[1][1]-p[1][0]*p[0][1]) * float64(2*j-1)
	}
	r := &experiments.ConvolutionResult{Classes: synthetic.TemplateClasses, Radius: 0.2,
		Forms: experiments.Classification{
			TestAccuracy: 100, Train: embedding(train, 2, turn), Test: embedding(test, 2, turn),
		},
		Field: field(-0.2, 0.2, 15, func(x, y float64) []float64 { return []float64{y, -x, -x, -y} }),
	}
	for _, v := range grid(0, 1, 6) {
		r.Translations = append(r.Translations, float32(v))
	}
	for i := range test.Len() * 36 * 2 {
		r.Seen = append(r.Seen, float32(math.Sin(float64(i))))
	}
	return r
}

// levels are two levels of a network on the letter A: two forms, and these rotated where the letter is a
// narrower one.
func levels() []experiments.CochainLevel {
	return []experiments.CochainLevel{level(1, 0, false), level(0.6, 0.8, true)}
}

// level is the letter A, that wide, under the forms of a frame that is rotated by an angle.
func level(width, angle float64, last bool) experiments.CochainLevel {
	sin, cos := math.Sincos(angle)
	frame := func(x, y float64) []float64 { return []float64{cos, -sin * y, sin, cos * y} }
	l := experiments.CochainLevel{
		Points: []float64{-width, -1, -width / 2, 0, 0, 1, width / 2, 0, width, -1},
		Edges:  []int32{0, 1, 1, 2, 2, 3, 3, 4, 1, 3}, Forms: 2,
		Messages: make([]float64, 10), Share: 0.9, Field: field(-1.3, 1.3, 11, frame),
	}
	for e := 0; e < len(l.Edges); e += 2 {
		from, to := l.Edges[e], l.Edges[e+1]
		x, y := l.Points[2*from], l.Points[2*from+1]
		u, v := l.Points[2*to]-x, l.Points[2*to+1]-y
		w := frame(x+u/2, y+v/2)
		for j := range 2 {
			integral := w[j]*u + w[2+j]*v
			l.Integrals = append(l.Integrals, integral)
			l.Messages[2*to+int32(j)] += integral
			l.Messages[2*from+int32(j)] -= integral
		}
	}
	if last {
		l.Messages = nil // there is nobody to tell
	}
	return l
}

// TestFiguresSayWhatWasNotLearned: every figure of a classification shows its warning.
func TestFiguresSayWhatWasNotLearned(t *testing.T) {
	p, s, c := paths(), surfaces(), convolution()
	const warning = "training ended with loss 15.90, worse than guessing among 3 classes (1.10)"
	p.Functions.Warning, s.Forms.Warning, c.Forms.Warning = warning, warning, warning
	require.Empty(t, figures.PathFields(p).Notes, "1-forms have learned")
	for name, drawn := range map[string][]*figures.Figure{
		"0-forms":   {figures.PathFunctions(p), figures.PathEmbeddings(p)},
		"2-forms":   {figures.SurfaceEmbedding(s), figures.SurfaceIntegrals(s)},
		"templates": {figures.ConvolutionTemplates(c), figures.ConvolutionEmbedding(c)},
	} {
		for _, f := range drawn {
			require.Equal(t, []string{name + ": " + warning}, f.Notes, f.Title)
		}
	}
}
