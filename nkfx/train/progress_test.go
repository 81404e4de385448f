package train

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestTimeLeft: of a training that follows on all data the time left counts the epochs and the compilation.
func TestTimeLeft(t *testing.T) {
	job := task(t, cycles(90, false), 10)
	job.Pool = NewPool(2)
	defer job.Pool.Close()
	left := func(all bool) time.Duration {
		job.All = all
		b := newProgress(job, 3, 3)
		b.begin, b.prepared = time.Now().Add(-50*time.Second), 20*time.Second
		b.running[0], b.running[1] = 5, 5 // three seconds an epoch, of one worker six
		return b.left()
	}
	// Within the time that the lines above take.
	near := func(want, got time.Duration) { require.InDelta(t, want.Seconds(), got.Seconds(), 1) }
	near(60*time.Second, left(false)) // 5 + 5 + 10 epochs
	share := float64(job.Data.Len()) / float64(len(job.Folds[0].Train))
	near((60+20)*time.Second+time.Duration(10*6*share*float64(time.Second)), left(true))
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

	job.Report = func(p Progress) {
		if p.Doing == "" {
			panic("no room on the screen")
		}
	}
	_, _, err = FitAll(context.Background(), backendtest.Get(t, "go"), job, nil)
	require.ErrorContains(t, err, "no room on the screen")
}
