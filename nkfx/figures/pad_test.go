package figures

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/neuralkforms/nkf/datasets/synthetic"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
	"github.com/neuralkforms/nkf/layers/exterior"
	"github.com/neuralkforms/nkf/layers/quadrature"
	"github.com/neuralkforms/nkf/nkfx/experiments"
	"github.com/neuralkforms/nkf/nkfx/train"
)

// inPage runs JavaScript with the programs of pages, and reads what it returns, JSON, into a value.
func inPage(t *testing.T, code string, out any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node, which runs the programs of pages, is not installed")
	}
	path := filepath.Join(t.TempDir(), "page.js")
	code = common + formsProgram + "process.stdout.write(JSON.stringify((() => {" + code + "})()))"
	require.NoError(t, os.WriteFile(path, []byte(code), 0o600))
	said, err := exec.CommandContext(t.Context(), node, path).CombinedOutput()
	require.NoError(t, err, string(said))
	require.NoError(t, json.Unmarshal(said, out), string(said))
}

// written returns a value as JSON.
func written(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

// TestPagesIntegrateAsExterior: a page has the integrals of forms along an edge and of their derivatives
// over a triangle, for each activation, and networks of one to three layers.
func TestPagesIntegrateAsExterior(t *testing.T) {
	backend := backendtest.Get(t, "go")
	type integrals struct{ Edge, Triangle []float64 }
	var names, calls []string
	var want, got []integrals
	random := rand.New(rand.NewPCG(1, 1))
	for name, function := range map[string]func(*graph.Node) *graph.Node{
		"relu": activation.Relu, "silu": layers.SiLU, "tanh": graph.Tanh} {
		for i, rule := range []quadrature.Rule{
			quadrature.Trapezoid(5), quadrature.Gauss(4), quadrature.Cubature(5)} {
			store, hidden := model.NewStore(), []int{12, 9}[:i]
			require.NoError(t, store.SetRNGStateFromSeed(int64(i)))
			corners := make([][]float64, 3)
			for i := range corners {
				corners[i] = []float64{4*random.Float64() - 2, 4*random.Float64() - 2}
			}
			build := func(scope *model.Scope, in []*graph.Node) []*graph.Node {
				form := layers.KForm(scope.In("some"), 2, 1, 3).Hidden(hidden...).Activation(function).
					Initialization(layers.FanInUniform).Quadrature(rule).Done()
				return []*graph.Node{exterior.Integrate(form, in[0], in[1]),
					exterior.Integrate(form.D(), in[0], in[2])}
			}
			exec, err := model.NewExec(backend, store, build)
			require.NoError(t, err)
			x, err := exec.Call(corners, [][]int32{{0, 1}}, [][]int32{{0, 1, 2}})
			require.NoError(t, err)
			want = append(want, integrals{x[0].Value().([][]float64)[0], x[1].Value().([][]float64)[0]})

			data, err := NeuralForms{store, "/some", name, rule}.data()
			require.NoError(t, err)
			names = append(names, fmt.Sprintf("%s, layers of %v, %v", name, hidden, rule))
			calls = append(calls, fmt.Sprintf("[forms(%s), %s]", written(t, data), written(t, corners)))
		}
	}
	inPage(t, "return ["+strings.Join(calls, ",")+"].map(([f, p]) => "+
		"({ Edge: f.edge(p[0], p[1]), Triangle: f.triangle(...p) }))", &got)
	for i, name := range names {
		require.InDeltaSlice(t, want[i].Edge, got[i].Edge, 1e-5, name)
		require.InDeltaSlice(t, want[i].Triangle, got[i].Triangle, 1e-5, name)
		require.Greater(t, floats.Norm(want[i].Edge, 1), 0.1, "there is something to compare")
	}
}

// padData returns what the page of a pad has.
func padData(t *testing.T, p *Pad) string {
	t.Helper()
	found := regexp.MustCompile(`data-pad="([^"]*)"`).FindStringSubmatch(p.HTML())
	require.NotNil(t, found)
	return html.UnescapeString(found[1])
}

// untrained returns forms with random weights in single precision.
func untrained(t *testing.T, activation string, build func(*model.Scope) exterior.Form) NeuralForms {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(3))
	forms := NeuralForms{Weights: store, Scope: "/forms", Activation: activation}
	once := func(scope *model.Scope, x *graph.Node) *graph.Node { // makes the variables
		form := build(scope)
		forms.Rule = form.Rule
		return form.At(x)
	}
	_, err := model.CallOnce(backendtest.Get(t, "go"), store, once, [][]float32{{0, 0}})
	require.NoError(t, err)
	return forms
}

// TestPagesClassifyPathsAsTheModel: the running integrals of a page end with the readout of the model.
func TestPagesClassifyPathsAsTheModel(t *testing.T) {
	paths, err := synthetic.NewPaths().Sample(2, 1, synthetic.Test)
	require.NoError(t, err)
	build := func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope.In("forms"), 2, 1, 3).Hidden(50, 30).Activation(activation.Relu).
			Initialization(layers.FanInUniform).Quadrature(quadrature.Trapezoid(5)).Done()
	}
	forms := untrained(t, "relu", build)
	readout := func(scope *model.Scope, b *layers.Batch) *graph.Node {
		return b.Readout(layers.Sum, build(scope))
	}
	task := train.Task{Data: paths, Model: readout}
	want, err := train.Predict(backendtest.Get(t, "go"), task, forms.Weights)
	require.NoError(t, err)

	pad, err := forms.Stroke(Arrange("", 1, NewPanel("").Within(-4, 4)), paths, 0, 0)
	require.NoError(t, err)
	var got [][]float64
	inPage(t, "const data = "+padData(t, pad)+", f = forms(data.forms)\n"+
		"return data.examples.map(path => f.running(path).at(-1))", &got)
	for i, g := range []int{0, 2, 4, 0} { // the first path of each class, and the one that is shown first
		require.InDeltaSlice(t, doubles(want[3*g:3*g+3]), got[i], 1e-5)
	}
}

// TestPagesResample: a stroke becomes as many points as asked for, in the box of the data, at equal
// distances.
func TestPagesResample(t *testing.T) {
	var got [][][2]float64
	inPage(t, `const box = { low: [-1, -2], high: [1, 2] }
return [resampled([[0, 0], [1, 0], [1, 3]], 4, box), resampled([[5, 1], [5, 9]], 3, box),
	resampled([[1, 1], [1, 1]], 8, box)]`,
		&got)
	require.Equal(t, [][2]float64{{-1, -2}, {1, -2}, {1, 0}, {1, 2}}, got[0], "stretched to 2 by 4")
	require.Equal(t, [][2]float64{{0, -2}, {0, 0}, {0, 2}}, got[1], "amid the axis without extent")
	require.Empty(t, got[2], "a point is no path")
}

// TestPagesSeeAsTranslatedTemplates: what a disc shows is what the experiment computes.
func TestPagesSeeAsTranslatedTemplates(t *testing.T) {
	const radius, bandwidth = 0.2, 0.05
	drawings, err := synthetic.NewTemplates().Sample(1, 1, synthetic.Train)
	require.NoError(t, err)
	build := func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope.In("forms"), 2, 1, 2).Hidden(64).Activation(graph.Tanh).
			Initialization(layers.FanInUniform).Quadrature(quadrature.Gauss(2)).Done()
	}
	forms := untrained(t, "tanh", build)
	pad, err := forms.Disc(Arrange("", 1, NewPanel("").Within(0, 1)), drawings, radius, bandwidth)
	require.NoError(t, err)
	var places [][]float32
	for i := range 64 {
		places = append(places, []float32{float32(i%8) / 7, float32(i/8) / 7})
	}
	var got [][][]float64
	inPage(t, "const data = "+padData(t, pad)+", f = forms(data.forms)\nreturn data.drawings.map(drawing => "+
		written(t, places)+".map(place => f.seen(drawing, place, data).values))", &got)

	seen := 0.0
	for g := range 2 {
		at, corners := pairs(drawings.Points(g)), drawings.Corners(1, g)
		var vertices [][]float32
		for _, p := range at {
			vertices = append(vertices, []float32{float32(p[0]), float32(p[1])})
		}
		var edges [][]int32
		for e := range slices.Chunk(corners, 2) {
			edges = append(edges, e)
		}
		x, err := model.CallOnce(backendtest.Get(t, "go"), forms.Weights,
			func(scope *model.Scope, in []*graph.Node) *graph.Node {
				return graph.ReduceSum(experiments.Translated(build(scope), radius, in[0], in[1], in[2]), 1)
			}, vertices, edges, places)
		require.NoError(t, err)
		for i, sums := range x.Value().([][]float32) {
			density := 0.0
			for _, e := range edges {
				away := math.Hypot(at[e[0]][0]-float64(places[i][0]), at[e[0]][1]-float64(places[i][1]))
				density += math.Exp(-away*away/(2*bandwidth*bandwidth)) / float64(len(edges))
			}
			for class, sum := range sums {
				require.InDelta(t, float64(sum)*density, got[g][i][class], 1e-5)
				seen += math.Abs(got[g][i][class])
			}
		}
	}
	require.Greater(t, seen, 0.01, "some templates see something")
}

// TestBrokenPads: a pad says what it lacks.
func TestBrokenPads(t *testing.T) {
	forms := untrained(t, "tanh", func(scope *model.Scope) exterior.Form {
		return layers.KForm(scope.In("forms"), 2, 1, 1).Activation(graph.Tanh).Done()
	})
	f, corners := Arrange("", 1, NewPanel("").Within(-1, 1)), []float64{0, 0, 1, 0, 0, 1}
	pad, err := forms.Triangle(f, corners)
	require.NoError(t, err)
	require.NotRegexp(t, `https?:|//[a-z]+\.|import|fetch`, pad.HTML(), "nothing is asked of the network")
	require.Equal(t, 1, strings.Count(pad.HTML(), "</script>"))
	_, err = forms.Triangle(Arrange("none", 1), corners)
	require.ErrorContains(t, err, "has no panel")
	other := forms
	other.Scope = "/other"
	_, err = other.Triangle(f, corners)
	require.ErrorContains(t, err, `no forms in the scope "/other"`)
	other = forms
	other.Activation = "gelu"
	_, err = other.Triangle(f, corners)
	require.ErrorContains(t, err, `"gelu"`)
}
