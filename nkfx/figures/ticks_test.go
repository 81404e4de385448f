package figures

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
)

func TestTypeset(t *testing.T) {
	require.Equal(t, "−1 = −2 (−3): 1-forms, 1e−05, a-b, -x",
		typeset("-1 = -2 (-3): 1-forms, 1e-05, a-b, -x"))
}

// TestTicks: where gonum/plot puts its labels they have true minus signs, and axes of counts have theirs.
func TestTicks(t *testing.T) {
	labels := func(ticker plot.Ticker, low, high float64) (out []string) {
		for _, tick := range ticker.Ticks(low, high) {
			if !tick.IsMinor() {
				out = append(out, tick.Label)
			}
		}
		return out
	}
	require.Equal(t, []string{"−4", "0", "4"}, labels(ticks{}, -4.5, 4.5))
	require.Equal(t, []string{"0", "10", "20", "30"}, labels(ticks{}, 0, 35))
	require.Equal(t, []string{"1e+09", "2e+09", "3e+09"}, labels(ticks{}, 5e8, 3.2e9))
	require.Empty(t, labels(ticks{}, 1, 1))
	require.Empty(t, labels(ticks{}, math.NaN(), 1))
	require.Equal(t, []string{"3K", "6K", "9K", "12K"}, labels(counts{}, 1500, 12000))
	require.Equal(t, []string{"3K", "3.9K", "4.8K"}, labels(counts{}, 2800, 4900))
	require.Equal(t, []string{"1K", "10K", "100K", "1M", "10M"}, labels(counts{}, 8000, 1.2e6), "and beyond")
	for _, length := range []float64{1e-12, 0.3, 1, 4.99, 5, 5.01, 17, 1e9} {
		count := len(labels(ticks{}, 0, length))
		require.GreaterOrEqual(t, count, 3, length)
		require.LessOrEqual(t, count, 6, length)
	}
}
