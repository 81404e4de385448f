package train

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// mean returns one metric.
func mean(p tested, metric string) float64 {
	m, _ := metricOf(metric)
	value, _ := m.mean(p)
	return value
}

// TestUndefinedScores: a class that is absent is left out of a mean and counted; where no class is left there
// is no score, not a bad one.
func TestUndefinedScores(t *testing.T) {
	p := tested{
		Labels: []int32{0, 0, 1, 1}, Classes: 3,
		Logits: []float32{3, 1, 0 /**/, 2, 1, 0 /**/, 0, 3, 0 /**/, 1, 4, 0},
	}
	s := p.scores()
	require.Equal(t, Score(100), s.AUROC, "of two classes that are told apart")
	require.Equal(t, Score(100), s.AveragePrecision)
	require.Equal(t, map[string]int{"auroc": 1, "average_precision": 1}, s.Undefined)

	p.Labels = []int32{0, 0, 0, 0}
	s = p.scores()
	require.False(t, s.AUROC.Defined(), "of one class")
	require.Equal(t, map[string]int{"auroc": 3, "average_precision": 2}, s.Undefined)
	require.Equal(t, Score(50), s.Accuracy)

	// Of tasks, the second has one answer.
	p = tested{
		Labels: make([]int32, 2), Classes: 2, Logits: []float32{1, 1, -1, 1}, Targets: []float32{1, 1, 0, 1},
	}
	s = p.scores()
	require.Equal(t, Score(100), s.AUROC)
	require.Equal(t, map[string]int{"macro_accuracy": 1, "auroc": 1, "average_precision": 1}, s.Undefined)
	p.Regression, p.Targets[1], p.Targets[3] = true, unknown, unknown
	s = p.scores()
	require.InDelta(t, math.Sqrt(0.5), float64(s.RMSE), 1e-15, "of the first task alone: errors 0 and 1")
	require.Equal(t, map[string]int{"rmse": 1, "mae": 1}, s.Undefined)
}

// TestScoresAsJSON: what is undefined is null, and comes back so.
func TestScoresAsJSON(t *testing.T) {
	text, err := json.Marshal(Scores{Accuracy: 75.5, AUROC: undefined, Undefined: map[string]int{"auroc": 2}})
	require.NoError(t, err)
	require.JSONEq(t, `{"accuracy":75.5,"macro_accuracy":0,"auroc":null,"average_precision":0,`+
		`"undefined":{"auroc":2}}`, string(text))
	var s Scores
	require.NoError(t, json.Unmarshal(text, &s))
	require.False(t, s.AUROC.Defined())
	require.Equal(t, Score(75.5), s.Accuracy)
	require.Equal(t, 2, s.Undefined["auroc"])
	require.Error(t, json.Unmarshal([]byte(`{"auroc":"x"}`), &s))
}

// TestMetrics: every metric is a score of that name in JSON, and what an epoch can be chosen by.
func TestMetrics(t *testing.T) {
	for i, metric := range Metrics {
		var s Scores
		*s.Of(metric) = Score(i + 1)
		text, err := json.Marshal(s)
		require.NoError(t, err)
		var values map[string]any
		require.NoError(t, json.Unmarshal(text, &values))
		require.InDelta(t, float64(i+1), values[metric], 0, metric)
	}
	var s Scores
	require.Nil(t, s.Of("luck"))
}
