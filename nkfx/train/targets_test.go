package train

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

var unknown = float32(math.NaN())

// TestMetricsOfTasks: small cases by hand.
func TestMetricsOfTasks(t *testing.T) {
	p := Predictions{
		Labels: make([]int32, 4),
		// Of the third task only one answer is known.
		Values:  []float32{2, -1, 5 /**/, 1, 1, 5 /**/, -1, 3, 5 /**/, -3, 2, -5},
		Targets: []float32{1, 0, 1 /**/, 0, unknown, 1 /**/, 1, 1, unknown /**/, 0, 0, unknown},
	}
	// First task: positives 2 and -1 against 1 and -3: three of four pairs are right; second: 3 against -1,
	// 2.
	got, s := Answers{3}.Evaluate(p)
	require.InDelta(t, 100*(0.75+1)/2, float64(s.AUROC), 1e-13)
	// Precision at the positives: 1 and 2/3; 1.
	require.InDelta(t, 100*((1+2.0/3)/2+1)/2, float64(s.AveragePrecision), 1e-13)
	// Right: two of four; 2 of 3; 2 of 2.
	require.InDelta(t, 100*6.0/9, float64(s.Accuracy), 1e-13)
	require.InDelta(t, 100*((0.5+0.5)/2+(1+0.5)/2)/2, float64(s.MacroAccuracy), 1e-13)
	loss := 0.0
	for i, y := range p.Targets {
		if y == y {
			chance := 1 / (1 + math.Exp(-float64(p.Values[i])))
			loss -= math.Log(map[float32]float64{1: chance, 0: 1 - chance}[y])
		}
	}
	require.InDelta(t, loss/9, got, 1e-12) // rounding of the two logarithms

	p.Units = map[string][]float32{"deviation": {2, 1, 4}}
	got, s = Numbers{3}.Evaluate(p)
	want := (math.Sqrt((1+1+4+9)/4.0) + math.Sqrt((1+4+4)/3.0) + math.Sqrt((16+16)/2.0)) / 3
	require.InDelta(t, want, float64(s.RMSE), 1e-12)
	require.InDelta(t, ((1+1+2+3)/4.0+(1+2+2)/3.0+4)/3, float64(s.MAE), 1e-12)
	require.InDelta(t, ((1+1+4+9)/4.0+(1+4+4)+(16+16)/16.0)/9, got, 1e-12)
	require.Zero(t, s.Undefined)
	for _, other := range []Score{s.Accuracy, s.MacroAccuracy, s.AUROC, s.AveragePrecision} {
		require.False(t, other.Defined(), "a regression has none")
	}

	p.Targets = slices.Repeat([]float32{unknown}, 12)
	got, s = Numbers{3}.Evaluate(p)
	require.False(t, s.RMSE.Defined() || s.MAE.Defined())
	require.Zero(t, got)
	require.Equal(t, map[string]int{"rmse": 3, "mae": 3}, s.Undefined)
	got, s = Answers{3}.Evaluate(p)
	require.Zero(t, got)
	require.False(t, s.AUROC.Defined() || s.AveragePrecision.Defined() || s.MacroAccuracy.Defined() ||
		s.Accuracy.Defined())
}

// radii are cycles whose radius, times a hundred, and whose number of
// vertices are to be found out; some answers are unknown.
func radii(count int, regression bool) *datasets.Collection {
	c := cycles(count, false)
	c.Regression, c.Classes, c.Tasks = regression, nil, []string{"radius", "vertices"}
	for g, label := range c.Labels {
		vertices := c.Count(0, g)
		values := []float32{100 * float32(1+label), float32(vertices)}
		if !regression {
			values = []float32{float32(label), float32(vertices % 2)}
		}
		if g%5 == 0 {
			values[g/5%2] = unknown
		}
		if c.Count(1, g) == 0 { // there is nothing to tell them by
			values = []float32{unknown, unknown}
		}
		c.Targets = append(c.Targets, values...)
		c.Labels[g] = 0
	}
	return c
}

// anything is an objective of a program's own.
type anything struct{ Objective }

// TestNothingToLearn: a task whose numbers, answers or classes are all the same, or that 32 bits cannot
// standardize, is refused by a sentence about them. An objective of one's own may learn something else.
func TestNothingToLearn(t *testing.T) {
	backend, one := backendtest.Get(t, "go"), cycles(60, false)
	for i := range one.Labels {
		one.Labels[i] = 1
	}
	with := func(regression bool, value func(i int) float32) *datasets.Collection {
		c := radii(60, regression)
		for i := range c.Labels {
			c.Targets[2*i] = value(i)
		}
		return c
	}
	require.ErrorContains(t, Learnable(one.Part(0, 0)), "no complexes: there is nothing to learn")
	for want, data := range map[string]*datasets.Collection{
		`all known values of "radius" are 7: there is nothing to learn`: with(true, func(i int) float32 {
			return []float32{7, unknown}[i%2]
		}),
		`all known values of "radius" are 1: there is`: with(false, func(int) float32 { return 1 }),
		`no value of "radius" is known: there is`:      with(true, func(int) float32 { return unknown }),
		`of "radius" are from -3e+38 to 3e+38, which 32 bits cannot`: with(true, func(i int) float32 {
			return []float32{-3e38, 3e38}[i%2]
		}),
		`of "radius" are from 0 to 5.89997e-39, which`: with(true, func(i int) float32 {
			return 1e-40 * float32(i)
		}),
		`of class "large": there is nothing to learn`: one,
	} {
		task := Task{Data: data, Model: forms}
		_, err := CrossValidate(t.Context(), backend, task)
		require.ErrorContains(t, err, want)
		_, _, err = FitAll(t.Context(), backend, task, nil)
		require.ErrorContains(t, err, want)
		task.Objective = anything{NewObjective(data.Info)}
		release, err := task.complete(t.Context(), backend)
		require.NoError(t, err)
		release()
	}
}

// squares moves the vertices of cycles to the corners of squares, so that edges repeat themselves.
func squares(c *datasets.Collection) *datasets.Collection {
	for v := 0; v < len(c.Vertices); v += 2 {
		p := c.Vertices[v : v+2]
		r := math.Round(math.Hypot(p[0], p[1]))
		p[0], p[1] = math.Copysign(r, p[0]), math.Copysign(r, p[1])
	}
	return c
}

// TestTargets: numbers and answers with gaps are learned, and what was saved
// predicts in the units of the data. XLA learns numbers.
func TestTargets(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		for _, regression := range []bool{true, false} {
			if !regression && !backendtest.Interpreted(backend) {
				continue
			}
			data := radii(96, regression)
			folds := must(datasets.StratifiedFolds(make([]int32, data.Len()), 3, 42))
			protocol := Published(8)
			protocol.Rate, protocol.Epochs, protocol.Select = 2e-2, 60, "auroc"
			protocol.Cosine, protocol.Warmup = true, 0.05
			if regression {
				protocol.Select = "rmse"
			}
			task := Task{Data: data, Model: forms, Protocol: protocol, Folds: folds[:1], Seeds: []uint32{1}}
			out := must(CrossValidate(context.Background(), backend, task))
			best := out.Fits[0].Best
			if !backendtest.Interpreted(backend) {
				require.Less(t, best.RMSE, 10.0)
				continue // TestRidgeTask compiles what follows
			}
			weights, _, err := FitAll(context.Background(), backend, task, out.Fits)
			require.NoError(t, err)
			s := predict(t, backend, task, weights)
			if regression {
				// The radius is 100 or 200: its standard deviation is 50, the mean over
				// both tasks without learning about 25.
				require.Less(t, best.RMSE, 10.0)
				require.Less(t, s.RMSE, Score(10))
				require.False(t, best.Accuracy.Defined())
			} else {
				require.Greater(t, best.AUROC, 70.0)
				require.Greater(t, s.AUROC, Score(70))
			}
		}
	})
}

// TestUnknownTakesNoPart: the loss of a step is the mean over the known
// values, and no gradient is NaN.
func TestUnknownTakesNoPart(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for _, regression := range []bool{true, false} {
		data := radii(24, regression)
		for i := range data.Targets[:8] {
			data.Targets[i] = unknown // a whole batch of the first tasks, too
		}
		flat := func(scope *model.Scope, b *nkf.Batch) *Node {
			w := scope.VariableWithValue("w", []float32{0.3, -0.2}).NodeValue(b.Vertices().Graph())
			return Add(ZerosLike(b.Targets()), ExpandAxes(w, 0))
		}
		// ZerosLike of a NaN is 0.
		e := trainerFor(t, backend, Task{Data: data, Model: flat}, nil)
		require.NoError(t, e.start(1))
		require.NoError(t, e.setUnits(everything(data).Train))
		loss := must(e.training.Run(everything(data).Train[:8], steady))
		want, count := 0.0, 0.0
		for i, y := range data.Targets[:16] {
			if y != y {
				continue
			}
			x, y := []float64{float64(float32(0.3)), float64(float32(-0.2))}[i%2], float64(y)
			if regression {
				mean, deviation := e.units["mean"][i%2], e.units["deviation"][i%2]
				want += math.Pow(x-(y-float64(mean))/float64(deviation), 2)
			} else {
				want += math.Log1p(math.Exp(x)) - x*y
			}
			count++
		}
		require.InDelta(t, want/count, loss, 1e-5) // float32 of a sum of about ten
	}
}

// TestDistinctEqualsAll: integrating each distinct simplex once, which there is too little to repeat for to
// be chosen, changes nothing but the order of sums.
func TestDistinctEqualsAll(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		data, all := cycles(64, false), everything(cycles(64, false))
		for i, x := range data.Vertices {
			data.Vertices[i] = math.Round(x)
		}
		var logits [][]float32
		for share, kind := range map[float64]packing.Kind{0: packing.SimplexOf, 10: packing.DistinctChains} {
			task := Task{Data: data, Model: by(nkf.Sum, false)} // which tells a wrong sign
			e := trainerFor(t, backend, task, planned(&task, share))
			for _, layout := range []*packing.Layout{e.evaluation.layout, e.training.layouts[0]} {
				require.True(t, layout.Parts[layout.Find(kind, 1)].Packed)
			}
			require.NoError(t, e.start(7))
			must(e.training.Run(all.Train, steady))
			logits = append(logits, must(e.predict(all.Test)).Values)
		}
		// float32 over eight steps of Adam, which blows up tiny gradients.
		require.InDeltaSlice(t, logits[0], logits[1], 1e-3)
	})
}

// TestParts: what a model reads is packed, be it in the evaluation alone or in a branch.
func TestParts(t *testing.T) {
	backend := backendtest.Get(t, "go")
	data := radii(40, false)
	sum := func(b *nkf.Batch) *Node { return ConvertDType(ReduceAllSum(b.Of(0)), dtypes.Float32) }
	for name, test := range map[string]struct {
		reads func(b *nkf.Batch) *Node
		times int // layouts that have the part
	}{
		"not at all": {func(b *nkf.Batch) *Node { return ScalarZero(b.Mask().Graph(), dtypes.Float32) }, 0},
		"in large batches": {func(b *nkf.Batch) *Node {
			if b.Complexes() > 16 {
				return sum(b)
			}
			return ScalarZero(b.Mask().Graph(), dtypes.Float32)
		}, 1},
		"in a branch": {func(b *nkf.Batch) *Node {
			g := b.Mask().Graph()
			return If(Squeeze(SliceAxis(b.Mask(), 0, AxisElem(0))),
				NewClosure(g, func(*Graph) []*Node { return []*Node{sum(b)} }),
				NewClosure(g, func(g *Graph) []*Node { return []*Node{Const(g, float32(0))} }))[0]
		}, 2},
	} {
		e := trainerFor(t, backend, Task{Data: data, Model: func(scope *model.Scope, b *nkf.Batch) *Node {
			return Add(forms(scope, b), test.reads(b))
		}}, nil)
		times := 0
		for _, layout := range []*packing.Layout{e.training.layouts[0], e.evaluation.layout} {
			if layout.Parts[layout.Find(packing.VertexOf, 0)].Packed {
				times++
			}
		}
		require.Equal(t, test.times, times, name)
		require.NoError(t, e.start(7))
		outputs := must(e.evaluation.outputs(everything(data).Test))
		require.Equal(t, test.times > 0, slices.Min(outputs) > 100, name) // the sum over the batch
	}
}

// TestComplexNotFinite: an integral past all numbers gets into the outputs of a whole
// batch, and the complex that has it is named all the same.
func TestComplexNotFinite(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		data := squares(cycles(60, false))
		const bad = 58
		for i := data.VertexStart[bad]; i < data.VertexStart[bad+1]; i++ {
			data.Vertices[2*i], data.Vertices[2*i+1] = 3e38, -3e38*float64(1-2*(i%2))
		}
		fold := datasets.Fold{Train: data.IDs()[:40], Test: data.IDs()[40:]}
		e := trainerFor(t, backend, Task{Data: data, Model: by(nkf.SquaredL2, false),
			Folds: []datasets.Fold{fold}}, nil)
		require.NotNil(t, e.plan.evaluation.Budget.Distinct)
		require.NoError(t, e.start(7))
		_, err := e.evaluation.outputs(fold.Test)
		require.ErrorContains(t, err, fmt.Sprintf("complex %d ", bad))
	})
}

// TestUndefinedScores: a class that is absent is left out of a mean and counted; where no class is left there
// is no score, not a bad one.
func TestUndefinedScores(t *testing.T) {
	p := Predictions{
		Labels: []int32{0, 0, 1, 1},
		Values: []float32{3, 1, 0 /**/, 2, 1, 0 /**/, 0, 3, 0 /**/, 1, 4, 0},
	}
	_, s := Classes{Count: 3}.Evaluate(p)
	require.Equal(t, Score(100), s.AUROC, "of two classes that are told apart")
	require.Equal(t, Score(100), s.AveragePrecision)
	require.Equal(t, map[string]int{"auroc": 1, "average_precision": 1}, s.Undefined)

	p.Labels = []int32{0, 0, 0, 0}
	_, s = Classes{Count: 3}.Evaluate(p)
	require.False(t, s.AUROC.Defined(), "of one class")
	require.Equal(t, map[string]int{"auroc": 3, "average_precision": 2}, s.Undefined)
	require.Equal(t, Score(50), s.Accuracy)

	// Of tasks, the second has one answer.
	p = Predictions{
		Labels: make([]int32, 2), Values: []float32{1, 1, -1, 1}, Targets: []float32{1, 1, 0, 1},
	}
	_, s = Answers{2}.Evaluate(p)
	require.Equal(t, []Score{100, 100}, []Score{s.AUROC, s.MacroAccuracy})
	require.Equal(t, map[string]int{"macro_accuracy": 1, "auroc": 1, "average_precision": 1}, s.Undefined)
	p.Targets[1], p.Targets[3] = unknown, unknown
	_, s = Numbers{2}.Evaluate(p)
	require.InDelta(t, math.Sqrt(0.5), float64(s.RMSE), 1e-15, "of the first task alone: errors 0 and 1")
	require.Equal(t, map[string]int{"rmse": 1, "mae": 1}, s.Undefined)

	_, s = Classes{Count: 2}.Evaluate(Predictions{Labels: []int32{0, 1}, Values: []float32{1, 0, 0, 1}})
	require.Equal(t, Score(100), s.MacroAccuracy, "of one member each")
	_, s = Classes{Count: 2}.Evaluate(Predictions{})
	require.False(t, s.Accuracy.Defined() || s.AUROC.Defined() || s.AveragePrecision.Defined(), "of nothing")
}

// TestSureScores: outputs whose probabilities are both 1 in 64 bits are not ties.
func TestSureScores(t *testing.T) {
	p := Predictions{Labels: []int32{0, 1, 0, 1}, Values: []float32{50, 0, 40, 0, 45, 0, 0, 3}}
	_, s := Classes{Count: 2}.Evaluate(p)
	require.Equal(t, []Score{100, 100}, []Score{s.AUROC, s.AveragePrecision}) // the first was 87.5
	_, s = Classes{Count: 1}.Evaluate(Predictions{Labels: []int32{0, 0}, Values: []float32{1, 2}})
	require.Equal(t, Score(100), s.AveragePrecision, "all are members")
	require.False(t, s.AUROC.Defined())
}

// TestMetrics: every metric is a score of that name in JSON, and what an epoch can be chosen by. What is
// undefined is null, and comes back so.
func TestMetrics(t *testing.T) {
	for _, metric := range Metrics {
		for text, value := range map[string]Score{"75.5": 75.5, "null": undefined} {
			s, again := Scores{Undefined: map[string]int{metric: 2}}, Scores{}
			*s.Of(metric) = value
			all := must(json.Marshal(s))
			require.Contains(t, string(all), fmt.Sprintf("%q:%s,", metric, text))
			require.NoError(t, json.Unmarshal(all, &again))
			require.Equal(t, fmt.Sprint(s), fmt.Sprint(again)) // NaN is not equal to NaN
		}
	}
	var s Scores
	require.Nil(t, s.Of("luck"))
	require.Error(t, json.Unmarshal([]byte(`{"auroc":"x"}`), &s))
}
