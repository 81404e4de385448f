package figures

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/simplicial"
	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/nkfx/experiments"
)

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
	k := c.Degree + 1
	for g := range c.Len() {
		at, simplices := c.Complex(g)
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
func samples(t *testing.T, s interface {
	Sample(int, uint64, synthetic.Part) (*datasets.Collection, error)
}, perClass int) (train, test *datasets.Collection) {
	train, err := s.Sample(perClass, 1, synthetic.Train)
	require.NoError(t, err)
	test, err = s.Sample(perClass, 1, synthetic.Test)
	require.NoError(t, err)
	return train, test
}

// ideal are 1-forms that tell the classes of paths apart: dx+dy, dx-dy and
// x dy - y dx.
func ideal(x, y float64) [3][2]float64 { return [3][2]float64{{1, 1}, {1, -1}, {-y, x}} }

func TestPathFigures(t *testing.T) {
	train, test := samples(t, synthetic.NewPaths(), 12)
	along := func(p [][]float32, j int) float64 {
		w := ideal(float64(p[0][0]+p[1][0])/2, float64(p[0][1]+p[1][1])/2)[j]
		return w[0]*float64(p[1][0]-p[0][0]) + w[1]*float64(p[1][1]-p[0][1])
	}
	forms := experiments.Classification{
		TestAccuracy: 100, Losses: []float64{1, 0.1, 0.02},
		Train: embedding(train, 3, along), Test: embedding(test, 3, along),
	}
	r := &experiments.PathsResult{Classes: synthetic.PathClasses, Forms: forms, Functions: forms,
		FormField: field(-4.5, 4.5, 15, func(x, y float64) []float64 {
			w := ideal(x, y)
			return []float64{w[0][0], w[1][0], w[2][0], w[0][1], w[1][1], w[2][1]}
		}),
		FunctionField: field(-5, 5, 31, func(x, y float64) []float64 {
			return []float64{x, y, x * y / 5}
		}),
	}
	golden(t, "paths-fields", PathFields(r))
	golden(t, "paths-functions", PathFunctions(r))
	golden(t, "paths-embeddings", PathEmbeddings(r))
	names := []string{"1-forms", "0-forms"}
	golden(t, "paths-losses", Losses("Training", names, r.Forms.Losses, []float64{1}))
}

func TestSurfaceFigures(t *testing.T) {
	train, test := samples(t, synthetic.NewSurfaces(), 8)
	// ∫ dy∧dz and ∫ dz∧dx over a triangle; -1 times the second would be the
	// other sign.
	area := func(p [][]float32, j int) float64 {
		a, b := [2]int{1, 2}[j], [2]int{2, 0}[j]
		u := [2]float64{float64(p[1][a] - p[0][a]), float64(p[1][b] - p[0][b])}
		v := [2]float64{float64(p[2][a] - p[0][a]), float64(p[2][b] - p[0][b])}
		return (u[0]*v[1] - u[1]*v[0]) / 2
	}
	r := &experiments.SurfacesResult{Classes: synthetic.SurfaceClasses, Forms: experiments.Classification{
		TestAccuracy: 100, Train: embedding(train, 2, area), Test: embedding(test, 2, area),
	}}
	golden(t, "surfaces-embedding", SurfaceEmbedding(r))
	golden(t, "surfaces-integrals", SurfaceIntegrals(r))
}

func TestEigenvectorFigures(t *testing.T) {
	points, err := synthetic.NewCircles().Sample(1)
	require.NoError(t, err)
	c, err := simplicial.Rips(2, points, 0.5, 2)
	require.NoError(t, err)
	r := &experiments.EigenvectorsResult{
		Points: points, Edges: c.Simplices(1), Triangles: c.Simplices(2), Radius: 0.25,
		Values: []float64{0, 0.3, 0.6}, Parts: []string{"harmonic", "gradient", "curl"}, Error: 0.04,
		Field: field(-1.6, 1.6, 17, func(x, y float64) []float64 {
			r2 := math.Max(0.1, x*x+y*y)
			return []float64{-y / r2, 1, -y, x / r2, 0, x}
		}),
	}
	golden(t, "eigenvectors-cover", EigenvectorCover(r))
	golden(t, "eigenvectors-fields", EigenvectorFields(r))
}

func TestConvolutionFigures(t *testing.T) {
	train, test := samples(t, synthetic.NewTemplates(), 4)
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
	golden(t, "convolution-templates", ConvolutionTemplates(r))
	golden(t, "convolution-embedding", ConvolutionEmbedding(r))
}
