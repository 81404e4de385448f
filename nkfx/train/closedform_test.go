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
	"github.com/gomlx/gomlx/core/tensors"
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

// TestRidge has weights, predictions and errors of rows left out of scikit-learn's RidgeCV, and of its
// RidgeClassifierCV.
func TestRidge(t *testing.T) {
	text := must(os.ReadFile("testdata/ridge.json"))
	var golden struct {
		Cases []struct {
			Name           string
			X, Y, Weights  [][]float64
			Unseen, Said   [][]float64 // rows to predict, and the outputs for them
			Biases, Errors []float64   // errors by penalty
			Penalty        float64
			Predicted      []int // classes
		}
	}
	require.NoError(t, json.Unmarshal(text, &golden))
	require.Len(t, golden.Cases, 11)
	for _, want := range golden.Cases {
		t.Run(want.Name, func(t *testing.T) {
			x, y := matrix(want.X), matrix(want.Y)
			_, outputs := y.Dims()
			for i, alpha := range penalties {
				_, _, loss, ok := ridge(x, y, []float64{alpha})
				require.True(t, ok)
				// Products of columns up to 50, 1e5 in sum, are exact to 1e-11, and penalties from 1e-3 on
				// divide by no less than these.
				require.InEpsilon(t, want.Errors[i]*float64(outputs), loss, 1e-8)
			}
			w, b, _, ok := ridge(x, y, penalties)
			require.True(t, ok)
			require.True(t, mat.EqualApprox(matrix(want.Weights), w, 1e-8))
			require.InDeltaSlice(t, want.Biases, b, 1e-8)
			said := predictions(matrix(want.Unseen), w, b)
			require.True(t, mat.EqualApprox(matrix(want.Said), said, 1e-6)) // sums of up to 40 products
			for i, class := range want.Predicted {
				require.Equal(t, class, floats.MaxIdx(said.RawRowView(i)))
			}
		})
	}
}

// normal returns a matrix of random numbers.
func normal(seed uint64, rows, columns int) *mat.Dense {
	random, x := rand.New(rand.NewPCG(seed, seed)), mat.NewDense(rows, columns, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, x)
	return x
}

// predictions returns the outputs for the rows of x.
func predictions(x, weights *mat.Dense, biases []float64) *mat.Dense {
	var y mat.Dense
	y.Mul(x, weights)
	y.Apply(func(_, c int, v float64) float64 { return v + biases[c] }, &y)
	return &y
}

// moments are features without weights: the numbers of vertices, and the sums of their coordinates' squares
// and of one coordinate, far from 0.
func moments(_ *model.Scope, b *layers.Batch) *Node {
	x := b.Vertices()
	first := SliceAxis(x, 1, AxisElem(0))
	rows := Concatenate([]*Node{OnesLike(first), Square(x), first}, 1)
	return AddScalar(layers.Readout(layers.Sum, rows, b.Of(0), b.Complexes()), 500)
}

// TestRidgeOfOne: what is known of one complex is predicted of all.
func TestRidgeOfOne(t *testing.T) {
	targets := []known{{values: mat.NewDense(1, 1, []float64{5}), rows: []int{1}}, {first: 1}}
	weights, biases := must(ridges(normal(3, 2, 2), targets, 2, 2)).fit()
	require.Zero(t, mat.Norm(weights, 1))
	require.Equal(t, []float64{5, 0}, biases)
}

// TestRidgeTask solves for classes, answers and numbers, some of them unknown, in the folds and on
// everything, and what was found predicts as the weights of any model do. On XLA the programs are the same
// but for the outputs.
func TestRidgeTask(t *testing.T) {
	all := map[string]*datasets.Collection{
		"classes": cycles(96, false), "answers": radii(96, false), "numbers": radii(96, true),
	}
	for name, data := range all {
		on := backendtest.Each
		if data.Regression {
			on = backendtest.All
		}
		t.Run(name, func(t *testing.T) {
			on(t, func(t *testing.T, backend compute.Backend) { solveTask(t, backend, data) })
		})
	}
}

func solveTask(t *testing.T, backend compute.Backend, data *datasets.Collection) {
	t.Helper()
	folds := must(datasets.StratifiedFolds(make([]int32, data.Len()), 3, 42))
	task := Task{Data: data, ClosedForm: &ClosedForm{Features: moments}, Folds: folds, Seeds: []uint32{1}}
	out := must(CrossValidate(t.Context(), backend, task))
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
	got := must(Predict(backend, task, weights))

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
		w, b, _, ok := ridge(matrix(rows), units, penalties)
		require.True(t, ok)
		for g := range data.Len() {
			value := mat.Dot(x.RowView(g), w.ColView(0)) + b[0]
			// Features of 500 have a rounding of 3e-5, in units of a deviation of about 1 to 10.
			require.InDelta(t, value*deviation+mean, got[g*data.Outputs()+output], 5e-4*deviation)
		}
	}
}

// TestFarFeatures: what a regression predicts in 32 bits has the mean of what it was solved for, also by
// features with a mean of 10⁵ deviations, of which 32 bits lose a hundredth of a deviation.
func TestFarFeatures(t *testing.T) {
	x, y := normal(5, 400, 3), mat.NewDense(400, 1, nil)
	y.Mul(x, mat.NewDense(3, 1, []float64{1, 1, 1}))
	x.Apply(func(_, j int, v float64) float64 { return float64(float32(v + 1e5 + float64(j)/3)) }, x)
	given := mat.DenseCopyOf(x)
	means, deviations := standardize(x)
	w, b, _, ok := ridge(x, y, penalties)
	require.True(t, ok)
	mean := 0.0
	for i := range 400 {
		p := float32(b[0]) - float32(y.At(i, 0))
		for j, v := range given.RawRowView(i) {
			p += (float32(v) - float32(means[j])) / float32(deviations[j]) * float32(w.At(j, 0))
		}
		mean += float64(p) / 400
	}
	require.InDelta(t, 0, mean, 1e-6) // a few roundings of numbers up to 10
}

// TestChoice: of a column that tells the classes and of noise the column is chosen, and the solution is a
// stationary point of the penalized loss, which finite differences agree with.
func TestChoice(t *testing.T) {
	// Of two views the second is near the first; the first column is near the class.
	x, labels := normal(3, 2*90, 11), make([]int, 90)
	for i := range labels {
		labels[i] = i % 3
		first, second := x.RawRowView(i), x.RawRowView(len(labels)+i)
		first[0] = first[0]/4 + float64(i%3)
		floats.AddScaledTo(second, first, 0.1, second)
	}
	r := ClosedForm{Views: 2, Groups: []Group{{"signal", 1}, {"noise", 10}}}
	standardize(x)
	c := classification{x: x, labels: labels, classes: 3, views: 2}
	best, why := least("log-loss", must(r.choices(c.solve, "")))
	require.Contains(t, why, "up to signal, penalty ")
	w, b := best.fit()
	columns, _ := w.Dims()
	require.Equal(t, 1, columns)
	require.NotZero(t, w.At(0, 0))
	right := 0
	for i, label := range labels {
		scores := make([]float64, 3)
		for k := range scores {
			scores[k] = x.At(i, 0)*w.At(0, k) + b[k]
		}
		if floats.MaxIdx(scores) == label {
			right++
		}
	}
	require.Greater(t, right, 80) // of 90; a third is chance

	all := make([]int, len(labels))
	for i := range all {
		all[i] = i
	}
	l := c.logistic(x, all, 2)
	l.solve(10)
	gradient := make([]float64, len(l.theta))
	l.loss(l.theta, gradient)
	const step = 1e-5
	for i, g := range gradient {
		at := l.theta[i]
		l.theta[i] = at + step
		more := l.loss(l.theta, nil)
		l.theta[i] = at - step
		less := l.loss(l.theta, nil)
		l.theta[i] = at
		require.InDelta(t, (more-less)/(2*step), g, 1e-9) // step² and 1e-16/step
		if i < 33 {
			g += 10 * 2 / 180.0 * at
		}
		require.Less(t, math.Abs(g), 1e-4, "the threshold of the gradient")
	}
}

// TestViews: a second view that misleads is not trained on, and one with other noise in columns that say
// nothing is.
func TestViews(t *testing.T) {
	backend, means := backendtest.Get(t, "go"), [][]float32{}
	both := func(scope *model.Scope, b *layers.Batch) *Node {
		x := moments(scope, b)
		return Concatenate([]*Node{x, AddScalar(x, 1000)}, 1)
	}
	for _, groups := range [][]Group{{{"moments", 4}}, nil} {
		for views, features := range []Model{moments, both} {
			task := Task{Data: cycles(40, false), ClosedForm: &ClosedForm{Features: features,
				Views: views + 1, Groups: groups}}
			weights, _, err := FitAll(t.Context(), backend, task, nil)
			require.NoError(t, err)
			mean := tensors.MustCopyFlatData[float32](weights.GetVariable("/ridge/mean").MustValue())
			means = append(means, mean)
		}
	}
	for _, mean := range means {
		require.Equal(t, means[0], mean)
	}
	// Rows of groups of other widths would begin within those of other complexes.
	few, many := []Group{{"few", 3}}, []Group{{"many", 5}}
	for _, r := range []ClosedForm{{Views: 3}, {Groups: few}, {Groups: many}} {
		r.Features = moments
		_, _, err := FitAll(t.Context(), backend, Task{Data: cycles(40, false), ClosedForm: &r}, nil)
		require.ErrorContains(t, err, "features of 4 columns: want")
	}

	const complexes, columns = 40, 30
	x, labels := normal(8, 2*complexes, columns), make([]int, complexes)
	for i := range 2 * complexes {
		labels[i%complexes] = i % 2
		x.Set(i, 0, float64(i%2*2-1)+x.At(i, 0)/2)
	}
	var losses []float64
	for _, views := range []int{1, 2} {
		rows := x.Slice(0, views*complexes, 0, columns).(*mat.Dense)
		c := classification{x: rows, labels: labels, classes: 2, views: views}
		losses = append(losses, must(c.solve(columns)).loss)
	}
	require.Less(t, losses[1], losses[0])
}

// TestChoiceOfMany: of many complexes a choice is made by some of every class, also where classes take turns
// in the file: noise tells nothing of them, so that the log-loss is log 2.
func TestChoiceOfMany(t *testing.T) {
	labels := make([]int, 2*maxChoice)
	for i := range labels {
		labels[i] = i % 2
	}
	c := classification{x: normal(3, len(labels), 1), labels: labels, classes: 2, views: 1}
	s := must(c.solve(1))
	require.InDelta(t, math.Ln2, s.loss, 0.01) // a weight of a thousand rows, 0.03, costs 0.0005
}

// TestPrincipal: principal axes are orthonormal, and the rows in them orthogonal, with more rows than columns
// and fewer, and of less rank.
func TestPrincipal(t *testing.T) {
	for _, size := range [][3]int{{7, 4, 4}, {4, 7, 4}, {9, 6, 3}, {6, 9, 3}} {
		var x mat.Dense
		x.Mul(normal(1, size[0], size[2]), normal(2, size[2], size[1]))
		z, v, ok := principal(&x)
		require.True(t, ok)
		var gram, back, squares mat.Dense
		gram.Mul(v.T(), v)
		back.Mul(z, v.T())
		squares.Mul(z.T(), z)
		one := mat.NewDiagDense(size[2], slices.Repeat([]float64{1}, size[2]))
		// Sums of nine products of numbers up to 20, divided by the square of a smallest value of about 0.1.
		require.True(t, mat.EqualApprox(&gram, one, 1e-10))
		require.True(t, mat.EqualApprox(&back, &x, 1e-10))
		for i := range size[2] {
			for j := range i {
				require.InDelta(t, 0, squares.At(i, j), 1e-10)
			}
		}
	}
}
