package train

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// number reads a JSON number, or "nan" and "inf" in a string.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		v, err := strconv.ParseFloat(text, 64)
		*n = number(v)
		return err
	}
	return json.Unmarshal(data, (*float64)(n))
}

// goldenTraining is golden training.json, from PyTorch, Lightning,
// scikit-learn and torchmetrics.
type goldenTraining struct {
	Adam struct {
		Start map[string]json.RawMessage
		X     [][]float64
		Y     []int32
		Steps []struct {
			Loss  float64
			After map[string]json.RawMessage
		}
	}
	Plateau struct {
		InitialLR float64 `json:"initial_lr"`
		Runs      map[string]struct {
			Losses []float64
			LR     []float64 `json:"lr_after"`
			Bad    []int     `json:"bad_epochs_after"`
			Best   float64
		}
	} `json:"reduce_lr_on_plateau"`
	Stopping struct {
		Patience int
		Runs     map[string]struct {
			Losses []number
			Wait   []int `json:"wait_after"`
			Stop   *int  `json:"stop_epoch"`
			Best   float64
		}
	} `json:"early_stopping"`
	NLL struct {
		Logits       [][]float64
		Labels       []int32
		ClassWeights []float32 `json:"class_weights"`
		Epoch        struct {
			Mean float64 `json:"mean_weighted_by_batch_size"`
		} `json:"epoch_value"`
	} `json:"weighted_nll"`
	Metrics struct {
		Binary map[string]struct {
			Scores     []float64
			Labels     []int
			AUROC      float64
			AP         float64 `json:"average_precision"`
			AP0        float64 `json:"average_precision_class_0"`
			TwoClasses struct {
				AUROC float64
				AP    float64 `json:"average_precision"`
			} `json:"torchmetrics_two_class"`
		}
		Multiclass map[string]struct {
			LogProbabilities [][]float64 `json:"log_probabilities"`
			Labels           []int32
			Classes          int
			Micro            float64    `json:"accuracy_micro"`
			Macro            float64    `json:"accuracy_macro"`
			AUROCs           []*float64 `json:"sklearn_auroc_per_class"`
			APs              []*float64 `json:"sklearn_average_precision_per_class"`
			AUROC            float64    `json:"torchmetrics_auroc_macro"`
			AP               float64    `json:"torchmetrics_average_precision_macro"`
		}
	}
}

func readGolden(t *testing.T) *goldenTraining {
	t.Helper()
	data := must(os.ReadFile("../../layers/testdata/numerics/training.json"))
	var g goldenTraining
	require.NoError(t, json.Unmarshal(data, &g))
	return &g
}

func TestGoldenPlateau(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Plateau.Runs, 7)
	for name, run := range g.Plateau.Runs {
		p := plateau{rate: g.Plateau.InitialLR, factor: 0.1, patience: 10, best: math.Inf(1)}
		for i, loss := range run.Losses {
			// Rates are products of a few rounded factors of 0.1.
			p.step(loss)
			require.InEpsilon(t, run.LR[i], p.rate, 1e-12, "%s, epoch %d", name, i)
			require.Equal(t, run.Bad[i], p.bad, "%s, epoch %d", name, i)
		}
		require.Equal(t, run.Best, p.best, name)
	}
}

func TestGoldenEarlyStopping(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Stopping.Runs, 7)
	for name, run := range g.Stopping.Runs {
		s := earlyStopping{patience: g.Stopping.Patience, best: math.Inf(1)}
		stopped := -1
		for i, loss := range run.Losses {
			stop := s.step(float64(loss))
			if i < len(run.Wait) {
				require.Equal(t, run.Wait[i], s.wait, "%s, epoch %d", name, i)
			}
			if stop {
				stopped = i
				break
			}
		}
		if run.Stop == nil {
			require.Equal(t, -1, stopped, name)
		} else {
			require.Equal(t, *run.Stop, stopped, name)
		}
		require.Equal(t, run.Best, s.best, name)
	}
}

// TestGoldenEpochLoss: logits are float32 here, so six digits are left.
func TestGoldenEpochLoss(t *testing.T) {
	g := readGolden(t)
	p := Predictions{Labels: g.NLL.Labels, Batch: 4}
	for _, row := range g.NLL.Logits {
		for _, v := range row {
			p.Values = append(p.Values, float32(v))
		}
	}
	loss, _ := Classes{Count: 3, Weights: g.NLL.ClassWeights}.Evaluate(p)
	require.InEpsilon(t, g.NLL.Epoch.Mean, loss, 1e-6)
}

func TestGoldenBinaryMetrics(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Metrics.Binary, 6)
	for name, run := range g.Metrics.Binary {
		positive, negative := make([]bool, len(run.Labels)), make([]bool, len(run.Labels))
		against := make([]float64, len(run.Labels))
		p := Predictions{}
		for i, y := range run.Labels {
			positive[i], negative[i], against[i] = y == 1, y == 0, 1-run.Scores[i]
			p.Labels = append(p.Labels, int32(y))
			p.Values = append(p.Values, float32(math.Log(1-run.Scores[i])), float32(math.Log(run.Scores[i])))
		}
		// Sums of at most some hundred rounded terms.
		require.InDelta(t, run.AUROC, rocArea(run.Scores, positive), 1e-13, name)
		require.InDelta(t, run.AP, averagePrecision(run.Scores, positive), 1e-13, name)
		require.InDelta(t, run.AP0, averagePrecision(against, negative), 1e-13, name)
		// Ties survive the logarithm in float32 because it is a function.
		_, s := Classes{Count: 2}.Evaluate(p)
		require.InDelta(t, 100*run.TwoClasses.AUROC, float64(s.AUROC), 1e-11, name)
		require.InDelta(t, 100*run.TwoClasses.AP, float64(s.AveragePrecision), 1e-11, name)
	}
}

func TestGoldenMulticlassMetrics(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Metrics.Multiclass, 2)
	for name, run := range g.Metrics.Multiclass {
		p, classes := Predictions{Labels: run.Labels}, Classes{Count: run.Classes}
		for _, row := range run.LogProbabilities {
			for _, v := range row {
				p.Values = append(p.Values, float32(v))
			}
		}
		_, s := classes.Evaluate(p)
		require.InDelta(t, 100*run.Micro, float64(s.Accuracy), 1e-13, name)
		require.InDelta(t, 100*run.Macro, float64(s.MacroAccuracy), 1e-13, name)
		for c := range run.Classes {
			if run.AUROCs[c] != nil {
				require.InDelta(t, *run.AUROCs[c], rocArea(classes.against(p, c)), 1e-13, "%s, class %d",
					name, c)
			} else {
				require.True(t, math.IsNaN(rocArea(classes.against(p, c))), "%s, class %d", name, c)
			}
			if run.APs[c] != nil {
				require.InDelta(t, *run.APs[c], averagePrecision(classes.against(p, c)), 1e-13,
					"%s, class %d", name, c)
			}
		}
		// torchmetrics computes in float32, and counts the area of an absent class as 0.
		occur := 0
		for c := range run.Classes {
			if slices.Contains(run.Labels, int32(c)) {
				occur++
			}
		}
		require.InDelta(t, 100*run.AUROC*float64(run.Classes)/float64(occur), float64(s.AUROC), 1e-4, name)
		require.Equal(t, run.Classes-occur, s.Undefined["auroc"], name)
		require.InDelta(t, 100*run.AP, float64(s.AveragePrecision), 1e-4, name)
	}
}

// TestGoldenAdam takes the five golden steps with the protocol's optimizer.
func TestGoldenAdam(t *testing.T) {
	g := readGolden(t).Adam
	require.Len(t, g.Steps, 5)
	names := []string{"w1", "b1", "w2", "b2"}
	value := func(raw json.RawMessage) (flat []float64, dims []int) {
		var rows [][]float64
		if err := json.Unmarshal(raw, &rows); err != nil {
			require.NoError(t, json.Unmarshal(raw, &flat))
			return flat, []int{len(flat)}
		}
		for _, row := range rows {
			flat = append(flat, row...)
		}
		return flat, []int{len(rows), len(rows[0])}
	}
	backendtest.All(t, func(t *testing.T, backend compute.Backend) {
		store := model.NewStore()
		for _, name := range names {
			flat, dims := value(g.Start[name])
			must(store.CreateVariable("/"+name, tensors.FromFlatDataAndDimensions(flat, dims...)))
		}
		var x []float64
		for _, row := range g.X {
			x = append(x, row...)
		}
		exec := must(model.NewExec(backend, store, func(scope *model.Scope, graph *Graph) *Node {
			store.SetTraining(graph, true)
			w := map[string]*Node{}
			for _, name := range names {
				w[name] = store.GetVariable("/" + name).NodeValue(graph)
			}
			in := Reshape(ConstAsDType(graph, dtypes.Float64, x), len(g.X), -1)
			h := Tanh(Add(Dot(in, w["w1"]).Product(), ExpandAxes(w["b1"], 0)))
			logits := Add(Dot(h, w["w2"]).Product(), ExpandAxes(w["b2"], 0))
			y := OneHot(Const(graph, g.Y), 3, dtypes.Float64)
			loss := Neg(ReduceAllMean(ReduceSum(Mul(y, LogSoftmax(logits, 1)), 1)))
			Published(16).Optimizer().UpdateGraph(scope, graph, loss)
			return loss
		}))
		for i, step := range g.Steps {
			out := must(exec.Call())
			require.InEpsilon(t, step.Loss, tensors.ToScalar[float64](out[0]), 1e-9, "step %d", i)
			for _, name := range names {
				want, _ := value(step.After[name])
				got := tensors.MustCopyFlatData[float64](store.GetVariable("/" + name).MustValue())
				require.InDeltaSlice(t, want, got, 1e-9, "step %d, %s", i, name)
			}
		}
	})
}
