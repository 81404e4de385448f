package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/datasets"
	"github.com/neuralkforms/nkf/datasets/packing"
	nkf "github.com/neuralkforms/nkf/layers"
	"github.com/neuralkforms/nkf/layers/backendtest"
)

// forms is a small model of 1-forms, with a dropout whose random numbers are
// part of the state.
func forms(scope *model.Scope, b *nkf.Batch) *Node {
	f := nkf.KForm(scope.In("forms"), 2, 1, 3).Hidden(8).Initialization(nkf.FanInUniform).Done()
	h := nkf.Readout(nkf.SquaredL2, b.Integrate(f), b.Of(1), b.Complexes())
	h = nkf.BatchNorm(scope.In("norm"), h, b.Mask())
	return nkf.MLP(scope.In("head"), layers.DropoutStatic(scope, h, 0.1), 8, 2)
}

// by returns a model without chance: 1-forms, read out by a reduction and, if asked for, a batch norm.
func by(reduction nkf.Reduction, normed bool) Model {
	return func(scope *model.Scope, b *nkf.Batch) *Node {
		f := nkf.KForm(scope.In("forms"), 2, 1, 3).Hidden(8).Initialization(nkf.FanInUniform).Done()
		h := b.Readout(reduction, f)
		if normed {
			h = nkf.BatchNorm(scope.In("norm"), h, b.Mask())
		}
		return nkf.MLP(scope.In("head"), h, 8, 2)
	}
}

// cycles are graphs of two classes, cycles of radius 1 or 2 with noise in the
// plane, some without edges. Every seventh is twenty times as long if large
// is set, so that some batches pass the usual budget.
func cycles(count int, large bool) *datasets.Collection {
	rng := rand.New(rand.NewPCG(1, 2))
	b := datasets.NewBuilder(2)
	b.Info = datasets.Info{Name: "cycles", Classes: []string{"small", "large"}}
	for g := range count {
		label := g % 2
		n := 5 + rng.IntN(4)
		if large && g%7 == 0 {
			n *= 20
		}
		var vertices []float64
		var edges []int32
		for v := range n {
			angle := 2 * math.Pi * float64(v) / float64(n)
			r := float64(1+label) + 0.1*rng.NormFloat64()
			vertices = append(vertices, r*math.Cos(angle), r*math.Sin(angle))
			if g%9 != 0 {
				edges = append(edges, int32(v), int32((v+1)%n))
			}
		}
		b.Add(vertices, [][]int32{1: edges}, float64(label))
	}
	return must(b.Collection())
}

// task cross-validates the forms on cycles.
func task(t *testing.T, data *datasets.Collection, epochs int) Task {
	t.Helper()
	folds := must(datasets.StratifiedFolds(data.Labels, 3, 42))
	protocol := Published(8)
	protocol.Epochs, protocol.Rate = epochs, 1e-2
	return Task{Data: data, Model: forms, Protocol: protocol, Folds: folds, Seeds: []uint32{42}}
}

// outcome runs a task and returns its trainings without their times.
func outcome(t *testing.T, backend compute.Backend, task Task) (*Outcome, []Fit) {
	t.Helper()
	out := must(CrossValidate(context.Background(), backend, task))
	var fits []Fit
	for _, f := range out.Fits {
		timeless := *f
		timeless.Seconds = 0
		fits = append(fits, timeless)
	}
	return out, fits
}

// TestCrossValidate: learns; compiles once for all folds; twice the same to
// the last bit; as many workers as one likes.
func TestCrossValidate(t *testing.T) {
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		task := task(t, cycles(90, false), 12)
		ended := 0
		var before []string
		task.Report = func(p Progress) {
			require.Equal(t, 3, p.Total)
			if p.Doing != "" {
				require.Zero(t, p.Epochs+ended, "before all epochs")
				require.Negative(t, p.Left)
				require.Equal(t, -1, p.Epoch.Epoch)
				before = append(before, p.Doing)
				return
			}
			ended = p.Fits
			require.Equal(t, 12, p.Epochs)
			if p.Epoch.Epoch == 0 && p.Fold == 0 {
				require.Zero(t, p.Fits)
			}
			require.GreaterOrEqual(t, p.Left, time.Duration(0))
		}
		out, fits := outcome(t, backend, task)
		require.Equal(t, 3, ended, "the last report is of the end")
		require.Equal(t, []string{"preparing", "compiling", "training"}, before)
		require.Equal(t, 2, out.Compilations, "one training and one evaluation program")
		for _, f := range fits {
			require.Equal(t, 12, f.Epochs)
			// One in nine has no edges and cannot be told.
			require.Greater(t, f.Last.Accuracy, 80.0)
			require.Less(t, f.History[11].TrainLoss, f.History[0].TrainLoss)
		}
		task.Report = nil
		task.Pool = NewPool(3)
		defer task.Pool.Close()
		_, again := outcome(t, backend, task)
		require.Equal(t, fits, again)
		require.NotEqual(t, fits[0].History, fits[1].History, "folds differ")
	})
}

// TestSelect: of epochs with the same score the last is the best, of those with
// the same loss the first; one whose loss is no number is never.
func TestSelect(t *testing.T) {
	// The logits of two complexes of class 1: right are none, one, both, both, one, both.
	logits := [][]float32{{1, 0, 1, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}, {0, 2, 0, 2}, {0, 9, 9, 0}, {0, 3, 0, 3}}
	losses := []float64{2, 1, 0.25, 0.5, 0.25, math.NaN()}
	for by, want := range map[string]int{"accuracy": 3, "": 2} {
		best, c := -1, selection{metric: by}
		for epoch, z := range logits {
			_, s := Classes{Count: 2}.Evaluate(Predictions{Values: z, Labels: []int32{1, 1}})
			if c.better(losses[epoch], s) {
				best = epoch
			}
		}
		require.Equal(t, want, best, by)
	}
}

// TestValidate: the validation part is looked at as often as asked for and at the end, which changes no
// training, but what the best epoch is chosen from; without one, which a fixed schedule does not need, the
// last is the best.
func TestValidate(t *testing.T) {
	backend := backendtest.Get(t, "go")
	task := task(t, cycles(60, false), 10)
	task.Protocol.Cosine = true // the losses do not steer
	_, every := outcome(t, backend, task)
	task.Protocol.Validate = 4
	for _, looks := range [][]int{{0, 3, 7, 9}, nil} {
		_, few := outcome(t, backend, task)
		for i, f := range few {
			require.Equal(t, every[i].Last, f.Last)
			seen, lowest, best := 0.0, math.Inf(1), 9
			for epoch, h := range f.History {
				all := every[i].History[epoch]
				require.Equal(t, all.TrainLoss, h.TrainLoss)
				if slices.Contains(looks, epoch) {
					if seen = all.ValidationLoss; seen < lowest {
						lowest, best = seen, epoch
					}
				}
				require.Equal(t, seen, h.ValidationLoss)
			}
			require.Equal(t, best, f.BestEpoch)
			if best == 9 {
				require.Equal(t, f.Last, f.Best)
			}
			task.Folds[i].Validation = nil // of the next
		}
	}
}

// TestFitIsItsSteps: trainings on a fold and on everything are the steps that fold, seed and schedule give.
// The best scores are those after the epoch of the least validation loss. A training on everything reports
// what it does, and how long it will take.
func TestFitIsItsSteps(t *testing.T) {
	backend := backendtest.Get(t, "go")
	for _, cosine := range []bool{false, true} {
		task := task(t, cycles(60, false), 5)
		task.Protocol.Cosine, task.Protocol.Warmup = cosine, 0.3
		task.Protocol.Rate, task.Protocol.PlateauPatience = 1, 0 // it does not go down all the time
		e := trainerFor(t, backend, task, nil)
		// The epochs, the best of them, and the scores of the test part after it.
		byHand := func(fold datasets.Fold, number int) (history []Epoch, best int, scores Scores) {
			require.NoError(t, e.start(42<<16+int64(number)))
			least := math.Inf(1)
			rate, observe := task.schedule(len(fold.Train) / 8)
			order := make([]int32, len(fold.Train))
			for epoch := range 5 {
				shuffle(order, fold.Train, 42, number, epoch)
				sum, steps := 0.0, len(order)/8
				for step := range steps {
					sum += must(e.training.Run(order[step*8:(step+1)*8],
						func(int) float64 { return rate(epoch, step) }))
				}
				h := Epoch{Epoch: epoch, TrainLoss: sum / float64(steps), Rate: rate(epoch, 0)}
				if len(fold.Validation) > 0 {
					p := must(e.predict(fold.Validation))
					h.ValidationLoss, _ = e.Objective.Evaluate(p)
					observe(h.ValidationLoss)
					if h.ValidationLoss < least {
						least, best = h.ValidationLoss, epoch
						_, scores = e.Objective.Evaluate(must(e.predict(fold.Test)))
					}
				}
				history = append(history, h)
			}
			return history, best, scores
		}
		out, fits := outcome(t, backend, task)
		early := false
		for number, fit := range fits {
			history, best, scores := byHand(task.Folds[number], number)
			near(t, history, fit.History)
			require.Equal(t, best, fit.BestEpoch)
			require.Equal(t, scores, fit.Best)
			_, last := e.Objective.Evaluate(must(e.predict(task.Folds[number].Test)))
			require.Equal(t, last, fit.Last)
			early = early || !reflect.DeepEqual(fit.Best, fit.Last)
		}
		require.True(t, early, "the last epoch is not always the best")

		epochs := len(task.rates(out.Fits))
		var reported []Epoch
		var doing []string
		task.Report = func(p Progress) {
			require.True(t, p.All)
			require.Equal(t, 1, p.Total)
			if p.Doing != "" {
				require.Empty(t, reported)
				doing = append(doing, p.Doing)
				return
			}
			require.Equal(t, epochs, p.Epochs)
			last := p.Epoch.Epoch == epochs-1
			require.Equal(t, last, p.Left == 0, "epoch %d: %v left", p.Epoch.Epoch, p.Left)
			reported = append(reported, p.Epoch)
		}
		_, count, err := FitAll(t.Context(), backend, task, out.Fits)
		require.NoError(t, err)
		require.Equal(t, epochs, count)
		require.Equal(t, []string{"preparing", "compiling", "training"}, doing)
		require.Len(t, reported, epochs)
		if cosine {
			history, _, _ := byHand(datasets.Fold{Train: everything(task.Data).Train}, finalFold)
			near(t, history, reported)
		}
	}
}

// near: sums of losses are rounded in one order or another.
func near(t *testing.T, want, got []Epoch) {
	t.Helper()
	require.Len(t, got, len(want))
	for i, h := range want {
		require.InDelta(t, h.TrainLoss, got[i].TrainLoss, 1e-12)
		require.InDelta(t, h.ValidationLoss, got[i].ValidationLoss, 0)
		require.InDelta(t, h.Rate, got[i].Rate, 0)
	}
}

// TestBatchesPastTheUsualBudget: an epoch that changes between two or three
// shapes is the same, up to rounding, as one in a single shape.
func TestBatchesPastTheUsualBudget(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		data := cycles(84, true)
		task := Task{Data: data, Model: forms}
		// Batches have none of the long cycles, one, or more.
		usual := packing.Budget{Complexes: 8, Rows: []int{160, 160}}
		large := packing.Budget{Complexes: 8, Rows: []int{256, 256}}
		var first float64
		for i, smaller := range [][]packing.Budget{nil, {usual}, {usual, large}} {
			p := planned(&task, 0)
			var training []*packing.Layout
			for _, b := range smaller {
				training = append(training, p.packer.Layout(b))
			}
			training = append(training, p.training[len(p.training)-1])
			p.training = training
			e := trainerFor(t, backend, task, p)
			require.NoError(t, e.start(7))
			loss := must(e.training.Run(everything(data).Train, steady))
			tested, _ := e.Objective.Evaluate(must(e.predict(everything(data).Test)))
			loss += tested
			compiled := e.training.compiled + e.evaluation.compiled
			require.Equal(t, len(training)+1, compiled, "every shape is used")
			if i == 0 {
				first = loss
			}
			// float32 sums in another order, ten steps of Adam.
			require.InDelta(t, first, loss, 1e-4)
		}
	})
}

// everything is a fold with all complexes in every part.
func everything(data *datasets.Collection) datasets.Fold {
	return datasets.Fold{Train: data.IDs(), Validation: data.IDs(), Test: data.IDs()}
}

// steady is the learning rate of the published protocol, at every step.
func steady(int) float64 { return Published(1).Rate }

// planned returns the plan of a task in batches of eight, or those of its protocol, on all of its data,
// unless it has folds.
func planned(task *Task, share float64) *plan {
	if task.Protocol == (Protocol{}) {
		task.Protocol = Published(8)
	}
	if task.Folds == nil {
		task.Folds = []datasets.Fold{everything(task.Data)}
	}
	task.choose()
	p := must(newPlan(task.Data, task.Folds, task.Protocol.Batch, share))
	return p
}

// trainerFor makes a trainer, which is closed with the test; without a plan it is the usual one.
func trainerFor(t *testing.T, backend compute.Backend, task Task, p *plan) *trainer {
	t.Helper()
	if p == nil {
		p = planned(&task, maxDistinct)
	}
	e := must(newTrainer(backend, task, p))
	t.Cleanup(e.close)
	return e
}

// TestNotFinite: a loss that is no number ends the training and says where.
func TestNotFinite(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		data := cycles(32, false)
		for i := range data.Vertices {
			if i/2 >= int(data.VertexStart[1]) && i/2 < int(data.VertexStart[2]) {
				data.Vertices[i] *= 1e38
			}
		}
		job := task(t, data, 3)
		ids := data.IDs()
		job.Folds = []datasets.Fold{{Train: ids[:24], Validation: ids[24:28], Test: ids[28:]}}
		_, err := CrossValidate(context.Background(), backend, job)
		require.Error(t, err)
		require.Regexp(t, `step \d+ makes (the loss|variable \S+) infinite .*complexes \[(\d+ )*1( \d+)*\]`,
			err.Error())
		require.ErrorContains(t, err, "lower the learning rate")
	})
}

// TestTaskOfDataAndModel: what a task leaves open is five stratified folds, the
// published protocol in batches that a small collection has, and one seed.
func TestTaskOfDataAndModel(t *testing.T) {
	data := cycles(20, false)
	out := must(CrossValidate(context.Background(), backendtest.Get(t, "go"), Task{Data: data, Model: forms}))
	require.Len(t, out.Fits, 5)
	folds := must(datasets.StratifiedFolds(data.Labels, 5, 42))
	protocol := Published(len(folds[0].Train))
	explicit := must(CrossValidate(context.Background(), backendtest.Get(t, "go"), Task{Data: data,
		Model:    forms,
		Protocol: protocol, Folds: folds, Seeds: []uint32{42}}))
	require.Equal(t, explicit.Fits[4].History, out.Fits[4].History)
	require.Regexp(t, `^accuracy [0-9.]+ ± [0-9.]+ %, 5 trainings, 134 parameters$`, out.String())
	*out = Outcome{Fits: []*Fit{{Last: Scores{Accuracy: undefined}}, {Last: Scores{Accuracy: 75, RMSE: 2}}}}
	require.Equal(t, "accuracy 75.00 %, 2 trainings (1 without a score), 0 parameters", out.String())
	out.regression = true
	require.Equal(t, "RMSE 1.00 ± 1.41, 2 trainings, 0 parameters", out.String())
	require.Equal(t, "no outcome", (*Outcome)(nil).String())
}

// TestWithoutValidation: the last epoch is the best, whatever parts the folds have.
func TestWithoutValidation(t *testing.T) {
	job := task(t, cycles(60, false), 3)
	job.Protocol.Validate, job.Protocol.StopPatience = -1, 1
	_, with := outcome(t, backendtest.Get(t, "go"), job)
	for i := range job.Folds {
		job.Folds[i].Validation = nil
	}
	_, without := outcome(t, backendtest.Get(t, "go"), job)
	for i, fit := range with {
		require.Equal(t, 2, fit.BestEpoch)
		require.Equal(t, fit.Last, fit.Best)
		require.Equal(t, fit.History, without[i].History)
	}
}

func TestTasksThatCannotBeDone(t *testing.T) {
	two := 2
	backend := backendtest.Get(t, "go")
	good := task(t, cycles(60, false), 2)
	all := good.Data.IDs()
	of := func(build Model) func(*Task) { return func(x *Task) { x.Model = build } }
	panics := func(fault any) func(*Task) {
		return of(func(*model.Scope, *nkf.Batch) *Node { panic(fault) })
	}
	for want, change := range map[string]func(*Task){
		"Epochs 0":         func(x *Task) { x.Protocol.Epochs = 0 },
		"Batch 0":          func(x *Task) { x.Protocol.Batch = 0 },
		"Rate NaN":         func(x *Task) { x.Protocol.Rate = math.NaN() },
		"PlateauFactor 2":  func(x *Task) { x.Protocol.PlateauFactor = 2 },
		"StopPatience 0":   func(x *Task) { x.Protocol.StopPatience = 0 },
		"Validate -2":      func(x *Task) { x.Protocol.Validate = -2 },
		`no metric "luck"`: func(x *Task) { x.Protocol.Select = "luck" },
		"by rmse, which":   func(x *Task) { x.Protocol.Select = "rmse" },
		"by auroc, which":  func(x *Task) { x.Data, x.Protocol.Select = radii(60, true), "auroc" },
		"in it again":      func(x *Task) { x.Folds = []datasets.Fold{everything(x.Data)} },
		"complex 3 is":     func(x *Task) { x.Folds[0].Train = append([]int32{3, 3}, x.Folds[0].Train...) },
		"folds and":        func(x *Task) { x.Folds = []datasets.Fold{} },
		"validates with 0": func(x *Task) { x.Folds = []datasets.Fold{{Train: all, Test: all}} },
		"tests with 0":     func(x *Task) { x.Folds = []datasets.Fold{{Train: all, Validation: all}} },
		"smaller batches":  func(x *Task) { x.Protocol.Batch = len(x.Folds[0].Train) + 1 },
		"numbered 0 to":    func(x *Task) { x.Folds = []datasets.Fold{everything(cycles(61, false))} },
		"no model":         func(x *Task) { x.Model = nil },
		"no data":          func(x *Task) { x.Data = nil },
		"not a finite":     func(x *Task) { x.Data = cycles(60, false); x.Data.Vertices[0] = math.NaN() },

		// A panic of a model is an error here, nor does one of a worker escape.
		"layers: shapes do not fit": panics(errors.New("layers: shapes do not fit")),
		"mat: shapes do not fit":    panics("mat: shapes do not fit"),
		"length 2 (train_test.go:": of(func(*model.Scope, *nkf.Batch) *Node {
			return make([]*Node, 2)[two]
		}),
		"for rank 2 (train_test.go:": of(func(_ *model.Scope, b *nkf.Batch) *Node {
			return ReduceSum(b.Vertices(), 7)
		}),
		"no more room":             func(x *Task) { x.Report = func(Progress) { panic("no more room") } },
		"the model has no outputs": of(func(*model.Scope, *nkf.Batch) *Node { return nil }),
		"want floats [8 complexes, 2 outputs]": of(func(_ *model.Scope, b *nkf.Batch) *Node {
			return ReduceSum(b.Vertices(), 1)
		}),
		"outputs]": of(func(scope *model.Scope, b *nkf.Batch) *Node { // a logit too many
			x := good.Model(scope, b)
			return Concatenate([]*Node{x, x}, 1)
		}),
	} {
		bad := good
		bad.Folds = slices.Clone(good.Folds)
		change(&bad)
		_, err := CrossValidate(context.Background(), backend, bad)
		require.ErrorContains(t, err, want)
	}
	_, err := Predict(backend, Task{}, nil)
	require.ErrorContains(t, err, "no data")
}

// predict returns the scores for all complexes of the task's data of the task's model with the given weights.
func predict(t *testing.T, backend compute.Backend, task Task, weights *model.Store) Scores {
	t.Helper()
	p := Predictions{Labels: task.Data.Labels, Targets: task.Data.Targets,
		Values: must(Predict(backend, task, weights))}
	_, s := NewObjective(task.Data.Info).Evaluate(p)
	return s
}

// TestWeights: what FitAll returns predicts, and fits no other model.
func TestWeights(t *testing.T) {
	backend := backendtest.Get(t, "go")
	job := task(t, cycles(60, false), 10)
	out, _ := outcome(t, backend, job)
	rates := job.rates(out.Fits)
	require.NotEmpty(t, rates)
	require.Empty(t, Task{}.rates(nil))
	weights, epochs, err := FitAll(context.Background(), backend, job, out.Fits)
	require.NoError(t, err)
	require.Len(t, rates, epochs)
	p := predict(t, backend, job, weights)
	require.Greater(t, p.Accuracy, Score(80), "one in nine has no edges and cannot be told")
	// Weights may lie on a device of another client.
	first := slices.Collect(weights.IterVariables())[0]
	value := must(first.Value())
	client := must(compute.NewWithConfig("go:ops_sequential"))
	require.NoError(t, value.MaterializeOnDevice(client, true, 0))
	require.Equal(t, p, predict(t, backend, job, weights))
	for want, change := range map[string]func(w *model.Store, path string) error{
		"has no value": func(w *model.Store, path string) error { return w.DeleteVariable(path) },
		"would have to be": func(w *model.Store, path string) error {
			_, err := w.CreateVariable("/else", tensors.FromValue([]float32{1}))
			return errors.Join(err, w.DeleteVariable(path), w.MoveVariable("/else", path))
		},
	} {
		other := must(weights.Clone())
		first := slices.Collect(other.IterVariables())[0].Path()
		require.NoError(t, change(other, first))
		_, err = Predict(backend, job, other)
		require.ErrorContains(t, err, want)
	}
}

// TestShuffle: seeds, folds and epochs have orders of their own.
func TestShuffle(t *testing.T) {
	train, seen := []int32{5, 6, 7, 8, 9, 10, 11, 12}, map[string]bool{}
	for i := range 27 {
		order := make([]int32, len(train))
		shuffle(order, train, uint32(i/9), i/3%3, i%3)
		seen[fmt.Sprint(order)] = true
		require.ElementsMatch(t, train, order)
	}
	require.Len(t, seen, 27, "of 40320 orders, 27 that are all different")
}

// TestCosine: the rate rises to its peak, falls to nearly nothing, and is that
// of the formula in between.
func TestCosine(t *testing.T) {
	protocol := Published(8)
	protocol.Cosine, protocol.Warmup, protocol.Rate, protocol.Epochs = true, 0.05, 3e-3, 10
	rates, observe := Task{Protocol: protocol}.schedule(20)
	require.InDelta(t, 3e-3/10, rates(0, 0), 1e-12)
	require.InDelta(t, 3e-3*(1+math.Cos(math.Pi*9/200))/2, rates(0, 9), 1e-12)
	require.InDelta(t, 3e-3/2, rates(5, 0), 1e-12)
	require.Less(t, rates(9, 19), 1e-6)
	observe(math.Inf(1)) // changes nothing
	require.InDelta(t, 3e-3/2, rates(5, 0), 1e-12)
}

// TestOptimizer: steps of Adam with decay and gradients that are cut, and then too small for that, against
// the formulas on the host.
func TestOptimizer(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		adam := Protocol{Rate: 0.1, Decay: 0.5, Clip: 2}.Optimizer()
		step := model.MustNewExec(backend, store, func(scope *model.Scope, g *Graph) *Node {
			w := scope.VariableWithValue("w", []float64{1.2, -0.9}).NodeValue(g)
			loss := ReduceAllSum(Square(w)) // gradient 2w, of norm 3 to 0.1
			adam.UpdateGraph(scope, g, loss)
			return loss
		})
		w, m, v := []float64{1.2, -0.9}, []float64{0, 0}, []float64{0, 0}
		for n := 1; n <= 9; n++ {
			step.MustCall()
			norm := 2 * math.Hypot(w[0], w[1])
			for i := range w {
				g := 2 * w[i] * math.Min(1, 2/norm)
				m[i], v[i] = 0.9*m[i]+0.1*g, 0.999*v[i]+0.001*g*g
				w[i] = w[i]*(1-0.1*0.5) - 0.1*m[i]/(1-math.Pow(0.9, float64(n)))/
					(math.Sqrt(v[i]/(1-math.Pow(0.999, float64(n))))+1e-8)
			}
			for variable := range store.IterVariables() {
				if variable.Name() == "w" {
					// clipEpsilon stands beside a norm of 2 or more.
					got := tensors.MustCopyFlatData[float64](variable.MustValue())
					require.InDeltaSlice(t, w, got, 1e-8, "after step %d", n)
				}
			}
		}
	})
}

// TestFrequencyWeights: of ten million labels nine in ten are of one class, which has the weight 0.9.
func TestFrequencyWeights(t *testing.T) {
	data := &datasets.Collection{Labels: make([]int32, 1e7), Simplices: make([]datasets.Simplices, 1)}
	data.Classes = []string{"frequent", "rare"}
	for i := 0; i < len(data.Labels); i += 10 {
		data.Labels[i] = 1
	}
	weights := Published(16).weights(data)
	require.InEpsilonSlice(t, []float32{0.9, 0.1}, weights, 1e-3) // 65,536 roundings of 2^-25 at most
}

// must returns the result of a call that cannot fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
