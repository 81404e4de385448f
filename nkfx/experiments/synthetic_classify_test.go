package experiments

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/nkfx/train"
)

// scored returns the classification of two samples of different classes by two forms.
func scored(points ...float32) Classification {
	e := Embedding{Points: points, Labels: []int32{0, 1}}
	c := Classification{Parameters: 7, Train: e, Test: e}
	c.score()
	return c
}

// TestWorseThanGuessing: equal scores are guessing, and what has a larger loss says so.
func TestWorseThanGuessing(t *testing.T) {
	right := scored(3, 0, 0, 3)
	require.InDelta(t, math.Log1p(math.Exp(-3)), float64(right.TrainLoss), 1e-12, "cross-entropy by hand")
	require.Equal(t, right.TrainLoss, right.TestLoss)
	require.Empty(t, right.Warning)
	require.Equal(t, "7 parameters, training accuracy 100.0 %, test accuracy 100.0 %", right.String())

	guess := scored(0, 0, 5, 5)
	require.Equal(t, train.Score(math.Log(2)), guess.GuessLoss)
	require.InDelta(t, math.Log(2), float64(guess.TrainLoss), 1e-15)

	wrong := scored(0, 3, 3, 0)
	require.InDelta(t, math.Log1p(math.Exp(3)), float64(wrong.TrainLoss), 1e-12)
	const warning = "training ended with loss 3.05, worse than guessing among 2 classes (0.69)"
	require.Equal(t, warning, wrong.Warning)
	require.Contains(t, wrong.String(), "; "+warning)
	data, err := json.Marshal(wrong)
	require.NoError(t, err)
	require.Contains(t, string(data), `"warning":"`+warning+`"`)
	data, err = json.Marshal(right)
	require.NoError(t, err)
	require.NotContains(t, string(data), "warning")

	lost := scored(float32(math.NaN()), 0, 0, 0)
	require.Contains(t, lost.Warning, "loss NaN, worse than guessing")
	// Training goes on from where it was.
	lost.Train, lost.Test = right.Train, right.Test
	lost.score()
	require.Empty(t, lost.Warning)
}
