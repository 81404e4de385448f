package train

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestTimeLeft counts the epochs of the trainings under way and of those to come.
func TestTimeLeft(t *testing.T) {
	job := task(t, cycles(90, false), 10)
	job.Pool = NewPool(2)
	defer job.Pool.Close()
	p := newProgress(job, 3, 3)
	p.begin, p.prepared = time.Now().Add(-50*time.Second), 20*time.Second
	p.running[0], p.running[1] = 5, 5 // three seconds an epoch
	// 5 + 5 + 10 epochs, within the time that the lines above take.
	require.InDelta(t, 60, p.left().Seconds(), 1)
	p.todo, p.ended, p.trained = 4, 1, 10 // another has ended: 20 epochs in the same time, and 20 are left
	require.InDelta(t, 30, p.left().Seconds(), 1)
}

// TestFitAllReports: the training on everything says what it does, and how long it will take.
func TestFitAllReports(t *testing.T) {
	job := task(t, cycles(60, false), 5)
	var doing []string
	var epochs []int
	job.Report = func(p Progress) {
		require.True(t, p.All)
		require.Equal(t, 1, p.Total)
		if p.Doing != "" {
			require.Empty(t, epochs)
			doing = append(doing, p.Doing)
			return
		}
		require.Equal(t, 5, p.Epochs)
		epochs = append(epochs, p.Epoch.Epoch)
		require.Equal(t, p.Epoch.Epoch == 4, p.Left == 0, "epoch %d: %v left", p.Epoch.Epoch, p.Left)
	}
	_, count, err := FitAll(context.Background(), backendtest.Get(t, "go"), job, nil)
	require.NoError(t, err)
	require.Equal(t, 5, count)
	require.Equal(t, []string{"preparing", "compiling"}, doing)
	require.Equal(t, []int{0, 1, 2, 3, 4}, epochs)
}
