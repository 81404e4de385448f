package train

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// matrix returns rows as a matrix.
func matrix(rows [][]float64) *mat.Dense {
	return mat.NewDense(len(rows), len(rows[0]), slices.Concat(rows...))
}

// TestRidge has penalty, errors of rows left out, weights and predictions of scikit-learn's RidgeCV, and of
// its RidgeClassifierCV.
func TestRidge(t *testing.T) {
	text, err := os.ReadFile("testdata/ridge.json")
	require.NoError(t, err)
	var golden struct {
		Cases []struct {
			Name           string
			X, Y, Weights  [][]float64
			Unseen, Said   [][]float64 // rows to predict, and the outputs for them
			Biases, Errors []float64
			Penalty        float64
			Predicted      []int // classes
		}
	}
	require.NoError(t, json.Unmarshal(text, &golden))
	require.Len(t, golden.Cases, 11)
	for _, want := range golden.Cases {
		t.Run(want.Name, func(t *testing.T) {
			got := ridge(matrix(want.X), matrix(want.Y), penalties)
			require.InEpsilon(t, want.Penalty, got.penalty, 1e-12)
			// Products of columns up to 50, 1e5 in sum, are exact to 1e-11, and penalties from 1e-3 on
			// divide by no less than these.
			require.InEpsilonSlice(t, want.Errors, got.errors, 1e-8)
			require.True(t, mat.EqualApprox(matrix(want.Weights), got.weights, 1e-8))
			require.InDeltaSlice(t, want.Biases, got.biases, 1e-8)
			said := got.predict(matrix(want.Unseen))
			require.True(t, mat.EqualApprox(matrix(want.Said), said, 1e-6)) // sums of up to 40 products
			for i, class := range want.Predicted {
				require.Equal(t, class, floats.MaxIdx(said.RawRowView(i)))
			}
		})
	}
}

// predict returns the outputs for the rows of x.
func (r regression) predict(x *mat.Dense) *mat.Dense {
	var y mat.Dense
	y.Mul(x, r.weights)
	y.Apply(func(_, c int, v float64) float64 { return v + r.biases[c] }, &y)
	return &y
}

// drawn returns a matrix of numbers from -1 to 1.
func drawn(random *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return 2*random.Float64() - 1 }, m)
	return m
}

// TestRidgeInterpolates: with more columns than rows, what is left of the values is at most α/λ of them,
// where λ is the least eigenvalue of the products of rows, and vanishes with the penalty.
func TestRidgeInterpolates(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	x, y := drawn(random, 7, 20), drawn(random, 7, 3)
	rows := mat.DenseCopyOf(x)
	centered(rows)
	var gram mat.SymDense
	gram.SymOuterK(1, rows)
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(&gram, false))
	least := eigen.Values(nil)[1] // without that of equal entries, which is 0
	require.Greater(t, least, 0.5)
	for _, alpha := range []float64{1, 1e-3, 1e-6, 1e-9} {
		var rest mat.Dense
		rest.Sub(ridge(x, y, []float64{alpha}).predict(x), y)
		// Sums of 20 products of numbers up to 1 are exact to 1e-14.
		require.LessOrEqual(t, mat.Norm(&rest, 2), alpha/least*mat.Norm(y, 2)+1e-13, "α = %g", alpha)
	}
}

// TestRidgeShifted: a shift of the features changes neither errors nor predictions, and one of the values
// shifts the predictions, with more rows than columns and fewer.
func TestRidgeShifted(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, columns := range []int{5, 30} {
		x, y, unseen := drawn(random, 15, columns), drawn(random, 15, 2), drawn(random, 4, columns)
		by, up := drawn(random, 1, columns), drawn(random, 1, 2)
		shifted := func(m, by *mat.Dense) *mat.Dense {
			moved := mat.DenseCopyOf(m)
			moved.Apply(func(_, j int, v float64) float64 { return v + 100*by.At(0, j) }, moved)
			return moved
		}
		want, got := ridge(x, y, penalties), ridge(shifted(x, by), shifted(y, up), penalties)
		require.Equal(t, want.penalty, got.penalty)
		// Numbers of 100 are known to 1.4e-14; a penalty of 1e-3 divides by no less than that.
		require.InEpsilonSlice(t, want.errors, got.errors, 1e-9)
		require.True(t, mat.EqualApprox(want.weights, got.weights, 1e-9))
		said := got.predict(shifted(unseen, by))
		require.True(t, mat.EqualApprox(shifted(want.predict(unseen), up), said, 1e-9))
	}
}

// TestRidgeLeavesOut: an error is that of the row under the fit to all others.
func TestRidgeLeavesOut(t *testing.T) {
	const rows, columns, alpha = 9, 4, 0.7
	random := rand.New(rand.NewPCG(3, 4))
	x, y := drawn(random, rows, columns), drawn(random, rows, 2)
	want := 0.0
	for out := range rows {
		others := func(m *mat.Dense) *mat.Dense {
			_, c := m.Dims()
			rest := mat.NewDense(rows-1, c, nil)
			for i := range rows - 1 {
				rest.SetRow(i, m.RawRowView((out+1+i)%rows))
			}
			return rest
		}
		fit := ridge(others(x), others(y), []float64{alpha})
		for c := range 2 {
			e := mat.Dot(x.RowView(out), fit.weights.ColView(c)) + fit.biases[c] - y.At(out, c)
			want += e * e / (2 * rows)
		}
	}
	require.InEpsilon(t, want, ridge(x, y, []float64{alpha}).errors[0], 1e-12)
}

// moments are features without weights: the numbers of vertices, and the sums of their coordinates' squares
// and of one coordinate, far from 0.
func moments(_ *model.Scope, b *layers.Batch) *Node {
	x := b.Vertices()
	first := SliceAxis(x, 1, AxisElem(0))
	rows := Concatenate([]*Node{OnesLike(first), Square(x), first}, 1)
	return AddScalar(layers.Readout(layers.Sum, rows, b.Of(0), b.Complexes()), 500)
}

// TestRidgeTask solves for classes, answers and numbers, some of them unknown, in the folds and on
// everything, and what was found predicts as the weights of any model do.
func TestRidgeTask(t *testing.T) {
	all := map[string]*datasets.Collection{
		"classes": cycles(96, false), "answers": radii(96, false), "numbers": radii(96, true),
	}
	for name, data := range all {
		t.Run(name, func(t *testing.T) {
			backendtest.All(t, func(t *testing.T, backend compute.Backend) { solveTask(t, backend, data) })
		})
	}
}

func solveTask(t *testing.T, backend compute.Backend, data *datasets.Collection) {
	t.Helper()
	folds, err := datasets.StratifiedFolds(make([]int32, data.Len()), 3, 42)
	require.NoError(t, err)
	task := Task{Data: data, Model: Ridge(moments, data.Outputs()), Features: moments,
		Folds: folds, Seeds: []uint32{1}}
	out, err := CrossValidate(t.Context(), backend, task)
	require.NoError(t, err)
	require.Equal(t, (4+1)*data.Outputs(), out.Parameters)
	require.Equal(t, 2, out.Compilations, "features and evaluation, and no training")
	for _, fit := range out.Fits {
		switch {
		case data.Regression: // a radius of 100 or 200, and 5 to 8 vertices
			require.Less(t, fit.Last.RMSE, Score(10))
		case data.Tasks != nil: // whether the radius is 2; whether there is an even number of vertices
			require.Greater(t, fit.Last.AUROC, Score(60))
		default:
			require.Greater(t, fit.Last.Accuracy, Score(95))
		}
	}
	weights, epochs, err := FitAll(t.Context(), backend, task, out.Fits)
	require.NoError(t, err)
	require.Equal(t, 1, epochs)
	got, err := Predict(backend, task, weights)
	require.NoError(t, err)

	// The same in double precision, from the vertices.
	x := mat.NewDense(data.Len(), 4, nil)
	for g := range data.Len() {
		row := []float64{500, 500, 500, 500}
		for i, v := range data.Points(g) {
			row[0] += 0.5 // two coordinates each
			row[1+i%2] += float64(v) * float64(v)
			row[3] += float64(v) * float64(1-i%2)
		}
		x.SetRow(g, row)
	}
	standardize(x)
	for output := range data.Outputs() {
		var rows [][]float64
		var y []float64
		for g := range data.Len() {
			value := float64(2*map[bool]int{true: 1}[int(data.Labels[g]) == output] - 1)
			if data.Tasks != nil {
				value = float64(data.Targets[g*len(data.Tasks)+output])
			}
			if data.Tasks != nil && !data.Regression {
				value = 2*value - 1
			}
			if !math.IsNaN(value) {
				rows, y = append(rows, x.RawRowView(g)), append(y, value)
			}
		}
		mean, deviation := 0.0, 1.0
		if data.Regression {
			mean, deviation = stat.PopMeanStdDev(y, nil)
		}
		units := mat.NewDense(len(y), 1, slices.Clone(y))
		units.Apply(func(_, _ int, v float64) float64 { return (v - mean) / deviation }, units)
		want := ridge(matrix(rows), units, penalties)
		for g := range data.Len() {
			value := mat.Dot(x.RowView(g), want.weights.ColView(0)) + want.biases[0]
			// Features of 500 have a rounding of 3e-5, in units of a deviation of about 1 to 10.
			require.InDelta(t, value*deviation+mean, got[g*data.Outputs()+output], 5e-4*deviation)
		}
	}
}
