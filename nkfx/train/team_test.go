package train

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/stretchr/testify/require"

	"github.com/neuralkforms/nkf/layers/backendtest"
)

// TestTeamTrainsSideBySide: cross-validations that share workers come to the
// same bits as on their own.
func TestTeamTrainsSideBySide(t *testing.T) {
	backendtest.Each(t, sideBySide)
}

func sideBySide(t *testing.T, backend compute.Backend) {
	tasks := []Task{
		task(t, cycles(40, false), 2), task(t, cycles(60, true), 3), task(t, cycles(50, false), 1),
	}
	var alone [][]Fit
	for _, one := range tasks {
		_, fits := outcome(t, backend, one)
		alone = append(alone, fits)
	}
	team, ctx := NewTeam(context.Background(), 2)
	shared := make([][]Fit, len(tasks))
	for i, one := range tasks {
		one.Team, one.Workers = team, 2
		team.Go(func() error {
			require.NoError(t, ctx.Err())
			_, shared[i] = outcome(t, backend, one)
			return nil
		})
	}
	require.NoError(t, team.Wait())
	require.Equal(t, alone, shared)
}

// TestTeamSeats: work begins when a worker is free, and a worker joins the
// work of another when nothing is left to begin.
func TestTeamSeats(t *testing.T) {
	team, ctx := NewTeam(context.Background(), 2)
	none := make(chan struct{})
	joined, first, second, third := make(chan bool), make(chan int), make(chan int), make(chan int)
	begun := make(chan bool, 3)
	var mu sync.Mutex
	at, most := 0, 0
	count := func(wait chan int) func() error {
		return func() error {
			mu.Lock()
			at++
			most = max(most, at)
			mu.Unlock()
			begun <- true
			<-wait
			mu.Lock()
			at--
			mu.Unlock()
			return nil
		}
	}
	team.Go(count(first))
	team.Go(count(second))
	for range 2 { // both have begun
		<-begun
	}
	go func() {
		leave, ok := team.join(ctx, none)
		joined <- ok
		leave()
	}()
	go close(first)
	team.Go(count(third)) // comes back when the first has ended
	select {
	case <-joined:
		t.Fatal("a worker joined although there was more to begin, and none was free")
	default:
	}
	go close(second)
	go func() {
		require.True(t, <-joined)
		close(third)
	}()
	require.NoError(t, team.Wait())
	require.Equal(t, 2, most)

	// Where no work is left to join, nobody waits.
	team, ctx = NewTeam(context.Background(), 2)
	close(none)
	_, ok := team.join(ctx, none)
	require.False(t, ok)
	require.NoError(t, team.Wait())
}

// TestTeamErrors: the first error ends the work and comes from Wait, as does
// a panic; what has not begun does not begin.
func TestTeamErrors(t *testing.T) {
	for workers := 1; workers <= 2; workers++ { // one after the other, and side by side
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			broken := errors.New("broken")
			team, ctx := NewTeam(context.Background(), workers)
			team.Go(func() error { return broken })
			<-ctx.Done()
			team.Go(func() error { panic("begun after an error") })
			require.ErrorIs(t, team.Wait(), broken)

			team, _ = NewTeam(context.Background(), workers)
			team.Go(func() error { panic("a model that is not ours") })
			require.ErrorContains(t, team.Wait(), "not ours")

			outer, cancel := context.WithCancelCause(context.Background())
			team, ctx = NewTeam(outer, workers)
			if workers > 1 {
				team.Go(func() error { <-ctx.Done(); return context.Cause(ctx) })
			}
			cancel(broken)
			require.ErrorIs(t, team.Wait(), broken)

			team, _ = NewTeam(outer, workers)
			require.ErrorIs(t, team.Wait(), broken)
		})
	}
}
