package profile

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A while is long beside what it takes to record, and short for a test.
const aWhile = 20 * time.Millisecond

// seconds returns those of a part.
func (r *Report) seconds(p Part) float64 { return r.Rows[p].Seconds }

// requireWhole: the parts are all of the time, but for the nanosecond that each division loses.
func requireWhole(t *testing.T, r *Report) {
	t.Helper()
	sum := 0.0
	for _, row := range r.Rows {
		require.GreaterOrEqual(t, row.Seconds, 0.0, row.Part)
		sum += row.Seconds
	}
	require.InDelta(t, r.Seconds, sum, 1e-6)
}

func TestNothingIsRecordedWithoutProfile(t *testing.T) {
	require.Nil(t, End())
	require.Zero(t, testing.AllocsPerRun(10, func() {
		In(Steps)()
		Instead(Steps, Transfer)()
	}))
}

// What goes on when the profile ends counts until then, and its own end changes nothing.
func TestPartsAddUp(t *testing.T) {
	Begin()
	time.Sleep(aWhile)
	end := In(Reading)
	time.Sleep(2 * aWhile)
	end()
	end = In(Steps)
	time.Sleep(aWhile)
	moved := Instead(Steps, Transfer)
	time.Sleep(2 * aWhile)
	moved()
	r := End()
	end()
	requireWhole(t, r)
	require.Greater(t, r.seconds(Start), 0.0)
	require.GreaterOrEqual(t, r.seconds(Rest), aWhile.Seconds())
	require.GreaterOrEqual(t, r.seconds(Reading), 2*aWhile.Seconds())
	require.GreaterOrEqual(t, r.seconds(Steps), aWhile.Seconds())
	require.GreaterOrEqual(t, r.seconds(Transfer), 2*aWhile.Seconds())
	require.Equal(t, Row{"evaluation", 0, 0}, r.Rows[Evaluation])
	require.Equal(t, 1, r.Rows[Transfer].Times)
}

// Two parts at once share the time.
func TestPartsAtOnce(t *testing.T) {
	Begin()
	var work sync.WaitGroup
	for _, p := range []Part{Steps, Evaluation, Steps, Steps} {
		end := In(p)
		work.Go(func() {
			defer end()
			time.Sleep(10 * aWhile)
		})
	}
	work.Wait()
	r := End()
	requireWhole(t, r)
	// They begin and end together, but for what a busy machine makes of it.
	require.InDelta(t, 3, r.seconds(Steps)/r.seconds(Evaluation), 1)
}
