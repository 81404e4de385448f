package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// noisy returns rows of two views, of which the second is near the first, with classes by the first column,
// and ten columns of noise after it.
func noisy(count int) (rows []float32, labels []int) {
	random := rand.New(rand.NewPCG(3, 3))
	for i := range count {
		labels = append(labels, i%3)
		var first, second []float32
		for j := range 11 {
			x := random.NormFloat64()
			if j == 0 {
				x = x/4 + float64(i%3)
			}
			first, second = append(first, float32(x)), append(second, float32(x+random.NormFloat64()/10))
		}
		rows = append(append(rows, first...), second...)
	}
	return rows, labels
}

// TestChoice: of a column that tells the classes and of noise the column is chosen, other columns have no
// weights, and the solution is a stationary point of the penalized loss, which finite differences agree with.
func TestChoice(t *testing.T) {
	rows, labels := noisy(90)
	c := Choice{Views: 2, Groups: []string{"signal", "noise"}, Widths: []int{1, 10}}
	x, _, _ := c.views(rows, len(labels))
	w, b, best := c.classify(x, labels, 3)
	require.Equal(t, 1, best.columns, best.why)
	require.Contains(t, best.why, "up to signal, penalty ")
	require.NotZero(t, w.At(0, 0))
	for j := 1; j < 11; j++ {
		require.Zero(t, mat.Norm(w.RowView(j), 1))
	}
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
	l := c.logistic(x, labels, all, 3, 11)
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
